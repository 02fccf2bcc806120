// SPDX-License-Identifier: MIT
/* Beats compared with 128-bit arithmetic, and at the ends of the range. */
#include "unit.h"

#include "math/scale.h"
#include "math/units.h"
#include "sleep/cadence.h"

static struct hpt_beat beat(int64_t ns)
{
	return (struct hpt_beat){ ns, 0 };
}

static int64_t tick(struct hpt_cadence c, int64_t first_ns, uint64_t n)
{
	return hpt_beat_ns(hpt_cadence_later(c, beat(first_ns), n));
}

static void periods_are_taken_as_given(void **state)
{
	struct hpt_cadence c = hpt_cadence_of_seconds(1001, 60000), whole = hpt_cadence_of_seconds(3, 4);

	(void)state;
	assert_int_equal(c.whole_ns, 16683333);
	assert_int_equal(c.num, 20000);
	assert_int_equal(c.den, 60000);
	assert_int_equal(whole.whole_ns, 750000000);
	assert_int_equal(whole.num, 0);
	assert_false(hpt_cadence_is_once(c));
	assert_false(hpt_cadence_is_once(hpt_cadence_of_ns(1)));
	assert_false(hpt_cadence_is_once(hpt_cadence_of_seconds(1, UINT32_MAX))); /* less than a nanosecond */
	assert_true(hpt_cadence_is_once(hpt_cadence_of_ns(0)));
}

/* A second of 44 100 Hz is a second, and each beat is the exact one rounded up. */
static void beats_are_rounded_up_and_do_not_drift(void **state)
{
	struct hpt_cadence c = hpt_cadence_of_seconds(1, 44100);
	struct hpt_beat b = beat(7);

	(void)state;
	for (uint64_t n = 1; n <= 3 * 44100; n++) {
		uint64_t exact = n * UINT64_C(1000000000);

		b = hpt_cadence_later(c, b, 1);
		assert_int_equal(hpt_beat_ns(b), 7 + (int64_t)((exact + 44099) / 44100));
	}
	assert_int_equal(hpt_beat_ns(b), 7 + 3 * NS_PER_S);
	assert_int_equal(tick(hpt_cadence_of_seconds(1001, 60000), -5, 60000 * UINT64_C(1000000)),
			 -5 + 1001 * NS_PER_S * 1000000);
}

#ifdef __SIZEOF_INT128__
/* Values of each magnitude, against the compiler's own arithmetic. */
static void beats_are_exact_over_the_whole_range(void **state)
{
	(void)state;
	for (int i = 0; i < rounds(200000); i++) {
		uint32_t num = (uint32_t)random_magnitude() | 1, den = (uint32_t)random_magnitude() | 1;
		int64_t first_ns = (int64_t)random_magnitude();
		uint64_t n = random_magnitude();
		struct hpt_cadence c = hpt_cadence_of_seconds(num, den);
		struct hpt_beat b = hpt_cadence_later(c, beat(first_ns), n);
		unsigned __int128 ns = ((unsigned __int128)n * num * 1000000000 + den - 1) / den;
		__int128 limit = (__int128)INT64_MAX - first_ns;

		if (ns > (unsigned __int128)limit ? b.ns != INT64_MAX || b.num :
		    hpt_beat_ns(b) != (int64_t)(first_ns + (__int128)ns))
			fail_msg("beat %llu of %u / %u from %lld: %lld ns", (unsigned long long)n, num, den,
				 (long long)first_ns, (long long)hpt_beat_ns(b));
	}
}

static void due_beats_are_exact_over_the_whole_range(void **state)
{
	(void)state;
	for (int i = 0; i < rounds(200000); i++) {
		uint32_t num = (uint32_t)random_magnitude() | 1, den = (uint32_t)random_magnitude() | 1;
		int64_t b_ns = (int64_t)random_u64(), now_ns = (int64_t)random_u64();
		struct hpt_cadence c = hpt_cadence_of_seconds(num, den);
		struct hpt_beat b = { b_ns, (uint32_t)random_below(den) };
		unsigned __int128 expected = 0;

		if (now_ns >= hpt_beat_ns(b))
			expected = (((unsigned __int128)((uint64_t)now_ns - (uint64_t)b_ns)) * den - b.num) /
				   ((unsigned __int128)num * 1000000000);
		expected = expected > UINT64_MAX ? UINT64_MAX : expected;
		if (hpt_cadence_due(c, b, now_ns) != (uint64_t)expected)
			fail_msg("%u / %u from %lld to %lld: %llu due", num, den, (long long)b_ns, (long long)now_ns,
				 (unsigned long long)hpt_cadence_due(c, b, now_ns));
	}
}
#endif

/* By either function: beat `due` is not after now, and the next one is. */
static void due_beats_agree_with_later_ones(void **state)
{
	(void)state;
	for (int i = 0; i < 20000; i++) {
		struct hpt_cadence c = hpt_cadence_of_seconds((uint32_t)random_below(1000) + 1,
							      (uint32_t)random_below(1000000) + 1);
		struct hpt_beat b = { (int64_t)random_below(1000), (uint32_t)random_below(c.den) };
		int64_t now_ns = (int64_t)random_below(UINT64_C(1) << random_below(62));
		uint64_t due = hpt_cadence_due(c, b, now_ns);

		if (now_ns < hpt_beat_ns(b)) {
			assert_int_equal(due, 0);
			continue;
		}
		assert_true(hpt_beat_ns(hpt_cadence_later(c, b, due)) <= now_ns);
		assert_true(hpt_beat_ns(hpt_cadence_later(c, b, due + 1)) > now_ns);
	}
}

static void range_ends_in_saturation(void **state)
{
	struct hpt_cadence nanosecond = hpt_cadence_of_ns(1), longest = hpt_cadence_of_ns(INT64_MAX - 1);
	struct hpt_cadence finest = hpt_cadence_of_seconds(1, UINT32_MAX);
	const uint64_t over = 1000000000 + (UINT64_C(1) << 31) - 1;

	(void)state;
	assert_int_equal(tick(nanosecond, INT64_MIN, UINT64_MAX), INT64_MAX);
	assert_int_equal(tick(nanosecond, INT64_MIN, UINT64_MAX - 1), INT64_MAX - 1);
	assert_int_equal(tick(nanosecond, INT64_MAX, 1), INT64_MAX);
	assert_int_equal(tick(longest, 0, 1), INT64_MAX - 1);
	assert_int_equal(tick(longest, INT64_MIN, 2), INT64_MAX - 3);
	assert_int_equal(tick(longest, 1, UINT64_MAX), INT64_MAX);
	assert_int_equal(hpt_cadence_due(nanosecond, beat(INT64_MIN), INT64_MAX), UINT64_MAX);
	assert_int_equal(hpt_cadence_due(longest, beat(INT64_MIN), INT64_MAX), 2);
	assert_int_equal(hpt_cadence_due(finest, beat(INT64_MIN), INT64_MAX), UINT64_MAX); /* 2^66 */
	/* A quotient of more than 64 bits for which unchecked long division would go wrong. */
	assert_int_equal(hpt_cadence_due(finest, beat(INT64_MIN), (int64_t)((UINT64_C(1) << 63) +
					 ((over + 1) << 32) + over)), UINT64_MAX);
	/* A third of a nanosecond after the last one. */
	assert_int_equal(tick(hpt_cadence_of_seconds(1, 3000000000u), INT64_MAX - 1, 4), INT64_MAX);
	assert_int_equal(hpt_cadence_due(nanosecond, beat(5), 4), 0);
	assert_int_equal(hpt_cadence_due(nanosecond, beat(5), 5), 0);
	assert_int_equal(hpt_cadence_due(nanosecond, beat(5), 6), 1);
}

/* Also from before 0, where another beat would fit. */
static void longest_period_is_for_ever(void **state)
{
	struct hpt_cadence endless = hpt_cadence_of_ns(INT64_MAX);

	(void)state;
	assert_int_equal(tick(endless, INT64_MIN, 1), INT64_MAX);
	assert_int_equal(tick(endless, INT64_MIN, 0), INT64_MIN);
	assert_int_equal(tick(endless, 0, 1), INT64_MAX);
	assert_int_equal(hpt_cadence_due(endless, beat(INT64_MIN), INT64_MAX), 0);
}

static void single_beat_is_followed_by_none(void **state)
{
	(void)state;
	assert_int_equal(hpt_cadence_due(hpt_cadence_of_ns(0), beat(INT64_MIN), INT64_MAX), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(periods_are_taken_as_given),
		cmocka_unit_test(beats_are_rounded_up_and_do_not_drift),
#ifdef __SIZEOF_INT128__
		cmocka_unit_test(beats_are_exact_over_the_whole_range),
		cmocka_unit_test(due_beats_are_exact_over_the_whole_range),
#endif
		cmocka_unit_test(due_beats_agree_with_later_ones),
		cmocka_unit_test(range_ends_in_saturation),
		cmocka_unit_test(longest_period_is_for_ever),
		cmocka_unit_test(single_beat_is_followed_by_none),
	};

	random_start();
	return cmocka_run_group_tests_name("cadence", tests, NULL, NULL);
}
