// Works hard: much input, garbage, panics, the time, much output.
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"runtime"
	"time"
)

func caught(index int) (done bool) {
	defer func() { done = recover() != nil }()
	return []bool{}[index]
}

func main() {
	size, _ := io.Copy(io.Discard, os.Stdin)
	var garbage [][]byte
	count := 0
	for i := 0; i < 20000; i++ {
		garbage = append(garbage[:i%50], make([]byte, 2000))
		if caught(i) {
			count++
		}
	}
	runtime.GC()
	fmt.Fprintln(os.Stderr, time.Now().Local().Format(time.RFC1123), len(garbage))
	output := bufio.NewWriter(os.Stdout)
	for i := 0; i < 3000; i++ {
		fmt.Fprintf(output, "%063d\n", i)
	}
	fmt.Fprintln(output, "ok", size)
	output.Flush()
	if count != 20000 {
		os.Exit(2)
	}
}
