// SPDX-License-Identifier: MIT
/* x * num / den against its definition, and against the compiler's 128-bit integers where it has them. */
#include "unit.h"

#include <errno.h>

#include "math/ratio.h"

static void check(int64_t x, uint64_t num, uint64_t den, int64_t floor, int64_t ceiling, int64_t nearest)
{
	int64_t got[3];

	assert_int_equal(hpt_wide_narrow(hpt_ratio_floor(hpt_wide_of(x), num, den), &got[0]), 0);
	assert_int_equal(hpt_wide_narrow(hpt_ratio_ceiling(hpt_wide_of(x), num, den), &got[1]), 0);
	assert_int_equal(hpt_wide_narrow(hpt_ratio_nearest(hpt_wide_of(x), num, den), &got[2]), 0);
	if (got[0] != floor || got[1] != ceiling || got[2] != nearest)
		fail_msg("%lld * %llu / %llu: %lld %lld %lld", (long long)x, (unsigned long long)num,
			 (unsigned long long)den, (long long)got[0], (long long)got[1], (long long)got[2]);
}

static void small_values(void **state)
{
	(void)state;
	check(0, 1, 3, 0, 0, 0);
	check(1, 1, 3, 0, 1, 0);
	check(2, 1, 3, 0, 1, 1);
	check(3, 1, 3, 1, 1, 1);
	check(-1, 1, 3, -1, 0, 0);
	check(-2, 1, 3, -1, 0, -1);
	check(-3, 1, 3, -1, -1, -1);
	check(1, 1, 2, 0, 1, 1);
	check(-1, 1, 2, -1, 0, -1);
	check(5, 3, 2, 7, 8, 8);
	check(-5, 3, 2, -8, -7, -8);
}

/* A product in fixed point comes to 999 999 999.99. */
static void three_thirds_are_one(void **state)
{
	(void)state;
	check(3, 1000000000, 3, 1000000000, 1000000000, 1000000000);
	check(-3, 1000000000, 3, -1000000000, -1000000000, -1000000000);
	check(INT64_MAX, 7, 7, INT64_MAX, INT64_MAX, INT64_MAX);
	check(INT64_MIN, 7, 7, INT64_MIN, INT64_MIN, INT64_MIN);
}

/* The seconds of add_s on a slow clock: ns in 93 bits. */
static void wide_values(void **state)
{
	struct hpt_wide ns = hpt_wide_product(INT64_MAX, 1000000000);
	int64_t ticks;

	(void)state;
	assert_int_equal(hpt_wide_narrow(hpt_ratio_floor(ns, 1, 1000000000), &ticks), 0);
	assert_true(ticks == INT64_MAX);
	assert_int_equal(hpt_wide_narrow(hpt_ratio_nearest(hpt_wide_negate(ns), 1, 1000000000), &ticks), 0);
	assert_true(ticks == -INT64_MAX);
	assert_int_equal(hpt_ratio_ceiling(ns, 10, 1).hi, UINT64_C(4999999999)); /* (2^63 - 1) * 10^10 >> 64 */
}

#if defined(__SIZEOF_INT128__) && !defined(HPT_WITHOUT_INT128)
static void random_values(void **state)
{
	(void)state;
	for (int i = 0; i < rounds(200000); i++) {
		int64_t x = (int64_t)(random_magnitude() * (random_u64() % 2 ? 1 : UINT64_MAX)), got;
		uint64_t num = 1 + (random_magnitude() >> 12), den = 1 + (random_magnitude() >> 12);
		__int128 p = (__int128)x * (int64_t)num, d = (int64_t)den, q = p / d, rest = p % d;
		__int128 floor = q - (rest < 0), ceiling = q + (rest > 0);
		__int128 nearest = 2 * (rest < 0 ? -rest : rest) >= d ? q + (p < 0 ? -1 : 1) : q;

		if (ceiling > INT64_MAX || floor < INT64_MIN || nearest > INT64_MAX || nearest < INT64_MIN)
			assert_int_equal(hpt_wide_narrow(hpt_ratio_floor(hpt_wide_of(x), num, den), &got),
					 floor > INT64_MAX || floor < INT64_MIN ? -ERANGE : 0);
		else
			check(x, num, den, (int64_t)floor, (int64_t)ceiling, (int64_t)nearest);
	}
}
#endif

static void common_divisor(void **state)
{
	(void)state;
	assert_int_equal(hpt_common_divisor(52, 78), 26);
	assert_int_equal(hpt_common_divisor(78, 52), 26);
	assert_int_equal(hpt_common_divisor(62, 63), 1);
	assert_int_equal(hpt_common_divisor(0, 7), 7);
	assert_int_equal(hpt_common_divisor(7, 0), 7);
	assert_true(hpt_common_divisor(UINT64_MAX, UINT64_MAX / 3) == UINT64_MAX / 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(small_values),
		cmocka_unit_test(three_thirds_are_one),
		cmocka_unit_test(wide_values),
		cmocka_unit_test(common_divisor),
#if defined(__SIZEOF_INT128__) && !defined(HPT_WITHOUT_INT128)
		cmocka_unit_test(random_values),
#endif
	};

	random_start();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
