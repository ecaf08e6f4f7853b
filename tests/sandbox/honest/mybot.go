// What an honest bot uses of its library.
package main

import (
	"bufio"
	"container/heap"
	crypto "crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"math"
	"math/rand"
	"os"
	"regexp"
	"runtime"
	"sort"
	"strconv"
	"strings"
	"sync"
	"time"
)

type card struct{ Suit, Value int }
type hand []card

func (h hand) Len() int           { return len(h) }
func (h hand) Less(i, j int) bool { return h[i].Value < h[j].Value }
func (h hand) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *hand) Push(x any)        { *h = append(*h, x.(card)) }
func (h *hand) Pop() any {
	old := *h
	last := old[len(old)-1]
	*h = old[:len(old)-1]
	return last
}

func main() {
	log.SetOutput(os.Stderr)
	start := time.Now()
	rand.Seed(start.UnixNano())
	input := bufio.NewScanner(os.Stdin)
	input.Buffer(make([]byte, 1<<20), 1<<20)
	for input.Scan() {
		strings.Fields(input.Text())
	}
	var group sync.WaitGroup
	var lock sync.Mutex
	results, sum := make(chan int, 8), 0
	for i := 0; i < 8; i++ {
		group.Add(1)
		go func(i int) {
			defer group.Done()
			lock.Lock()
			sum += i
			lock.Unlock()
			results <- i
		}(i)
	}
	group.Wait()
	h := &hand{}
	for i := 0; i < 52; i++ {
		heap.Push(h, card{i % 4, rand.Intn(13)})
	}
	sort.Sort(h)
	text, err := json.Marshal(heap.Pop(h))
	if err != nil || sum != 28 || !regexp.MustCompile("Suit").Match(text) {
		os.Exit(2)
	}
	if _, err := os.Stat("weights.json"); !errors.Is(err, os.ErrNotExist) {
		log.Println(err)
	}
	if _, err := time.LoadLocation("Europe/Nowhere"); err != nil {
		log.Println(err)
	}
	seed := make([]byte, 8)
	if _, err := crypto.Read(seed); err != nil {
		os.Exit(3)
	}
	select {
	case <-results:
	case <-time.After(time.Second):
		os.Exit(4)
	}
	func() {
		defer func() { log.Println(recover()) }()
		panic("on purpose")
	}()
	time.Sleep(time.Millisecond)
	runtime.GC()
	if _, err := strconv.Atoi("x"); err == nil || math.Sqrt(4) != 2 || time.Now().Year() < 2000 || runtime.NumCPU() < 1 {
		os.Exit(5)
	}
	fmt.Println("ok")
}
