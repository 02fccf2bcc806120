// SPDX-License-Identifier: MIT
/*
 * The stack that a signal handler needs for leaf functions, conversions and sleeps: at most what libhpt(3) states,
 * 8 KiB. Each runs in a process of its own, so that its first call is the first conversion, which needs most; and again
 * more than a second later, when it compares the clocks.
 */
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <hpt/hpt.h>
#include <hpt/wall.h>

#include "process.h"

#define STATED 8192
#define PAINT  0xa5

static unsigned char stack[1 << 17];
static hpt_waiter *waiter;
static hpt_gate *gate;
static hpt_ticker *ticker;
static hpt_wall *wall;

static volatile int64_t sink; /* keeps the calls */

static void nothing(void)
{
}

static void now(void)
{
	sink = hpt_now(NULL);
}

static void now_ns(void)
{
	sink = hpt_now_ns(NULL);
}

static void now_unix_ns(void)
{
	sink = hpt_now_unix_ns(NULL);
}

static void now_monotonic_ns(void)
{
	sink = hpt_now_monotonic_ns(NULL);
}

static void now_boottime_ns(void)
{
	sink = hpt_now_boottime_ns(NULL);
}

static void now_tai_ns(void)
{
	sink = hpt_now_tai_ns(NULL);
}

static void generation(void)
{
	sink = (int64_t)hpt_clock_generation(NULL);
}

static void clock_info(void)
{
	struct hpt_clock_info info;

	sink = hpt_clock_get_info(NULL, &info, sizeof(info));
}

static void source_info(void)
{
	struct hpt_source_info info;

	sink = hpt_source_get_info(HPT_SOURCE_AUTO, &info, sizeof(info));
}

static void format(void)
{
	char text[HPT_TIME_FORMAT_SIZE];

	sink = hpt_time_format(NULL, hpt_now(NULL), text, sizeof(text));
}

static void parse(void)
{
	hpt_time_t t;

	sink = hpt_time_parse(NULL, "2026-11-22T12:00:00Z", &t);
}

static void sleep_ns(void)
{
	sink = hpt_sleep_ns(NULL, 2000000);
}

static void sleep_until_unix_ns(void)
{
	sink = hpt_sleep_until_unix_ns(NULL, hpt_now_unix_ns(NULL) + 2000000);
}

static void wait_on_waiter(void)
{
	sink = hpt_waiter_sleep_ns(waiter, 2000000);
}

static void wait_on_gate(void)
{
	sink = hpt_gate_wait_until_ticks(gate, hpt_gate_ticket(gate), hpt_now(NULL) + hpt_ns_to_ticks(NULL, 2000000));
}

static void wait_for_ticker(void)
{
	sink = hpt_ticker_wait(ticker, NULL);
}

static void wall_now(void)
{
	struct hpt_wall_time t;

	sink = hpt_wall_now(wall, &t);
}

static void feed_wall(void)
{
	struct hpt_wall_sample s = { .before = hpt_now(hpt_waiter_clock(waiter)), .latest_ns = 1000000000 };

	s.after = s.before;
	sink = hpt_wall_feed(wall, &s, sizeof(s));
}

static void wall_info(void)
{
	struct hpt_wall_info info;

	sink = hpt_wall_get_info(wall, &info, sizeof(info));
}

static void wait_on_wall(void)
{
	sink = hpt_wall_wait_after_on(wall, waiter, 3000000000, 2000000);
}

#define CALL(name) { name, #name }

static const struct {
	void (*fn)(void);
	const char *name;
} calls[] = {
	CALL(now), CALL(now_ns), CALL(now_unix_ns), CALL(now_monotonic_ns),
	CALL(now_boottime_ns), CALL(now_tai_ns), CALL(generation), CALL(clock_info), CALL(source_info), CALL(format),
	CALL(parse), CALL(sleep_ns), CALL(sleep_until_unix_ns), CALL(wait_on_waiter), CALL(wait_on_gate),
	CALL(wait_for_ticker), CALL(wall_now), CALL(feed_wall), CALL(wall_info), CALL(wait_on_wall),
};

#define CALLS (sizeof(calls) / sizeof(calls[0]))

static void (*volatile to_call)(void);

static void on_signal(int sig)
{
	(void)sig;
	to_call();
}

/* Bytes of the signal stack that a handler which calls fn has used, with the kernel's frame. */
static long used_by(void (*fn)(void))
{
	size_t unused = 0;

	to_call = fn;
	memset(stack, PAINT, sizeof(stack));
	raise(SIGUSR1);
	while (unused < sizeof(stack) && stack[unused] == PAINT)
		unused++;
	return (long)(sizeof(stack) - unused);
}

/* In a child: 1 if the call needs more than is stated. */
static int measure(void (*fn)(void), const char *name)
{
	struct timespec past_a_segment = { 1, 100000000 };
	long frame = used_by(nothing), first = used_by(fn) - frame, again;

	nanosleep(&past_a_segment, NULL);
	again = used_by(fn) - frame;
	printf("%s: %ld bytes at first, %ld after a second\n", name, first, again);
	CHECK(first <= STATED && again <= STATED, "%s: %ld and %ld bytes of stack", name, first, again);
	return failures > 0;
}

int main(void)
{
	stack_t alternative = { .ss_sp = stack, .ss_size = sizeof(stack) };
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_ONSTACK };
	hpt_clock *clk;
	pid_t child;
	int status;

	CHECK(!sigaltstack(&alternative, NULL) && !sigaction(SIGUSR1, &action, NULL), "no signal stack");
	/* On a clock of their own: the children are to be the first that use the default clock. */
	CHECK(!hpt_clock_open(HPT_SOURCE_AUTO, 0, &clk), "no clock");
	CHECK(!hpt_waiter_new(clk, 0, &waiter) && !hpt_gate_new(clk, 0, &gate) &&
	      !hpt_wall_open(clk, NULL, 0, 0, &wall), "no objects");
	feed_wall();
	for (size_t i = 0; i < CALLS && !failures; i++) {
		child = fork();
		CHECK(child >= 0, "no child");
		if (child)
			continue;
		CHECK(!hpt_ticker_new(clk, 2000000, 0, &ticker), "no ticker");
		exit(measure(calls[i].fn, calls[i].name));
	}
	while (wait(&status) > 0)
		failures += !WIFEXITED(status) || WEXITSTATUS(status);
	return failures > 0;
}
