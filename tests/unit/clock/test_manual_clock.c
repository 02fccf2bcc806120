// SPDX-License-Identifier: MIT
/* Manual clocks: what they are made of, and that reads and conversions are exact and ask no clock of the machine. */
#include "manual_world.h"

#include <string.h>
#include <time.h>

#include "math/ratio.h"
#include "clock/timekeeper.h"

/* ---- New and advance --------------------------------------------------------------------------------------- */

static void new_checks_its_arguments(void **state)
{
	hpt_clock *const untouched = (hpt_clock *)&state, *ret = untouched;
	const uint64_t bad[] = { 0, 10 * GHZ + 1, UINT64_MAX / 1000000 + 2, UINT64_MAX };

	(void)state;
	assert_int_equal(hpt_clock_new_manual(GHZ, 0, 0, NULL), -EINVAL);
	assert_int_equal(hpt_clock_new_manual(GHZ, 0, 1, &ret), -EINVAL);
	for (size_t i = 0; i < COUNT(bad); i++)
		assert_int_equal(hpt_clock_new_manual(bad[i], 0, 0, &ret), -EINVAL);
	assert_int_equal(hpt_clock_new_manual(GHZ, INT64_MAX, 0, &ret), -ERANGE);
	assert_int_equal(hpt_clock_new_manual(HZ, INT64_C(9223372037), 0, &ret), -ERANGE);
	assert_int_equal(hpt_clock_new_manual(HZ, INT64_C(-9223372037), 0, &ret), -ERANGE);
	assert_ptr_equal(ret, untouched);
	for (int end = 0; end < 2; end++) {
		assert_int_equal(hpt_clock_new_manual(HZ, end ? INT64_C(9223372036) : INT64_C(-9223372036), 0, &ret),
				 0);
		hpt_clock_close(ret);
		assert_int_equal(hpt_clock_new_manual(GHZ, end ? INT64_MAX - 1 : INT64_MIN, 0, &ret), 0);
		assert_int_equal(hpt_now_ns(ret), end ? INT64_MAX - 1 : INT64_MIN);
		hpt_clock_close(ret);
	}
	ret = untouched;
	assert_int_equal(hpt_clock_open(HPT_SOURCE_MANUAL, 0, &ret), -ENOTSUP);
	assert_int_equal(hpt_clock_set_default_source(HPT_SOURCE_MANUAL, 0), -ENOTSUP);
	assert_ptr_equal(ret, untouched);
}

static void advance_checks_its_arguments(void **state)
{
	hpt_clock *slow = new_manual(HZ, 0), *os;

	(void)state;
	assert_int_equal(hpt_clock_advance(NULL, 1), -EINVAL);
	assert_int_equal(hpt_clock_advance(clk, -1), -ERANGE);
	assert_int_equal(hpt_clock_advance(clk, INT64_MIN), -ERANGE);
	assert_int_equal(hpt_clock_advance(clk, INT64_MAX), -ERANGE);
	assert_int_equal(hpt_clock_advance(clk, INT64_MAX - 1000), -ERANGE);
	assert_int_equal(hpt_now(clk), 1000);
	assert_int_equal(hpt_clock_advance(clk, INT64_MAX - 1001), 0);
	assert_int_equal(hpt_now(clk), INT64_MAX - 1);
	assert_int_equal(hpt_clock_advance(clk, 0), 0);
	assert_int_equal(hpt_clock_advance(slow, INT64_C(9223372037)), -ERANGE);
	assert_int_equal(hpt_clock_advance(slow, INT64_C(9223372036)), 0);
	hpt_clock_close(slow);
	assert_int_equal(hpt_clock_open(HPT_SOURCE_OS, 0, &os), 0);
	assert_int_equal(hpt_clock_advance(os, 1), -ENOTSUP);
	assert_int_equal(hpt_clock_sleepers(os), 0);
	hpt_clock_close(os);
	assert_int_equal(hpt_clock_advance(hpt_clock_default(), 1), -ENOTSUP);
	assert_int_equal(hpt_clock_sleepers(NULL), 0);
}

/* ---- Facts --------------------------------------------------------------------------------------------------- */

static void facts_are_those_of_a_definition(void **state)
{
	struct hpt_clock_info info;
	uint64_t generation = 0;

	(void)state;
	assert_int_equal(hpt_clock_get_info(clk, &info, sizeof(info)), 0);
	assert_int_equal(info.source, HPT_SOURCE_MANUAL);
	assert_int_equal(info.state, HPT_STATE_OK);
	assert_int_equal(info.reason, HPT_REASON_REQUESTED);
	assert_int_equal(info.generation, 1);
	assert_int_equal(info.frequency_uhz, GHZ * 1000000);
	assert_int_equal(info.frequency_error_ppb, 0);
	assert_int_equal(info.frequency_origin, HPT_ORIGIN_EXACT);
	assert_int_equal(info.granularity_ns, 1);
	assert_int_equal(info.counter_bits, 64);
	assert_int_equal(info.read_cost_samples, 0);
	assert_int_equal(info.flags & (HPT_CLOCK_IS_DEFAULT | HPT_CLOCK_VETOED), 0);
	advance(123456789);
	assert_int_equal(hpt_clock_check(clk, &generation), HPT_STATE_OK);
	assert_int_equal(generation, 1);
	assert_int_equal(hpt_clock_generation(clk), 1);
	hpt_timekeeper_resample(clk);
	assert_int_equal(hpt_clock_generation(clk), 1);
}

static void sample_has_no_system_clocks(void **state)
{
	struct hpt_sample sample;

	(void)state;
	advance(500);
	assert_int_equal(hpt_clock_sample(clk, &sample, sizeof(sample)), 0);
	assert_int_equal(sample.tick, 1500);
	assert_int_equal(sample.ns, 1500);
	assert_int_equal(sample.unix_ns, 1500);
	assert_true(sample.monotonic_ns == INT64_MIN);
	assert_true(sample.boottime_ns == INT64_MIN);
	assert_true(sample.tai_ns == INT64_MIN);
	assert_int_equal(sample.width_ns, 0);
	assert_int_equal(sample.generation, 1);
	assert_int_equal(sample.state, HPT_STATE_OK);
}

static void system_clocks_are_not_supported(void **state)
{
	int64_t ret = 4711;

	(void)state;
	assert_int_equal(hpt_time_to_os(clk, 0, CLOCK_MONOTONIC, &ret), -ENOTSUP);
	assert_int_equal(hpt_time_from_os(clk, 0, CLOCK_REALTIME, &ret), -ENOTSUP);
	assert_int_equal(hpt_time_to_os(clk, 0, -1, &ret), -EINVAL);
	assert_int_equal(hpt_time_to_os(clk, 0, CLOCK_MONOTONIC, NULL), -EINVAL);
	assert_int_equal(ret, 4711);
}

static void ticks_mean_nothing_elsewhere(void **state)
{
	struct hpt_timebase base;

	(void)state;
	assert_int_equal(hpt_clock_get_timebase(clk, &base, sizeof(base)), -ENOTSUP);
	assert_int_equal(hpt_clock_get_timebase(clk, NULL, sizeof(base)), -EINVAL);
}

/* ---- Conversions ------------------------------------------------------------------------------------------------ */

static const uint64_t frequencies[] = {
	HZ, 3 * HZ, 60 * HZ, 32768 * HZ, 44100 * HZ, 1000000 * HZ, 3579545 * HZ, 19200000 * HZ, 24000000 * HZ,
	GHZ - 1, GHZ, GHZ + 1, 3 * GHZ, 6 * GHZ, 10 * GHZ - 1,
	10 * GHZ,
};

static int64_t saturated(struct hpt_wide x)
{
	int64_t narrow = hpt_wide_is_negative(x) ? INT64_MIN : INT64_MAX;

	hpt_wide_narrow(x, &narrow);
	return narrow;
}

/* A function's result and value must be those of the exact value. */
static void check(const char *name, struct hpt_wide exact, int r, int64_t value, uint64_t frequency_hz, int64_t x)
{
	int64_t narrow = 4711;
	int expected = hpt_wide_narrow(exact, &narrow);

	if (r != expected || value != narrow)
		fail_msg("%s at %llu Hz of %lld: %d, %lld and not %lld", name, (unsigned long long)frequency_hz,
			 (long long)x, r, (long long)value, (long long)narrow);
}

static void check_value(hpt_clock *c, uint64_t f, int64_t x)
{
	struct hpt_wide wide = hpt_wide_of(x), ns = hpt_ratio_floor(wide, GHZ, f);
	struct hpt_wide ticks = hpt_ratio_nearest(wide, f, GHZ);
	struct hpt_timespec ts;
	int64_t v = 4711;
	int r = hpt_time_to_ns(c, x, &v);

	check("to_ns", ns, r, v, f, x);
	v = 4711;
	r = hpt_time_to_unix_ns(c, x, &v);
	check("to_unix_ns", ns, r, v, f, x);
	v = 4711;
	r = hpt_time_from_ns(c, x, &v);
	check("from_ns", ticks, r, v, f, x);
	v = 4711;
	r = hpt_time_from_unix_ns(c, x, &v);
	check("from_unix_ns", ticks, r, v, f, x);
	v = 4711;
	r = hpt_time_add_ns(c, 0, x, &v);
	check("add_ns", ticks, r, v, f, x);
	assert_true(hpt_ticks_to_ns(c, x) == saturated(hpt_ratio_nearest(wide, GHZ, f)));
	assert_true(hpt_ns_to_ticks(c, x) == saturated(ticks));
	assert_int_equal(hpt_time_to_timespec(c, x, &ts), 0);
	r = hpt_wide_narrow(hpt_wide_add(hpt_wide_product(ts.sec, UINT64_C(1000000000)), hpt_wide_of(ts.nsec)), &v);
	assert_int_equal(r, hpt_wide_narrow(ns, &v));
	assert_int_equal(hpt_ticks_to_timespec(c, x, &ts), 0);
	ns = hpt_ratio_nearest(wide, GHZ, f);
	assert_true(ns.lo == hpt_wide_add(hpt_wide_product(ts.sec, UINT64_C(1000000000)), hpt_wide_of(ts.nsec)).lo);
	assert_int_equal(hpt_time_to_unix_ticks(c, x, &v), 0);
	assert_true(v == x);
}

static void conversions_are_exact(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(frequencies); i++) {
		hpt_clock *c = new_manual(frequencies[i], 0);

		for (int64_t x = -1000; x < 1000; x++)
			check_value(c, frequencies[i], x);
		for (int n = 0; n < 1000; n++)
			check_value(c, frequencies[i], (int64_t)(random_magnitude() * (n % 2 ? 1 : UINT64_MAX)));
		check_value(c, frequencies[i], INT64_MAX);
		check_value(c, frequencies[i], INT64_MIN);
		hpt_clock_close(c);
	}
}

static void reads_agree_with_conversions(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(frequencies); i++) {
		hpt_clock *c = new_manual(frequencies[i], -2000);
		struct hpt_instant instant;
		struct hpt_clock_info info;
		int64_t ns;

		for (int n = 0; n < 1000; n++) {
			assert_int_equal(hpt_clock_advance(c, (int64_t)(random_u64() % 1000)), 0);
			assert_int_equal(hpt_time_to_ns(c, hpt_now(c), &ns), 0);
			assert_int_equal(hpt_now_unordered(c), hpt_now(c));
			assert_int_equal(hpt_now_ns(c), ns);
			assert_int_equal(hpt_now_ns_unordered(c), ns);
			assert_int_equal(hpt_now_unix_ns(c), ns);
			assert_int_equal(hpt_now_monotonic_ns(c), ns);
			assert_int_equal(hpt_now_boottime_ns(c), ns);
			assert_int_equal(hpt_now_tai_ns(c), ns);
			assert_int_equal(hpt_clock_get_info(c, &info, sizeof(info)), 0);
			assert_true(info.os_error_ns == INT64_MAX);
			hpt_timekeeper_instant(c, CLOCK_MONOTONIC_RAW, &instant);
			assert_int_equal(instant.ns, ns);
			hpt_timekeeper_instant(c, CLOCK_REALTIME, &instant);
			assert_int_equal(instant.ns, ns);
		}
		hpt_clock_close(c);
	}
}

static void min_and_max_are_the_ends_of_unix_time(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(frequencies); i++) {
		hpt_clock *c = new_manual(frequencies[i], 0);
		hpt_time_t min = hpt_time_min(c), max = hpt_time_max(c);
		int64_t ns;

		assert_int_equal(hpt_time_to_unix_ns(c, min, &ns), 0);
		assert_int_equal(hpt_time_to_unix_ns(c, max, &ns), 0);
		assert_true(min == INT64_MIN || hpt_time_to_unix_ns(c, min - 1, &ns) == -ERANGE);
		assert_true(max == INT64_MAX || hpt_time_to_unix_ns(c, max + 1, &ns) == -ERANGE);
		hpt_clock_close(c);
	}
}

static void text_is_that_of_unix_time(void **state)
{
	char text[HPT_TIME_FORMAT_SIZE];
	hpt_time_t t;

	(void)state;
	assert_true(hpt_time_format(clk, INT64_C(86400000000001), text, sizeof(text)) > 0);
	assert_string_equal(text, "1970-01-02T00:00:00.000000001Z");
	assert_int_equal(hpt_time_parse(clk, "1970-01-02T00:00:00.000000001Z", &t), 0);
	assert_int_equal(t, INT64_C(86400000000001));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		manual_test(new_checks_its_arguments),
		manual_test(advance_checks_its_arguments),
		manual_test(facts_are_those_of_a_definition),
		manual_test(sample_has_no_system_clocks),
		manual_test(system_clocks_are_not_supported),
		manual_test(ticks_mean_nothing_elsewhere),
		manual_test(conversions_are_exact),
		manual_test(reads_agree_with_conversions),
		manual_test(min_and_max_are_the_ends_of_unix_time),
		manual_test(text_is_that_of_unix_time),
	};

	random_start();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
