// SPDX-License-Identifier: MIT

// handovers COUNT: threads of C hand over COUNT events by each kind, while the runtime interrupts all that it may.
package main

/*
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>
#include <unistd.h>

static int ends[2];
static sem_t sem;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int there;

static int prepare(void) { return pipe(ends) || sem_init(&sem, 0, 0); }

static struct timespec soon(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	ts.tv_nsec += 300000;
	if (ts.tv_nsec >= 1000000000) {
		ts.tv_nsec -= 1000000000;
		ts.tv_sec++;
	}
	return ts;
}

static void give(int kind)
{
	if (kind == 0 && write(ends[1], "x", 1) != 1)
		_exit(1);
	if (kind == 1)
		sem_post(&sem);
	if (kind != 2)
		return;
	pthread_mutex_lock(&mutex);
	there++;
	pthread_cond_signal(&cond);
	pthread_mutex_unlock(&mutex);
}

static int take_signal(void)
{
	struct timespec until = soon();
	int r = 0, is_taken;

	pthread_mutex_lock(&mutex);
	while (!there && !r)
		r = pthread_cond_timedwait(&cond, &mutex, &until);
	is_taken = there > 0;
	there -= is_taken;
	pthread_mutex_unlock(&mutex);
	return is_taken;
}

static int take(int kind)
{
	struct pollfd fd = { .fd = ends[0], .events = POLLIN };
	struct timespec until = soon();
	char c;

	if (kind == 0)
		return poll(&fd, 1, 1) == 1 && read(ends[0], &c, 1) == 1;
	return kind == 1 ? !sem_timedwait(&sem, &until) : take_signal();
}
*/
import "C"

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
)

var (
	garbage [][]byte
	taken   [3]atomic.Int64
)

// Each event once the one before it is taken.
func give(kind, count int) {
	for i := 0; i < count; i++ {
		for taken[kind].Load() < int64(i) {
			runtime.Gosched()
		}
		C.give(C.int(kind))
	}
}

func take(kind, count int, all *sync.WaitGroup) {
	for taken[kind].Load() < int64(count) {
		taken[kind].Add(int64(C.take(C.int(kind))))
	}
	all.Done()
}

// The collector stops all goroutines, by signals.
func collect() {
	for {
		garbage = append(garbage[len(garbage)/2:], make([]byte, 4096))
		runtime.GC()
	}
}

func main() {
	var all sync.WaitGroup
	count, err := strconv.Atoi(os.Args[1])
	if err != nil || C.prepare() != 0 {
		os.Exit(2)
	}
	go collect()
	for kind := 0; kind < 3; kind++ {
		all.Add(1)
		go take(kind, count, &all)
		go give(kind, count)
	}
	all.Wait()
	fmt.Println("taken", taken[0].Load(), taken[1].Load(), taken[2].Load())
}
