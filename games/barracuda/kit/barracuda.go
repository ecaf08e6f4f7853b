//go:build !alone

// A client for the Barracuda contest server: connects, reads requests, sends answers, and connects again.
//
//	go build -o bot random.go barracuda.go && ./bot HOST PORT [TOKEN]
//
// Your own file calls Run with a player; random.go shows how.
package main

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"time"
)

// OfferChallenge is what ChooseCard returns instead of a card to offer a challenge.
const OfferChallenge = 0

// Wait is the time between two attempts to connect. The server refuses earlier attempts.
const Wait = 5 * time.Second

// State is the game as you may see it.
type State struct {
	Hand         []int `json:"hand"`          // your cards, 1 … 13, from high to low
	Card         int   `json:"card"`          // the card on the table; 0 when there is none
	HandID       int   `json:"hand_id"`       // 1 for the first hand of a game
	GameID       int   `json:"game_id"`       // unique to this game
	YourTricks   int   `json:"your_tricks"`   // taken in this hand
	TheirTricks  int   `json:"their_tricks"`  //
	CanChallenge bool  `json:"can_challenge"` // whether you may offer a challenge now
	InChallenge  bool  `json:"in_challenge"`  // whether one was accepted: this hand decides the game
	TotalTricks  int   `json:"total_tricks"`  // played in this hand, ties included
	YourPoints   int   `json:"your_points"`   // in this game; ten win it
	TheirPoints  int   `json:"their_points"`  //
	OpponentID   int   `json:"opponent_id"`   // the number of the other team
	PlayerNumber int   `json:"player_number"` // 0 if you led the game, else 1
}

// Result is the result of a move: "trick_won", "trick_tied", "hand_done", "game_won", "accepted" or "error".
type Result struct {
	Type   string `json:"type"`
	By     *int   `json:"by"`     // a player number; nil when there is none
	Card   int    `json:"card"`   // of "trick_won": the last card played
	Reason string `json:"reason"` // of "error"
}

// Player is what you write. Remaining is how many seconds are left on your clock for this whole game.
type Player interface {
	ChooseCard(state State, remaining float64) int       // a card of the hand, or OfferChallenge
	AnswerChallenge(state State, remaining float64) bool // true to accept
	HearResult(result Result, me int)                    // me is your own player number
}

type message struct {
	Type      string  `json:"type"`
	Request   string  `json:"request"`
	RequestID int     `json:"request_id"`
	Remaining float64 `json:"remaining"`
	State     State   `json:"state"`
	Result    Result  `json:"result"`
	Me        int     `json:"your_player_num"`
	TeamID    int     `json:"team_id"`
	SeenHost  string  `json:"seen_host"`
	Message   string  `json:"message"`
}

// Run plays until the server refuses us. It never returns.
func Run(player Player) {
	if len(os.Args) < 3 {
		fmt.Fprintf(os.Stderr, "usage: %s HOST PORT [TOKEN]\n", os.Args[0])
		os.Exit(1)
	}
	for {
		server, err := net.Dial("tcp", net.JoinHostPort(os.Args[1], os.Args[2]))
		if err == nil {
			if len(os.Args) > 3 {
				send(server, map[string]any{"type": "login", "token": os.Args[3]})
			}
			err = talk(server, player)
			server.Close()
		}
		time.Sleep(Wait) // at home, the end of a match ends us here
		fmt.Fprintf(os.Stderr, "no connection: %v; trying again\n", err)
	}
}

func talk(server net.Conn, player Player) error {
	for {
		got, err := receive(server)
		if err != nil {
			return err
		}
		switch got.Type {
		case "request":
			move := map[string]any{"type": "move", "request_id": got.RequestID, "response": respond(got, player)}
			if err := send(server, move); err != nil {
				return err
			}
		case "result":
			player.HearResult(got.Result, got.Me)
		case "greetings_program":
			fmt.Fprintf(os.Stderr, "connected, we are team %d\n", got.TeamID)
		case "error":
			fmt.Fprintf(os.Stderr, "the server refuses us: %s (it sees us at %s)\n", got.Message, got.SeenHost)
			os.Exit(1)
		}
	}
}

func respond(got message, player Player) map[string]any {
	if got.Request == "challenge_offered" {
		if player.AnswerChallenge(got.State, got.Remaining) {
			return map[string]any{"type": "accept_challenge"}
		}
		return map[string]any{"type": "reject_challenge"}
	}
	card := player.ChooseCard(got.State, got.Remaining)
	if card == OfferChallenge {
		return map[string]any{"type": "offer_challenge"}
	}
	return map[string]any{"type": "play_card", "card": card}
}

func send(server net.Conn, value any) error {
	body, err := json.Marshal(value)
	if err != nil {
		return err
	}
	data := binary.BigEndian.AppendUint32(nil, uint32(len(body)))
	_, err = server.Write(append(data, body...))
	return err
}

func receive(server net.Conn) (message, error) {
	var got message
	var header [4]byte
	if _, err := io.ReadFull(server, header[:]); err != nil {
		return got, err
	}
	body := make([]byte, binary.BigEndian.Uint32(header[:]))
	if _, err := io.ReadFull(server, body); err != nil {
		return got, err
	}
	err := json.Unmarshal(body, &got)
	return got, err
}
