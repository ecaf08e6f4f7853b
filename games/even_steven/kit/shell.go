// shell.go - an empty player of Even Steven, for you to fill in.
//
// Team:
// Strategy in one line:
//
// Read steven.go: it describes Card, the fields of Game, and the helper routines. This shell plays the first card of its
// hand, whatever was dealt. Write chooseCard, then try it:
//
//	printf '4 876390176\n4 653723903\n' | python3 kibitz.pyz dealer shell.go
package main

import "fmt"

// chooseCard returns the card of your hand that you play on game.Open: one of game.Hand. If none of them covers it, the
// game is lost; play one all the same. Not all games can be won.
func chooseCard(game *Game) Card {
	return game.Hand[0]
}

func main() {
	game := StartGames()
	for game.NextCard() {
		card := chooseCard(game)
		game.Debug(fmt.Sprintf("game %d: %v is dealt, I play %v", game.Number, game.Open, card))
		game.Play(card)
	}
}
