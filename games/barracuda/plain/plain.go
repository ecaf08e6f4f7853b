// Speaks the protocol of Barracuda without a kit, and knows the server by its name: plays its highest card, and rejects every
// challenge.
package main

import (
	"encoding/binary"
	"encoding/json"
	"io"
	"log"
	"net"
)

func main() {
	server, err := net.Dial("tcp", "cuda.contest:19999")
	if err != nil {
		log.Fatal(err)
	}
	for {
		var size uint32
		if binary.Read(server, binary.BigEndian, &size) != nil {
			return
		}
		body := make([]byte, size)
		if _, err := io.ReadFull(server, body); err != nil {
			return
		}
		var message struct {
			Type    string
			Request string
			ID      int `json:"request_id"`
			State   struct{ Hand []int }
		}
		if err := json.Unmarshal(body, &message); err != nil {
			log.Fatal(err)
		}
		if message.Type != "request" {
			continue
		}
		response := map[string]any{"type": "reject_challenge"}
		if message.Request == "request_card" {
			response = map[string]any{"type": "play_card", "card": message.State.Hand[0]}
		}
		move, _ := json.Marshal(map[string]any{"type": "move", "request_id": message.ID, "response": response})
		server.Write(append(binary.BigEndian.AppendUint32(nil, uint32(len(move))), move...))
	}
}
