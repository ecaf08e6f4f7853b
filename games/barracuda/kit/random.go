// Plays anything that the rules allow. Replace the two choices by your own.
package main

import (
	"math/rand"
	"time"
)

type random struct{}

// A card of the hand, or a challenge where one may be offered.
func (random) ChooseCard(state State, remaining float64) int {
	if state.CanChallenge && rand.Float64() < 0.05 {
		return OfferChallenge
	}
	return state.Hand[rand.Intn(len(state.Hand))]
}

// Whether to accept the challenge that the other player has offered.
func (random) AnswerChallenge(state State, remaining float64) bool {
	return rand.Float64() < 0.5
}

func (random) HearResult(result Result, me int) {}

func main() {
	rand.Seed(time.Now().UnixNano())
	Run(random{})
}
