package main

import "github.com/someone/cards"

func main() {
	cards.Play()
}
