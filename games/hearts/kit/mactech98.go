//go:build !alone

// mactech98.go - talks to the referee of Hearts, so you do not have to. Do not change it: the contest builds your player with
// its own copy.
//
// You write the six routines of the Programmer's Challenge of 1998 (shell.go describes them), as methods of a type of yours:
//
//	InitTournament   InitGame   SelectPass   PlayTrick   TrickResults   HandResults
//
// main hands a value of that type to Run. Arrays of four are indexed by seat. A hand has 13 cards; where a card was played there
// is NoCard. You get copies.
//
// Print nothing to standard output: it belongs to the referee. Debug with fmt.Fprintln(os.Stderr, ...); only your team can read
// that afterwards. Each millisecond of processor time that your routines use costs a point. Go's library cannot tell how much that
// is on every system, so this file reports nothing, and the referee's own clock decides: what your program uses beyond 0.03 ms for
// a question is yours.
package main

import (
	"bufio"
	"fmt"
	"math/rand"
	"os"
	"strconv"
	"strings"
	"time"
)

type Suit int

const (
	NoSuit Suit = iota
	Spade
	Heart
	Diamond
	Club
)

// Spots are 1 (the two) ... 13 (the ace), as in 1998.
const (
	NoSpot = 0
	Jack   = 10
	Queen  = 11
	King   = 12
	Ace    = 13
)

type Pass int

const (
	PassLeft Pass = iota
	PassRight
	PassAcross
	NoPass
)

type Card struct {
	Suit Suit
	Spot int
}

var NoCard = Card{}

var faces = strings.Fields("2 3 4 5 6 7 8 9 10 J Q K A")

func (card Card) String() string {
	if card == NoCard {
		return "--"
	}
	return faces[card.Spot-1] + "SHDC"[card.Suit-1:card.Suit]
}

// IsPoint tells whether a card costs points: a heart, or the queen of spades.
func (card Card) IsPoint() bool {
	return card.Suit == Heart || card == Card{Spade, Queen}
}

// Player is what you write.
type Player interface {
	InitTournament(numPlayers, gameEndingScore int)
	InitGame(playerIDs [4]int, yourSeat int)
	SelectPass(dealtHand [13]Card, direction Pass) [3]int                               // three different indices of the hand
	PlayTrick(trickNumber, trickLeader int, yourHand [13]Card, cardsPlayed [4]Card) int // an index of your hand
	TrickResults(lastTrick [4]Card, trickWinner int)
	HandResults(pointsThisHand, cumPoints [4]int)
}

// LegalIndices returns the indices of the cards that may be played now. led is the card that was led, NoCard when you lead;
// pointsPlayed tells whether a point card was played on an earlier trick of this hand.
func LegalIndices(hand [13]Card, trickNumber int, led Card, pointsPlayed bool) []int {
	follows, others := false, false
	for _, card := range hand {
		follows = follows || card != NoCard && card.Suit == led.Suit
		others = others || card != NoCard && !card.IsPoint()
	}
	var found []int
	for index, card := range hand {
		legal := card.Suit != Heart || pointsPlayed || !others
		if led != NoCard {
			legal = card.Suit == led.Suit || !follows
		} else if trickNumber == 0 {
			legal = card == Card{Club, 1}
		}
		if legal && card != NoCard {
			found = append(found, index)
		}
	}
	return found
}

// Random numbers are different in every run, unless the environment variable MACTECH98_SEED holds a number.
var Random = rand.New(rand.NewSource(seed()))

func seed() int64 {
	if given, err := strconv.ParseInt(os.Getenv("MACTECH98_SEED"), 10, 64); err == nil {
		return given
	}
	return time.Now().UnixNano()
}

type harness struct {
	player      Player
	dealt, hand [13]Card
	direction   Pass
	seat        int
}

func (h *harness) answer(text string) {
	os.Stdout.WriteString(text + "\n")
}

func readNumber(word string) int {
	number, _ := strconv.Atoi(word)
	return number
}

func readFour(words []string) (found [4]int) {
	for i := range found {
		found[i] = readNumber(words[i])
	}
	return found
}

func readCard(word string) Card {
	last := len(word) - 1
	for spot, face := range faces {
		if face == word[:last] {
			return Card{Suit(strings.IndexByte("SHDC", word[last]) + 1), spot + 1}
		}
	}
	return NoCard
}

func (h *harness) deal(direction string, words []string) {
	h.direction = map[string]Pass{"left": PassLeft, "right": PassRight, "across": PassAcross, "none": NoPass}[direction]
	for i, word := range words {
		h.dealt[i] = readCard(word)
	}
	h.hand = h.dealt
	if h.direction == NoPass {
		h.player.SelectPass(h.dealt, NoPass)
	}
}

func (h *harness) play(number, leader int, words []string) {
	var played [4]Card
	for turn, word := range words {
		played[(leader+turn)%4] = readCard(word)
	}
	h.answer(strconv.Itoa(h.player.PlayTrick(number, leader, h.hand, played)))
}

func (h *harness) trick(words []string, winner int) {
	var cards [4]Card
	for seat, word := range words {
		cards[seat] = readCard(word)
	}
	for index, card := range h.hand {
		if card == cards[h.seat] {
			h.hand[index] = NoCard
		}
	}
	h.player.TrickResults(cards, winner)
}

func (h *harness) hear(words []string) {
	kind, words := words[0], words[1:]
	switch kind {
	case "hello":
		h.answer("ready")
	case "tournament":
		h.player.InitTournament(readNumber(words[0]), readNumber(words[1]))
	case "game":
		h.seat = readNumber(words[4])
		h.player.InitGame(readFour(words), h.seat)
	case "hand":
		h.deal(words[0], words[1:])
	case "pass":
		h.answer(strings.Trim(fmt.Sprint(h.player.SelectPass(h.dealt, h.direction)), "[]"))
	case "received":
		for i := 0; i < 6; i += 2 {
			h.hand[readNumber(words[i])] = readCard(words[i+1])
		}
	case "play":
		h.play(readNumber(words[0]), readNumber(words[1]), words[2:])
	case "trick":
		h.trick(words[:4], readNumber(words[4]))
	case "score":
		h.player.HandResults(readFour(words), readFour(words[4:]))
	case "end":
		h.answer("done")
	}
}

// Run plays until there is nothing more to read.
func Run(player Player) {
	h := harness{player: player}
	input := bufio.NewScanner(os.Stdin)
	for input.Scan() {
		if words := strings.Fields(input.Text()); len(words) > 0 {
			h.hear(words)
		}
	}
}
