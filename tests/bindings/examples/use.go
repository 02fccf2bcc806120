// SPDX-License-Identifier: MIT

package main

// #include <hpt/hpt.h>
import "C"
import (
	"fmt"
	"os"
	"syscall"
	"time"
)

// init runs before the example's main, and ends the program.
func init() {
	must(check(C.hpt_waiter_new(nil, 0, &waiter)))
	ended := make(chan error)
	for range 2 {
		go func() { ended <- sleep(10000 * ms) }()
	}
	fmt.Println("second:", <-ended == syscall.EBUSY)
	C.hpt_waiter_interrupt(waiter)
	fmt.Println("first:", <-ended == syscall.ECANCELED)
	C.hpt_waiter_free(waiter)
	waiter = nil
	fmt.Println("closed:", sleep(time.Second) == syscall.EINVAL)
	os.Exit(0)
}
