//go:build !alone

// acm98.go - what your Tricky Eights contestant may use, and the part that talks to the server. Do not change it: the contest
// builds your player with its own copy.
//
// You write six methods (shell.go describes them):
//
//	StartGame   StartRound   TakeCard   EndTakes   PlayCard   EndRound
//
// They belong to a type of your own. Your main hands one to Run, which reads what the server says, keeps GAME up to date, calls
// your methods and sends the cards they return.
//
// Two things to remember:
//
//   - Print nothing to standard output: it belongs to the server. Debug with fmt.Fprintln(os.Stderr, ...); only your team can
//     read that afterwards.
//   - GAME is for reading only. What you change in it is gone before your next method is called, and the server believes no
//     one.
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

// ---------------------------------------------------------------------------------------------------------------------
// Players, suits, faces, cards
// ---------------------------------------------------------------------------------------------------------------------

// Players sit clockwise in this order. The player after p is (p + 1) % 4.
const (
	NORTH = iota
	EAST
	SOUTH
	WEST
)

// NOBODY is used where there is no player.
const NOBODY = -1

const (
	CLUBS = iota
	DIAMONDS
	HEARTS
	SPADES
)

// Faces are 2 … 14. The cards between are simply 2 … 10.
const (
	JACK = iota + 11
	QUEEN
	KING
	ACE
)

// Card is a number 0 … 51, so that it can be the index of an array: first the clubs from 2 to ace (0 … 12), then the diamonds,
// the hearts and the spades. Its methods take it apart; MakeCard puts it together.
type Card int

// NoCard is used where there is no card.
const NoCard Card = -1

// Suit is CLUBS … SPADES.
func (card Card) Suit() int { return int(card) / 13 }

// Face is 2 … ACE.
func (card Card) Face() int { return int(card)%13 + 2 }

// MakeCard makes a card: MakeCard(HEARTS, 8) is the eight of hearts.
func MakeCard(suit, face int) Card { return Card(suit*13 + face - 2) }

// String gives the name of a card as the server writes it, such as dk.
func (card Card) String() string {
	if card < 0 || card > 51 {
		return "??"
	}
	return suitLetters[card/13:card/13+1] + faceLetters[card%13:card%13+1]
}

// CardFromName is the inverse of String. It returns NoCard for what is not a card.
func CardFromName(name string) Card {
	if len(name) != 2 {
		return NoCard
	}
	suit, face := strings.IndexByte(suitLetters, name[0]), strings.IndexByte(faceLetters, name[1])
	if suit < 0 || face < 0 {
		return NoCard
	}
	return Card(suit*13 + face)
}

// PlayerName is north, east, south or west.
func PlayerName(player int) string {
	if player < 0 || player > 3 {
		return "nobody"
	}
	return [...]string{"north", "east", "south", "west"}[player]
}

// ---------------------------------------------------------------------------------------------------------------------
// GAME
// ---------------------------------------------------------------------------------------------------------------------

// Place is where a card is, as far as you can know: GAME.Where[card].
type Place int

const (
	HIDDEN Place = iota // dealt to one of the other players, you do not know to whom
	POOL                // face up in the pool, may still be taken
	HELD                // in the hand of player GAME.Owner[card]: yours, or taken from the pool where everybody saw it
	TABLE               // on the table, in the current trick
	PLAYED              // went with an earlier trick
)

// Trick is one trick, finished or not.
type Trick struct {
	Leader int     // who played the first card
	Count  int     // how many cards it has, 0 … 4
	Card   [4]Card // Card[p]: what player p played, or NoCard. The index is the player, not the order.
	Winner int     // who wins it as it stands (NOBODY while it is empty)
	Points int     // what it is worth as it stands: 1 (first and last trick 3) and 2 for each eight
}

// Game is everything you know. There is one of these, GAME.
type Game struct {
	Me     int    // which player you are: NORTH … WEST
	Round  int    // number of the round, from 1
	Dealer int    // dealer of this round: takes first, and leads the first trick
	Total  [4]int // points of all finished rounds. In EndRound this round is already in it.
	Points [4]int // points made in this round so far

	// Your hand: the cards you hold now, in the order in which you got them. Cards you played are no longer in it.
	Hand []Card

	// The takes
	Pool []Card    // the cards left in the pool: during TakeCard, those you may choose from
	Take [4][]Card // Take[p]: what player p took so far, in that order

	// The play
	TrickNumber int     // number of the current trick 1 … 13; 0 during the takes, 14 in EndRound
	Trick       Trick   // the current trick: in PlayCard the cards that were played before you
	Past        []Trick // the finished tricks of this round

	// What you know of every card and every player: a card counter's table, kept for you
	Where     [52]Place  // HIDDEN, POOL, HELD, TABLE or PLAYED
	Owner     [52]int    // who holds, played or took that card; NOBODY for a card that is HIDDEN or in the POOL
	CardsLeft [4]int     // how many cards player p holds
	IsOut     [4][4]bool // IsOut[p][suit]: p has none left, because it did not follow
}

// GAME is the game as you may see it.
var GAME Game

// Contestant is what you write.
type Contestant interface {
	StartGame()
	StartRound()
	TakeCard() Card
	EndTakes()
	PlayCard() Card
	EndRound()
}

// ---------------------------------------------------------------------------------------------------------------------
// Helper routines. None of them changes anything.
// ---------------------------------------------------------------------------------------------------------------------

// LegalCards are the cards you may play now: those of the suit led, if you have any, or else your whole hand. During the takes:
// the pool.
func LegalCards() []Card { return GAME.choices() }

// IsLegal tells whether you may play (during the takes: take) this card now.
func IsLegal(card Card) bool { return contains(GAME.choices(), card) }

// WouldWin tells whether this card would be the winning one of the current trick if you played it now.
func WouldWin(card Card) bool { return GAME.Trick.beatenBy(card) }

// CountSuit is how many cards of a suit you hold.
func CountSuit(suit int) int {
	return len(filter(GAME.Hand, func(card Card) bool { return card.Suit() == suit }))
}

// CountHigher is how many cards that beat this one (same suit, higher) may still come from the other players: those that are
// not yours, not played and not on the table. 0: nobody can beat it any more, if its suit is led.
func CountHigher(card Card) int {
	count := 0
	for other := card + 1; other < 52 && other.Suit() == card.Suit(); other++ {
		if GAME.Where[other] != PLAYED && GAME.Where[other] != TABLE && GAME.Owner[other] != GAME.Me {
			count++
		}
	}
	return count
}

// IsSeen tells whether you know where this card is: it was played, is face up, was taken by somebody, or is yours.
func IsSeen(card Card) bool { return GAME.Where[card] != HIDDEN }

// TrickPoints is what trick 1 … 13 with these cards is worth: 1, or 3 for the first and the last, and 2 for each eight.
func TrickPoints(number int, cards ...Card) int {
	points := 1
	if number == 1 || number == 13 {
		points = 3
	}
	for _, card := range cards {
		if card != NoCard && card.Face() == 8 {
			points += 2
		}
	}
	return points
}

// NextPlayer is the next player clockwise.
func NextPlayer(player int) int { return (player + 1) % 4 }

// RandomInt is a random number 0 … n - 1, evenly distributed. Different in every run, unless the environment variable ACM98_SEED
// holds a number (to debug: the same number gives the same random numbers; it is not set in the contest).
func RandomInt(n int) int {
	if random == nil {
		seed, err := strconv.ParseInt(os.Getenv("ACM98_SEED"), 10, 64)
		if err != nil {
			seed = time.Now().UnixNano() ^ int64(os.Getpid())<<32
		}
		random = rand.New(rand.NewSource(seed))
	}
	return random.Intn(n)
}

// ---------------------------------------------------------------------------------------------------------------------
// You need not read beyond this line.
// ---------------------------------------------------------------------------------------------------------------------

const (
	suitLetters   = "cdhs"
	faceLetters   = "23456789tjqka"
	playerLetters = "nesw"
)

var (
	random     *rand.Rand
	truth      Game // what the server told us; GAME becomes a copy of it before each of your methods is called
	takesEnded bool
	roundEnded = true
)

func filter(cards []Card, keeps func(Card) bool) []Card {
	kept := []Card{}
	for _, card := range cards {
		if keeps(card) {
			kept = append(kept, card)
		}
	}
	return kept
}

func contains(cards []Card, card Card) bool {
	return len(filter(cards, func(other Card) bool { return other == card })) > 0
}

func without(cards []Card, card Card) []Card {
	return filter(cards, func(other Card) bool { return other != card })
}

func copied(cards []Card) []Card { return append([]Card{}, cards...) }

func (game *Game) choices() []Card {
	if game.TrickNumber == 0 {
		return copied(game.Pool)
	}
	if game.Trick.Count == 0 {
		return copied(game.Hand)
	}
	led := game.Trick.Card[game.Trick.Leader].Suit()
	following := filter(game.Hand, func(card Card) bool { return card.Suit() == led })
	if len(following) == 0 {
		return copied(game.Hand)
	}
	return following
}

func (trick *Trick) beatenBy(card Card) bool {
	if trick.Winner == NOBODY {
		return true
	}
	best := trick.Card[trick.Winner]
	return card.Suit() == best.Suit() && card > best
}

func newTrick(leader, points int) Trick {
	return Trick{Leader: leader, Card: [4]Card{NoCard, NoCard, NoCard, NoCard}, Winner: NOBODY, Points: points}
}

// newGame is a game in this round, of which nothing else is known.
func newGame(me, round int, total [4]int) Game {
	game := Game{Me: me, Round: round, Dealer: (round + 3) % 4, Total: total, CardsLeft: [4]int{10, 10, 10, 10}}
	game.Trick = newTrick(game.Dealer, 1)
	for card := range game.Owner {
		game.Owner[card] = NOBODY
	}
	return game
}

// show makes GAME a copy of the truth that shares nothing with it.
func show() {
	GAME = truth
	GAME.Hand, GAME.Pool = copied(truth.Hand), copied(truth.Pool)
	GAME.Past = append([]Trick{}, truth.Past...)
	for player := range GAME.Take {
		GAME.Take[player] = copied(truth.Take[player])
	}
}

type library struct {
	contestant Contestant
	words      *bufio.Scanner
}

// Run plays: call it once. It returns when the server has nothing more to say.
//
// It reads the commands, one word at a time:
//
//	starthand WHO ten-cards twelve-cards             a round begins
//	take  (WHO CARD)x0..3 ME                         take a card from the pool      -> we answer with a card
//	aftertake (WHO CARD)x4                           what everybody took
//	play  (WHO CARD)x0..3 ME                         play a card                    -> we answer with a card
//	result (WHO CARD)x4   or   resultoftrick ...     what everybody played
//	endround              or   end A B C D           the round is over
//
// Any other word is ignored, and so are superfluous cards and numbers. What aftertake and result say is what counts; our own
// answer changes nothing by itself.
func Run(contestant Contestant) {
	words := bufio.NewScanner(os.Stdin)
	words.Buffer(nil, 1<<30) // words may have any length, and so may lines
	words.Split(bufio.ScanWords)
	it := &library{contestant, words}
	truth = newGame(NOBODY, 0, [4]int{})
	show()
	contestant.StartGame()
	for words.Scan() {
		switch words.Text() {
		case "starthand":
			it.startHand()
		case "take":
			truth.Dealer = it.readOthers(tellTake)
			it.answer("TakeCard", contestant.TakeCard)
		case "aftertake":
			truth.Dealer = it.readFour(tellTake)
			if len(truth.Pool) == 0 {
				it.endTakesOnce()
			}
		case "play":
			it.endTakesOnce() // for a person who types and left out an aftertake
			truth.Trick.Leader = it.readOthers(tellPlay)
			it.answer("PlayCard", contestant.PlayCard)
		case "result", "resultoftrick":
			it.readFour(tellPlay)
			finishTrick()
		case "endround", "end":
			it.endRound()
		}
	}
}

// answer sends the card that a method returns.
func (it *library) answer(name string, choose func() Card) {
	show()
	card := choose()
	if !contains(truth.choices(), card) {
		why := "is not in your hand"
		if name == "TakeCard" {
			why = "is not in the pool"
		} else if contains(truth.Hand, card) {
			why = "does not follow suit"
		}
		fmt.Fprintf(os.Stderr, "acm98: %s returned %v, which %s\n", name, card, why)
	}
	fmt.Println(card)
}

// readWord returns the next word. The end of input ends the program.
func (it *library) readWord() string {
	if !it.words.Scan() {
		os.Exit(0)
	}
	return it.words.Text()
}

func (it *library) readCard() Card {
	word := it.readWord()
	card := CardFromName(word)
	if card == NoCard {
		fmt.Fprintf(os.Stderr, "acm98: %q is not a card\n", word)
	}
	return card
}

func (it *library) readPlayer() int {
	word := it.readWord()
	if player := strings.Index(playerLetters, word); len(word) == 1 && player >= 0 {
		return player
	}
	fmt.Fprintf(os.Stderr, "acm98: %q is not a player\n", word)
	return NOBODY
}

func (it *library) readCards(count int) []Card {
	cards := []Card{}
	for ; count > 0; count-- {
		if card := it.readCard(); card != NoCard {
			cards = append(cards, card)
		}
	}
	return cards
}

// readOthers reads the players and cards of a question, up to our own place. It returns who was first. The commented game on
// paper shows our answer behind it: that is then a word too many.
func (it *library) readOthers(tell func(int, Card)) int {
	first := it.readPlayer()
	for player := first; player != truth.Me && player != NOBODY; player = it.readPlayer() {
		tell(player, it.readCard())
	}
	if first == NOBODY {
		return truth.Me
	}
	return first
}

// readFour reads the four players and cards of a summary. It returns who was first.
func (it *library) readFour(tell func(int, Card)) int {
	first := it.readPlayer()
	tell(first, it.readCard())
	for count := 1; count < 4; count++ {
		player := it.readPlayer()
		tell(player, it.readCard())
	}
	return first
}

// tellTake: somebody took a card from the pool. Hearing it twice (in a question, then in the summary) changes nothing.
func tellTake(player int, card Card) {
	if player == NOBODY || !contains(truth.Pool, card) {
		return
	}
	truth.Pool = without(truth.Pool, card)
	truth.Where[card] = HELD
	truth.Owner[card] = player
	truth.Take[player] = append(truth.Take[player], card)
	truth.CardsLeft[player]++
	if player == truth.Me {
		truth.Hand = append(truth.Hand, card)
	}
}

// tellPlay: somebody played a card to the current trick. Hearing it twice changes nothing.
func tellPlay(player int, card Card) {
	trick := &truth.Trick
	if player == NOBODY || card == NoCard || trick.Card[player] != NoCard {
		return
	}
	if trick.Count == 0 {
		trick.Leader = player
	}
	if trick.beatenBy(card) {
		trick.Winner = player
	}
	trick.Card[player] = card
	trick.Count++
	trick.Points = TrickPoints(truth.TrickNumber, trick.Card[:]...)
	if led := trick.Card[trick.Leader].Suit(); card.Suit() != led {
		truth.IsOut[player][led] = true
	}
	truth.Where[card] = TABLE
	truth.Owner[card] = player
	truth.CardsLeft[player]--
	truth.Hand = without(truth.Hand, card)
}

func finishTrick() {
	trick := truth.Trick
	if trick.Winner == NOBODY || truth.TrickNumber < 1 || truth.TrickNumber > 13 {
		return
	}
	for _, card := range trick.Card {
		if card != NoCard {
			truth.Where[card] = PLAYED
		}
	}
	truth.Points[trick.Winner] += trick.Points
	truth.Past = append(truth.Past, trick)
	truth.TrickNumber++
	truth.Trick = newTrick(trick.Winner, TrickPoints(truth.TrickNumber))
}

func (it *library) startHand() {
	me := it.readPlayer()
	truth = newGame(me, truth.Round+1, truth.Total)
	truth.Hand, truth.Pool = it.readCards(10), it.readCards(12)
	for _, card := range truth.Hand {
		truth.Where[card], truth.Owner[card] = HELD, me
	}
	for _, card := range truth.Pool {
		truth.Where[card] = POOL
	}
	takesEnded, roundEnded = false, false
	show()
	it.contestant.StartRound()
}

func (it *library) endTakesOnce() {
	if takesEnded {
		return
	}
	takesEnded = true
	truth.TrickNumber = 1
	truth.Trick = newTrick(truth.Dealer, TrickPoints(1))
	show()
	it.contestant.EndTakes()
}

func (it *library) endRound() {
	if roundEnded {
		return
	}
	roundEnded = true
	for player, points := range truth.Points {
		truth.Total[player] += points
	}
	show()
	it.contestant.EndRound()
}
