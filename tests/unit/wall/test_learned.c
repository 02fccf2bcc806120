// SPDX-License-Identifier: MIT
/* What a wall learns of the counter's rate, when it forgets it, and for how long a false statement harms. */
#include "wall_record_world.h"

#define POLL_NS (64 * NS_PER_S)

static int32_t most_ppb(void)
{
	return hpt_band_ppb(rec.read.bound.band.hi, rules.ns_per_tick);
}

static void epoch_has_new_statements_and_a_time(void **state)
{
	(void)state;
	assert_int_equal(add(1, 1000), 0);
	for (int i = 0; i < 7; i++) {
		look_after(300 * NS_PER_S);
		assert_int_equal(add(1, 1000), 0);
	}
	assert_int_equal(rec.learned.n_new, 7);
	assert_int_equal(rec.learned.begun, now - (uint64_t)(2100 * NS_PER_S));
	assert_int_equal(add(1, 1000), 0);
	assert_int_equal(rec.learned.n_new, 0);
	assert_int_equal(rec.learned.begun, now);
	for (int i = 0; i < 9; i++) {
		look_after(28 * NS_PER_S);
		assert_int_equal(add(1, 1000), 0);
	}
	assert_int_equal(rec.learned.n_new, 9);
	look_after(4 * NS_PER_S - 1);
	assert_int_equal(add(1, 1000), 0);
	assert_int_equal(rec.learned.n_new, 10);
	look_after(1);
	assert_int_equal(add(1, 1000), 0);
	assert_int_equal(rec.learned.begun, now);
}

/* Those who are asked often repeat what they know. */
static void repeated_statements_are_nothing_new(void **state)
{
	struct hpt_wall_reading r;

	(void)state;
	for (int i = 0; i < 20; i++) {
		r = measured(1, NS_PER_S, 20 * i * NS_PER_S);
		assert_int_equal(add_reading(&r), 0);
		look_after(20 * NS_PER_S);
	}
	assert_int_equal(rec.learned.n_new, 0);
	r = measured(2, NS_PER_S, 0);
	assert_int_equal(add_reading(&r), 0);
	assert_int_equal(rec.learned.n_new, 1);
}

/* Measurements of an epoch age by what it knows itself. */
static void epochs_know_nothing_of_each_other(void **state)
{
	struct hpt_wall_reading r;

	(void)state;
	for (int i = 0; i < 8; i++) {
		assert_int_equal(add(2, 10), 0);
		look_after(50 * NS_PER_S);
	}
	assert_int_equal(rec.learned.n_new, 7);
	r = measured(1, 1000, 10 * NS_PER_S);
	assert_int_equal(add_reading(&r), 0);
	assert_int_equal(rec.learned.n_new, 0);
	assert_in_range((uint64_t)width_now(&rec.learned.lines), 1102000, 1104000);
	look_after(1000);
	assert_int_equal(add_reading(&r), 0);
	assert_in_range((uint64_t)width_now(&rec.learned.lines), 1102000, 1104000);
	assert_in_range((uint64_t)width_now(&rec.read.bound), 422000, 426000);
	assert_bound_holds();
}

/* The band of the epoch before counts on, and that of the one before it does not. */
static void band_is_forgotten_after_two_epochs(void **state)
{
	(void)state;
	assert_int_equal(add(1, 1000), 0);
	for (int i = 0; i < 8; i++) {
		look_after(POLL_NS);
		assert_int_equal(add(1, 1000), 0);
	}
	assert_int_equal(rec.learned.n_new, 0);
	assert_in_range(most_ppb(), 16000, 16100);
	/* Wide ones, by which nothing is learned. */
	for (int i = 0; i < 8; i++) {
		assert_in_range(most_ppb(), 16000, 16100);
		look_after(POLL_NS);
		assert_int_equal(add(1, NS_PER_S), 0);
	}
	assert_int_equal(rec.learned.n_new, 0);
	/* A millionth at a time. */
	for (int i = 1; i <= 33; i++) {
		look_after(POLL_NS);
		assert_int_equal(add(1, NS_PER_S), 0);
		assert_in_range(most_ppb(), 16000 + 1000 * i, 16100 + 1001 * i);
	}
	for (int i = 0; i < 2; i++) {
		look_after(HPT_WALL_LOOK_NS);
		assert_int_equal(add(1, NS_PER_S), 0);
		assert_bound_holds();
	}
	assert_int_equal(most_ppb(), hpt_band_ppb(rules.nominal.hi, rules.ns_per_tick));
}

/* A wider band counts from now on: what was read by the narrow one was right, and earliest does not fall. */
static void earliest_does_not_fall(void **state)
{
	struct hpt_band narrow = { rules.ns_per_tick, rules.ns_per_tick };
	struct hpt_learned learned;
	struct hpt_bound_lines bound;
	struct hpt_utc before, after;

	(void)state;
	assert_int_equal(add(1, 1000), 0);
	learned = rec.learned;
	bound = rec.read.bound;
	bound.band = narrow;
	look_after(10 * NS_PER_S);
	before = hpt_bound_at(&bound, now);
	assert_true(hpt_learned_apply(&learned, &rules.nominal, now, false, &bound));
	assert_int_equal(hpt_band_ppb(bound.band.hi, rules.ns_per_tick), 0);
	assert_true(hpt_learned_apply(&learned, &rules.nominal, now, true, &bound));
	after = hpt_bound_at(&bound, now);
	assert_in_range(hpt_band_ppb(bound.band.hi, rules.ns_per_tick), 1000, 1001);
	assert_int_equal(after.lo_ns, before.lo_ns);
	assert_int_equal(after.hi_ns, before.hi_ns);
	/* What another thread stated meanwhile is of a later tick. */
	before = hpt_bound_at(&bound, bound.tick);
	assert_true(hpt_learned_apply(&learned, &rules.nominal, bound.tick - 1000, true, &bound));
	assert_int_equal(bound.tick, now);
	after = hpt_bound_at(&bound, bound.tick);
	assert_int_equal(after.lo_ns, before.lo_ns);
	/* A narrower one counts at once. */
	bound.band = hpt_band_widened(&rules.nominal, 1000);
	assert_true(hpt_learned_apply(&learned, &rules.nominal, now, false, &bound));
	assert_true(hpt_band_is_within(&bound.band, &rules.nominal));
	/* Epochs are nothing to it. */
	learned.widened = now + 7;
	hpt_learned_next(&learned, &rec.read.bound);
	assert_int_equal(learned.widened, now + 7);
}

/* A read may go by a record of 10 ms ago, while many others follow it. */
static void many_statements_widen_it_once(void **state)
{
	int64_t lo_ns;
	uint64_t read_at;

	(void)state;
	for (int i = 0; i < 9; i++) {
		assert_int_equal(add(1, 1000), 0);
		look_after(POLL_NS);
	}
	for (int i = 0; i < 9; i++) {
		assert_int_equal(add(1, NS_PER_S), 0);
		look_after(POLL_NS);
	}
	for (int k = 0; k < 3; k++) {
		read_at = now + HPT_WALL_LOOK_NS - 1;
		lo_ns = hpt_bound_at(&rec.read.bound, read_at).lo_ns;
		for (int i = 0; i < 100; i++) {
			assert_int_equal(add(1, NS_PER_S), 0);
			look_after(HPT_WALL_LOOK_NS / 100);
		}
		assert_in_range(lo_ns - hpt_bound_at(&rec.read.bound, read_at).lo_ns, 9, 11);
	}
}

/* A leap second that the wall has passed is no change of the rate. */
static void leap_second_is_no_rate(void **state)
{
	(void)state;
	assert_int_equal(add_leap(1, HPT_WALL_LEAP_INSERTED, utc() + 200 * NS_PER_S), 0);
	look_after(100 * NS_PER_S);
	assert_int_equal(add(1, 1000), 0);
	look_after(200 * NS_PER_S);
	utc_at_start -= NS_PER_S;
	assert_int_equal(add(1, 1000), 0);
	assert_in_range(most_ppb(), 16000, 16100);
	assert_bound_holds();
}

static int lie_wide(int64_t off_ns, int64_t by_ns)
{
	struct hpt_wall_reading r = reading_of(1, off_ns);

	r.sample.earliest_ns += by_ns;
	r.sample.latest_ns += by_ns;
	return add_reading(&r);
}

static bool is_false(void)
{
	struct hpt_utc u = hpt_bound_at(&rec.read.bound, now);

	return u.lo_ns > utc() || u.hi_ns < utc();
}

/* UTC gains by that rate. */
static void poll_at(int64_t rate_ppb)
{
	look_after(POLL_NS);
	utc_at_start += POLL_NS / NS_PER_S * rate_ppb;
}

/*
 * The rate is known well, and then moves by nearly the wander. One statement is false by as much as nothing
 * contradicts, and those after it are wide. Returns how long the bound is false: two epochs, and until the band is wide
 * again, by a millionth a statement. If nothing is forgotten, it is 17 hours here.
 */
static int64_t harm_ns(int64_t rate_ppb, int64_t false_by_ns, int64_t off_ns)
{
	uint64_t since;

	for (int i = 0; i < 10; i++) {
		assert_int_equal(lie_wide(1000, 0), 0);
		poll_at(0);
	}
	poll_at(rate_ppb);
	if (lie_wide(off_ns, -off_ns - false_by_ns))
		return 0;
	since = now;
	for (int i = 0; i < 1000 && (is_false() || !hpt_wall_record_serves(&rec)); i++) {
		poll_at(rate_ppb);
		(void)lie_wide(off_ns, -off_ns);
	}
	return (int64_t)(now - since);
}

static void false_statement_harms_for_a_limited_time(void **state)
{
	int64_t most_ns = 0;

	random_start();
	for (int i = 0; i < rounds(500); i++) {
		int64_t off_ns = 4 * NS_PER_MS, ns;

		record_begins(state);
		ns = harm_ns(14000 + (int64_t)random_below(1000), (int64_t)random_below(4 * NS_PER_MS), off_ns);
		if (ns > (17 + 65) * POLL_NS)
			fail_msg("%lld s", (long long)(ns / NS_PER_S));
		most_ns = ns > most_ns ? ns : most_ns;
	}
	note("at most %lld s", (long long)(most_ns / NS_PER_S));
	assert_true(most_ns > 0);
}

#define record_test(f) cmocka_unit_test_setup(f, record_begins)

int main(void)
{
	const struct CMUnitTest tests[] = {
		record_test(epoch_has_new_statements_and_a_time),
		record_test(repeated_statements_are_nothing_new),
		record_test(epochs_know_nothing_of_each_other),
		record_test(band_is_forgotten_after_two_epochs),
		record_test(earliest_does_not_fall),
		record_test(many_statements_widen_it_once),
		record_test(leap_second_is_no_rate),
		record_test(false_statement_harms_for_a_limited_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
