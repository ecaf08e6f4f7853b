// shell.go - an empty Intensity player, for you to fill in.
//
// Author:
// Strategy in one line:
//
// Read intensity_kit.go first: it describes the question. This shell plays the first card that is allowed, so it follows the
// rules from the start. Change one thing at a time, and play a few games after every change.
package main

import "fmt"

// At most 32 characters.
func playerName() string {
	return "COMP1511 student"
}

// The three cards of your hand (ten numbers, in increasing order) that go to the player on your left.
func chooseDiscards(hand []int) []int {
	return hand[:3]
}

// The card that you play: see Question in intensity_kit.go.
func chooseCard(question Question) int {
	return question.Legal()[0]
}

// The contest runs this when it checks your program, and shows you what it prints.
func runUnitTests() {
	sample := Question{
		Hand:   []int{11, 15, 18, 23, 33, 34, 47, 48, 49},
		Table:  []int{24, 26},
		Played: []int{16, 13, 19, 12},
	}
	if legal := sample.Legal(); len(legal) != 1 || legal[0] != 23 {
		panic(fmt.Sprint("legal: ", legal))
	}
	if card := chooseCard(sample); card != 23 {
		panic(fmt.Sprint("chooseCard: ", card))
	}
	fmt.Println("all tests passed")
}

// Do not change this.
func main() {
	Run(playerName, chooseDiscards, chooseCard, runUnitTests)
}
