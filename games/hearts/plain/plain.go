// Speaks the protocol of Hearts without a kit: passes the first three cards, and plays the first that may be played.
package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
)

var hand []string

func suit(card string) byte {
	return card[len(card)-1]
}

func choose(trick string, table []string) int {
	first := -1
	for i, card := range hand {
		if card == "" {
			continue
		}
		if first < 0 {
			first = i
		}
		may := suit(card) != 'H'
		if len(table) > 0 {
			may = suit(card) == suit(table[0])
		} else if trick == "0" {
			may = card == "2C"
		}
		if may {
			return i
		}
	}
	return first
}

func main() {
	seat := 0
	input := bufio.NewScanner(os.Stdin)
	for input.Scan() {
		words := strings.Fields(input.Text())
		switch words[0] {
		case "hello", "end":
			fmt.Println(words[0])
		case "game":
			seat, _ = strconv.Atoi(words[5])
		case "hand":
			hand = words[2:]
		case "pass":
			fmt.Println("0 1 2")
		case "received":
			for i := 1; i < 7; i += 2 {
				place, _ := strconv.Atoi(words[i])
				hand[place] = words[i+1]
			}
		case "play":
			fmt.Println(choose(words[1], words[3:]))
		case "trick":
			for i, card := range hand {
				if card == words[1+seat] {
					hand[i] = ""
				}
			}
		}
	}
}
