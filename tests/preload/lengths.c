// SPDX-License-Identifier: MIT
/*
 * No sleep is shorter than it was asked for, by the kernel's own clocks; a time of CLOCK_REALTIME is never early.
 * Sleeps that end write nothing back but select(). The threads' timer slack stays as it is.
 */
#include <pthread.h>
#include <string.h>
#include <sys/prctl.h>

#include "process.h"
#include "sleeper.h"

static void check_length(const struct sleeper *s, int64_t ns)
{
	int64_t left_ns, length_ns = sleeper_round(s, ns), began_ns = sleeper_clock_ns(s), took_ns;
	int64_t mono_ns = kernel_ns(CLOCK_MONOTONIC);
	int r = s->sleep(length_ns, &left_ns);

	took_ns = sleeper_clock_ns(s) - began_ns;
	mono_ns = kernel_ns(CLOCK_MONOTONIC) - mono_ns;
	CHECK(!r && took_ns >= length_ns, "%s of %lld ns: %d after %lld", s->name, (long long)length_ns, r,
	      (long long)took_ns);
	/* The wall clock may be set: CLOCK_MONOTONIC says how long that was. */
	CHECK(mono_ns < length_ns + 10 * S, "%s of %lld ns took %lld", s->name, (long long)length_ns,
	      (long long)mono_ns);
	CHECK(left_ns == (!strncmp(s->name, "select", 6) ? 0 : UNTOLD), "%s wrote %lld back", s->name,
	      (long long)left_ns);
}

static void no_sleep_is_short(void)
{
	static const int64_t lengths_ns[] = {
		1, 999, US, 10 * US, 49 * US, 50 * US, 51 * US, 99 * US, 130 * US, 500 * US, MS, 1999 * US, 5 * MS,
		50 * MS,
	};

	for (int i = 0; i < sleepers_n; i++)
		for (size_t k = 0; k < sizeof(lengths_ns) / sizeof(lengths_ns[0]); k++)
			if (sleepers[i].unit_ns < S)
				check_length(&sleepers[i], lengths_ns[k]);
}

static void many_sleeps_are_not_short(void)
{
	for (int i = 0; i < 6000; i++) {
		const struct sleeper *s = &sleepers[i % sleepers_n];

		if (s->unit_ns < MS)
			check_length(s, i * 7919 % 150000);
	}
}

/* usleep() takes more than a second on Linux. */
static void second_is_a_second(void)
{
	check_length(sleeper_named("usleep"), 1001 * MS);
	check_length(sleeper_named("sleep"), S);
	check_length(sleeper_named("poll"), 1001 * MS);
}

/* By the last look of a caller that reads the clock itself. */
static void wall_clock_has_come(void)
{
	for (int i = 0; i < 1500; i++) {
		int64_t at_ns = kernel_ns(CLOCK_REALTIME) + i * 7919 % 300000;
		struct timespec at = timespec_of(at_ns);
		int r = clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &at, NULL);

		CHECK(!r && kernel_ns(CLOCK_REALTIME) >= at_ns, "%d, early by %lld ns", r,
		      (long long)(at_ns - kernel_ns(CLOCK_REALTIME)));
	}
}

static void *check_thread(void *arg)
{
	int slack = prctl(PR_GET_TIMERSLACK);

	for (int i = 0; i < sleepers_n; i++)
		if (sleepers[i].unit_ns < S)
			check_length(&sleepers[i], 2 * MS);
	CHECK(prctl(PR_GET_TIMERSLACK) == slack, "slack %d, was %d", prctl(PR_GET_TIMERSLACK), slack);
	return arg;
}

static void slack_stays(void)
{
	static const unsigned long slacks[] = { 1, 1000, 50000, 300000, 5000000 };
	pthread_t thread;

	for (size_t i = 0; i < sizeof(slacks) / sizeof(slacks[0]); i++) {
		prctl(PR_SET_TIMERSLACK, slacks[i]);
		check_thread(NULL);
		CHECK(prctl(PR_GET_TIMERSLACK) == (int)slacks[i], "slack %lu became %d", slacks[i],
		      prctl(PR_GET_TIMERSLACK));
		CHECK(!pthread_create(&thread, NULL, check_thread, NULL) && !pthread_join(thread, NULL), "no thread");
	}
}

int main(void)
{
	no_sleep_is_short();
	many_sleeps_are_not_short();
	second_is_a_second();
	wall_clock_has_come();
	slack_stays();
	return failures != 0;
}
