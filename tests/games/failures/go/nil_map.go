package main

func main() {
	var seen map[string]int
	seen["c2"] = 1
}
