// SPDX-License-Identifier: MIT
/*
 * Real sleeps on a counter that steps at the Nth of a sleep's reads, while the kernel's clocks stay right. Each sleep
 * is that of a forked child. It is not early by what it follows, not longer than the kernel's clock says, but for the
 * time in which other threads had its CPU, and returns a state where that clock ended it. A sleep that is too long is
 * tried again, because the host may have delayed it.
 *
 * usage: stepping_counter STEP_MS|zero [LAST]     LAST: the last N, 40 where not given
 */
#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock/default.h"
#include "clock/read.h"
#include "process.h"
#include "sleep_kinds.h"

#define LENGTH_NS 3000000
#define LATE_NS   10000000
#define SLACK_NS  2000
#define TRIES     5
#define NS_PER_MS INT64_C(1000000)

/* Ends a child that hangs. */
#define LIMIT_S 20

static uint64_t (*real_read)(const struct hpt_source *src);
static uint64_t step; /* ticks */
static int step_ms;
static bool to_zero, is_armed;
static uint32_t reads, step_at;

static uint64_t stepped_read(const struct hpt_source *src)
{
	uint64_t tick = real_read(src);

	if (is_armed && ++reads == step_at && to_zero)
		step = 0 - tick;
	return reads >= step_at && is_armed ? tick + step : tick;
}

/* ---- One sleep ------------------------------------------------------------------------------------------------ */

struct outcome {
	int64_t took_ns, queued_ns, early_ticks;
	uint32_t reads;
	int result;
};

/* How long this thread could run and did not; 0: not known. */
static int64_t queued_ns(void)
{
	FILE *file = fopen("/proc/thread-self/schedstat", "re");
	long long ran, queued = 0;

	if (file && fscanf(file, "%lld %lld", &ran, &queued) != 2)
		queued = 0;
	if (file)
		fclose(file);
	return queued;
}

static void sleep_in_child(const struct sleep_kind *k, uint32_t at, struct outcome *ret)
{
	int64_t start_ns, queued_before_ns = queued_ns();

	failures = 0;
	alarm(LIMIT_S);
	step_at = at;
	start_ns = clock_ns(CLOCK_MONOTONIC);
	CHECK(set_goal(NULL, LENGTH_NS), "no waiter, gate or ticker");
	if (k->is_duration)
		start_ns = clock_ns(CLOCK_MONOTONIC);
	is_armed = true;
	ret->result = k->sleep();
	ret->reads = reads;
	is_armed = reads >= at; /* a step to come is not the sleep's */
	ret->took_ns = clock_ns(CLOCK_MONOTONIC) - start_ns;
	ret->queued_ns = queued_ns() - queued_before_ns;
	ret->early_ticks = goal.tick - hpt_now(NULL);
}

/* False: the child did not end by itself. */
static bool sleep_once(const struct sleep_kind *k, uint32_t at, struct outcome *ret)
{
	int fds[2], status = 1;
	bool is_there;
	pid_t pid;

	CHECK(!pipe(fds), "no pipe");
	pid = fork();
	if (!pid) {
		struct outcome o;

		sleep_in_child(k, at, &o);
		_exit(write(fds[1], &o, sizeof(o)) != sizeof(o) || failures);
	}
	CHECK(pid > 0 && waitpid(pid, &status, 0) == pid, "no child");
	close(fds[1]);
	is_there = read(fds[0], ret, sizeof(*ret)) == sizeof(*ret);
	close(fds[0]);
	return is_there && WIFEXITED(status) && !WEXITSTATUS(status);
}

/* A gate's deadline in ticks comes with its tick, also after the counter fell back. */
static int64_t late_ns(const struct sleep_kind *k)
{
	return LATE_NS + (k->sleep == on_gate_until && step_ms < 0 ? -step_ms * NS_PER_MS : 0);
}

static bool takes_too_long(const struct sleep_kind *k)
{
	return k->sleep == on_gate_until && (to_zero || step_ms < -1000);
}

/* Returns whether the sleep read the counter so often that it stepped. */
static bool check_sleep(const struct sleep_kind *k, uint32_t at)
{
	struct outcome o = { 0 };
	bool is_there = false;

	for (int tries = 0; tries < TRIES; tries++) {
		is_there = sleep_once(k, at, &o);
		if (is_there && o.took_ns - o.queued_ns <= LENGTH_NS + late_ns(k))
			break;
	}
	CHECK(is_there, "%s, step at read %u: no result", k->name, at);
	CHECK(o.took_ns - o.queued_ns <= LENGTH_NS + late_ns(k),
	      "%s, step at read %u: took %lld ns, %lld queued, result %d", k->name, at, (long long)o.took_ns,
	      (long long)o.queued_ns, o.result);
	CHECK(o.result == k->reached || (!k->reached && o.result > 0), "%s, step at read %u: %d", k->name, at,
	      o.result);
	if (o.result != k->reached)
		return o.reads >= at;
	if (!k->by_counter)
		CHECK(o.took_ns >= LENGTH_NS - SLACK_NS, "%s, step at read %u: 0 after %lld ns", k->name, at,
		      (long long)o.took_ns);
	else if (!k->is_duration)
		CHECK(o.early_ticks <= 0, "%s, step at read %u: 0, %lld ticks early", k->name, at,
		      (long long)o.early_ticks);
	if (k->is_duration)
		CHECK(at == 1 || o.reads < at, "%s, step at read %u of %u: no state", k->name, at, o.reads);
	return o.reads >= at;
}

/* The clock's own reads, of nanoseconds too, go through stepped_read(). */
static bool replace_reads(void)
{
	struct hpt_clock *clk = hpt_clock_default();

	if (clk->src.rate.origin == HPT_ORIGIN_EXACT)
		return false;
	real_read = clk->src.read;
	clk->src.read = clk->src.read_unordered = stepped_read;
	clk->src.order = HPT_OWN_NONE;
	hpt_read_set(clk);
	return true;
}

int main(int argc, char **argv)
{
	uint32_t last = argc > 2 ? (uint32_t)atoi(argv[2]) : 40, stepped = 0, n = 0;

	if (argc < 2)
		return 2;
	if (!replace_reads())
		return skip("the OS clock does not step");
	to_zero = !strcmp(argv[1], "zero");
	hpt_now_ns(NULL);
	for (int i = 0; i < 20; i++)
		hpt_sleep_ns(NULL, LENGTH_NS);
	step_ms = atoi(argv[1]);
	step = (uint64_t)hpt_ns_to_ticks(NULL, step_ms * NS_PER_MS);
	for (size_t k = 0; k < sizeof(sleep_kinds) / sizeof(sleep_kinds[0]); k++)
		for (uint32_t at = 1; at <= last && !takes_too_long(&sleep_kinds[k]); at++, n++)
			stepped += check_sleep(&sleep_kinds[k], at);
	printf("%u sleeps, %u with a step, %d wrong\n", n, stepped, failures);
	CHECK(stepped > n / 16, "only %u of %u sleeps saw the step", stepped, n);
	return failures != 0;
}
