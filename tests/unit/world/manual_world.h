/* SPDX-License-Identifier: MIT */
/* A manual clock whose machine has no clocks, and threads that sleep on it. */
#ifndef HPT_TEST_MANUAL_WORLD_H
#define HPT_TEST_MANUAL_WORLD_H

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "unit.h"

#include "hpt/hpt.h"
#include "machine/live.h"
#include "source/manual.h"
#include "source/own_time.h"
#include "clock/clock.h"

#define GHZ UINT64_C(1000000000)
#define HZ  UINT64_C(1)

static hpt_clock *clk;
static _Atomic uint32_t questions; /* how often a clock or the slack of the machine was */

static inline int64_t asked_clock(clockid_t id)
{
	(void)id;
	questions++;
	return 0;
}

static inline bool asked_kernel(clockid_t id, int64_t *ret_ns)
{
	(void)id, (void)ret_ns;
	questions++;
	return false;
}

static inline int64_t asked_slack(void)
{
	questions++;
	return 50000;
}

static inline void asked_for_slack(int64_t ns)
{
	(void)ns;
	questions++;
}

static struct hpt_env no_clocks;

static inline hpt_clock *new_manual(uint64_t frequency_hz, hpt_time_t start)
{
	hpt_clock *ret = NULL;

	assert_int_equal(hpt_clock_new_manual(frequency_hz, start, 0, &ret), 0);
	no_clocks = hpt_env_live;
	no_clocks.clock_ns = no_clocks.clock_ns_syscall = ret->src.clock_ns = asked_clock;
	no_clocks.kernel_ns = asked_kernel;
	no_clocks.slack_ns = asked_slack;
	no_clocks.set_slack_ns = asked_for_slack;
	ret->src.env = &no_clocks;
	return ret;
}

static inline int clock_begins(void **state)
{
	(void)state;
	questions = 0;
	clk = new_manual(GHZ, 1000);
	errno = EXDEV;
	return 0;
}

/* No call may have changed errno, or have asked the machine. */
static inline int clock_ends(void **state)
{
	(void)state;
	assert_int_equal(errno, EXDEV);
	assert_int_equal(questions, 0);
	assert_int_equal(hpt_clock_sleepers(clk), 0);
	hpt_clock_close(clk);
	return 0;
}

#define manual_test(f) cmocka_unit_test_setup_teardown(f, clock_begins, clock_ends)

static inline void advance(int64_t ticks)
{
	assert_int_equal(hpt_clock_advance(clk, ticks), 0);
}

/* Waits until this many threads have seen the present tick and sleep on. */
static inline void await_sleepers(uint32_t n)
{
	while (hpt_clock_sleepers(clk) != n)
		sched_yield();
}

/* A thread that sleeps once. */
struct sleeping {
	pthread_t thread;
	int (*sleep)(void *arg);
	void *arg;
	int result;
	hpt_time_t ended; /* the tick at which it returned */
	_Atomic bool is_over;
};

static inline void *sleep_once(void *arg)
{
	struct sleeping *s = arg;

	errno = EXDEV;
	s->result = s->sleep(s->arg);
	s->ended = hpt_now(clk);
	s->is_over = true;
	return errno == EXDEV ? NULL : s;
}

static inline void begin(struct sleeping *s, int (*sleep)(void *arg), void *arg)
{
	*s = (struct sleeping){ .sleep = sleep, .arg = arg };
	assert_int_equal(pthread_create(&s->thread, NULL, sleep_once, s), 0);
}

static inline int result_of(struct sleeping *s)
{
	void *changed_errno;

	assert_int_equal(pthread_join(s->thread, &changed_errno), 0);
	assert_null(changed_errno);
	return s->result;
}

#endif
