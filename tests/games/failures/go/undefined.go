package main

import "fmt"

func main() {
	hand := []string{"c2"}
	fmt.Println(hnad[0], hand)
}
