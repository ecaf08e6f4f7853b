package main

import (
	"fmt"
	"os"
)

func main() {
	count := 3
	fmt.Println("c2")
}
