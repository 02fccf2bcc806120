// SPDX-License-Identifier: MIT

// Sleeps shows a clock, an interruptible sleep and a ticker of libhpt, by cgo. Go 1.22 or later, and a C compiler:
//
//	go build -o sleeps .
//	./sleeps
//
// Expect reads that cost about as much as time.Now, and half of the sleeps late by a few microseconds, where time.Sleep
// is late by 60 or more. A sleep and a ticker each block an OS thread, and no other goroutine.
package main

// #cgo pkg-config: libhpt
// #include <hpt/hpt.h>
import "C"
import (
	"fmt"
	"log"
	"runtime"
	"slices"
	"syscall"
	"time"
)

const ms = time.Millisecond

var waiter *C.hpt_waiter // One goroutine at a time sleeps on it. As in C, free it when no call is on it.

func now() int64 { return int64(C.hpt_now_ns(nil)) }

// check makes an error of a negative result.
func check(result C.int) error {
	if result < 0 {
		return syscall.Errno(-result)
	}
	return nil
}

func must(err error) {
	if err != nil {
		log.Fatal(err) // exit 1
	}
}

func sleep(d time.Duration) error {
	start := now()
	result := C.hpt_waiter_sleep_ns(waiter, C.int64_t(d))
	if result == 0 && now()-start < int64(d) { // Above 0 the clocks moved against each other.
		return fmt.Errorf("a sleep of %v ended early", d)
	}
	return check(result)
}

func cost(count int, call func()) float64 {
	start := now()
	for range count {
		call()
	}
	return float64(now()-start) / float64(count)
}

func main() {
	var info C.struct_hpt_clock_info
	must(check(C.hpt_clock_get_info(nil, &info, C.sizeof_struct_hpt_clock_info)))
	must(check(C.hpt_waiter_new(nil, 0, &waiter)))
	runtime.LockOSThread() // A thread learns how late the kernel wakes it.
	var f [4][100]float64
	for i := range 100 {
		f[0][i] = cost(1000, func() { now() })
		f[1][i] = cost(1000, func() { time.Now() })
		f[2][i] = cost(1, func() { must(sleep(ms)) })/1e3 - 1000
		f[3][i] = cost(1, func() { time.Sleep(ms) })/1e3 - 1000
	}
	for i := range f {
		slices.Sort(f[i][:])
	}
	fmt.Println("source:", C.GoString(C.hpt_source_name(info.source)))
	fmt.Printf("read: hpt %.1f ns, time.Now %.1f ns\n", f[0][50], f[1][50])
	fmt.Printf("late: hpt %.3f us in the median, 90 %% within %.3f us\n", f[2][50], f[2][90])
	fmt.Printf("late: time.Sleep %.3f us in the median, 90 %% within %.3f us\n", f[3][50], f[3][90])

	ended := make(chan error)
	start := now()
	go func() { ended <- sleep(10000 * ms) }()
	time.Sleep(20 * ms)
	must(check(C.hpt_waiter_interrupt(waiter)))
	if err := <-ended; err != syscall.ECANCELED {
		log.Fatal("a long sleep ended with: ", err)
	}
	fmt.Printf("interrupted after %.1f ms of 10000\n", float64(now()-start)/1e6)
	C.hpt_waiter_free(waiter)
	waiter = nil // To nil the library answers EINVAL.

	var ticker *C.hpt_ticker
	must(check(C.hpt_ticker_new(nil, C.int64_t(ms), 0, &ticker)))
	ticks := make(chan C.uint64_t) // It delivers the number of ticks that were missed before each.
	go func() {
		runtime.LockOSThread() // This thread does nothing else.
		for range 10 {
			var missed C.uint64_t
			must(check(C.hpt_ticker_wait(ticker, &missed)))
			ticks <- missed
		}
		C.hpt_ticker_free(ticker)
		close(ticks)
	}()
	missed := C.uint64_t(0)
	for more := range ticks {
		missed += more
	}
	fmt.Printf("ticker: 10 ticks on a channel, %d missed\n", missed)
}
