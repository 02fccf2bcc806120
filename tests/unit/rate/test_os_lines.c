// SPDX-License-Identifier: MIT
/* The lines of the kernel's four clocks: how they follow, and that two never go back. */
#include "math/units.h"
#include "os_lines_world.h"

/* ---- Offsets ------------------------------------------------------------------------------------------- */

static void each_line_is_its_clock(void **state)
{
	(void)state;
	new_lines();
	settle();
	assert_in_range(furthest_off_ns(), 0, 8);
	assert_as_stated();
	hpt_clock_check(&clk, NULL);
	assert_in_range(info().os_error_ns, 1, 300);
	/* Each by the read that makes the next record, too. */
	for (size_t i = 0; i < COUNT(lines); i++) {
		pass(PS_PER_S + PS_PER_S / 2);
		assert_in_range(llabs(off_ns(&lines[i])), 0, 3000); /* taking the samples takes 2 us */
	}
	assert_int_equal(hpt_os_lines_ns(&clk.records[hpt_seqlatch_slot(hpt_seqlatch_begin(&clk.latch))],
					 CLOCK_MONOTONIC_RAW, (uint64_t)hpt_now(&clk)) / 1000, hpt_now_ns(&clk) / 1000);
}

/* Each line of a record whose slopes are all different. */
static void time_of_a_tick_is_by_the_line_of_the_clock(void **state)
{
	struct hpt_record rec;
	uint64_t tick;
	int64_t unix_ns, mono_ns;

	(void)state;
	new_lines();
	rec = record();
	rec.read.unix_ns.slope.frac /= 2;
	rec.read.mono_ns.slope.frac /= 3;
	tick = rec.read.start + 1000000;
	unix_ns = (int64_t)hpt_line_at(&rec.read.unix_ns, rec.read.start, tick).ns;
	mono_ns = (int64_t)hpt_line_at(&rec.read.mono_ns, rec.read.start, tick).ns;
	assert_int_equal(hpt_os_lines_ns(&rec, CLOCK_REALTIME, tick), unix_ns);
	assert_int_equal(hpt_os_lines_ns(&rec, CLOCK_MONOTONIC, tick), mono_ns);
	assert_int_equal(hpt_os_lines_ns(&rec, CLOCK_TAI, tick), unix_ns + 37 * NS_PER_S);
	assert_int_equal(hpt_os_lines_ns(&rec, CLOCK_BOOTTIME, tick), mono_ns + hpt_os_lines_boottime_used(&rec));
	assert_int_equal(hpt_os_lines_ns(&rec, CLOCK_MONOTONIC_RAW, tick),
			 hpt_line_at(&rec.read.ns, rec.read.start, tick).ns);
}

static void offsets_narrow_as_samples_come(void **state)
{
	struct hpt_record rec;

	(void)state;
	new_lines();
	world.jitter_ps = small_jitter;
	for (int i = 0; i < 300; i++)
		hpt_timekeeper_resample(&clk);
	rec = record();
	assert_true(rec.offsets.boot.lo_ns <= world.boottime_offset_ns);
	assert_true(rec.offsets.boot.hi_ns >= world.boottime_offset_ns);
	assert_in_range(rec.offsets.boot.hi_ns - rec.offsets.boot.lo_ns, 0, 60);
}

static void each_end_of_an_offset_narrows_by_itself(void **state)
{
	static const struct hpt_unix_offset latest[] = { { -100, 100 }, { -50, 300 }, { -300, 20 }, { -40, 10 } };
	struct hpt_record rec = { .offsets.boot = hpt_unix_offset_none };
	struct hpt_samples s = { .tai = hpt_unix_offset_none };

	(void)state;
	for (size_t i = 0; i < COUNT(latest); i++) {
		s.boot = latest[i];
		hpt_os_lines_note(&rec, &s);
		assert_int_equal(rec.offsets.boot.lo_ns, i < 1 ? -100 : i < 3 ? -50 : -40);
		assert_int_equal(rec.offsets.boot.hi_ns, i < 2 ? 100 : i < 3 ? 20 : 10);
	}
	s.boot = (struct hpt_unix_offset){ 11, 5000 }; /* it has moved */
	hpt_os_lines_note(&rec, &s);
	assert_int_equal(rec.offsets.boot.lo_ns, 11);
	assert_int_equal(rec.offsets.boot.hi_ns, 5000);
}

/* What the latest samples leave possible, however narrow the offsets were before. */
static void error_of_the_offsets_is_that_of_the_latest_samples(void **state)
{
	(void)state;
	new_lines();
	world.jitter_ps = small_jitter;
	for (int i = 0; i < 300; i++) {
		struct hpt_record rec = record(), next;
		struct hpt_samples s;
		int64_t mono_ns, boot_ns;

		hpt_samples_take(&clk.src, &s);
		hpt_record_next(&rec, &s, &next);
		mono_ns = next.offset_lo_ns + (next.offset_hi_ns - next.offset_lo_ns) / 2;
		boot_ns = hpt_os_lines_boottime_used(&next);
		assert_int_equal(next.offsets.error_ns, fmax(mono_ns - s.offset_lo_ns, s.offset_hi_ns - mono_ns) +
				 fmax(boot_ns - s.boot.lo_ns, s.boot.hi_ns - boot_ns));
		pass(random_below(100 * PS_PER_MS));
	}
}

static void error_is_that_of_the_worst_line(void **state)
{
	struct hpt_record rec;
	uint64_t tick;
	int64_t least_ns;

	(void)state;
	new_lines();
	hpt_clock_check(&clk, NULL);
	tick = hpt_timekeeper_now(&clk, &rec);
	least_ns = hpt_os_lines_error_ns(&rec, tick);
	rec.read.unix_ns.at.ns += 100000;
	assert_in_range(hpt_os_lines_error_ns(&rec, tick), least_ns + 90000, least_ns + 100000);
	rec.read.unix_ns.at.ns -= 100000;
	rec.read.mono_ns.at.ns += 100000;
	assert_in_range(hpt_os_lines_error_ns(&rec, tick), least_ns + 90000, least_ns + 100000);
	rec.read.mono_ns.at.ns += 100 * NS_PER_S;
	assert_true(hpt_os_lines_error_ns(&rec, tick) == INT64_MAX);
}

static void refused_clocks_are_answered_by_others(void **state)
{
	(void)state;
	fake.refused_clocks = 1u << CLOCK_BOOTTIME | 1u << CLOCK_TAI;
	new_lines();
	settle();
	assert_true(record().read.boot_at_ns == record().read.mono_ns.at.ns);
	assert_true(record().read.tai_at_ns == record().read.unix_ns.at.ns);
	assert_in_range(info().os_error_ns, 1, 102 * NS_PER_S / 1000);
}

/* A sandbox may come later; it does not set the lines back. */
static void clocks_refused_later_stay_known(void **state)
{
	(void)state;
	new_lines();
	settle();
	fake.refused_clocks = 1u << CLOCK_BOOTTIME | 1u << CLOCK_TAI;
	use(2 * PS_PER_S, 10 * PS_PER_MS);
	assert_in_range(furthest_off_ns(), 0, 40);
	assert_state(HPT_STATE_OK, 1);
}

static uint32_t calls_until_preemption;

static uint64_t preempted_once(void)
{
	return --calls_until_preemption ? 0 : PS_PER_MS;
}

/* Its first record's samples are interrupted `ago` calls before they end. */
static void new_interrupted(uint32_t ago)
{
	new_kernel_clock();
	world.boottime_offset_ns = 7 * NS_PER_S;
	hpt_now_ns(&clk);
	calls_until_preemption = 2 * world.clock_reads - ago;
	new_kernel_clock();
	calls_until_preemption -= 2 * world.clock_reads; /* the anchor's */
	world.boottime_offset_ns = 7 * NS_PER_S;
	world.jitter_ps = preempted_once;
}

/* The offsets of interrupted samples are wide, and their middle is wrong. Later samples mend that. */
static void interrupted_samples_are_mended_without_a_step_back(void **state)
{
	(void)state;
	/* From the last calls of the first record's samples back. */
	for (uint32_t ago = 0; ago < 150; ago++) {
		int64_t mono_ns = 0, boot_ns = 0;

		new_interrupted(ago);
		for (int n = 0; n < 2500; n++) {
			int64_t mono = hpt_now_monotonic_ns(&clk), boot = hpt_now_boottime_ns(&clk);

			assert_true(mono >= mono_ns && boot >= boot_ns);
			mono_ns = mono;
			boot_ns = boot;
			if (n % 50 == 0)
				assert_as_stated();
			pass(n < 2000 ? 1000000 : PS_PER_MS);
		}
		use(3 * PS_PER_S, 20 * PS_PER_MS);
		assert_in_range(furthest_off_ns(), 0, 60);
	}
}

static int64_t hop_ns;

static void hop_back(void)
{
	world.clock_offset_ns -= hop_ns;
}

static void hop_back_within(uint64_t after_ps)
{
	world.event_at_ps = world.now_ps + after_ps;
	world.event = hop_back;
}

static void assert_no_further_than_the_hop(void)
{
	int64_t stated_ns = info().os_error_ns;

	assert_in_range(stated_ns, 1, 102 * NS_PER_S / 1000);
	assert_in_range(furthest_off_ns(), 0, stated_ns + hop_ns + 10);
}

/* The clocks go back between two reads of a sample, as a sandbox's may. No line is further off than that. */
static void clock_that_goes_back_within_a_sample_does_no_harm(void **state)
{
	static const int64_t hops_ns[] = { 60, 100, 500 };

	(void)state;
	for (size_t i = 0; i < COUNT(hops_ns); i++) {
		hop_ns = hops_ns[i];
		for (uint64_t after_ps = 0; after_ps < 3000000; after_ps += 5000) {
			new_lines();
			if (after_ps % 10000)
				settle();
			hop_back_within(after_ps);
			hpt_timekeeper_resample(&clk);
			assert_no_further_than_the_hop();
			use(PS_PER_S + PS_PER_S / 5, 100 * PS_PER_MS);
			assert_no_further_than_the_hop();
		}
	}
}

/* The same while the very first samples are taken. */
static void first_samples_of_a_clock_that_goes_back_do_no_harm(void **state)
{
	(void)state;
	hop_ns = 100;
	for (uint64_t after_ps = 0; after_ps < 6000000; after_ps += 2000) {
		new_kernel_clock();
		pass(2 * PS_PER_MS);
		hop_back_within(after_ps);
		assert_no_further_than_the_hop();
	}
}

/* ---- Steps --------------------------------------------------------------------------------------------- */

static void steady_lines_continue_through_steps_of_the_wall_clock(void **state)
{
	static const int64_t steps_ns[] = { 3600 * NS_PER_S, -3600 * NS_PER_S, 1000, -1000, 40, -40, 7, -7, 1, -1 };

	(void)state;
	new_lines();
	settle();
	for (size_t i = 0; i < COUNT(steps_ns); i++) {
		int64_t mono_ns = hpt_now_monotonic_ns(&clk), boot_ns = hpt_now_boottime_ns(&clk);

		world.realtime_offset_ns += steps_ns[i];
		if (i % 2) /* found within the segment */
			hpt_clock_check(&clk, NULL);
		for (int n = 0; n < 1100; n++) {
			int64_t mono = hpt_now_monotonic_ns(&clk), boot = hpt_now_boottime_ns(&clk);

			assert_true(mono >= mono_ns && boot >= boot_ns);
			assert_in_range(llabs(off_ns(&lines[1])), 0, 80);
			assert_in_range(llabs(off_ns(&lines[2])), 0, 80);
			mono_ns = mono;
			boot_ns = boot;
			pass(PS_PER_MS);
		}
		assert_in_range(furthest_off_ns(), 0, 80);
		assert_as_stated();
	}
}

static void a_second_of_tai_is_no_event(void **state)
{
	(void)state;
	new_lines();
	settle();
	world.tai_offset_ns -= NS_PER_S;
	hpt_clock_check(&clk, NULL);
	assert_in_range(furthest_off_ns(), 0, 80);
	world.tai_offset_ns = -12 * NS_PER_S;
	hpt_clock_check(&clk, NULL);
	assert_in_range(furthest_off_ns(), 0, 80);
	assert_state(HPT_STATE_OK, 1);
}

static int64_t step_ns;

static void step_the_wall_clock(void)
{
	world.realtime_offset_ns += step_ns;
}

/* Between the reads that compare CLOCK_TAI with it; the difference stays a whole number of seconds. */
static void step_within_the_samples_leaves_tai_alone(void **state)
{
	static const int64_t steps_ns[] = { 3600 * NS_PER_S, -3600 * NS_PER_S, NS_PER_S, -NS_PER_S, 700000000,
					    -700000000, 400000000, -400000000, 5, -5 };

	(void)state;
	for (size_t i = 0; i < COUNT(steps_ns); i++) {
		step_ns = steps_ns[i];
		for (uint64_t at_ps = 0; at_ps < 3000000; at_ps += 10000) {
			struct hpt_record rec;

			new_lines();
			world.event_at_ps = world.now_ps + at_ps;
			world.event = step_the_wall_clock;
			hpt_clock_check(&clk, NULL);
			rec = record();
			assert_int_equal(rec.read.tai_at_ns - rec.read.unix_ns.at.ns, 37 * NS_PER_S);
		}
	}
}

/* A line that is ahead of its clock after a slew stays there, and lets the clock come. */
static void step_does_not_set_a_line_back_that_is_ahead(void **state)
{
	int64_t mono_ns, boot_ns;

	(void)state;
	slew_back_unseen();
	mono_ns = hpt_now_monotonic_ns(&clk);
	boot_ns = hpt_now_boottime_ns(&clk);
	world.realtime_offset_ns -= NS_PER_S;
	for (int i = 0; i < 3000; i++) {
		int64_t mono, boot;

		if (i < 10)
			hpt_clock_check(&clk, NULL);
		mono = hpt_now_monotonic_ns(&clk);
		boot = hpt_now_boottime_ns(&clk);
		assert_true(mono >= mono_ns && boot >= boot_ns);
		mono_ns = mono;
		boot_ns = boot;
		assert_as_stated();
		pass(PS_PER_MS);
	}
	assert_in_range(furthest_off_ns(), 0, 100);
}

/* The kernel's clocks say that the machine slept, and the counter has stood still with CLOCK_MONOTONIC. */
static void suspend_moves_boottime_alone(void **state)
{
	int64_t mono_ns, boot_ns;

	(void)state;
	new_lines();
	settle();
	mono_ns = hpt_now_monotonic_ns(&clk);
	boot_ns = hpt_now_boottime_ns(&clk);
	world.boottime_offset_ns += 100 * NS_PER_S;
	world.realtime_offset_ns += 100 * NS_PER_S;
	hpt_clock_check(&clk, NULL);
	assert_in_range(furthest_off_ns(), 0, 80);
	assert_in_range(hpt_now_monotonic_ns(&clk) - mono_ns, 0, 100000);
	assert_in_range(hpt_now_boottime_ns(&clk) - boot_ns - 100 * NS_PER_S, 0, 100000);
	assert_state(HPT_STATE_REANCHORED, 2);
}

/* After a step of CLOCK_REALTIME alone, even if the samples have another offset for it. */
static void boottime_keeps_the_offset_that_is_possible(void **state)
{
	struct hpt_record rec, next;
	struct hpt_samples s;

	(void)state;
	new_lines();
	settle();
	rec = record();
	hpt_os_lines_set_boottime(&rec, rec.offsets.boot.hi_ns);
	hpt_samples_take(&clk.src, &s);
	s.offset_lo_ns += NS_PER_S;
	s.offset_hi_ns += NS_PER_S;
	hpt_record_next(&rec, &s, &next);
	assert_int_equal(next.generation, 2);
	assert_int_equal(hpt_os_lines_boottime_used(&next), rec.offsets.boot.hi_ns);
	assert_int_equal(next.read.mono_ns.at.ns, rec.read.mono_ns.at.ns);
}

/* An offset that samples narrow falls no faster than CLOCK_MONOTONIC goes, also into the next window of ticks. */
static void narrower_offset_does_not_set_boottime_back(void **state)
{
	bool is_other_window = false;

	(void)state;
	new_lines();
	settle();
	for (int i = 0; i < 12; i++) {
		struct hpt_record old = record(), next;
		uint64_t end = old.read.start + old.convert.span;
		struct hpt_samples s;

		hpt_os_lines_set_boottime(&old, hpt_os_lines_boottime(&old) + NS_PER_MS);
		pass((end - clk.src.read(&clk.src)) * world.tick_ps);
		hpt_samples_take(&clk.src, &s);
		hpt_record_next(&old, &s, &next);
		assert_int_equal(next.generation, old.generation);
		assert_true(hpt_os_lines_ns(&next, CLOCK_BOOTTIME, next.read.start) >=
			    hpt_os_lines_ns(&old, CLOCK_BOOTTIME, end - 1));
		is_other_window |= hpt_window_start(next.read.start) != hpt_window_start(old.read.start);
		hpt_now_ns(&clk);
	}
	assert_true(is_other_window);
}

/* Nor does a step of CLOCK_REALTIME set it back if the same samples narrow an offset that was interrupted before. */
static void step_after_an_interrupted_sample_does_not_set_boottime_back(void **state)
{
	(void)state;
	for (uint32_t ago = 0; ago < 60; ago++) {
		int64_t boot_ns, mono_ns;

		new_interrupted(ago);
		hpt_now_ns(&clk);
		boot_ns = hpt_now_boottime_ns(&clk);
		mono_ns = hpt_now_monotonic_ns(&clk);
		world.realtime_offset_ns += NS_PER_S;
		hpt_clock_check(&clk, NULL);
		assert_int_equal(hpt_clock_generation(&clk), 2);
		assert_true(hpt_now_boottime_ns(&clk) >= boot_ns && hpt_now_monotonic_ns(&clk) >= mono_ns);
	}
}

/* CLOCK_MONOTONIC answered for it until then, and is after it in a time namespace. */
static void boottime_that_is_allowed_at_a_step_is_right_at_once(void **state)
{
	(void)state;
	fake.refused_clocks = 1u << CLOCK_BOOTTIME;
	new_kernel_clock();
	world.boottime_offset_ns = -70 * NS_PER_S;
	settle();
	assert_int_equal(hpt_now_boottime_ns(&clk) / 1000, hpt_now_monotonic_ns(&clk) / 1000);
	fake.refused_clocks = 0;
	world.realtime_offset_ns += NS_PER_S;
	hpt_clock_check(&clk, NULL);
	assert_int_equal(hpt_clock_generation(&clk), 2);
	assert_in_range(furthest_off_ns(), 0, 80);
}

/* A time namespace moves CLOCK_MONOTONIC and CLOCK_BOOTTIME, each by an offset of its own. */
static void time_namespace_moves_both(void **state)
{
	static const int64_t moves_ns[][2] = { { 50 * NS_PER_S, 50 * NS_PER_S }, { -20 * NS_PER_S, 3 * NS_PER_S },
					       { 0, 5 * NS_PER_S }, { 0, -4 * NS_PER_S } };

	(void)state;
	new_lines();
	settle();
	for (size_t i = 0; i < COUNT(moves_ns); i++) {
		world.clock_offset_ns += moves_ns[i][0];
		world.realtime_offset_ns -= moves_ns[i][0];
		world.boottime_offset_ns += moves_ns[i][1] - moves_ns[i][0];
		hpt_clock_check(&clk, NULL);
		assert_int_equal(hpt_clock_generation(&clk), i + 2);
		/* CLOCK_MONOTONIC_RAW moves in this world, too; a clock that jumped first learns. */
		use(10 * PS_PER_MS, PS_PER_MS);
		assert_as_stated();
		use(2 * PS_PER_S, 10 * PS_PER_MS);
		assert_in_range(furthest_off_ns(), 0, 80);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(each_line_is_its_clock, fake_env_setup),
		cmocka_unit_test_setup(time_of_a_tick_is_by_the_line_of_the_clock, fake_env_setup),
		cmocka_unit_test_setup(offsets_narrow_as_samples_come, fake_env_setup),
		cmocka_unit_test(each_end_of_an_offset_narrows_by_itself),
		cmocka_unit_test_setup(error_of_the_offsets_is_that_of_the_latest_samples, fake_env_setup),
		cmocka_unit_test_setup(error_is_that_of_the_worst_line, fake_env_setup),
		cmocka_unit_test_setup(refused_clocks_are_answered_by_others, fake_env_setup),
		cmocka_unit_test_setup(clocks_refused_later_stay_known, fake_env_setup),
		cmocka_unit_test_setup(interrupted_samples_are_mended_without_a_step_back, fake_env_setup),
		cmocka_unit_test_setup(steady_lines_continue_through_steps_of_the_wall_clock, fake_env_setup),
		cmocka_unit_test_setup(a_second_of_tai_is_no_event, fake_env_setup),
		cmocka_unit_test_setup(step_within_the_samples_leaves_tai_alone, fake_env_setup),
		cmocka_unit_test_setup(step_does_not_set_a_line_back_that_is_ahead, fake_env_setup),
		cmocka_unit_test_setup(boottime_keeps_the_offset_that_is_possible, fake_env_setup),
		cmocka_unit_test_setup(suspend_moves_boottime_alone, fake_env_setup),
		cmocka_unit_test_setup(time_namespace_moves_both, fake_env_setup),
		cmocka_unit_test_setup(clock_that_goes_back_within_a_sample_does_no_harm, fake_env_setup),
		cmocka_unit_test_setup(first_samples_of_a_clock_that_goes_back_do_no_harm, fake_env_setup),
		cmocka_unit_test_setup(narrower_offset_does_not_set_boottime_back, fake_env_setup),
		cmocka_unit_test_setup(step_after_an_interrupted_sample_does_not_set_boottime_back, fake_env_setup),
		cmocka_unit_test_setup(boottime_that_is_allowed_at_a_step_is_right_at_once, fake_env_setup),
	};

	random_start();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
