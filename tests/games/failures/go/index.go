package main

import "fmt"

func lowest(hand []string) string {
	return hand[0]
}

func main() {
	fmt.Println(lowest(nil))
}
