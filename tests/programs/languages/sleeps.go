// SPDX-License-Identifier: MIT

// sleeps late COUNT: how late each of COUNT sleeps of 1 ms ends, in ns.
// sleeps results: the results of sleeps, which are the same in each run.
package main

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"time"
)

const length = 4 * time.Millisecond

func late(count int) {
	for ; count > 0; count-- {
		began := time.Now()
		time.Sleep(time.Millisecond)
		fmt.Println((time.Since(began) - time.Millisecond).Nanoseconds())
	}
}

func resultOf(name string, nap func()) {
	began := time.Now()
	nap()
	when := "in time"
	if time.Since(began) < length {
		when = "early"
	}
	fmt.Println(name, when)
}

func results() {
	for i := 0; i < 5; i++ {
		resultOf("Sleep", func() { time.Sleep(length) })
		resultOf("After", func() { <-time.After(length) })
	}
	var ctx context.Context
	var cancel context.CancelFunc
	// A timer runs from its making on, so each is made in what is timed.
	resultOf("WithTimeout", func() {
		ctx, cancel = context.WithTimeout(context.Background(), length)
		<-ctx.Done()
	})
	fmt.Println(ctx.Err())
	cancel()
	resultOf("Ticker", func() {
		ticker := time.NewTicker(length)
		<-ticker.C
		<-ticker.C
		ticker.Stop()
	})
}

func main() {
	if os.Args[1] == "late" {
		count, _ := strconv.Atoi(os.Args[2])
		late(count)
		return
	}
	results()
}
