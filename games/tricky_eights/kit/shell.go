// shell.go - an empty contestant for Tricky Eights, for you to fill in.
//
// Team:
// Strategy in one line:
//
// Read the first part of acm98.go first: it describes GAME, which holds everything you know, and the helper routines. This shell
// takes and plays the first card that is allowed, so it follows the rules from the start. Change one thing at a time, and play a
// few games after every change.
//
// Each of the six methods has 4 seconds. Your program stays alive for a whole game (many rounds), so the fields of your shell
// keep their values from one call to the next.
package main

type shell struct {
	// what you want to remember
}

// StartGame is called once, before anything else. Nothing is known yet. Prepare here what you need for the whole game.
func (my *shell) StartGame() {}

// StartRound is called when the ten cards of your hand are dealt and the pool of twelve is face up.
// You know GAME.Me, GAME.Round, GAME.Dealer, GAME.Hand, GAME.Pool and the points of the earlier rounds in GAME.Total.
// Reset here what you noted about the last round.
func (my *shell) StartRound() {}

// TakeCard is called three times a round. Return the card of GAME.Pool that you want to have.
// The cards that others took are gone; GAME.Take tells who took what.
func (my *shell) TakeCard() Card {
	return GAME.Pool[0]
}

// EndTakes is called when all twelve cards of the pool are taken, before the first trick. You now hold 13 cards, and know three
// cards of each of the others (GAME.Take; or GAME.Where and GAME.Owner, by the card). A good moment to make a plan for the round.
func (my *shell) EndTakes() {}

// PlayCard is called 13 times a round. Return a card of your hand. If GAME.Trick.Count is 0, you lead and may play any card;
// otherwise you must follow the suit of GAME.Trick.Card[GAME.Trick.Leader] if you can. LegalCards gives you the choice.
func (my *shell) PlayCard() Card {
	return LegalCards()[0]
}

// EndRound is called when the 13 tricks are played. GAME.Points has the points of this round, GAME.Total those of the game with
// this round in it, GAME.Past all the tricks. Here you might learn something about your opponents.
func (my *shell) EndRound() {}

// Do not change this.
func main() {
	Run(&shell{})
}
