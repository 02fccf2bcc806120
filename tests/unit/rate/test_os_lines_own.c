// SPDX-License-Identifier: MIT
/* The kernel's own times where there are no lines, and how lines take over from them. */
#include "os_lines_world.h"

static void demoted_clock_reads_the_kernel_s_clocks(void **state)
{
	(void)state;
	new_lines();
	settle();
	fake_env_kernel("hpet\n");
	hpt_clock_check(&clk, NULL);
	assert_state(HPT_STATE_DEMOTED, 2);
	assert_int_equal(furthest_off_ns(), 0);
	assert_int_equal(info().os_error_ns, 0);
	fake.refused_clocks = 1u << CLOCK_BOOTTIME | 1u << CLOCK_TAI;
	assert_int_equal(hpt_now_boottime_ns(&clk) / 1000, hpt_now_monotonic_ns(&clk) / 1000);
	assert_int_equal(hpt_now_tai_ns(&clk) / 1000, hpt_now_unix_ns(&clk) / 1000);
}

/*
 * From the kernel's own times, which another thread may still have read, to lines: after 1 ms; or after 10 at most,
 * where a window of ticks ends before, since the next segment is nine times as long as what was left of it.
 */
static void lines_take_over_without_a_step_back(void **state)
{
	(void)state;
	for (int i = 0; i < 100; i++) {
		uint64_t generation;

		new_lines();
		world.jitter_ps = small_jitter;
		settle();
		world.tick_offset += random_u64() >> 20;
		hpt_clock_check(&clk, NULL); /* forgets the rate */
		generation = hpt_clock_generation(&clk);
		for (int n = 0; n < 400 || (!has_rate() && n < 1100); n++) {
			int64_t mono_ns = fake_world_true_ns(CLOCK_MONOTONIC);
			int64_t boot_ns = fake_world_true_ns(CLOCK_BOOTTIME);
			bool was_learning = !has_rate();
			int64_t mono = hpt_now_monotonic_ns(&clk), boot = hpt_now_boottime_ns(&clk);

			if (was_learning)
				assert_true(mono >= mono_ns && boot >= boot_ns);
			if (n % 10 == 0)
				assert_as_stated();
			pass(PS_PER_MS / 100);
		}
		assert_int_equal(hpt_clock_generation(&clk), generation);
		assert_true(has_rate());
	}
}

/* While this clock learns, the kernel's are slewed. */
static void new_learning(int64_t slew_ppb)
{
	new_kernel_clock();
	settle();
	fake_world_slew(&world.wall, slew_ppb);
	world.tick_offset += 1000000000000;
	hpt_clock_check(&clk, NULL);
	assert_false(has_rate());
}

static void read_until_lines_take_over(void)
{
	for (int i = 0; i < 40; i++) {
		hpt_now_monotonic_ns(&clk);
		pass(PS_PER_MS / 10);
	}
}

/* A thread that was about to return the kernel's time is delayed, and lines take over meanwhile. */
static void delayed_read_is_no_later_than_the_lines(void **state)
{
	static const int64_t slews_ppb[] = { 0, 500000, -500000, 83333000, -83333000 };

	(void)state;
	for (size_t i = 0; i < 100 * COUNT(slews_ppb); i++) {
		int64_t first;

		new_learning(slews_ppb[i % COUNT(slews_ppb)]);
		pass(random_below(PS_PER_MS));
		world.event_at_ps = world.now_ps + 1000 + random_below(60000);
		world.event = read_until_lines_take_over;
		first = hpt_now_monotonic_ns(&clk);
		assert_true(has_rate());
		assert_true(hpt_now_monotonic_ns(&clk) >= first);
		assert_int_equal(hpt_clock_generation(&clk), 2);
	}
}

static int64_t delayed_until_ns;

static void be_delayed(void)
{
	pass(random_below(20 * PS_PER_MS));
	delayed_until_ns = fake_world_true_ns(CLOCK_MONOTONIC);
}

/* A thread that has taken the samples by which lines take over is delayed. Others read the kernel's meanwhile. */
static void lines_that_take_over_late_are_no_earlier_than_others_reads(void **state)
{
	int delayed = 0;

	(void)state;
	for (int i = 0; i < 3000; i++) {
		new_learning(83333000);
		pass(PS_PER_MS + random_below(PS_PER_MS));
		delayed_until_ns = 0;
		world.event_at_ps = world.now_ps + random_below(1000000);
		world.event = be_delayed;
		hpt_timekeeper_resample(&clk);
		delayed += delayed_until_ns != 0;
		assert_true(hpt_now_monotonic_ns(&clk) >= delayed_until_ns);
	}
	assert_true(delayed > 1000);
}

/* The kernel's clocks may be anywhere in their ranges, and others have read them. */
static void lines_take_over_at_their_latest(void **state)
{
	struct hpt_record rec, next;
	struct hpt_samples s;
	int taken = 0;

	(void)state;
	new_lines();
	settle();
	world.tick_offset += 1000000000000;
	hpt_clock_check(&clk, NULL);
	for (rec = record(); hpt_record_is_learning(&rec); rec = record()) {
		int64_t unix_ns, mono_ns;

		pass(PS_PER_MS);
		hpt_samples_take(&clk.src, &s);
		rec.offset_lo_ns = s.offset_lo_ns -= 2000;
		rec.offset_hi_ns = s.offset_hi_ns;
		rec.offsets.boot = hpt_unix_offset_none;
		s.boot.lo_ns -= 2000;
		hpt_record_next(&rec, &s, &next);
		if (hpt_record_is_learning(&next))
			continue;
		unix_ns = hpt_os_lines_ns(&next, CLOCK_REALTIME, next.read.start);
		mono_ns = hpt_os_lines_ns(&next, CLOCK_MONOTONIC, next.read.start);
		assert_in_range(llabs(unix_ns - s.offset_lo_ns - mono_ns), 0, 1);
		assert_int_equal(hpt_os_lines_boottime_used(&next), s.boot.hi_ns);
		taken++;
	}
	assert_true(taken > 0);
}

static void blind_clock_states_nothing(void **state)
{
	int64_t last;

	(void)state;
	new_lines();
	settle();
	fake_world_lose_clocks();
	last = hpt_now_monotonic_ns(&clk);
	use(2 * PS_PER_S, 100 * PS_PER_MS);
	assert_true(info().os_error_ns == INT64_MAX);
	assert_in_range(hpt_now_monotonic_ns(&clk) - last, NS_PER_S, 3 * NS_PER_S);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(demoted_clock_reads_the_kernel_s_clocks, fake_env_setup),
		cmocka_unit_test_setup(lines_take_over_without_a_step_back, fake_env_setup),
		cmocka_unit_test_setup(lines_take_over_at_their_latest, fake_env_setup),
		cmocka_unit_test_setup(blind_clock_states_nothing, fake_env_setup),
		cmocka_unit_test_setup(delayed_read_is_no_later_than_the_lines, fake_env_setup),
		cmocka_unit_test_setup(lines_that_take_over_late_are_no_earlier_than_others_reads, fake_env_setup),
	};

	random_start();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
