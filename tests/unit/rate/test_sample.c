// SPDX-License-Identifier: MIT
/* Samples of a world whose clocks' offset is known, and of this machine's clocks. */
#include <errno.h>
#include <string.h>

#include "unit.h"

#include "fake_env.h"
#include "fake_source.h"
#include "hpt/hpt.h"
#include "machine/live.h"
#include "rate/sample.h"
#include "source/os.h"

#define TRIALS 100000

static struct hpt_source src;

static void new_world(void)
{
	world = (struct fake_world){
		.now_ps = random_below(UINT64_C(1000000000000000)), .tick_ps = 400, .read_ps = 8000, .clock_ps = 24000,
		.clock_offset_ns = (int64_t)random_below(INT64_C(1000000000000000)),
		.realtime_offset_ns = (int64_t)(random_u64() >> 2) * (random_below(2) ? 1 : -1),
	};
	fake_world_source(&src, &fake_env);
}

/* One read in five is interrupted. */
static uint64_t jitter(void)
{
	return random_below(10) ? random_below(15000) : random_below(40000000);
}

/* The n-th read is interrupted for interruptions_ps[n] before the clock is read, and again after it. */
static uint64_t interruptions_ps[9];
static uint32_t jitter_calls;

static uint64_t interrupted(void)
{
	return interruptions_ps[jitter_calls++ / 2];
}

static void start_interrupted(void)
{
	new_world();
	memset(interruptions_ps, 0, sizeof(interruptions_ps));
	jitter_calls = 0;
	world.jitter_ps = interrupted;
}

static int64_t width_ns(struct hpt_unix_offset o)
{
	return o.hi_ns - o.lo_ns;
}

static void check_truth(struct hpt_unix_offset o)
{
	assert_true(o.lo_ns <= world.realtime_offset_ns && world.realtime_offset_ns <= o.hi_ns);
}

/* ---- The offset --------------------------------------------------------------------------------------- */

static void offset_always_holds_the_truth(void **state)
{
	int64_t widest_ns = 0;

	(void)state;
	for (int i = 0; i < TRIALS; i++) {
		struct hpt_unix_offset o;

		new_world();
		world.jitter_ps = jitter;
		o = hpt_unix_offset_take(&src);
		check_truth(o);
		widest_ns = width_ns(o) > widest_ns ? width_ns(o) : widest_ns;
	}
	note("widest of %d: %lld ns", TRIALS, (long long)widest_ns);
}

static void each_clock_rounds_down_by_itself(void **state)
{
	(void)state;
	for (int i = 0; i < TRIALS; i++) {
		struct hpt_unix_offset o;

		new_world();
		world.clock_ps = random_below(3000); /* several reads in one nanosecond */
		o = hpt_unix_offset_take(&src);
		assert_in_range(width_ns(o), 2, 9);
		/* By a nanosecond on each side. */
		assert_true(o.lo_ns < world.realtime_offset_ns && world.realtime_offset_ns < o.hi_ns);
	}
}

static void undisturbed_offset_is_taken_once(void **state)
{
	(void)state;
	new_world();
	check_truth(hpt_unix_offset_take(&src));
	assert_int_equal(world.clock_reads, 3);
}

static void interrupted_offset_is_taken_again(void **state)
{
	struct hpt_unix_offset o;

	(void)state;
	start_interrupted();
	interruptions_ps[1] = 5000000;
	o = hpt_unix_offset_take(&src);
	check_truth(o);
	assert_int_equal(world.clock_reads, 6);
	assert_in_range(width_ns(o), 2, 60);
}

static void narrowest_of_three_interrupted_offsets_is_kept(void **state)
{
	(void)state;
	for (uint32_t best = 0; best < 3; best++) {
		struct hpt_unix_offset o;

		start_interrupted();
		for (uint32_t i = 0; i < 3; i++)
			interruptions_ps[3 * i + 1] = i == best ? 3000000 : 7000000;
		o = hpt_unix_offset_take(&src);
		check_truth(o);
		assert_int_equal(world.clock_reads, 9);
		assert_in_range(width_ns(o), 6000, 6100); /* both jitters of one read */
	}
}

static void offset_of_two_microseconds_is_good_enough(void **state)
{
	(void)state;
	start_interrupted();
	interruptions_ps[1] = 970000; /* twice, and 48 ns for the reads: 1990 to 1992 */
	check_truth(hpt_unix_offset_take(&src));
	assert_int_equal(world.clock_reads, 3);
	start_interrupted();
	interruptions_ps[1] = 980000;
	check_truth(hpt_unix_offset_take(&src));
	assert_int_equal(world.clock_reads, 6);
}

static void offsets_differ_only_where_they_cannot_be_the_same(void **state)
{
	static const struct hpt_unix_offset a = { -10, 20 };
	static const struct {
		struct hpt_unix_offset b;
		bool differs;
	} rows[] = {
		{ { -10, 20 }, false }, { { 0, 1 }, false }, { { -100, 200 }, false }, { { 20, 30 }, false },
		{ { 21, 30 }, true }, { { -30, -10 }, false }, { { -30, -11 }, true },
		{ { INT64_MIN, INT64_MAX }, false },
		{ { INT64_MAX, INT64_MAX }, true }, { { INT64_MIN, INT64_MIN }, true },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		assert_int_equal(hpt_unix_offset_differs(a, rows[i].b), rows[i].differs);
		assert_int_equal(hpt_unix_offset_differs(rows[i].b, a), rows[i].differs);
	}
}

/* ---- A round of samples ------------------------------------------------------------------------------- */

static void samples_have_brackets_of_both_clocks(void **state)
{
	struct hpt_samples samples;

	(void)state;
	memset(&samples, 0xff, sizeof(samples));
	new_world();
	hpt_samples_take(&src, &samples);
	assert_int_equal(samples.n_raw, HPT_SAMPLE_RAW_BRACKETS);
	assert_int_equal(samples.n_unix, HPT_SAMPLE_UNIX_BRACKETS);
	assert_false(samples.is_disrupted || samples.is_demoted || samples.is_contradicted);
	check_truth((struct hpt_unix_offset){ samples.offset_lo_ns, samples.offset_hi_ns });
	assert_in_range(samples.unix_ns[0].ref_ns - samples.raw[HPT_SAMPLE_RAW_BRACKETS - 1].ref_ns -
			world.realtime_offset_ns, 1, 1000);
	for (uint32_t i = 1; i < HPT_SAMPLE_RAW_BRACKETS; i++)
		assert_true(samples.raw[i].before == samples.raw[i - 1].after &&
			    samples.raw[i].before < samples.raw[i].after &&
			    samples.raw[i].ref_ns > samples.raw[i - 1].ref_ns);
	for (uint32_t i = 0; i < HPT_SAMPLE_UNIX_BRACKETS; i++)
		assert_true(samples.raw[HPT_SAMPLE_RAW_BRACKETS - 1].after < samples.unix_ns[i].before);
}

static void samples_have_the_offsets_of_the_other_clocks(void **state)
{
	(void)state;
	for (int i = 0; i < TRIALS / 100; i++) {
		struct hpt_samples s;

		new_world();
		world.jitter_ps = i % 2 ? jitter : NULL;
		world.clock_ps = i % 4 ? 24000 : random_below(3000); /* several reads in one nanosecond */
		world.boottime_offset_ns = (int64_t)(random_u64() >> 2);
		world.tai_offset_ns = (int64_t)random_below(100) * 1000000000;
		hpt_samples_take(&src, &s);
		assert_true(hpt_unix_offset_is_known(s.boot) && hpt_unix_offset_is_known(s.tai));
		assert_true(s.boot.lo_ns < world.boottime_offset_ns && world.boottime_offset_ns < s.boot.hi_ns);
		assert_true(s.tai.lo_ns < world.tai_offset_ns && world.tai_offset_ns < s.tai.hi_ns);
	}
}

/* A read of the clock gives what another would give while it is read. */
static void check_reads_as(clockid_t id, clockid_t other)
{
	int64_t before_ns = fake_world_true_ns(other), ns = hpt_sample_os_ns(&src, id);

	assert_true(before_ns <= ns && ns <= fake_world_true_ns(other));
}

static void refused_clock_says_nothing(void **state)
{
	struct hpt_samples s;

	(void)state;
	new_world();
	world.boottime_offset_ns = world.tai_offset_ns = 5000000000;
	fake.refused_clocks = 1u << CLOCK_BOOTTIME | 1u << CLOCK_TAI;
	hpt_samples_take(&src, &s);
	assert_false(hpt_unix_offset_is_known(s.boot) || hpt_unix_offset_is_known(s.tai));
	check_truth((struct hpt_unix_offset){ s.offset_lo_ns, s.offset_hi_ns });
	check_reads_as(CLOCK_BOOTTIME, CLOCK_MONOTONIC);
	check_reads_as(CLOCK_TAI, CLOCK_REALTIME);
	fake.refused_clocks = 0;
	check_reads_as(CLOCK_BOOTTIME, CLOCK_BOOTTIME);
	check_reads_as(CLOCK_TAI, CLOCK_TAI);
}

static void clock_that_is_its_own_reference_has_no_raw_brackets(void **state)
{
	struct hpt_samples samples;

	(void)state;
	memset(&samples, 0xff, sizeof(samples));
	new_world();
	src.rate.origin = HPT_ORIGIN_EXACT;
	hpt_samples_take(&src, &samples);
	assert_int_equal(samples.n_raw, 0);
	assert_int_equal(samples.end.after, 0);
	assert_int_equal(samples.n_unix, HPT_SAMPLE_UNIX_BRACKETS);
}

/* 10 us per read: a virtual machine that traps reads. 1 ms: something worse. */
static void samples_are_taken_soon_where_reads_are_slow(void **state)
{
	static const struct {
		uint64_t read_ps, most_ps;
	} rows[] = { { 10000000, 720000000 }, { 1000000000, UINT64_C(31000000000) } };

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct hpt_samples samples;
		uint64_t start_ps;

		new_world();
		world.read_ps = world.clock_ps = rows[i].read_ps;
		start_ps = world.now_ps;
		hpt_samples_take(&src, &samples);
		assert_in_range(world.now_ps - start_ps, 0, rows[i].most_ps);
		assert_true(samples.n_raw >= 2 && samples.n_unix >= 2);
		check_truth((struct hpt_unix_offset){ samples.offset_lo_ns, samples.offset_hi_ns });
	}
}

/* ---- This machine --------------------------------------------------------------------------------------- */

static void live_samples_agree_and_leave_errno_alone(void **state)
{
	struct hpt_samples first, samples;

	(void)state;
	assert_int_equal(hpt_source_open(&src, &hpt_source_os, &hpt_env_live), 0);
	errno = EBADMSG;
	hpt_samples_take(&src, &first);
	for (int i = 0; i < 1000; i++) {
		hpt_samples_take(&src, &samples);
		assert_int_equal(samples.n_raw, 0);
		assert_in_range(samples.n_unix, 2, HPT_SAMPLE_UNIX_BRACKETS);
		for (uint32_t j = 0; j < samples.n_unix; j++)
			assert_true(samples.unix_ns[j].before <= samples.unix_ns[j].after &&
				    samples.unix_ns[j].ref_ns > 0);
		if (hpt_unix_offset_differs((struct hpt_unix_offset){ first.offset_lo_ns, first.offset_hi_ns },
					    (struct hpt_unix_offset){ samples.offset_lo_ns, samples.offset_hi_ns }))
			note("the wall clock was set meanwhile");
	}
	assert_int_equal(errno, EBADMSG);
	hpt_source_close(&src);
}

/* Raw system calls may change errno, so that callers have to keep it: see lib/clock/timekeeper.c. */
static void samples_by_system_call_are_as_good(void **state)
{
	struct hpt_samples samples;

	(void)state;
	fake_env_reset();
	fake.forbidden = true;
	assert_int_equal(hpt_source_open(&src, &hpt_source_os, &fake_env), 0);
	fake.clock_calls = 0;
	hpt_samples_take(&src, &samples);
	assert_int_equal(fake.clock_calls, 0); /* no vDSO: it might read the TSC */
	assert_true(samples.offset_lo_ns < samples.offset_hi_ns);
	assert_in_range(samples.n_unix, 2, HPT_SAMPLE_UNIX_BRACKETS);
	hpt_source_close(&src);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(offset_always_holds_the_truth),
		cmocka_unit_test(each_clock_rounds_down_by_itself),
		cmocka_unit_test(undisturbed_offset_is_taken_once),
		cmocka_unit_test(interrupted_offset_is_taken_again),
		cmocka_unit_test(narrowest_of_three_interrupted_offsets_is_kept),
		cmocka_unit_test(offset_of_two_microseconds_is_good_enough),
		cmocka_unit_test(offsets_differ_only_where_they_cannot_be_the_same),
		cmocka_unit_test(samples_have_brackets_of_both_clocks),
		cmocka_unit_test(samples_have_the_offsets_of_the_other_clocks),
		cmocka_unit_test(refused_clock_says_nothing),
		cmocka_unit_test(clock_that_is_its_own_reference_has_no_raw_brackets),
		cmocka_unit_test(samples_are_taken_soon_where_reads_are_slow),
		cmocka_unit_test(live_samples_agree_and_leave_errno_alone),
		cmocka_unit_test(samples_by_system_call_are_as_good),
	};

	random_start();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
