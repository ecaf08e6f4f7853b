// shell.go - an empty contestant for Hearts, for you to fill in.
//
// Team:
// Strategy in one line:
//
// Read mactech98.go first: it says what the six routines get and return. This shell passes its first three cards and plays the
// first card that is allowed, so it follows the rules from the start. Change one thing at a time, and play a few games after
// every change.
//
// Your program stays alive for a whole match of many games, so variables of your own keep their values from one call to the
// next. Every millisecond of processor time in your routines costs a point.
package main

import (
	"fmt"
	"os"
)

type shell struct {
	me           int  // our seat
	pointsPlayed bool // a heart or the queen of spades was played on an earlier trick of this hand
}

// InitTournament is called once, before anything else. A game is over after the hand in which somebody has gameEndingScore
// points.
func (s *shell) InitTournament(numPlayers, gameEndingScore int) {
}

// InitGame is called before each game. The same number in playerIDs is the same player throughout the tournament. Player i + 1
// (modulo 4) sits to the left of player i.
func (s *shell) InitGame(playerIDs [4]int, yourSeat int) {
	s.me = yourSeat
}

// SelectPass is called at the beginning of every hand. Return three different indices of dealtHand (0 ... 12). With NoPass
// nothing is passed, and what you return is ignored.
func (s *shell) SelectPass(dealtHand [13]Card, direction Pass) [3]int {
	s.pointsPlayed = false
	return [3]int{0, 1, 2}
}

// PlayTrick is called 13 times a hand. Return the index of the card that you play. yourHand has NoCard where cards were played,
// and the cards that were passed to you in the places of those that you passed. cardsPlayed is indexed by seat, with NoCard
// where nobody has played yet: cardsPlayed[trickLeader] was led, unless you lead.
func (s *shell) PlayTrick(trickNumber, trickLeader int, yourHand [13]Card, cardsPlayed [4]Card) int {
	return LegalIndices(yourHand, trickNumber, cardsPlayed[trickLeader], s.pointsPlayed)[0]
}

// TrickResults is called after each trick: what everybody played, by seat, and who took it.
func (s *shell) TrickResults(lastTrick [4]Card, trickWinner int) {
	for _, card := range lastTrick {
		s.pointsPlayed = s.pointsPlayed || card.IsPoint()
	}
}

// HandResults is called after each hand. A player who has shot the moon gets -26 points.
func (s *shell) HandResults(pointsThisHand, cumPoints [4]int) {
	fmt.Fprintf(os.Stderr, "my points: %d, now %d in all\n", pointsThisHand[s.me], cumPoints[s.me])
}

// Do not change this.
func main() {
	Run(&shell{})
}
