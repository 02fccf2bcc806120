/* SPDX-License-Identifier: MIT */
/*
 * wake.c - a thread that sleeps until another one wakes it, or until its time has come.
 *
 *	cc -pthread -o wake wake.c $(pkg-config --cflags --libs libhpt)
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

#include <hpt/hpt.h>

static hpt_waiter *waiter;

static void *sleep_an_hour(void *arg)
{
	int64_t left_ns = 0;

	*(int *)arg = hpt_waiter_sleep_ns(waiter, INT64_C(3600000000000));
	if (hpt_waiter_remaining_ns(waiter, &left_ns) == 0)
		printf("%.0f s were left\n", (double)left_ns / 1e9);
	return NULL;
}

int main(void)
{
	pthread_t thread;
	int result = 0;

	if (hpt_waiter_new(NULL, 0, &waiter) < 0 || pthread_create(&thread, NULL, sleep_an_hour, &result))
		return 1;
	hpt_sleep_ns(NULL, 1000000);
	hpt_waiter_interrupt(waiter); /* also if the thread does not sleep yet */
	pthread_join(thread, NULL);
	hpt_waiter_free(waiter);
	printf("woken: %s\n", result == -ECANCELED ? "yes" : "no");
	return result != -ECANCELED;
}
