// Speaks the protocol of Even Steven without a kit: plays the first card of its hand that covers, or else the first.
package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
)

func valueOf(card string) int {
	if len(card) == 3 {
		card = "T"
	}
	return strings.IndexByte("23456789TJQKA", card[0])
}

func main() {
	var hand []string
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		words := strings.Fields(lines.Text())
		if len(words) == 0 || words[0] == "YOU" {
			continue
		}
		if _, err := strconv.Atoi(words[0]); err == nil {
			hand = words[1:]
			continue
		}
		chosen := 0
		for chosen < len(hand) && valueOf(hand[chosen]) < valueOf(words[0]) {
			chosen++
		}
		chosen %= len(hand)
		fmt.Println(hand[chosen])
		hand = append(hand[:chosen], hand[chosen+1:]...)
	}
}
