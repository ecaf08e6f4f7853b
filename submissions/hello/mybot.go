package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"
)

func without(cards []string, shown map[string]bool) []string {
	var rest []string
	for _, card := range cards {
		if !shown[card] {
			rest = append(rest, card)
		}
	}
	return rest
}

func main() {
	var hand, pool []string
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		words := strings.Fields(in.Text())
		shown := map[string]bool{}
		for _, word := range words {
			shown[word] = true
		}
		switch words[0] {
		case "starthand":
			hand, pool = append([]string{}, words[2:12]...), append([]string{}, words[12:]...)
		case "take":
			pool = without(pool, shown)
			hand, pool = append(hand, pool[0]), pool[1:]
			fmt.Println(hand[len(hand)-1])
		case "aftertake":
			pool = without(pool, shown)
		case "play":
			card := hand[0]
			for _, mine := range hand {
				if len(words) > 2 && mine[0] == words[2][0] {
					card = mine
				}
			}
			hand = without(hand, map[string]bool{card: true})
			fmt.Println(card)
		case "result", "endround":
		default:
			fmt.Println("got " + in.Text())
		}
	}
}
