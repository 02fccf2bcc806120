// SPDX-License-Identifier: MIT
/*
 * Tickers on the machine's own clocks. Tick n never comes before n periods have passed. Each tick is the latest that
 * was due, or the next one when catching up. Reached and missed ticks add up, however late the kernel wakes the thread.
 *
 * usage: tickers skip|catch-up|poll|interrupt PERIOD_NS TICKS
 *        tickers ring PERIOD_NS INTERRUPTS: a lost one leaves the loop waiting, and the alarm kills the test
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <hpt/hpt.h>

#include "process.h"

#define LIMIT_S  240
#define ENOUGH_S 60 /* next to load a ring costs a slice of the scheduler's */

static hpt_ticker *ticker;
static int64_t period_ns, from_ns, to_ns; /* the ticker was made between these two times */
static _Atomic bool stop;

static void make_ticker(void)
{
	from_ns = hpt_now_ns(NULL);
	CHECK(!hpt_ticker_new(NULL, period_ns, 0, &ticker), "no ticker");
	to_ns = hpt_now_ns(NULL);
	if (failures)
		exit(1);
}

/* Where counter and clock diverged the ticks may have moved. */
static void end_if_diverged(void)
{
	if (hpt_clock_generation(NULL) != 1) {
		printf("skipped: counter and clock diverged\n");
		exit(SKIP);
	}
}

/* The latest tick due at now_ns of a ticker made at made_ns. */
static int64_t tick_at(int64_t now_ns, int64_t made_ns)
{
	return (now_ns - made_ns) / period_ns;
}

/* ---- Each tick --------------------------------------------------------------------------------------------- */

/* Waits for the next tick and returns its number, by the count of ticks reached and missed. */
static int64_t take(int64_t last, bool catches_up)
{
	int64_t before_ns = hpt_now_ns(NULL), now_ns, tick, due;
	uint64_t missed = UINT64_MAX;
	int r;

	errno = EXDEV;
	r = hpt_ticker_wait(ticker, &missed);
	now_ns = hpt_now_ns(NULL);
	CHECK(errno == EXDEV, "errno was touched");
	end_if_diverged();
	CHECK(!r, "a wait returned %d", r);
	tick = last + 1 + (catches_up ? 0 : (int64_t)missed);
	due = catches_up ? tick + (int64_t)missed : tick;
	CHECK(tick <= tick_at(now_ns, from_ns), "tick %lld came early", (long long)tick);
	CHECK(due <= tick_at(now_ns, from_ns), "%llu were missed by tick %lld: too many", (unsigned long long)missed,
	      (long long)tick);
	CHECK(due >= tick_at(before_ns, to_ns), "%llu were missed by tick %lld: too few", (unsigned long long)missed,
	      (long long)tick);
	return tick;
}

/* Takes longer than a period now and then. */
static void work(long n)
{
	if (n % 50 == 49)
		hpt_sleep_ns(NULL, period_ns * 5 / 2);
	else if (n % 3 == 0)
		hpt_sleep_ns(NULL, period_ns / 4);
}

static void skip_late(long ticks)
{
	int64_t tick = 0;

	for (long n = 0; n < ticks && failures < 10; n++) {
		tick = take(tick, false);
		work(n);
	}
}

static void catch_up(long ticks)
{
	int64_t tick = 0;

	CHECK(!hpt_ticker_set_missed(ticker, HPT_TICKER_CATCH_UP, 0), "no such policy");
	for (long n = 0; n < ticks && failures < 10; n++) {
		tick = take(tick, true);
		work(n);
	}
	CHECK(tick == ticks, "%ld waits, but tick %lld", ticks, (long long)tick);
}

/* ---- An event loop ------------------------------------------------------------------------------------------ */

static void poll_for_each(long ticks)
{
	struct pollfd p = { .fd = hpt_ticker_fd(ticker), .events = POLLIN };
	int64_t tick = 0;

	CHECK(p.fd >= 0, "no descriptor: %d", p.fd);
	for (long n = 0; n < ticks && failures < 10; n++) {
		CHECK(poll(&p, 1, -1) == 1 && p.revents == POLLIN, "poll: %#x", (unsigned)p.revents);
		tick = take(tick, false);
		work(n);
	}
}

/* ---- Interrupts ---------------------------------------------------------------------------------------------- */

static void *interrupt_all_the_time(void *arg)
{
	while (!atomic_load(&stop)) {
		hpt_ticker_interrupt(ticker);
		hpt_sleep_ns(NULL, period_ns / 7);
	}
	return arg;
}

/* After an interrupted wait the next tick is unchanged: no tick is counted twice or lost. */
static void interrupt(long ticks)
{
	int64_t tick = 0;
	long interrupts = 0;
	pthread_t other;

	if (pthread_create(&other, NULL, interrupt_all_the_time, NULL)) {
		CHECK(false, "no thread");
		return;
	}
	for (long n = 0; (n < ticks || !interrupts) && failures < 10;) {
		int64_t before_ns = hpt_now_ns(NULL);
		uint64_t missed = 0;
		int r = hpt_ticker_wait(ticker, &missed);

		end_if_diverged();
		CHECK(!r || r == -ECANCELED, "a wait returned %d", r);
		if (r == -ECANCELED) {
			interrupts++;
			continue;
		}
		tick += 1 + (int64_t)missed;
		n++;
		CHECK(tick <= tick_at(hpt_now_ns(NULL), from_ns), "tick %lld came early", (long long)tick);
		CHECK(tick >= tick_at(before_ns, to_ns), "a tick before %lld was lost", (long long)tick);
	}
	atomic_store(&stop, true);
	pthread_join(other, NULL);
	printf("%lld ticks, %ld interrupts\n", (long long)tick, interrupts);
}

/* ---- Interrupts of an event loop ----------------------------------------------------------------------------- */

static _Atomic long wanted, seen;

static void *ring_each_time(void *arg)
{
	int64_t enough_ns = clock_ns(CLOCK_MONOTONIC) + ENOUGH_S * INT64_C(1000000000);

	for (long n = 1; n <= wanted; n++) {
		if (clock_ns(CLOCK_MONOTONIC) > enough_ns)
			atomic_store(&wanted, n); /* this is the last one: before the loop sees it */
		hpt_sleep_ns(NULL, n * 7919 % 60000);
		hpt_ticker_interrupt(ticker);
		while (atomic_load(&seen) < n)
			sched_yield();
	}
	return arg;
}

/*
 * The loop's only ticks are those that it takes for itself, and each of its waits arms the descriptor: an interrupt
 * that comes meanwhile must leave it readable.
 */
static void ring(long rings)
{
	struct pollfd p = { .fd = hpt_ticker_fd(ticker), .events = POLLIN };
	long ticks = 0;
	pthread_t other;

	atomic_store(&wanted, rings);
	CHECK(!pthread_create(&other, NULL, ring_each_time, NULL), "no thread");
	while (atomic_load(&seen) < atomic_load(&wanted) && !failures) {
		int r;

		CHECK(!hpt_ticker_start(ticker, hpt_now_ns(NULL) + (ticks % 2 ? 20000 : -1), 0),
		      "no start");
		r = hpt_ticker_wait(ticker, NULL); /* spent, or interrupted */
		CHECK(r >= 0 || r == -ECANCELED, "a wait returned %d", r);
		ticks += r >= 0;
		if (r == -ECANCELED) {
			atomic_fetch_add(&seen, 1);
			continue;
		}
		CHECK(poll(&p, 1, -1) == 1 && p.revents == POLLIN, "poll: %#x", (unsigned)p.revents);
		r = hpt_ticker_wait(ticker, NULL);
		CHECK(r == -ECANCELED || r == -ENODATA, "readable, but the wait returned %d", r);
		if (r == -ECANCELED)
			atomic_fetch_add(&seen, 1);
	}
	pthread_join(other, NULL);
	CHECK(hpt_ticker_wait(ticker, NULL) != -ECANCELED, "one interrupt too many");
	printf("%ld ticks\n", ticks);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void      (*run)(long ticks);
	} modes[] = {
		{ "skip", skip_late }, { "catch-up", catch_up }, { "poll", poll_for_each }, { "interrupt", interrupt },
		{ "ring", ring },
	};
	long ticks = argc == 4 ? strtol(argv[3], NULL, 10) : 0;

	period_ns = argc == 4 ? strtoll(argv[2], NULL, 10) : 0;
	for (size_t i = 0; ticks > 0 && i < sizeof(modes) / sizeof(modes[0]); i++) {
		if (strcmp(argv[1], modes[i].name))
			continue;
		alarm(LIMIT_S);
		make_ticker();
		modes[i].run(ticks);
		hpt_ticker_free(ticker);
		return failures != 0;
	}
	fprintf(stderr, "usage: %s MODE PERIOD_NS TICKS\n", argv[0]);
	return 2;
}
