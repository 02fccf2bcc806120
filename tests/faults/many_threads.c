// SPDX-License-Identifier: MIT
/*
 * Threads that share a clock, a waiter, a gate, a ticker and a wall, for a second and more: for Valgrind's tools that
 * look for races. With the argument "race" two threads also share a number of the program without order.
 */
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

#include <hpt/hpt.h>
#include <hpt/wall.h>

#include "process.h"

#define ROUNDS 3

static hpt_waiter *waiter;
static hpt_gate *gate;
static hpt_ticker *ticker;
static hpt_wall *wall;
static volatile int64_t shared;
static bool is_racing;

static void read_all(int times)
{
	struct hpt_wall_time now;

	for (int i = 0; i < times; i++) {
		int64_t ns = hpt_now_ns(NULL);
		int r = hpt_wall_now(wall, &now);

		CHECK(r == 0 || r == -EAGAIN, "hpt_wall_now: %d", r);
		if (is_racing)
			shared += ns;
		hpt_ns_to_ticks(NULL, ns);
		hpt_now_unix_ns(NULL);
	}
}

static void *reader(void *arg)
{
	read_all(2000);
	for (int i = 0; i < ROUNDS; i++)
		hpt_sleep_ns(NULL, 2000000);
	return arg;
}

static void *at_gate(void *arg)
{
	for (int i = 0; i < ROUNDS; i++)
		hpt_gate_wait_until_ticks(gate, hpt_gate_ticket(gate), hpt_now(NULL) + hpt_ns_to_ticks(NULL, 5000000));
	return arg;
}

static void *in_waiter(void *arg)
{
	int r = hpt_waiter_sleep_ns(waiter, INT64_C(100000000000));

	CHECK(r == -ECANCELED, "hpt_waiter_sleep_ns: %d", r);
	return arg;
}

static void *on_ticks(void *arg)
{
	uint64_t missed;

	for (int i = 0; i < ROUNDS; i++)
		CHECK(hpt_ticker_wait(ticker, &missed) >= 0, "hpt_ticker_wait failed");
	return arg;
}

static void *(*const kinds[])(void *) = { reader, reader, at_gate, at_gate, in_waiter, on_ticks };
#define THREADS (sizeof(kinds) / sizeof(kinds[0]))

int main(int argc, char **argv)
{
	pthread_t threads[THREADS];

	is_racing = argc > 1 && !strcmp(argv[1], "race");
	if (hpt_waiter_new(NULL, 0, &waiter) < 0 || hpt_gate_new(NULL, 0, &gate) < 0 ||
	    hpt_ticker_new(NULL, 3000000, 0, &ticker) < 0 || hpt_wall_open(NULL, NULL, 0, 0, &wall) < 0)
		return 1;
	for (size_t i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, kinds[i], NULL))
			return 1;
	/* Past a record's second, so that another is published while threads read. */
	hpt_sleep_ns(NULL, 1100000000);
	hpt_wall_update(wall);
	read_all(2000);
	hpt_gate_notify_all(gate);
	hpt_waiter_interrupt(waiter);
	for (size_t i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	hpt_ticker_free(ticker);
	hpt_gate_free(gate);
	hpt_waiter_free(waiter);
	hpt_wall_close(wall);
	return failures != 0;
}
