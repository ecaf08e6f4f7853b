// random.go - an Intensity player that follows the rules and otherwise plays at random. It loses to any reasonable player:
// make it a little better, again and again.
package main

import "fmt"

func playerName() string {
	return "Random in Go"
}

func chooseDiscards(hand []int) []int {
	Random.Shuffle(len(hand), func(i, j int) { hand[i], hand[j] = hand[j], hand[i] })
	return hand[:3]
}

func chooseCard(question Question) int {
	legal := question.Legal()
	return legal[Random.Intn(len(legal))]
}

func runUnitTests() {
	fmt.Println("no tests")
}

// Do not change this.
func main() {
	Run(playerName, chooseDiscards, chooseCard, runUnitTests)
}
