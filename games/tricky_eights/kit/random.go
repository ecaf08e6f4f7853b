// random.go - a contestant that follows the rules and otherwise takes and plays at random. It loses to any reasonable player:
// make it a little better, again and again.
package main

type randomPlayer struct{}

func (randomPlayer) StartGame() {}

func (randomPlayer) StartRound() {}

func (randomPlayer) TakeCard() Card {
	return GAME.Pool[RandomInt(len(GAME.Pool))]
}

func (randomPlayer) EndTakes() {}

func (randomPlayer) PlayCard() Card {
	legal := LegalCards()
	return legal[RandomInt(len(legal))]
}

func (randomPlayer) EndRound() {}

func main() {
	Run(randomPlayer{})
}
