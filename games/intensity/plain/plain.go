// Speaks the protocol of Intensity without a kit: discards the first three cards, and plays the first that may be played.
package main

import "fmt"

func main() {
	var numbers []int
	for {
		var number int
		if _, err := fmt.Scan(&number); err != nil {
			break
		}
		numbers = append(numbers, number)
	}
	switch numbers[0] {
	case 0:
		fmt.Println("Plain Go")
	case 1:
		fmt.Println(numbers[1], numbers[2], numbers[3])
	case 2:
		held, laid := numbers[1], numbers[2]
		hand, table, past := numbers[4:4+held], numbers[4+held:4+held+laid], numbers[4+held+laid:]
		calves := false
		for _, card := range past[:4*(10-held)] {
			calves = calves || card/10 == 3
		}
		for _, card := range hand {
			if laid > 0 && card/10 == table[0]/10 || laid == 0 && (calves || card/10 != 3) {
				fmt.Println(card)
				return
			}
		}
		fmt.Println(hand[0])
	}
}
