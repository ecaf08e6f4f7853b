//go:build !alone

// steven.go - talks to the dealer of Even Steven for you. Do not change it: the portal has its own.
//
//	game := StartGames()
//	for game.NextCard() {
//		game.Play(game.Hand[0])
//	}
//
// NextCard reads until a card must be covered, and is false when all games are over. You then play a card of game.Hand.
// All of this is optional: a program that reads and writes the lines of rules.md itself is just as good.
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

// Card is a card. Printing it gives its name as the dealer writes it, such as 10c.
type Card struct {
	Value int  // 2 … 14: jack 11, queen 12, king 13, ace 14
	Suit  byte // 'c', 'd', 'h', 's': it has no effect on anything
}

var valueNames = []string{"2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"}

func (card Card) String() string {
	if card.Value < 2 || card.Value > 14 {
		return fmt.Sprintf("no card (value %d)", card.Value)
	}
	return valueNames[card.Value-2] + string(rune(card.Suit))
}

// Covers tells whether this card may lie on that dealt card.
func (card Card) Covers(dealt Card) bool {
	return card.Value >= dealt.Value
}

// Game is what you know of the game in progress.
type Game struct {
	Number    int    // of this game: 1, 2, 3, …
	Size      int    // cards that you were dealt, and that you must cover
	Hand      []Card // the cards that you still hold, in the order of the deal
	Open      Card   // the card that you must cover now
	Past      []Card // all cards dealt so far, in order; the last is the open one
	Played    []Card // what you played on them
	Won, Lost int    // games so far

	// Random gives random numbers: game.Random.Intn(n) is any of 0 … n - 1.
	// To repeat a run exactly, set the environment variable STEVEN_SEED to a number.
	Random *rand.Rand

	lines *bufio.Reader
}

// StartGames is what you call first.
func StartGames() *Game {
	seed, err := strconv.ParseInt(os.Getenv("STEVEN_SEED"), 10, 64)
	if err != nil {
		seed = time.Now().UnixNano() ^ int64(os.Getpid())<<32
	}
	return &Game{Random: rand.New(rand.NewSource(seed)), lines: bufio.NewReader(os.Stdin)}
}

// NextCard waits until a card must be covered: game.Open. It is false when all games are over: end your program then.
func (game *Game) NextCard() bool {
	for {
		line, err := game.lines.ReadString('\n')
		words := strings.Fields(line)
		if len(words) > 0 && game.hears(words) {
			return true
		}
		if err != nil {
			return false
		}
	}
}

// hears takes note of a line. It tells whether the line is a card to be covered.
func (game *Game) hears(words []string) bool {
	if words[0] == "YOU" {
		if len(words) > 1 && words[1] == "WIN" {
			game.Won++
		} else if len(words) > 1 && words[1] == "LOSE" {
			game.Lost++
		}
	} else if size, err := strconv.Atoi(words[0]); err == nil {
		game.Number++
		game.Size = size
		game.Hand, game.Past, game.Played = nil, nil, nil
		for _, name := range words[1:] {
			if card, isCard := cardNamed(name); isCard {
				game.Hand = append(game.Hand, card)
			}
		}
	} else if card, isCard := cardNamed(words[0]); isCard {
		game.Open = card
		game.Past = append(game.Past, card)
		return true
	}
	return false
}

func cardNamed(name string) (Card, bool) {
	if len(name) < 2 || !strings.Contains("cdhs", name[len(name)-1:]) {
		return Card{}, false
	}
	for place, value := range valueNames {
		if value == name[:len(name)-1] {
			return Card{place + 2, name[len(name)-1]}, true
		}
	}
	return Card{}, false
}

// Play plays this card on the open one.
func (game *Game) Play(card Card) {
	place := 0
	for place < len(game.Hand) && game.Hand[place] != card {
		place++
	}
	if place == len(game.Hand) {
		fmt.Fprintf(os.Stderr, "steven: %v is not in your hand\n", card)
	} else {
		game.Hand = append(game.Hand[:place:place], game.Hand[place+1:]...)
	}
	game.Played = append(game.Played, card)
	fmt.Println(card)
}

// Debug writes a line for debugging, as fmt.Println would: the dealer prints it after a `*`. In the contest, where the
// program is started without an argument, nothing is written.
func (game *Game) Debug(words ...any) {
	if len(os.Args) > 1 {
		fmt.Println(append([]any{"*"}, words...)...)
	}
}
