// SPDX-License-Identifier: MIT
/* A clock that is used within its first millisecond, where the kernel keeps time with its counter. */
#include "clock_world.h"

#include "math/units.h"
#include "rate/kernel_rate.h"
#include "sleep/deadline.h"

#define TRUE_UHZ 2.5e15
#define US_PS    UINT64_C(1000000)
#define MS_PS    UINT64_C(1000000000)

static struct hpt_clock clk;
static uint64_t began_ps;

static uint64_t late_by_2_ns(void)
{
	return random_below(2000);
}

/* The anchor is that old. */
static void use_at(uint64_t age_ps)
{
	new_clock(&clk, 400);
	world.now_ps += random_below(MS_PS);
	world.jitter_ps = late_by_2_ns;
	hpt_anchor_take(&clk.src, &clk.anchor);
	clk.is_clocksource = true;
	world.now_ps += age_ps;
	began_ps = world.now_ps;
}

static struct hpt_record current(void)
{
	struct hpt_record rec;

	hpt_timekeeper_current(&clk, &rec);
	return rec;
}

static bool is_provisional(void)
{
	struct hpt_record rec = current();

	return hpt_record_is_provisional(&rec);
}

static bool has_waited(void)
{
	return world.now_ps - began_ps > 100 * US_PS;
}

static double off_ppb(void)
{
	return fabs(1 - TRUE_UHZ / (double)current().rate.frequency_uhz) * 1e9;
}

static void first_use_waits_for_50_us_of_age(void **state)
{
	(void)state;
	for (int i = 0; i < 100; i++) {
		use_at(0);
		hpt_now_ns(&clk);
		assert_in_range(world.now_ps - began_ps, 45 * US_PS, 100 * US_PS);
		assert_true(is_provisional());
		assert_true(off_ppb() <= (double)current().rate.error_ppb);
		assert_in_range(current().rate.error_ppb, 100000, 2000000);
	}
}

static void at_an_age_of_a_millisecond_it_is_settled(void **state)
{
	(void)state;
	use_at(MS_PS - 100 * US_PS);
	hpt_now_ns(&clk);
	assert_false(has_waited());
	assert_true(is_provisional());
	use_at(MS_PS);
	hpt_now_ns(&clk);
	assert_false(has_waited());
	assert_false(is_provisional());
}

/* Its rate may drift against the kernel's. */
static void counter_that_is_not_the_kernels_waits_for_a_millisecond(void **state)
{
	(void)state;
	use_at(0);
	clk.is_clocksource = false;
	hpt_now_ns(&clk);
	assert_true(has_waited());
	assert_false(is_provisional());
}

/* A step of 1 us, and reads of 2 us: what 50 us show of the rate would be worth little. */
static void coarse_counter_or_slow_reads_wait_for_a_millisecond(void **state)
{
	(void)state;
	for (int is_slow = 0; is_slow < 2; is_slow++) {
		use_at(0);
		if (is_slow)
			world.read_ps = 2 * US_PS;
		else
			world.staircase = 2500;
		hpt_anchor_take(&clk.src, &clk.anchor);
		began_ps = world.now_ps;
		hpt_now_ns(&clk);
		assert_true(has_waited());
		assert_false(is_provisional());
	}
}

static void info_and_timebase_are_settled(void **state)
{
	struct hpt_clock_info info;
	struct hpt_timebase base;

	(void)state;
	for (int what = 0; what < 2; what++) {
		use_at(0);
		hpt_now_ns(&clk);
		if (what)
			assert_int_equal(hpt_clock_get_timebase(&clk, &base, sizeof(base)), 0);
		else
			assert_int_equal(hpt_clock_get_info(&clk, &info, sizeof(info)), 0);
		assert_in_range(world.now_ps - began_ps, 900 * US_PS, 1300 * US_PS);
		assert_false(is_provisional());
		assert_true(off_ppb() <= (double)current().rate.error_ppb);
		assert_in_range(current().rate.error_ppb, 1, 100000);
		assert_true(off_ppb() < 2000);
		assert_int_equal(current().generation, 1);
	}
}

/* As if it had never been provisional. */
static void read_after_a_millisecond_settles_it(void **state)
{
	(void)state;
	for (int i = 0; i < 100; i++) {
		use_at(random_below(900 * US_PS));
		hpt_now_ns(&clk);
		assert_true(is_provisional());
		world.now_ps += 1100 * US_PS;
		began_ps = world.now_ps;
		hpt_now_ns(&clk);
		assert_false(has_waited());
		assert_false(is_provisional());
		assert_true(off_ppb() <= (double)current().rate.error_ppb);
		assert_in_range(current().rate.error_ppb, 1, 100000);
		assert_true(off_ppb() < 5000);
	}
}

/* Of a counter that has none of the kernel's rates. */
static double off_at_401_ps(void)
{
	world.tick_ps = 401;
	hpt_anchor_take(&clk.src, &clk.anchor);
	hpt_now_ns(&clk);
	hpt_ns_to_ticks(&clk, NS_PER_S);
	return fabs(1 - 1e18 / 401 / (double)current().rate.frequency_uhz) * 1e9;
}

/* As if the first use had waited: by the samples all along the wait, not by its two ends alone. */
static void settled_rate_is_as_good_as_a_first_one(void **state)
{
	double first = 0, settled = 0;

	(void)state;
	for (int i = 0; i < 200; i++) {
		use_at(0);
		clk.is_clocksource = false;
		first += off_at_401_ps();
		use_at(0);
		settled += off_at_401_ps();
		assert_false(is_provisional());
	}
	note("off by %.1f ppb, and by %.1f where the first use waits", settled / 200, first / 200);
	assert_true(settled < 2 * first);
}

/* A TSC whose steps show the kernel's own rate, by samples all along the wait; and conversions go by that. */
static void settled_rate_is_the_kernels(void **state)
{
	struct hpt_kernel_rate kernel = hpt_kernel_rate_of(2596096, HPT_KERNEL_KHZ);
	struct hpt_clock_info info;

	(void)state;
	for (int i = 0; i < 50; i++) {
		use_at(0);
		world.tick_ps = 385;
		world.staircase = 26;
		world.kernel_mult = kernel.mult;
		world.kernel_shift = kernel.shift;
		hpt_anchor_take(&clk.src, &clk.anchor);
		world.now_ps += random_below(900 * US_PS);
		hpt_now_ns(&clk);
		assert_true(is_provisional());
		if (i % 2)
			world.now_ps += MS_PS;
		assert_int_equal(hpt_clock_get_info(&clk, &info, sizeof(info)), 0);
		assert_int_equal(info.frequency_uhz, hpt_kernel_rate_uhz(kernel));
		assert_int_equal(hpt_ns_to_ticks(&clk, NS_PER_S), (hpt_kernel_rate_uhz(kernel) + 500000) / 1000000);
	}
}

/* Programs keep what they convert once: periods, the ticks of a second. */
static void long_durations_are_settled(void **state)
{
	static const int64_t ns[] = { 100000, NS_PER_MS, NS_PER_S, -NS_PER_S, INT64_MAX };

	(void)state;
	for (size_t i = 0; i < COUNT(ns); i++) {
		use_at(0);
		hpt_ns_to_ticks(&clk, ns[i]);
		assert_false(is_provisional());
		use_at(0);
		hpt_ticks_to_ns(&clk, ns[i] < INT64_MAX / 5 ? ns[i] * 5 / 2 : INT64_MAX);
		assert_false(is_provisional());
	}
	use_at(0);
	assert_in_range(hpt_ns_to_ticks(&clk, NS_PER_S), 2500000000 - 5000, 2500000000 + 5000);
}

/* What the program itself has measured is not longer than the clock's age. */
static void short_and_measured_durations_do_not_wait(void **state)
{
	struct hpt_timespec ts;

	(void)state;
	use_at(0);
	assert_in_range(hpt_ns_to_ticks(&clk, 10000), 24950, 25050);
	assert_true(is_provisional());
	world.now_ps += 500 * US_PS;
	began_ps = world.now_ps;
	assert_in_range(hpt_ticks_to_ns(&clk, 1250000), 499000, 501000);
	assert_in_range(hpt_ticks_to_ns(&clk, -1250000), -501000, -499000);
	assert_int_equal(hpt_ticks_to_timespec(&clk, 1250000, &ts), 0);
	assert_in_range(ts.nsec, 499000, 501000);
	assert_false(has_waited());
	assert_true(is_provisional());
	hpt_ticks_to_ns(&clk, 1500000);
	assert_false(is_provisional());
}

/* Between the first samples and the segment's end each time is right to a microsecond. */
static void near_times_do_not_wait(void **state)
{
	hpt_time_t early, back;
	int64_t ns, unix_ns;

	(void)state;
	use_at(20 * US_PS);
	early = hpt_now(&clk);
	ns = true_ns();
	assert_int_equal(hpt_time_to_unix_ns(&clk, early, &unix_ns), 0);
	assert_in_range(unix_ns - world.realtime_offset_ns - ns + 1000, 0, 2000);
	assert_int_equal(hpt_time_to_ns(&clk, early, &ns), 0);
	assert_int_equal(hpt_time_from_ns(&clk, ns, &back), 0);
	assert_in_range(back - early + 10, 0, 20);
	early = (hpt_time_t)(current().read.start + current().convert.span - 1);
	assert_int_equal(hpt_time_to_unix_ns(&clk, early, &unix_ns), 0);
	assert_int_equal(hpt_time_to_ns(&clk, early, &ns), 0);
	assert_false(hpt_record_is_far(&(struct hpt_record){ .flags = 0 }, early));
	assert_false(has_waited());
	assert_true(is_provisional());
}

static void far_times_are_settled(void **state)
{
	static const int64_t off[] = { -2500000, 25000000, INT64_C(2500000000) };
	hpt_time_t t;
	int64_t ns;
	int r;

	(void)state;
	for (size_t i = 0; i < COUNT(off); i++)
		for (int what = 0; what < 4; what++) {
			use_at(0);
			t = hpt_now(&clk) + off[i];
			hpt_now_ns(&clk);
			r = what == 0 ? hpt_time_to_unix_ns(&clk, t, &ns) :
			    what == 1 ? hpt_time_to_ns(&clk, t, &ns) :
			    what == 2 ? hpt_time_from_ns(&clk, hpt_now_ns(&clk) + off[i], &t) :
					hpt_time_from_unix_ns(&clk, hpt_now_unix_ns(&clk) + off[i], &t);
			assert_int_equal(r, 0);
			assert_false(is_provisional());
			assert_int_equal(current().generation, 1);
		}
}

static void time_is_true_and_never_goes_back(void **state)
{
	(void)state;
	for (int n = 0; n < 300; n++) {
		int64_t last[3] = { INT64_MIN, INT64_MIN, INT64_MIN };

		use_at(random_below(1500 * US_PS));
		for (int i = 0; i < 200; i++) {
			int64_t before = true_ns(), ns = hpt_now_ns(&clk), after = true_ns();
			int64_t unix_ns = hpt_now_unix_ns(&clk), mono_ns = hpt_now_monotonic_ns(&clk);

			assert_true(ns >= last[0] && unix_ns >= last[1] && mono_ns >= last[2]);
			last[0] = ns, last[1] = unix_ns, last[2] = mono_ns;
			if (ns < before - 1500 || ns > after + 1500)
				fail_msg("%d: %lld to %lld, %lld", i, (long long)before, (long long)after,
					 (long long)ns);
			world.now_ps += random_below(n % 2 ? 100 * US_PS : 20 * US_PS);
		}
		assert_int_equal(current().generation, 1);
		assert_true(off_ppb() <= (double)current().rate.error_ppb);
	}
}

/* Forth and back: before the second measurement. */
static void jump_meanwhile_begins_a_generation(void **state)
{
	struct hpt_clock_info info;

	(void)state;
	for (int sign = -1; sign <= 1; sign += 2) {
		use_at(0);
		hpt_now_ns(&clk);
		world.tick_offset += (uint64_t)(sign * INT64_C(25000000));
		assert_int_equal(hpt_clock_get_info(&clk, &info, sizeof(info)), 0);
		assert_int_equal(info.generation, 2);
		assert_false(is_provisional());
		for (int i = 0; i < 20; i++) {
			world.now_ps += 2 * MS_PS;
			hpt_now_ns(&clk);
		}
		assert_in_range(hpt_now_ns(&clk) - true_ns() + 1000, 0, 2000);
		assert_true(off_ppb() <= (double)current().rate.error_ppb);
	}
}

/* Until the rate is known well they end late rather than early, by less than a microsecond. */
static void short_sleeps_do_not_wait_and_are_not_early(void **state)
{
	static const int64_t lengths_ns[] = { 1, 1000, 50000, 200000, 1000000 };

	(void)state;
	for (int i = 0; i < 500; i++) {
		int64_t ns = lengths_ns[i % (int)COUNT(lengths_ns)];
		struct hpt_sleeper s = { .clk = &clk };
		struct hpt_sleep sl = { .s = &s, .asked.kind = HPT_DEADLINE_AFTER_NS };
		double ticks, most;

		use_at(random_below(500 * US_PS));
		hpt_now_ns(&clk);
		began_ps = world.now_ps;
		sl.watch.seen = hpt_seqlatch_begin(&clk.latch);
		sl.spin.now = clk.src.read(&clk.src);
		hpt_deadline_start(&sl, ns);
		assert_false(has_waited());
		assert_true(is_provisional());
		ticks = (double)(int64_t)(sl.spin.deadline - sl.spin.now);
		most = (double)ns * (double)current().rate.frequency_uhz / 1e15;
		most += most * (double)current().rate.error_ppb / 1e9;
		if (ticks < (double)ns * 2.5 || ticks < most - 1 || ticks > (double)ns * 2.5 + 2500 * 2)
			fail_msg("%lld ns: %.0f ticks", (long long)ns, ticks);
	}
	use_at(0);
	hpt_now_ns(&clk);
	{
		struct hpt_sleeper s = { .clk = &clk };
		struct hpt_sleep sl = { .s = &s, .asked.kind = HPT_DEADLINE_AFTER_NS };

		sl.watch.seen = hpt_seqlatch_begin(&clk.latch);
		sl.spin.now = clk.src.read(&clk.src);
		hpt_deadline_start(&sl, NS_PER_S);
		assert_false(is_provisional());
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(first_use_waits_for_50_us_of_age),
		cmocka_unit_test(at_an_age_of_a_millisecond_it_is_settled),
		cmocka_unit_test(counter_that_is_not_the_kernels_waits_for_a_millisecond),
		cmocka_unit_test(coarse_counter_or_slow_reads_wait_for_a_millisecond),
		cmocka_unit_test(info_and_timebase_are_settled),
		cmocka_unit_test(read_after_a_millisecond_settles_it),
		cmocka_unit_test(settled_rate_is_as_good_as_a_first_one),
		cmocka_unit_test(settled_rate_is_the_kernels),
		cmocka_unit_test(long_durations_are_settled),
		cmocka_unit_test(short_and_measured_durations_do_not_wait),
		cmocka_unit_test(near_times_do_not_wait),
		cmocka_unit_test(far_times_are_settled),
		cmocka_unit_test(time_is_true_and_never_goes_back),
		cmocka_unit_test(jump_meanwhile_begins_a_generation),
		cmocka_unit_test(short_sleeps_do_not_wait_and_are_not_early),
	};

	return cmocka_run_group_tests_name("first_provisional", tests, NULL, NULL);
}
