// SPDX-License-Identifier: MIT
/* hpt_time_to_os() and hpt_time_from_os() in a fake world, where each of the kernel's clocks is known, and live. */
#include <errno.h>
#include <time.h>

#include "record_world.h"

static const int32_t ids[] = { CLOCK_REALTIME, CLOCK_MONOTONIC, CLOCK_MONOTONIC_RAW, CLOCK_BOOTTIME, CLOCK_TAI };

static int new_world(void **state)
{
	fake_env_setup(state);
	new_clock(400);
	world.boottime_offset_ns = 12345 * NS_PER_S;
	world.tai_offset_ns = 37 * NS_PER_S;
	fake_env.clock_ns = fake_world_clock;
	return 0;
}

static int64_t os_ns(hpt_time_t t, int32_t id)
{
	int64_t ns = 0;

	assert_int_equal(hpt_time_to_os(&clk, t, id, &ns), 0);
	return ns;
}

static void every_clock_is_read(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(ids); i++) {
		int64_t before = fake_world_true_ns(ids[i]);
		hpt_time_t t = hpt_now(&clk), back;
		int64_t after = fake_world_true_ns(ids[i]), ns = os_ns(t, ids[i]);

		assert_in_range((uint64_t)(ns - before) + READ_NS, 0, (uint64_t)(after - before) + 2 * READ_NS);
		assert_int_equal(hpt_time_from_os(&clk, ns, ids[i], &back), 0);
		assert_in_range((uint64_t)(back - t) + 250, 0, 500); /* each way has a bracket of its own */
	}
}

/* An hour from now, by the slope of now: NTP's for all but CLOCK_MONOTONIC_RAW. */
static void present_slope_carries_a_reading(void **state)
{
	const int64_t hour_ticks = INT64_C(2500000000) * 3600, slewed_ns = 3600 * NS_PER_S / 10000;

	(void)state;
	fake_world_slew(&world.wall, 100000); /* 100 ppm */
	use(20 * PS_PER_S, 50 * PS_PER_MS);
	for (size_t i = 0; i < COUNT(ids); i++) {
		int64_t want = 3600 * NS_PER_S + (ids[i] == CLOCK_MONOTONIC_RAW ? 0 : slewed_ns);
		hpt_time_t t = hpt_now(&clk);

		assert_in_range((uint64_t)(os_ns(t + hour_ticks, ids[i]) - os_ns(t, ids[i]) - want) + 10000, 0, 20000);
	}
}

/* A step is seen at once: the clock itself is read. */
static void present_offset_carries_a_reading(void **state)
{
	int64_t before;
	hpt_time_t t;

	(void)state;
	t = hpt_now(&clk);
	before = os_ns(t, CLOCK_BOOTTIME);
	world.boottime_offset_ns += 77 * NS_PER_S;
	assert_in_range((uint64_t)(os_ns(t, CLOCK_BOOTTIME) - before - 77 * NS_PER_S) + READ_NS, 0, 2 * READ_NS);
}

static uint64_t ms_at_first(void)
{
	static int calls;

	return calls++ ? 0 : PS_PER_MS;
}

/* The first bracket is interrupted before the clock is read, the others are not. */
static void narrowest_bracket_counts(void **state)
{
	hpt_time_t t;
	int64_t want;

	(void)state;
	t = hpt_now(&clk);
	hpt_now_ns(&clk);
	want = fake_world_true_ns(CLOCK_TAI) - (int64_t)((uint64_t)(hpt_now(&clk) - t) * world.tick_ps / 1000);
	world.jitter_ps = ms_at_first;
	assert_in_range((uint64_t)(os_ns(t, CLOCK_TAI) - want) + READ_NS, 0, 2 * READ_NS);
}

static void a_refused_clock_has_its_errno(void **state)
{
	int64_t ns = 4711;
	hpt_time_t t = 4711;

	(void)state;
	errno = EXDEV;
	for (size_t i = 0; i < COUNT(ids); i++) {
		fake.refused_clocks = UINT32_C(1) << ids[i];
		for (size_t j = 0; j < COUNT(ids); j++) {
			assert_int_equal(hpt_time_to_os(&clk, 0, ids[j], &(int64_t){ 0 }), i == j ? -EPERM : 0);
			assert_int_equal(hpt_time_from_os(&clk, 0, ids[j], &(int64_t){ 0 }), i == j ? -EPERM : 0);
		}
		assert_int_equal(hpt_time_to_os(&clk, 0, ids[i], &ns), -EPERM);
		assert_int_equal(hpt_time_from_os(&clk, 0, ids[i], &t), -EPERM);
	}
	assert_true(ns == 4711 && t == 4711);
	assert_int_equal(errno, EXDEV);
}

/* Where the vDSO would execute a forbidden instruction. */
static void a_forbidden_tsc_is_not_read(void **state)
{
	(void)state;
	os_ns(0, CLOCK_TAI);
	assert_int_equal(fake.try_syscalls, 0);
	clk.src.tsc_forbidden = true;
	os_ns(0, CLOCK_TAI);
	assert_true(fake.try_syscalls > 0);
}

static void wrong_arguments_are_refused(void **state)
{
	static const int32_t others[] = { -1, CLOCK_PROCESS_CPUTIME_ID, CLOCK_THREAD_CPUTIME_ID, CLOCK_REALTIME_COARSE,
					  CLOCK_MONOTONIC_COARSE, 8, 9, 10, 12, INT32_MAX, INT32_MIN };
	int64_t ns = 4711;

	(void)state;
	for (size_t i = 0; i < COUNT(others); i++) {
		assert_int_equal(hpt_time_to_os(&clk, 0, others[i], &ns), -EINVAL);
		assert_int_equal(hpt_time_from_os(&clk, 0, others[i], &ns), -EINVAL);
	}
	assert_int_equal(hpt_time_to_os(&clk, 0, CLOCK_TAI, NULL), -EINVAL);
	assert_int_equal(hpt_time_from_os(&clk, 0, CLOCK_TAI, NULL), -EINVAL);
	assert_int_equal(hpt_time_from_os(&clk, INT64_MAX, CLOCK_TAI, &ns), -ERANGE);
	new_clock(10000);
	assert_int_equal(hpt_time_to_os(&clk, INT64_MAX, CLOCK_TAI, &ns), -ERANGE);
	assert_int_equal(hpt_time_to_os(&clk, INT64_MIN, CLOCK_TAI, &ns), -ERANGE);
	assert_int_equal(ns, 4711);
}

static int64_t live_ns(clockid_t id)
{
	struct timespec ts;

	clock_gettime(id, &ts);
	return (int64_t)ts.tv_sec * NS_PER_S + ts.tv_nsec;
}

/* Each is off by at most its bracket, which no one preempts for longer than the whole took. */
static void live_clocks_agree(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(ids); i++) {
		int64_t before = live_ns(ids[i]), ns, after;
		hpt_time_t t = hpt_now(NULL);

		assert_int_equal(hpt_time_to_os(NULL, t, ids[i], &ns), 0);
		after = live_ns(ids[i]);
		if (ns < before - (after - before) || ns > after + (after - before))
			fail_msg("clock %d: %lld is not within %lld and %lld", (int)ids[i], (long long)ns,
				 (long long)before, (long long)after);
	}
}

static void ticks_of_the_os_clock_are_monotonic_ns(void **state)
{
	static const int64_t times[] = { INT64_MIN, 0, 4711, INT64_MAX };
	hpt_clock *os;

	(void)state;
	assert_int_equal(hpt_clock_open(HPT_SOURCE_OS, 0, &os), 0);
	for (size_t i = 0; i < COUNT(times); i++) {
		int64_t ns;

		assert_int_equal(hpt_time_to_os(os, times[i], CLOCK_MONOTONIC, &ns), 0);
		assert_true(ns == times[i]);
		assert_int_equal(hpt_time_from_os(os, times[i], CLOCK_MONOTONIC, &ns), 0);
		assert_true(ns == times[i]);
	}
	hpt_clock_close(os);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(every_clock_is_read, new_world),
		cmocka_unit_test_setup(present_slope_carries_a_reading, new_world),
		cmocka_unit_test_setup(present_offset_carries_a_reading, new_world),
		cmocka_unit_test_setup(narrowest_bracket_counts, new_world),
		cmocka_unit_test_setup(a_refused_clock_has_its_errno, new_world),
		cmocka_unit_test_setup(a_forbidden_tsc_is_not_read, new_world),
		cmocka_unit_test_setup(wrong_arguments_are_refused, new_world),
		cmocka_unit_test(live_clocks_agree),
		cmocka_unit_test(ticks_of_the_os_clock_are_monotonic_ns),
	};

	random_start();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
