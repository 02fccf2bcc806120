/* SPDX-License-Identifier: MIT */
/* A simulated world for sleeps: waits pass its time, and one event may happen at a chosen moment. */
#ifndef HPT_TEST_OBJECT_WORLD_H
#define HPT_TEST_OBJECT_WORLD_H

#include <errno.h>
#include <stdatomic.h>

#include "record_world.h"

#include "hpt/hpt.h"
#include "sleep/habits.h"

#define NS_PER_MS INT64_C(1000000)

/* How late the kernel of this world wakes a thread. */
#define LATE_PS 20000000

static struct {
	void   (*event)(void); /* NULL: no event will happen */
	uint64_t event_ps;     /* when it happens */
	bool     in_wait;      /* it happened during a wait in the kernel */
	uint32_t waits, wakes;
	int64_t  until_ns;     /* of the latest wait */
	uint64_t (*read)(const struct hpt_source *src);
} sleeping;

static inline void let_happen(bool in_wait)
{
	void (*event)(void) = sleeping.event;

	sleeping.event = NULL;
	sleeping.in_wait = in_wait;
	event();
}

static inline int world_wait(const _Atomic uint32_t *word, uint32_t value, clockid_t id, int64_t until_ns)
{
	int64_t rest_ns = until_ns - fake_world_true_ns(id);
	uint64_t end_ps = world.now_ps + (rest_ns > 0 ? (uint64_t)rest_ns * 1000 : 0) + LATE_PS;
	uint32_t wakes = sleeping.wakes;

	sleeping.waits++;
	sleeping.until_ns = until_ns;
	errno = EBADMSG;
	if (atomic_load(word) != value)
		return 0;
	if (sleeping.event && sleeping.event_ps <= end_ps) {
		if (world.now_ps < sleeping.event_ps)
			world.now_ps = sleeping.event_ps;
		let_happen(true);
		if (sleeping.wakes != wakes)
			return 0;
	}
	if (world.now_ps < end_ps)
		world.now_ps = end_ps;
	return -ETIMEDOUT;
}

static inline void world_wake(const _Atomic uint32_t *word)
{
	(void)word;
	sleeping.wakes++;
}

static inline int64_t world_slack_ns(void)
{
	return 50000;
}

static inline void world_set_slack_ns(int64_t ns)
{
	(void)ns;
}

static inline uint64_t eventful_read(const struct hpt_source *src)
{
	if (sleeping.event && world.now_ps >= sleeping.event_ps)
		let_happen(false);
	return sleeping.read(src);
}

/* A clock that knows its rate, in a quiet world. */
static inline void new_sleeping_clock_of(uint64_t tick_ps)
{
	fake_env.wait = world_wait;
	fake_env.wake = world_wake;
	fake_env.slack_ns = world_slack_ns;
	fake_env.set_slack_ns = world_set_slack_ns;
	new_clock(tick_ps);
	settle();
	memset(&sleeping, 0, sizeof(sleeping));
	/* What sleeps on the machine's own clock have met before: this kernel has no slices to set. */
	hpt_habits_claim()->contention = (struct hpt_contention){ 0 };
	sleeping.read = clk.src.read;
	clk.src.read = clk.src.read_unordered = eventful_read;
	errno = EXDEV;
}

static inline void new_sleeping_clock(void)
{
	new_sleeping_clock_of(400);
}

/* Teardown: errno must be what it was at the start, since no call may change it. */
static inline int sleeping_ends(void **state)
{
	(void)state;
	assert_int_equal(errno, EXDEV);
	assert_int_equal(hpt_sleep_set_policy(HPT_SLEEP_BALANCED, 0), 0);
	return 0;
}

/* With this policy the spin's length does not depend on what earlier tests have taught. */
#define SPIN_NS 100000

static inline int sleeping_begins(void **state)
{
	(void)state;
	new_sleeping_clock();
	assert_int_equal(hpt_sleep_set_policy(HPT_SLEEP_SPIN, SPIN_NS), 0);
	return 0;
}

static inline void happens_after(int64_t ns, void (*event)(void))
{
	sleeping.event = event;
	sleeping.event_ps = world.now_ps + (uint64_t)ns * 1000;
}

#define sleeping_test(f) cmocka_unit_test_setup_teardown(f, sleeping_begins, sleeping_ends)

#endif
