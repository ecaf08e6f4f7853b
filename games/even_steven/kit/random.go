// random.go - plays any card of its hand, whether it covers or not. It loses most games that could be won, so improve it.
package main

func main() {
	game := StartGames()
	for game.NextCard() {
		card := game.Hand[game.Random.Intn(len(game.Hand))]
		game.Debug(game.Open, "is dealt, I play", card)
		game.Play(card)
	}
}
