// SPDX-License-Identifier: MIT
/* hpt_clock_sample() in a fake world, where the truth at every tick is known, and live. */
#include <errno.h>
#include <string.h>
#include <time.h>

#include "record_world.h"

_Static_assert(sizeof(struct hpt_sample) == HPT_SAMPLE_SIZE_V0, "hpt_sample");
_Static_assert(offsetof(struct hpt_sample, tick) == 16 && offsetof(struct hpt_sample, width_ns) == 64, "hpt_sample");

static void use_world(uint64_t tick_ps)
{
	new_clock(tick_ps);
	world.boottime_offset_ns = 12345 * NS_PER_S;
	world.tai_offset_ns = 37 * NS_PER_S;
	fake_env.clock_ns = fake_world_clock;
}

static struct hpt_sample take(void)
{
	struct hpt_sample s;

	assert_int_equal(hpt_clock_sample(&clk, &s, sizeof(s)), 0);
	assert_int_equal(s.size, sizeof(s));
	return s;
}

/* The time of a clock as the counter reached that tick. */
static int64_t true_at(hpt_time_t tick, clockid_t id)
{
	uint64_t now_ps = world.now_ps;
	int64_t ns;

	world.now_ps = ((uint64_t)tick - world.tick_offset) * world.tick_ps;
	ns = fake_world_true_ns(id);
	world.now_ps = now_ps;
	return ns;
}

static void assert_within(const struct hpt_sample *s, int64_t ns, clockid_t id)
{
	int64_t off = ns - true_at(s->tick, id);

	if (2 * (off < 0 ? -off : off) > s->width_ns)
		fail_msg("clock %d is %lld ns off, width %lld", (int)id, (long long)off, (long long)s->width_ns);
}

static void every_line_is_within_half_the_width(void **state)
{
	static const uint64_t ticks_ps[] = { 167, 400, 1000, 10000, 41667, 69841 };

	(void)state;
	for (size_t i = 0; i < COUNT(ticks_ps) * 2; i++) {
		use_world(ticks_ps[i / 2]);
		world.jitter_ps = i & 1 ? jitter : NULL;
		for (int n = 0; n < 200; n++) {
			struct hpt_sample s = take();
			int64_t ns;

			assert_within(&s, s.unix_ns, CLOCK_REALTIME);
			assert_within(&s, s.monotonic_ns, CLOCK_MONOTONIC);
			assert_within(&s, s.boottime_ns, CLOCK_BOOTTIME);
			assert_within(&s, s.tai_ns, CLOCK_TAI);
			assert_int_equal(hpt_time_to_ns(&clk, s.tick, &ns), 0);
			assert_int_equal(s.ns, ns);
			assert_int_equal(s.generation, 1);
			assert_int_equal(s.state, HPT_STATE_OK);
			pass(random_magnitude() >> 24);
		}
	}
}

/*
 * The counter is another one, sixteen times as fast or a quarter as fast: the old rate neither extrapolates nor
 * measures a width.
 */
static void width_holds_while_no_rate_is_known(void **state)
{
	(void)state;
	for (int n = 0; n < 2; n++) {
		uint64_t tick_ps = n ? 25 : 1600;
		struct hpt_sample s;

		use_world(400);
		settle();
		world.tick_offset += world.now_ps / 400 - world.now_ps / tick_ps + UINT64_C(100000000000);
		world.tick_ps = tick_ps;
		assert_int_equal(hpt_clock_check(&clk, NULL), HPT_STATE_DISRUPTED);
		s = take();
		assert_within(&s, s.unix_ns, CLOCK_REALTIME);
		assert_within(&s, s.monotonic_ns, CLOCK_MONOTONIC);
		assert_within(&s, s.boottime_ns, CLOCK_BOOTTIME);
		assert_within(&s, s.tai_ns, CLOCK_TAI);
		assert_true(s.width_ns < 10000);
	}
}

/* Bracketed one by one: as wide as one bracket, not as all of them together. */
static void width_is_that_of_one_bracket(void **state)
{
	struct hpt_record rec;
	int64_t steps_ns;

	(void)state;
	use_world(400);
	hpt_timekeeper_now(&clk, &rec);
	steps_ns = 2 * (int64_t)(rec.granularity.ref_ns + rec.granularity.ticks * 400 / 1000);
	/*
	 * A read of the clock, half a read of the counter on each side, the steps of both, and twice what a slew makes
	 * of the two brackets between the first tick and the middle.
	 */
	assert_in_range(take().width_ns, 32 + 3 + steps_ns + 2 * (64 / 10 + 1), 32 + 5 + steps_ns + 2 * (64 / 10 + 2));
}

/* Each slew begins just before a sample, so that no record knows of it. */
static void width_covers_any_slew(void **state)
{
	static const int64_t slews_ppm[] = { 0, 500, -500, 83333, -83333, 100900, -100900 };

	(void)state;
	use_world(400);
	settle();
	world.jitter_ps = jitter;
	for (int n = 0; n < 3000; n++) {
		struct hpt_sample s;

		fake_world_slew(&world.wall, slews_ppm[random_below(COUNT(slews_ppm))] * 1000);
		s = take();
		assert_within(&s, s.unix_ns, CLOCK_REALTIME);
		assert_within(&s, s.monotonic_ns, CLOCK_MONOTONIC);
		assert_within(&s, s.boottime_ns, CLOCK_BOOTTIME);
		assert_within(&s, s.tai_ns, CLOCK_TAI);
	}
}

/* Each late_every-th call takes long. There is one before and one after each read of a clock. */
static unsigned late_every, late_calls;

static uint64_t late_call(void)
{
	return late_calls++ % late_every ? 0 : 10000000;
}

/* From the one end to the other: the record's slope is wrong by twice what a slew may be. */
static void width_covers_a_slew_that_turns(void **state)
{
	(void)state;
	for (int n = 0; n < 2 * 2 * 8; n++) {
		int64_t ppb = n % 2 ? 100900000 : -100900000;
		struct hpt_sample s;

		use_world(400);
		settle();
		fake_world_slew(&world.wall, ppb);
		use(2 * PS_PER_S, PS_PER_MS);
		late_every = n / 2 % 2 ? 2 : 8;
		late_calls = (unsigned)n / 4;
		world.jitter_ps = late_call;
		fake_world_slew(&world.wall, -ppb);
		s = take();
		assert_within(&s, s.unix_ns, CLOCK_REALTIME);
		assert_within(&s, s.monotonic_ns, CLOCK_MONOTONIC);
		assert_within(&s, s.boottime_ns, CLOCK_BOOTTIME);
		assert_within(&s, s.tai_ns, CLOCK_TAI);
	}
}

static uint64_t ms_at_first(void)
{
	static int calls;

	return calls++ < 3 ? PS_PER_MS : 0;
}

static void narrowest_round_counts(void **state)
{
	(void)state;
	use_world(400);
	hpt_now_ns(&clk);
	world.jitter_ps = ms_at_first;
	assert_in_range(take().width_ns, 0, 200);
}

static void pass_ms(void)
{
	pass(PS_PER_MS);
}

/* A refusal may take long; the width is that of the clocks that were read. */
static void refused_clocks_are_int64_min(void **state)
{
	(void)state;
	use_world(400);
	errno = EXDEV;
	fake.clock_hook = pass_ms;
	for (uint32_t mask = 0; mask < 16; mask++) {
		struct hpt_sample s;

		fake.refused_clocks = (mask & 1) << CLOCK_REALTIME | (mask & 2) / 2 << CLOCK_MONOTONIC |
				      (mask & 4) / 4 << CLOCK_BOOTTIME | (mask & 8) / 8 << CLOCK_TAI;
		s = take();
		assert_int_equal(s.unix_ns == INT64_MIN, mask & 1);
		assert_int_equal(s.monotonic_ns == INT64_MIN, (mask & 2) / 2);
		assert_int_equal(s.boottime_ns == INT64_MIN, (mask & 4) / 4);
		assert_int_equal(s.tai_ns == INT64_MIN, (mask & 8) / 8);
		assert_true(s.ns != INT64_MIN && s.width_ns < 200);
	}
	assert_int_equal(errno, EXDEV);
}

/* The segment ends while the clocks are read: the sample is taken again, by the record of its tick. */
static void generation_is_that_of_the_tick(void **state)
{
	struct hpt_record rec;
	struct hpt_sample s;

	(void)state;
	use_world(400);
	settle();
	hpt_timekeeper_now(&clk, &rec);
	world.now_ps = (rec.read.start + rec.convert.span - world.tick_offset) * world.tick_ps - 60000;
	world.realtime_offset_ns += NS_PER_S;
	s = take();
	assert_int_equal(s.generation, 2);
	assert_int_equal(s.state, HPT_STATE_REANCHORED);
	assert_within(&s, s.unix_ns, CLOCK_REALTIME);
}

static void struct_may_grow(void **state)
{
	struct {
		struct hpt_sample s;
		char more[16];
	} longer;
	struct hpt_sample s;

	(void)state;
	use_world(400);
	memset(&longer, 0xff, sizeof(longer));
	assert_int_equal(hpt_clock_sample(&clk, &longer.s, sizeof(longer)), 0);
	assert_int_equal(longer.s.size, sizeof(longer.s));
	for (size_t i = 0; i < sizeof(longer.more); i++)
		assert_int_equal(longer.more[i], 0);
	memset(&s, 0xff, sizeof(s));
	assert_int_equal(hpt_clock_sample(&clk, &s, sizeof(s) - 1), -EINVAL);
	assert_int_equal(s.size, UINT32_MAX);
	assert_int_equal(hpt_clock_sample(&clk, NULL, sizeof(s)), -EINVAL);
}

static int64_t live_ns(clockid_t id)
{
	struct timespec ts;

	clock_gettime(id, &ts);
	return (int64_t)ts.tv_sec * NS_PER_S + ts.tv_nsec;
}

static void live_lines_agree(void **state)
{
	const uint32_t sources[] = { HPT_SOURCE_AUTO, HPT_SOURCE_OS };

	(void)state;
	for (size_t i = 0; i < COUNT(sources); i++) {
		int64_t unix_ns, mono_ns, boot_ns, tai_ns, ns;
		struct hpt_sample s;
		hpt_clock *live;

		assert_int_equal(hpt_clock_open(sources[i], 0, &live), 0);
		ns = hpt_now_ns(live);
		unix_ns = live_ns(CLOCK_REALTIME);
		mono_ns = live_ns(CLOCK_MONOTONIC);
		boot_ns = live_ns(CLOCK_BOOTTIME);
		tai_ns = live_ns(CLOCK_TAI);
		assert_int_equal(hpt_clock_sample(live, &s, sizeof(s)), 0);
		assert_true(ns <= s.ns && s.ns <= hpt_now_ns(live));
		assert_true(unix_ns <= s.unix_ns + s.width_ns && s.unix_ns <= live_ns(CLOCK_REALTIME) + s.width_ns);
		assert_true(mono_ns <= s.monotonic_ns + s.width_ns &&
			    s.monotonic_ns <= live_ns(CLOCK_MONOTONIC) + s.width_ns);
		assert_true(boot_ns <= s.boottime_ns + s.width_ns &&
			    s.boottime_ns <= live_ns(CLOCK_BOOTTIME) + s.width_ns);
		assert_true(tai_ns <= s.tai_ns + s.width_ns && s.tai_ns <= live_ns(CLOCK_TAI) + s.width_ns);
		if (sources[i] == HPT_SOURCE_OS)
			assert_true(s.monotonic_ns == s.tick && s.ns == s.tick);
		hpt_clock_close(live);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(every_line_is_within_half_the_width, fake_env_setup),
		cmocka_unit_test_setup(width_is_that_of_one_bracket, fake_env_setup),
		cmocka_unit_test_setup(width_covers_any_slew, fake_env_setup),
		cmocka_unit_test_setup(width_covers_a_slew_that_turns, fake_env_setup),
		cmocka_unit_test_setup(width_holds_while_no_rate_is_known, fake_env_setup),
		cmocka_unit_test_setup(narrowest_round_counts, fake_env_setup),
		cmocka_unit_test_setup(refused_clocks_are_int64_min, fake_env_setup),
		cmocka_unit_test_setup(generation_is_that_of_the_tick, fake_env_setup),
		cmocka_unit_test_setup(struct_may_grow, fake_env_setup),
		cmocka_unit_test(live_lines_agree),
	};

	random_start();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
