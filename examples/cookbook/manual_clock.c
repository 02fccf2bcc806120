/* SPDX-License-Identifier: MIT */
/*
 * manual_clock.c - a unit test of a function that sleeps for an hour, which takes no time.
 *
 *	cc -pthread -o manual_clock manual_clock.c $(pkg-config --cflags --libs libhpt)
 */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>

#include <hpt/hpt.h>

#define HOUR_NS INT64_C(3600000000000)

/* The function under test: names no clock. */
static void *back_up_hourly(void *arg)
{
	for (int *done = arg; *done < 3; (*done)++)
		hpt_sleep_ns(NULL, HOUR_NS);
	return NULL;
}

int main(void)
{
	pthread_t thread;
	hpt_clock *clock;
	int done = 0;

	if (hpt_clock_new_manual(1000, 0, 0, &clock) < 0 || hpt_clock_set_default(clock, 0) < 0 ||
	    pthread_create(&thread, NULL, back_up_hourly, &done))
		return 1;
	for (int hour = 0; hour < 3; hour++) {
		while (hpt_clock_sleepers(clock) < 1)
			sched_yield();
		if (hpt_clock_advance(clock, HOUR_NS / 1000000) < 0) /* a tick is 1 ms */
			return 1;
	}
	pthread_join(thread, NULL);
	printf("%d backups in %lld h\n", done, (long long)(hpt_now_ns(clock) / HOUR_NS));
	hpt_clock_close(clock);
	return done != 3;
}
