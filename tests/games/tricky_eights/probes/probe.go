// probe.go - plays the commented game of 1998 as south did, and prints GAME and the helpers' results. Then it scribbles.
package main

import (
	"fmt"
	"os"
	"strings"
)

type probe struct {
	takes, plays []string
}

func say(words ...any) {
	for place, word := range words {
		if isTrue, isBool := word.(bool); isBool {
			words[place] = map[bool]int{false: 0, true: 1}[isTrue]
		}
	}
	fmt.Fprintln(os.Stderr, words...)
}

func scribble() {
	for _, cards := range append(GAME.Take[:], GAME.Hand, GAME.Pool) {
		for place := range cards {
			cards[place] = 99
		}
	}
	for place := range GAME.Past {
		GAME.Past[place] = Trick{}
	}
	GAME = Game{TrickNumber: 99}
}

func (my *probe) next(list *[]string) Card {
	card := CardFromName((*list)[0])
	*list = (*list)[1:]
	return card
}

func (my *probe) StartGame() {
	say("game", len(GAME.Hand))
	scribble()
}

func (my *probe) StartRound() {
	say("round", GAME.Round, "dealer", PlayerName(GAME.Dealer), "me", PlayerName(GAME.Me), "hand", len(GAME.Hand), "pool",
		len(GAME.Pool), "clubs", CountSuit(CLUBS))
	scribble()
}

func (my *probe) TakeCard() Card {
	scribble()
	return my.next(&my.takes)
}

func (my *probe) EndTakes() {
	hk := MakeCard(HEARTS, KING)
	say("takes over hand", len(GAME.Hand), "east", GAME.Take[EAST][0], "where", int(GAME.Where[hk]), "owner",
		PlayerName(GAME.Owner[hk]))
	scribble()
}

func (my *probe) PlayCard() Card {
	card := my.next(&my.plays)
	say("trick", GAME.TrickNumber, "leader", PlayerName(GAME.Trick.Leader), "lie", GAME.Trick.Count, "worth", GAME.Trick.Points,
		"legal", len(LegalCards()), card, "ok", IsLegal(card), "wins", WouldWin(card), "higher", CountHigher(card))
	scribble()
	return card
}

func (my *probe) EndRound() {
	points, total, last := GAME.Points, GAME.Total, GAME.Past[12]
	say("end", points[0], points[1], points[2], points[3], "total", total[0], total[1], total[2], total[3])
	out := ""
	for _, isOut := range GAME.IsOut[SOUTH] {
		out += map[bool]string{false: "0", true: "1"}[isOut]
	}
	say("past", PlayerName(last.Winner), last.Points, "out", out, "left", GAME.CardsLeft[WEST], "seen",
		IsSeen(CardFromName("d2")), "next", PlayerName(NextPlayer(WEST)), "worth", TrickPoints(13, GAME.Past[4].Card[:]...))
}

func main() {
	takes, plays := "h5 ck ha", "dk h9 ca h2 s8 sq h4 hj c7 st h5 ck ha"
	Run(&probe{strings.Fields(takes), strings.Fields(plays)})
}
