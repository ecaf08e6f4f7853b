//go:build !alone

// intensity_kit.go - what your Intensity player may use, and the part that reads the question. Do not change it: the contest
// puts its own copy beside your file.
//
// You write four functions (shell.go describes them):
//
//	playerName   chooseDiscards   chooseCard   runUnitTests
//
// main hands them to Run, which reads the question, calls the one that is wanted, and prints what it returns. Your program is
// started again for every question: nothing is left of the question before.
//
// Print nothing to standard output: it belongs to the answer. Debug with fmt.Fprintln(os.Stderr, ...); only your team can read
// that afterwards.
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

// Buffalo is the card that costs most. Cards are numbers, 10 ... 49.
const Buffalo = 47

// IsCalf tells whether a card is a calf.
func IsCalf(card int) bool {
	return card >= 30 && card <= 39
}

// Penalty is what a card costs the player who wins its round.
func Penalty(card int) int {
	if card == Buffalo {
		return 7
	}
	if IsCalf(card) {
		return 1
	}
	return 0
}

// Play is a card, and who played it.
type Play struct {
	Position, Card int
}

// Winner tells who wins a round, given in the order of play.
func Winner(round []Play) int {
	best := round[0]
	for _, play := range round {
		if play.Card/10 == best.Card/10 && play.Card > best.Card {
			best = play
		}
	}
	return best.Position
}

// Question is everything you know when a card is due. Lists are in the order of play, hands and discards in increasing order.
type Question struct {
	Position  int // your place at the table, 0 ... 3
	Hand      []int
	Table     []int // the cards of this round so far; empty: you lead
	Played    []int // the cards of all rounds before
	Discarded []int // what you gave to the player on your left, (Position + 1) % 4
	Received  []int // what you got from the player on your right
}

// CalfPlayed tells whether a calf was played in an earlier round, so that calves may be led.
func (question Question) CalfPlayed() bool {
	for _, card := range question.Played {
		if IsCalf(card) {
			return true
		}
	}
	return false
}

// Legal is the cards that you may play, in increasing order.
func (question Question) Legal() []int {
	var found []int
	leads := len(question.Table) == 0
	for _, card := range question.Hand {
		if leads && (question.CalfPlayed() || !IsCalf(card)) || !leads && card/10 == question.Table[0]/10 {
			found = append(found, card)
		}
	}
	if found == nil {
		return question.Hand
	}
	return found
}

// Rounds is the rounds before this one, in the order of play.
func (question Question) Rounds() [][]Play {
	var found [][]Play
	leader := 0
	for start := 0; start < len(question.Played); start += 4 {
		var round []Play
		for turn, card := range question.Played[start : start+4] {
			round = append(round, Play{(leader + turn) % 4, card})
		}
		found = append(found, round)
		leader = Winner(round)
	}
	return found
}

// OnTheTable is the cards of this round so far.
func (question Question) OnTheTable() []Play {
	var found []Play
	for turn, card := range question.Table {
		found = append(found, Play{(question.Position + 4 - len(question.Table) + turn) % 4, card})
	}
	return found
}

// Random numbers are different in every run, unless the environment variable INTENSITY_SEED holds a number.
var Random = rand.New(rand.NewSource(seed()))

func seed() int64 {
	if given, err := strconv.ParseInt(os.Getenv("INTENSITY_SEED"), 10, 64); err == nil {
		return given
	}
	return time.Now().UnixNano()
}

// Run answers the question on standard input.
func Run(playerName func() string, chooseDiscards func([]int) []int, chooseCard func(Question) int, runUnitTests func()) {
	input := bufio.NewReader(os.Stdin)
	take := func(count int) []int {
		numbers := make([]int, count)
		for i := range numbers {
			if _, err := fmt.Fscan(input, &numbers[i]); err != nil {
				fmt.Fprintln(os.Stderr, "the input ends where a number should be")
				os.Exit(1)
			}
		}
		return numbers
	}
	switch take(1)[0] {
	case 0:
		fmt.Println(playerName())
	case 1:
		fmt.Println(strings.Trim(fmt.Sprint(chooseDiscards(take(10))), "[]"))
	case 2:
		about := take(3)
		question := Question{Position: about[2]}
		question.Hand = take(about[0])
		question.Table = take(about[1])
		question.Played = take(4 * (10 - about[0]))
		question.Discarded = take(3)
		question.Received = take(3)
		fmt.Println(chooseCard(question))
	default:
		runUnitTests()
	}
}
