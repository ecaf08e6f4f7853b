package main

func main() {
	answers := make(chan string)
	println(<-answers)
}
