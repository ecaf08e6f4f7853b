package main

func main() {
	hand := []string{"c2"
	_ = hand
}
