package main

import "fmt"

type hand struct{ cards []string }

func first(h *hand) string { return h.cards[0] }

func main() {
	fmt.Println(first(nil))
}
