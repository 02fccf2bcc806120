// SPDX-License-Identifier: MIT
/*
 * Mistakes that once compiled and went on silently, as a program makes them: each gets an error, or means what it says.
 * Those that the compiler refuses are in tests/abi/traps_test.py.
 *
 * With HPT_SOURCE=os and HPT_OS_HZ=10000000000 in the environment, where a tick is 0.1 ns.
 */
#include <errno.h>
#include <unistd.h>

#include <hpt/hpt.h>
#include <hpt/wall.h>

#include "process.h"

#define LIMIT_S 30
#define NS_PER_S INT64_C(1000000000)

/* On a clock with a tick of 1 ns it sleeps as long as the machine is up; the alarm would end it. */
static void nanoseconds_for_ticks_show_on_the_os_clock(void)
{
	CHECK(hpt_ns_to_ticks(NULL, 1000) >= 9900, "a tick is not 0.1 ns");
	CHECK(!hpt_sleep_until_ticks(NULL, 2 * hpt_now_ns(NULL)), "a sleep of ticks taken for nanoseconds");
}

static void a_manual_clock_takes_hertz(void)
{
	hpt_clock *clk = NULL;

	CHECK(!hpt_clock_new_manual(1000000000, 0, 0, &clk) && hpt_ticks_to_ns(clk, 1) == 1, "1 GHz is another rate");
	hpt_clock_close(clk);
	clk = NULL;
	CHECK(hpt_clock_new_manual(UINT64_C(1000000000000000), 0, 0, &clk) == -EINVAL && !clk, "10^15 Hz are a rate");
}

static void a_ticker_speaks_nanoseconds(void)
{
	int64_t first_ns = hpt_now_ns(NULL) + 50000000, next_ns = 0;
	hpt_ticker *t = NULL;

	CHECK(hpt_ticker_new(NULL, -1, 0, &t) == -EINVAL, "a negative period");
	CHECK(!hpt_ticker_new(NULL, 0, 0, &t) && hpt_ticker_wait(t, NULL) == -ENODATA, "not started, and it ticks");
	CHECK(!hpt_ticker_start(t, first_ns, 1000000) && !hpt_ticker_next_ns(t, &next_ns), "start");
	CHECK(next_ns == first_ns, "the first tick is %lld ns off", (long long)(next_ns - first_ns));
	hpt_ticker_free(t);
}

static void what_remains_is_nanoseconds(void)
{
	hpt_waiter *w = NULL;
	int64_t ns = 0;

	CHECK(!hpt_waiter_new(NULL, 0, &w) && !hpt_waiter_interrupt(w), "waiter");
	CHECK(hpt_waiter_sleep_ns(w, NS_PER_S) == -ECANCELED && !hpt_waiter_remaining_ns(w, &ns), "interrupt");
	CHECK(ns > 0 && ns <= NS_PER_S + 1, "%lld ns of a second remain", (long long)ns);
	hpt_waiter_free(w);
}

static void a_gate_answers_as_a_wall_does(void)
{
	hpt_gate *g = NULL;
	uint32_t ticket;

	CHECK(!hpt_gate_new(NULL, 0, &g), "gate");
	ticket = hpt_gate_ticket(g);
	CHECK(hpt_gate_wait_until_ns(g, ticket, hpt_now_ns(NULL) + 1000) == -ETIMEDOUT, "deadline");
	CHECK(!hpt_gate_notify_all(g) && !hpt_gate_wait_until_ns(g, ticket, INT64_MAX), "notified");
	CHECK(hpt_gate_wait_until_ns(g, 0, INT64_MAX) == -EINVAL, "a ticket that nobody took");
	hpt_gate_free(g);
	CHECK(hpt_sleep_set_policy(HPT_SLEEP_INHERIT, 0) == -EINVAL, "the process inherits its policy");
}

static hpt_wall *wall_of(uint32_t sources, int64_t max_width_ns)
{
	struct hpt_wall_config c = { .sources = sources, .max_width_ns = max_width_ns };
	hpt_wall *w = NULL;

	CHECK(!hpt_wall_open(NULL, &c, sizeof(c), 0, &w), "wall");
	return w;
}

/* 10 ms wide, around the system's time. */
static void feed(hpt_wall *w)
{
	hpt_time_t before = hpt_now(NULL);
	int64_t unix_ns = hpt_now_unix_ns(NULL);
	struct hpt_wall_sample s = { before, hpt_now(NULL), unix_ns - 5000000, unix_ns + 5000000, 0, 0 };

	CHECK(!hpt_wall_feed(w, &s, sizeof(s)), "feed");
}

static void a_walls_source_is_its_bit(void)
{
	struct hpt_wall_config unknown = { .sources = 1u << 7 };
	struct hpt_wall_info info = { 0 };
	hpt_wall *w = wall_of(HPT_WALL_SOURCE_PHC, 0), *none = NULL;

	CHECK(!hpt_wall_get_info(w, &info, sizeof(info)) && info.sources == HPT_WALL_SOURCE_PHC, "the PHC alone is %#x",
	      info.sources);
	hpt_wall_close(w);
	CHECK(hpt_wall_open(NULL, &unknown, sizeof(unknown), 0, &none) == -EINVAL && !none, "a source that is none");
}

static void a_peers_error_is_not_ones_own(void)
{
	hpt_wall *narrow = wall_of(HPT_WALL_SOURCE_FEED, 1000000), *wide = wall_of(HPT_WALL_SOURCE_FEED, 0);
	hpt_hlc *blind = NULL, *h = NULL;
	int64_t now_ns = hpt_now_unix_ns(NULL), ns;

	feed(narrow);
	feed(wide);
	CHECK(!hpt_hlc_new(narrow, NS_PER_S, 0, &blind) && !hpt_hlc_new(wide, NS_PER_S, 0, &h), "hlc");
	CHECK(hpt_hlc_receive(blind, now_ns - NS_PER_S, &ns) == -ERANGE, "one's own interval is too wide");
	CHECK(hpt_hlc_receive(h, now_ns + 600 * NS_PER_S, &ns) == -EBADMSG, "a peer's clock is ten minutes ahead");
	CHECK(!hpt_wall_wait_after(wide, now_ns - NS_PER_S, 0), "met");
	CHECK(hpt_wall_wait_after(wide, now_ns + 3600 * NS_PER_S, 1000) == -ETIMEDOUT, "time-out");
	CHECK(hpt_wall_wait_after(wide, now_ns + 3600 * NS_PER_S, -1) == -ETIMEDOUT, "a time-out below 0 is one look");
	hpt_hlc_free(blind);
	hpt_hlc_free(h);
	hpt_wall_close(narrow);
	hpt_wall_close(wide);
}

int main(void)
{
	alarm(LIMIT_S);
	nanoseconds_for_ticks_show_on_the_os_clock();
	a_manual_clock_takes_hertz();
	a_ticker_speaks_nanoseconds();
	what_remains_is_nanoseconds();
	a_gate_answers_as_a_wall_does();
	a_walls_source_is_its_bit();
	a_peers_error_is_not_ones_own();
	return failures != 0;
}
