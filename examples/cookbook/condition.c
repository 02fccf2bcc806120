/* SPDX-License-Identifier: MIT */
/*
 * condition.c - a gate in the place of a condition variable: without a mutex, and with a time-out that is not late.
 *
 *	cc -pthread -o condition condition.c $(pkg-config --cflags --libs libhpt)
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#include <hpt/hpt.h>

static hpt_gate *gate;
static atomic_int queued;

static void *produce(void *arg)
{
	atomic_fetch_add(&queued, 1);
	hpt_gate_notify_all(gate);
	return arg;
}

/* 1 once something is queued, else -ETIMEDOUT at that time */
static int wait_for_work(int64_t until_ns)
{
	int result;

	do {
		uint32_t ticket = hpt_gate_ticket(gate); /* before the look */

		result = atomic_load(&queued) ? 1 : hpt_gate_wait_until_ns(gate, ticket, until_ns);
	} while (result == 0);
	return result;
}

int main(void)
{
	pthread_t thread;

	if (hpt_gate_new(NULL, 0, &gate) < 0 || wait_for_work(hpt_now_ns(NULL) + 1000000) > 0 ||
	    pthread_create(&thread, NULL, produce, NULL))
		return 1;
	printf("a time-out, and then work: %s\n", wait_for_work(INT64_MAX) > 0 ? "yes" : "no");
	return pthread_join(thread, NULL);
}
