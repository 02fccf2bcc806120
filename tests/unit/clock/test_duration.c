// SPDX-License-Identifier: MIT
/* Durations of the live clock, and of clocks of any rate: nanoseconds, sums, seconds, text. */
#include <errno.h>
#include <string.h>

#include "unit.h"

#include "clock/default.h"
#include "fixed_clock.h"
#include "hpt/hpt.h"

#define NS_PER_S   INT64_C(1000000000)
#define UHZ_PER_HZ UINT64_C(1000000)

static void sums_are_checked(void **state)
{
	struct hpt_clock clk;
	hpt_time_t ret = 4711;

	(void)state;
	fixed_clock(&clk, 10000000 * UHZ_PER_HZ, 0, 0);
	assert_int_equal(hpt_time_add_ns(&clk, 0, 0, NULL), -EINVAL);
	assert_int_equal(hpt_time_add_ns(&clk, INT64_MAX, 60, &ret), -ERANGE);
	assert_int_equal(hpt_time_add_ns(&clk, INT64_MIN, -60, &ret), -ERANGE);
	assert_int_equal(hpt_time_add_ns(&clk, INT64_MAX - 5, INT64_MAX, &ret), -ERANGE);
	assert_int_equal(ret, 4711);
	assert_int_equal(hpt_time_add_ns(&clk, INT64_MAX, 40, &ret), 0);
	assert_true(ret == INT64_MAX);
	assert_int_equal(hpt_time_add_ns(&clk, 7, 60, &ret), 0);
	assert_int_equal(ret, 8);
	assert_int_equal(hpt_time_add_ns(&clk, 7, -3000, &ret), 0);
	assert_int_equal(ret, -23);
}

static void amounts_need_not_fit_as_ticks(void **state)
{
	struct hpt_clock clk;
	hpt_time_t ret;

	(void)state;
	fixed_clock(&clk, 6000000000 * UHZ_PER_HZ, 0, 0);
	assert_int_equal(hpt_time_add_ns(&clk, INT64_MIN, INT64_C(2000000000000000000), &ret), 0);
	assert_true(ret == INT64_MIN + INT64_C(6000000000000000000) + INT64_C(6000000000000000000));
}

/* The live clock's record: conversions of long durations renew it, and agree while it is the same. */
static uint32_t record_seen(void)
{
	return hpt_seqlatch_begin(&hpt_clock_default()->latch);
}

static void sums_add_the_converted_duration(void **state)
{
	hpt_time_t t = hpt_now(NULL), sum, ticks;
	uint32_t seen;

	(void)state;
	for (int64_t i = -1000; i <= 1000; i++) {
		do {
			seen = record_seen();
			assert_int_equal(hpt_time_add_ns(NULL, t, i * NS_PER_S, &sum), 0);
			ticks = hpt_ns_to_ticks(NULL, i * NS_PER_S);
		} while (record_seen() != seen);
		assert_true(sum - t == ticks);
	}
}

static void seconds_cover_every_duration(void **state)
{
	struct hpt_timespec ts = { 1, 2 };
	struct hpt_clock clk;

	(void)state;
	fixed_clock(&clk, 10000000 * UHZ_PER_HZ, 0, INT64_C(1795171679000000000));
	assert_int_equal(hpt_ticks_to_timespec(&clk, 0, NULL), -EINVAL);
	assert_true(ts.sec == 1 && ts.nsec == 2);
	assert_int_equal(hpt_ticks_to_timespec(&clk, -1, &ts), 0);
	assert_true(ts.sec == -1 && ts.nsec == 999999900);
	assert_int_equal(hpt_ticks_to_timespec(&clk, INT64_MAX, &ts), 0);
	assert_true(ts.sec == INT64_C(922337203685) && ts.nsec == 477580700);
}

static void text_of_a_duration(void **state)
{
	char text[HPT_TICKS_FORMAT_SIZE] = "before";
	struct hpt_clock clk;

	(void)state;
	fixed_clock(&clk, 4000000000 * UHZ_PER_HZ, 0, 0);
	assert_int_equal(hpt_ticks_format(&clk, 0, NULL, 100), -EINVAL);
	assert_int_equal(hpt_ticks_format(&clk, 4000000000, text, 13), -ERANGE);
	assert_int_equal(hpt_ticks_format(&clk, 4000000000, text, 0), -ERANGE);
	assert_string_equal(text, "before");
	assert_int_equal(hpt_ticks_format(&clk, 4000000000, text, 14), 13);
	assert_string_equal(text, "1.000000000 s");
	assert_int_equal(hpt_ticks_format(&clk, -6000000000, text, sizeof(text)), 14);
	assert_string_equal(text, "-1.500000000 s");
	assert_int_equal(hpt_ticks_format(&clk, -1, text, sizeof(text)), 13); /* a quarter of a nanosecond */
	assert_string_equal(text, "0.000000000 s");
	fixed_clock(&clk, 10000000 * UHZ_PER_HZ, 0, 0);
	assert_int_equal(hpt_ticks_format(&clk, INT64_MIN, text, sizeof(text)), 25);
	assert_string_equal(text, "-922337203685.477580800 s");
}

static void durations_go_there_and_back(void **state)
{
	struct hpt_clock_info info;

	(void)state;
	assert_int_equal(hpt_clock_get_info(NULL, &info, sizeof(info)), 0);
	assert_int_equal(hpt_ticks_to_ns(NULL, 0), 0);
	assert_int_equal(hpt_ns_to_ticks(NULL, 0), 0);
	for (int i = 0; i < 10000; i++) {
		int64_t ns = (int64_t)(random_magnitude() >> 8) * (random_below(2) ? 1 : -1);
		int64_t tick_ns = (int64_t)(UINT64_C(1000000000000000) / info.frequency_uhz) + 1, ticks, back, negative;
		uint32_t seen;

		do {
			seen = record_seen();
			ticks = hpt_ns_to_ticks(NULL, ns);
			back = hpt_ticks_to_ns(NULL, ticks);
			negative = hpt_ticks_to_ns(NULL, -ticks);
		} while (record_seen() != seen);
		assert_true(back - ns <= tick_ns && ns - back <= tick_ns);
		assert_int_equal(negative, -back);
	}
	if (info.frequency_uhz > UINT64_C(1000000000000000)) {
		assert_int_equal(hpt_ns_to_ticks(NULL, INT64_MAX), INT64_MAX);
		assert_int_equal(hpt_ns_to_ticks(NULL, INT64_MIN), INT64_MIN);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sums_are_checked),
		cmocka_unit_test(amounts_need_not_fit_as_ticks),
		cmocka_unit_test(sums_add_the_converted_duration),
		cmocka_unit_test(seconds_cover_every_duration),
		cmocka_unit_test(text_of_a_duration),
		cmocka_unit_test(durations_go_there_and_back),
	};

	random_start();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
