// SPDX-License-Identifier: MIT
/* What a wall asks of its clock and of the machine before it makes a record. */
#include "wall_fakes.h"

#include "wall/wall_rules.h"

static struct hpt_wall_rules rules_of(const struct hpt_wall *w)
{
	struct hpt_wall_rules r;

	assert_true(hpt_wall_rules_make(w, &r));
	return r;
}

static int32_t above(struct hpt_scale a, const struct hpt_wall_rules *r)
{
	return hpt_band_ppb(a, r->ns_per_tick);
}

static void open_rates(uint32_t rate_ppb, uint32_t wander_ppb)
{
	struct hpt_wall_config c = config_of_feed();

	c.rate_ppb = rate_ppb;
	c.wander_ppb = wander_ppb;
	open_as(&c, 0);
}

/* ---- Rates --------------------------------------------------------------------------------------------------- */

static void rate_is_the_programs_and_the_clocks_own_error(void **state)
{
	uint32_t error_ppb = info().frequency_error_ppb;
	struct hpt_wall_rules r;

	(void)state;
	assert_in_range(error_ppb, 1, 10000);
	r = rules_of(wall);
	assert_in_range(above(r.nominal.hi, &r), 50000 + (int)error_ppb, 50001 + (int)error_ppb);
	assert_in_range(-above(r.nominal.lo, &r), 50000 + (int)error_ppb, 50001 + (int)error_ppb);
	assert_int_equal(r.wander_ppb, 15000);
	assert_int_equal(r.clock_ppb, 2 * error_ppb + 5000);
	assert_int_equal(r.flags, HPT_WALL_FLAG_ASSUMED_RATE);
	open_rates(1000, 200);
	r = rules_of(wall);
	assert_in_range(above(r.nominal.hi, &r), 1000 + (int)error_ppb, 1001 + (int)error_ppb);
	assert_int_equal(r.wander_ppb, 200);
	assert_int_equal(r.flags, 0);
	open_rates(1000, 0);
	assert_int_equal(rules_of(wall).flags, HPT_WALL_FLAG_ASSUMED_RATE);
	open_rates(0, 200);
	assert_int_equal(rules_of(wall).flags, HPT_WALL_FLAG_ASSUMED_RATE);
}

/* Half is the most: slopes are never 0. */
static void rates_have_a_limit(void **state)
{
	struct hpt_wall_rules r;

	(void)state;
	open_rates(999999999, 999999999);
	r = rules_of(wall);
	assert_int_equal(above(r.nominal.hi, &r), PPB / 2);
	assert_int_equal(above(r.nominal.lo, &r), -PPB / 2);
	assert_int_equal(r.wander_ppb, PPB / 2);
}

static void os_clock_counts_by_raw(void **state)
{
	struct hpt_wall_config c = config_of_feed();
	struct hpt_wall_rules r;
	hpt_clock *os = NULL;
	hpt_wall *w = NULL;

	(void)state;
	assert_int_equal(hpt_clock_open(HPT_SOURCE_OS, 0, &os), 0);
	assert_int_equal(hpt_wall_open(os, &c, sizeof(c), 0, &w), 0);
	r = rules_of(w);
	assert_true(w->counts_raw);
	assert_int_equal(above(r.nominal.hi, &r), 50000);
	assert_int_equal(r.wander_ppb, 15000);
	assert_int_equal(r.clock_ppb, 5000);
	hpt_wall_close(w);
	c.rate_ppb = 7;
	c.wander_ppb = 3;
	assert_int_equal(hpt_wall_open(os, &c, sizeof(c), 0, &w), 0);
	r = rules_of(w);
	assert_int_equal(above(r.nominal.hi, &r), 7);
	assert_int_equal(r.wander_ppb, 3);
	hpt_wall_close(w);
	hpt_clock_close(os);
}

static void manual_clock_is_exact_and_has_no_clocks(void **state)
{
	struct hpt_wall_config c = config_of_feed();
	struct hpt_wall_look look;
	struct hpt_wall_rules r;
	hpt_clock *manual = NULL;
	hpt_wall *w = NULL;

	(void)state;
	assert_int_equal(hpt_clock_new_manual(500000000, 1000, 0, &manual), 0);
	assert_int_equal(hpt_wall_open(manual, &c, sizeof(c), 0, &w), 0);
	r = rules_of(w);
	assert_int_equal(r.ns_per_tick.whole, 2);
	assert_int_equal(above(r.nominal.hi, &r), 50000);
	assert_int_equal(r.wander_ppb, 15000);
	assert_int_equal(r.step, 1);
	assert_true(hpt_wall_look_take(w, &look));
	assert_false(look.has_clocks);
	assert_false(look.has_marks);
	assert_int_equal(look.before, 1000);
	assert_int_equal(look.after, 1000);
	hpt_wall_close(w);
	hpt_clock_close(manual);
}

static void steps_of_counter_and_clocks_are_those_of_the_record(void **state)
{
	struct hpt_wall_rules r = rules_of(wall);

	(void)state;
	assert_true(r.step >= 1);
	new_staircase_clock();
	clk.src.clock_ns = fake_world_clock;
	use(2 * PS_PER_S, 50 * PS_PER_MS);
	r = rules_of(wall);
	assert_int_equal(r.step, 26);
	sleeping.read = clk.src.read;
	errno = EXDEV;
}

static void config_is_kept(void **state)
{
	struct hpt_wall_config c = config_of_feed();

	(void)state;
	assert_true(rules_of(wall).max_age_ns == 1000 * NS_PER_S);
	assert_int_equal(rules_of(wall).trusted, 0);
	assert_false(rules_of(wall).covers_leap);
	c.max_age_ns = 77;
	c.sources |= 6;
	c.trusted = 6;
	open_as(&c, HPT_WALL_OPEN_LEAP_COVER);
	assert_int_equal(rules_of(wall).max_age_ns, 77);
	assert_int_equal(rules_of(wall).trusted, 6);
	assert_true(rules_of(wall).covers_leap);
}

static void counter_jumps(void)
{
	counter_goes(-INT64_C(2500000000) * 3600);
}

/* After an event the clock has no rate for a while, and nobody but the wall may ask it for one. */
static void rate_is_learned_again(void **state)
{
	struct hpt_wall_sample s;
	struct hpt_wall_rules r;
	int tries = 0;

	(void)state;
	counter_jumps();
	hpt_clock_check(&clk, NULL);
	assert_false(hpt_wall_rules_make(wall, &r));
	while (!hpt_wall_rules_make(wall, &r)) {
		pass(10 * PS_PER_MS);
		assert_in_range(tries++, 0, 1000);
	}
	/* The first look finds the event; samples from after that are good. */
	s = sample_of(1000);
	assert_int_equal(hpt_wall_feed(wall, &s, sizeof(s)), -ERANGE);
	feed(NS_PER_US);
	now_checked();
}

/* ---- Looks --------------------------------------------------------------------------------------------------- */

static void look_has_all_clocks_in_order(void **state)
{
	struct hpt_wall_look look;
	int64_t before, after;

	(void)state;
	world.boottime_offset_ns = 12345;
	before = fake_world_true_ns(CLOCK_MONOTONIC_RAW);
	assert_true(hpt_wall_look_take(wall, &look));
	after = fake_world_true_ns(CLOCK_MONOTONIC_RAW);
	assert_true(look.has_clocks);
	assert_false(look.has_marks);
	assert_true(look.raw_ns > before && look.raw_ns < after);
	assert_true(look.asleep_lo_ns <= 12345 && look.asleep_hi_ns >= 12345);
	assert_true(look.asleep_hi_ns - look.asleep_lo_ns < 200);
	assert_true(look.after > look.before);
	/* The bracket has the read of the one clock alone. */
	assert_true((look.after - look.before) * 400 < 60000);
	assert_int_equal(errno, EXDEV);
}

/* In a sandbox. Without one clock the others are still compared. */
static void denied_clocks_are_left_out(void **state)
{
	struct hpt_wall_look look;

	(void)state;
	world.boottime_offset_ns = 12345;
	fake.refused_clocks = 1u << CLOCK_BOOTTIME;
	assert_true(hpt_wall_look_take(wall, &look));
	assert_int_equal(look.asleep_lo_ns, 0);
	assert_int_equal(look.asleep_hi_ns, 0);
	assert_true(look.has_clocks);
	fake.refused_clocks = 1u << CLOCK_MONOTONIC_RAW;
	assert_true(hpt_wall_look_take(wall, &look));
	assert_false(look.has_clocks);
	assert_true(look.asleep_hi_ns >= 12345);
	assert_int_equal(errno, EXDEV);
	feed(NS_PER_US);
	pass(50 * PS_PER_MS);
	now_checked();
}

static void guests_without_a_page_are_flagged(void **state)
{
	(void)state;
	fake_cpu(guest);
	open_rates(1, 1);
	assert_int_equal(rules_of(wall).flags, HPT_WALL_FLAG_NO_DISRUPTION_SIGNAL);
	fake_cpu(invariant);
	open_rates(1, 1);
	assert_int_equal(rules_of(wall).flags, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		wall_test(rate_is_the_programs_and_the_clocks_own_error),
		wall_test(rates_have_a_limit),
		wall_test(os_clock_counts_by_raw),
		wall_test(manual_clock_is_exact_and_has_no_clocks),
		wall_test(steps_of_counter_and_clocks_are_those_of_the_record),
		wall_test(config_is_kept),
		wall_test(rate_is_learned_again),
		wall_test(look_has_all_clocks_in_order),
		wall_test(denied_clocks_are_left_out),
		wall_test(guests_without_a_page_are_flagged),
	};

	fake_env_reset();
	return cmocka_run_group_tests_name("wall_rules", tests, NULL, NULL);
}
