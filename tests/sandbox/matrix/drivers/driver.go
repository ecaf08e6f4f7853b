// Makes the system calls that it is told on standard input.
package main

import (
	"bufio"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unsafe"
)

var memory [1 << 16]byte
var results = []int64{0}

func number(word string) int64 {
	value, _ := strconv.ParseInt(word, 10, 64)
	return value
}

func value(word string) uintptr {
	switch word[0] {
	case 'm':
		return uintptr(unsafe.Pointer(&memory[0])) + uintptr(number(word[1:]))
	case 'r':
		parts := strings.SplitN(word[1:]+"+0", "+", 3)
		if result := results[number(parts[0])]; result < 0 {
			return uintptr(result)
		}
		return uintptr(results[number(parts[0])] + number(parts[1]))
	}
	return uintptr(number(word))
}

func main() {
	input := bufio.NewReaderSize(os.Stdin, 1<<17)
	times := 1
	for {
		line, err := input.ReadString('\n')
		words := strings.Fields(line)
		if err != nil || len(words) == 0 || words[0] == "e" {
			break
		}
		op, words := words[0], words[1:]
		switch op {
		case "w":
			data, _ := hex.DecodeString(words[1])
			copy(memory[number(words[0]):], data)
		case "p":
			binary.LittleEndian.PutUint64(memory[number(words[0]):], uint64(value("m"+words[1])))
		case "q":
			binary.LittleEndian.PutUint64(memory[number(words[0]):], uint64(results[number(words[1])]))
		case "n":
			times = int(number(words[0]))
		case "c":
			var a [7]uintptr
			for i, word := range words {
				a[i] = value(word)
			}
			var result uintptr
			var errno syscall.Errno
			for ; times > 0; times-- {
				result, _, errno = syscall.RawSyscall6(a[0], a[1], a[2], a[3], a[4], a[5], a[6])
			}
			times = 1
			if errno != 0 {
				results = append(results, -int64(errno))
			} else {
				results = append(results, int64(result))
			}
			fmt.Println("c", len(results)-1, results[len(results)-1])
		case "i":
			fmt.Println("u no machine code")
		case "d":
			at := number(words[0])
			fmt.Println("d", hex.EncodeToString(memory[at:at+number(words[1])]))
		case "b":
			for until := time.Now().Add(time.Duration(number(words[0])) * time.Millisecond); time.Now().Before(until); {
			}
		case "h":
			fmt.Println("held")
			input.ReadString('\n')
		}
	}
	fmt.Println("end")
}
