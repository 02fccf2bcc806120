/* SPDX-License-Identifier: MIT */
/* A sleeping thread in a simulated world, and the checks that each sleep must pass: for the tests of sleeping. */
#ifndef HPT_TEST_SLEEP_WORLD_H
#define HPT_TEST_SLEEP_WORLD_H

#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "record_world.h"

#include "fake_kernel.h"
#include "hpt/hpt.h"
#include "sleep/habits.h"
#include "sleep/place.h"
#include "sleep/sleep.h"
#include "sleep/spin_limits.h"

#define NS_PER_US INT64_C(1000)
#define NS_PER_MS INT64_C(1000000)

/* How late the kernel wakes in most tests: margins are a little longer. */
#define LATE_NS (20 * NS_PER_US)

static struct hpt_eventcount eventcount;

/* A sleep's result. Checks that errno and the thread's timer slack are unchanged. */
#define slept(call)                                            \
	({                                                     \
		int64_t slack_before_ns = kernel.slack_ns;     \
		int result;                                    \
                                                               \
		errno = EXDEV;                                 \
		result = (call);                               \
		assert_int_equal(errno, EXDEV);                \
		assert_int_equal(kernel.slack_ns, slack_before_ns); \
		result;                                        \
	})

/* The wakes that were late in this thread's earlier sleeps are forgotten. */
static inline void end_contention(void)
{
	hpt_habits_claim()->contention = (struct hpt_contention){ 0 };
}

static inline void begin_in_steps(uint64_t tick_ps, uint64_t read_ps, uint64_t staircase)
{
	fake_env_reset();
	new_clock(tick_ps);
	world.read_ps = read_ps;
	world.staircase = staircase;
	hpt_anchor_take(&clk.src, &clk.anchor);
	fake_kernel_reset();
	kernel.late_ns = LATE_NS;
	memset(&hpt_spin_limits, 0, sizeof(hpt_spin_limits));
	memset(&hpt_crowd, 0, sizeof(hpt_crowd));
	*hpt_habits_spun() = 0;
	end_contention();
	hpt_habits_claim()->slice = (struct hpt_slice){ 0 };
	eventcount = (struct hpt_eventcount){ 0 };
	assert_int_equal(hpt_sleep_set_policy(HPT_SLEEP_BALANCED, 0), 0);
	hpt_now_ns(&clk); /* makes the first record, which waits for a millisecond */
}

static inline void begin_at(uint64_t tick_ps, uint64_t read_ps)
{
	begin_in_steps(tick_ps, read_ps, 0);
}

static inline void begin(void)
{
	begin_at(400, 8000);
}

static inline hpt_time_t in_ns(int64_t ns)
{
	return hpt_now(&clk) + hpt_ns_to_ticks(&clk, ns);
}

/* Sleeps until the kernel's lateness is learned, after short waits and after long ones. */
static inline void train(void)
{
	for (int i = 0; i < 20; i++) {
		hpt_sleep_ns(&clk, NS_PER_MS / 5);
		hpt_sleep_ns(&clk, 20 * NS_PER_MS);
	}
	kernel.waits = kernel.slack_gets = kernel.slack_sets = 0;
}

/* How late an undisturbed sleep may end in this world. */
static inline int64_t turn_ps(void)
{
	return (int64_t)(8 * world.read_ps + 2 * world.clock_ps + 2 * world.tick_ps);
}

static inline void assert_reached(hpt_time_t deadline, int64_t within_ns)
{
	int64_t late_ns = (hpt_now(&clk) - deadline) * (int64_t)world.tick_ps / 1000;

	if (late_ns < 0 || late_ns > within_ns)
		fail_msg("%lld ns late, %lld allowed", (long long)late_ns, (long long)within_ns);
}

static inline void assert_on_time(hpt_time_t deadline)
{
	assert_reached(deadline, turn_ps() / 1000);
}

static inline void until_a_tick(int64_t ns)
{
	hpt_time_t deadline = in_ns(ns);

	assert_int_equal(slept(hpt_sleep_until_ticks(&clk, deadline)), 0);
	assert_on_time(deadline);
}

static inline uint32_t waits_of(int64_t ns)
{
	kernel.waits = 0;
	until_a_tick(ns);
	return kernel.waits;
}

static inline void assert_nothing_asked(void)
{
	assert_int_equal(kernel.waits + kernel.slack_gets + kernel.slack_sets, 0);
}

static inline struct hpt_sleep_info habits(void)
{
	struct hpt_sleep_info info;

	assert_int_equal(hpt_sleep_get_info(&info, sizeof(info)), 0);
	return info;
}

/* Fresh threads know nothing, have spun nothing, and have asked for nothing. */
static inline void in_new_thread(void *(*fn)(void *arg), void *arg)
{
	pthread_t thread;

	assert_int_equal(pthread_create(&thread, NULL, fn, arg), 0);
	assert_int_equal(pthread_join(thread, NULL), 0);
}

static inline void *ask_habits(void *ret)
{
	assert_int_equal(hpt_sleep_get_info(ret, sizeof(struct hpt_sleep_info)), 0);
	return NULL;
}

static inline struct hpt_sleeper sleeper(uint32_t policy, int64_t max_spin_ns)
{
	struct hpt_sleeper s = { .clk = &clk, .eventcount = &eventcount, .exit = &eventcount };

	assert_int_equal(hpt_policy_make(policy, max_spin_ns, &s.policy), 0);
	return s;
}

static inline int sleep_on(const struct hpt_sleeper *s, enum hpt_deadline_kind line, int64_t at, int64_t *ret_left)
{
	return hpt_sleep_on(s, line, at, ret_left ? ret_left : &(int64_t){ 0 });
}

/* The event happens ns from now, in the world's own time. */
static inline void set_event(int64_t ns, void (*event)(void))
{
	world.event = event;
	world.event_at_ps = world.now_ps + (uint64_t)ns * 1000;
}

static inline void wake_nobody(const _Atomic uint32_t *word)
{
	(void)word;
}

/* Interrupts the sleep, without a wake by the kernel. */
static inline void interrupt(void)
{
	const struct hpt_env env = { .wake = wake_nobody };

	hpt_eventcount_notify(&eventcount, 1, &env);
}

static int64_t preemption_ns;

/* An event: the thread does not run for preemption_ns. */
static inline void preempt(void)
{
	world.now_ps += (uint64_t)preemption_ns * 1000;
}

static inline int64_t true_monotonic_ns(void)
{
	return fake_world_true_ns(CLOCK_MONOTONIC);
}

typedef int sleep_fn(hpt_clock *clk, hpt_time_t deadline, int64_t ns);

static inline int by_tick(hpt_clock *c, hpt_time_t deadline, int64_t ns)
{
	(void)ns;
	return hpt_sleep_until_ticks(c, deadline);
}

static inline int by_ns(hpt_clock *c, hpt_time_t deadline, int64_t ns)
{
	(void)deadline;
	return hpt_sleep_ns(c, ns);
}

/* A sleep during which an event happens. */
struct trial {
	int64_t length_ns, after_ns;
	uint32_t policy;
	void (*event)(void);
	int result;
	hpt_time_t deadline;
	int64_t raw_ns, took_ns;  /* start by CLOCK_MONOTONIC_RAW; length by CLOCK_MONOTONIC */
};

static inline void try(struct trial *t, sleep_fn *fn)
{
	int64_t start_ns;

	begin();
	settle();
	train();
	hpt_sleep_set_policy(t->policy, 0);
	t->deadline = in_ns(t->length_ns);
	set_event(t->after_ns, t->event);
	start_ns = true_monotonic_ns();
	t->raw_ns = fake_world_true_ns(CLOCK_MONOTONIC_RAW);
	t->result = slept(fn(&clk, t->deadline, t->length_ns));
	t->took_ns = true_monotonic_ns() - start_ns;
	world.event = NULL;
}

#endif
