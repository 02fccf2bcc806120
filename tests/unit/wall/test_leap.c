// SPDX-License-Identifier: MIT
/* Leap seconds, as the record of a wall goes through them. test_wall_info has TAI, tests/property random ones. */
#include "wall_record_world.h"

/* UTC is then at this time. */
static void go_to(int64_t utc_ns)
{
	look_after(utc_ns - utc());
}

static void no_bound_near_a_leap_second(void **state)
{
	static const enum hpt_wall_leap leaps[] = { HPT_WALL_LEAP_INSERTED, HPT_WALL_LEAP_LEFT_OUT };

	for (int i = 0; i < 2; i++) {
		record_begins(state);
		rules.nominal = (struct hpt_band){ rules.ns_per_tick, rules.ns_per_tick };
		rules.max_age_ns = DAY_NS;
		assert_int_equal(add_leap(1, leaps[i], 0), 0);
		assert_true(rec.leap.at_ns == MIDNIGHT);
		go_to(MIDNIGHT - NS_PER_S - 2000);
		assert_true(hpt_wall_record_serves(&rec));
		assert_true(rec.read.span < now - rec.read.bound.tick + NS_PER_MS);
		go_to(MIDNIGHT - NS_PER_S);
		assert_int_equal(look(), HPT_WALL_STATE_LEAP);
		assert_int_equal(rec.read.span, 0);
		assert_int_equal(add(1, 100), -EAGAIN);
		go_to(MIDNIGHT + NS_PER_S);
		assert_int_equal(look(), HPT_WALL_STATE_LEAP);
		go_to(MIDNIGHT + NS_PER_S + 2000);
		assert_true(hpt_wall_record_serves(&rec));
		utc_at_start += i ? NS_PER_S : -NS_PER_S;
		assert_bound_holds();
		assert_int_equal(rec.read.generation, 2);
		assert_true(rec.leap.at_ns == 0);
		assert_int_equal(add(1, 100), 0);
		assert_bound_holds();
	}
}

static void cover_contains_both_readings(void **state)
{
	static const enum hpt_wall_leap leaps[] = { HPT_WALL_LEAP_INSERTED, HPT_WALL_LEAP_LEFT_OUT };

	for (int i = 0; i < 2; i++) {
		struct hpt_utc u;

		record_begins(state);
		rules.covers_leap = true;
		rules.nominal = (struct hpt_band){ rules.ns_per_tick, rules.ns_per_tick };
		rules.max_age_ns = DAY_NS;
		assert_int_equal(add_leap(1, leaps[i], 0), 0);
		go_to(MIDNIGHT - 2 * NS_PER_S - 100 * NS_PER_MS);
		add(1, 1000);
		assert_int_equal(rec.leap.is_covered, 0);
		for (int k = 0; k < 35; k++) {
			look_after(100 * NS_PER_MS);
			u = hpt_bound_at(&rec.read.bound, now);
			if (utc() >= MIDNIGHT - NS_PER_S && utc() <= MIDNIGHT + NS_PER_S) {
				assert_bound_holds();
				assert_int_equal(rec.leap.is_covered, i ? 2 : 1);
				assert_true(i ? u.hi_ns >= utc() + NS_PER_S : u.lo_ns <= utc() - NS_PER_S);
				assert_int_equal(rec.read.generation, 2);
			}
		}
		assert_int_equal(rec.leap.is_covered, 0);
		utc_at_start += i ? NS_PER_S : -NS_PER_S;
		assert_bound_holds();
		u = hpt_bound_at(&rec.read.bound, now);
		assert_true(u.hi_ns - u.lo_ns < NS_PER_MS);
		assert_int_equal(rec.read.generation, 3);
	}
}

static void smeared_time_has_no_leap_second(void **state)
{
	struct hpt_wall_reading r = reading_of(1, 1000);

	(void)state;
	rules.nominal = (struct hpt_band){ rules.ns_per_tick, rules.ns_per_tick };
	rules.max_age_ns = DAY_NS;
	r.leap = HPT_WALL_LEAP_INSERTED;
	r.sample.flags = HPT_WALL_FLAG_SMEARED;
	assert_int_equal(add_reading(&r), 0);
	go_to(MIDNIGHT);
	assert_true(hpt_wall_record_serves(&rec));
	r = reading_of(1, 1000);
	r.sample.flags = HPT_WALL_FLAG_SMEARED;
	assert_int_equal(add_reading(&r), 0);
	go_to(MIDNIGHT + 60 * NS_PER_S);
	assert_bound_holds();
}

static void announcement_may_be_taken_back_by_its_source(void **state)
{
	(void)state;
	assert_int_equal(add_leap(1, HPT_WALL_LEAP_INSERTED, 0), 0);
	assert_int_equal(add_leap(2, HPT_WALL_LEAP_ABSENT, 0), 0);
	assert_true(rec.leap.at_ns == MIDNIGHT);
	assert_int_equal(add_leap(1, HPT_WALL_LEAP_UNKNOWN, 0), 0);
	assert_true(rec.leap.at_ns == MIDNIGHT);
	assert_int_equal(add_leap(1, HPT_WALL_LEAP_ABSENT, 0), 0);
	assert_true(rec.leap.at_ns == 0);
	assert_int_equal(rec.leap.sign, 0);
}

/* It repeats for a while what is past. */
static void passed_second_is_not_announced_again(void **state)
{
	(void)state;
	rules.max_age_ns = DAY_NS;
	assert_int_equal(add_leap(1, HPT_WALL_LEAP_INSERTED, MIDNIGHT), 0);
	go_to(MIDNIGHT + 60 * NS_PER_S);
	utc_at_start -= NS_PER_S;
	assert_int_equal(add_leap(1, HPT_WALL_LEAP_INSERTED, 0), 0); /* of the next midnight: too soon */
	assert_true(rec.leap.at_ns == 0);
	assert_int_equal(add_leap(1, HPT_WALL_LEAP_INSERTED, MIDNIGHT), 0);
	assert_true(rec.leap.at_ns == 0);
	assert_int_equal(add_leap(1, HPT_WALL_LEAP_INSERTED, MIDNIGHT + 31 * DAY_NS), 0);
	assert_true(rec.leap.at_ns == MIDNIGHT + 31 * DAY_NS);
	assert_bound_holds();
}

/* The bound may be from before the leap second or from after it. */
static void late_announcement_drops_the_bound(void **state)
{
	(void)state;
	utc_at_start = MIDNIGHT - 500 * NS_PER_MS;
	assert_int_equal(add(1, 1000), 0);
	assert_int_equal(add_leap(2, HPT_WALL_LEAP_INSERTED, MIDNIGHT), -EAGAIN);
	assert_int_equal(look(), HPT_WALL_STATE_LEAP);
	assert_int_equal(rec.has_bound, 0);
	assert_int_equal(rec.read.generation, 2);
}

/* A sample of some seconds ago repeats what is known, while the bound is near midnight already. */
static void repeated_announcement_is_not_late(void **state)
{
	struct hpt_wall_reading r;

	(void)state;
	utc_at_start = MIDNIGHT - 10 * NS_PER_S;
	assert_int_equal(add_leap(1, HPT_WALL_LEAP_INSERTED, 0), 0);
	r = reading_of(1, 1000);
	r.leap = HPT_WALL_LEAP_INSERTED;
	now += 9500 * NS_PER_MS;
	assert_int_equal(look(), HPT_WALL_STATE_LEAP);
	assert_int_equal(add_reading(&r), 0);
	assert_int_equal(rec.has_bound, 1);
	assert_int_equal(rec.read.generation, 1);
}

static void months_begin_at_midnight(void **state)
{
	const int64_t day = DAY_NS, december_31 = INT64_C(1798675200000000000); /* 2026-12-31 */

	(void)state;
	assert_true(hpt_leap_month_ns(0, 0) == 0);
	assert_true(hpt_leap_month_ns(0, 1) == 31 * day);
	assert_true(hpt_leap_month_ns(31 * day - 1, 1) == 31 * day);
	assert_true(hpt_leap_month_ns(31 * day, 1) == 59 * day);
	assert_true(hpt_leap_month_ns(december_31 + day - 1, 0) == december_31 - 30 * day);
	assert_true(hpt_leap_month_ns(december_31, 1) == december_31 + day);
	assert_true(hpt_leap_month_ns(december_31 + day, 0) == december_31 + day);
}

static void tai_is_tens_of_seconds_ahead(void **state)
{
	(void)state;
	assert_false(hpt_leap_is_tai_offset(-37));
	assert_false(hpt_leap_is_tai_offset(9));
	assert_true(hpt_leap_is_tai_offset(10));
	assert_true(hpt_leap_is_tai_offset(255));
	assert_false(hpt_leap_is_tai_offset(256));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		record_test(no_bound_near_a_leap_second),
		record_test(cover_contains_both_readings),
		record_test(smeared_time_has_no_leap_second),
		record_test(announcement_may_be_taken_back_by_its_source),
		record_test(passed_second_is_not_announced_again),
		record_test(late_announcement_drops_the_bound),
		record_test(repeated_announcement_is_not_late),
		cmocka_unit_test(months_begin_at_midnight),
		cmocka_unit_test(tai_is_tens_of_seconds_ahead),
	};

	return cmocka_run_group_tests_name("leap", tests, NULL, NULL);
}
