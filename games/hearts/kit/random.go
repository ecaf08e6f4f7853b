// random.go - a contestant that follows the rules and otherwise passes and plays at random. It loses to any reasonable player:
// make it a little better, again and again.
package main

type random struct {
	pointsPlayed bool // a heart or the queen of spades was played on an earlier trick of this hand
}

func (r *random) InitTournament(numPlayers, gameEndingScore int) {
}

func (r *random) InitGame(playerIDs [4]int, yourSeat int) {
}

func (r *random) SelectPass(dealtHand [13]Card, direction Pass) (chosen [3]int) {
	r.pointsPlayed = false
	copy(chosen[:], Random.Perm(13)) // ignored when nothing is passed
	return chosen
}

func (r *random) PlayTrick(trickNumber, trickLeader int, yourHand [13]Card, cardsPlayed [4]Card) int {
	legal := LegalIndices(yourHand, trickNumber, cardsPlayed[trickLeader], r.pointsPlayed)
	return legal[Random.Intn(len(legal))]
}

func (r *random) TrickResults(lastTrick [4]Card, trickWinner int) {
	for _, card := range lastTrick {
		r.pointsPlayed = r.pointsPlayed || card.IsPoint()
	}
}

func (r *random) HandResults(pointsThisHand, cumPoints [4]int) {
}

// Do not change this.
func main() {
	Run(&random{})
}
