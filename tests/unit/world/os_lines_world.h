/* SPDX-License-Identifier: MIT */
/* A clock in a fake world whose lines of the kernel's four clocks are compared with the clocks themselves. */
#ifndef HPT_TEST_OS_LINES_WORLD_H
#define HPT_TEST_OS_LINES_WORLD_H

#include "record_world.h"

#include "rate/os_lines.h"

static const struct line {
	const char *name;
	clockid_t id;
	int64_t (*now_ns)(hpt_clock *clk);
} lines[] = {
	{ "CLOCK_REALTIME", CLOCK_REALTIME, hpt_now_unix_ns },
	{ "CLOCK_MONOTONIC", CLOCK_MONOTONIC, hpt_now_monotonic_ns },
	{ "CLOCK_BOOTTIME", CLOCK_BOOTTIME, hpt_now_boottime_ns },
	{ "CLOCK_TAI", CLOCK_TAI, hpt_now_tai_ns },
};

static inline void new_lines(void)
{
	new_kernel_clock();
	world.boottime_offset_ns = 1234 * NS_PER_S + 567890123;
	world.tai_offset_ns = 37 * NS_PER_S;
	hpt_now_ns(&clk);
}

/* How far a line is from its clock, by a read that takes no time but its own. */
static inline int64_t off_ns(const struct line *l)
{
	int64_t before = fake_world_true_ns(l->id), ns = l->now_ns(&clk), after = fake_world_true_ns(l->id);

	return ns < before ? ns - before : ns > after ? ns - after : 0;
}

static inline int64_t furthest_off_ns(void)
{
	int64_t furthest = 0;

	for (size_t i = 0; i < COUNT(lines); i++) {
		int64_t off = llabs(off_ns(&lines[i]));

		furthest = off > furthest ? off : furthest;
	}
	return furthest;
}

/* All four, against the statement of a moment ago. */
static inline void assert_as_stated(void)
{
	for (size_t i = 0; i < COUNT(lines); i++) {
		int64_t stated_ns = info().os_error_ns, off = off_ns(&lines[i]);

		if (llabs(off) > stated_ns + 10) /* which grows by 10 ns in a read */
			fail_msg("%s is %lld ns off, stated %lld", lines[i].name, (long long)off, (long long)stated_ns);
	}
}

static inline struct hpt_record record(void)
{
	struct hpt_record rec;

	hpt_timekeeper_now(&clk, &rec);
	return rec;
}

/* After a slew back that no look saw, so that the lines are ahead of their clocks. */
static inline void slew_back_unseen(void)
{
	new_lines();
	settle();
	hpt_timekeeper_resample(&clk);
	fake_world_slew(&world.wall, -83333000);
	pass(400 * PS_PER_MS);
	fake_world_slew(&world.wall, 0);
}

/* A few nanoseconds for each read of a clock. */
static inline uint64_t small_jitter(void)
{
	return random_below(20000);
}

#endif
