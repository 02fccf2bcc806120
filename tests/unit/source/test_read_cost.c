// SPDX-License-Identifier: MIT
/* Cost statistics against numbers computed by hand, and the step of scripted counters. */
#include <math.h>
#include <string.h>

#include "unit.h"

#include "fake_source.h"
#include "source/read_cost.h"

static struct hpt_read_cost cost_of(const int64_t *deltas, uint32_t n)
{
	int64_t copy[HPT_READ_COST_READS];
	struct hpt_read_cost cost;

	memset(&cost, 0xa5, sizeof(cost));
	memcpy(copy, deltas, n * sizeof(copy[0]));
	hpt_read_cost_of(copy, n, &cost);
	return cost;
}

static void mean_and_deviation_are_exact(void **state)
{
	static const int64_t v[] = { 3, 4, 4, 4, 5, 5, 7, 8 }; /* 8 is no peak: the median is 4 */
	struct hpt_read_cost cost = cost_of(v, COUNT(v));

	(void)state;
	assert_int_equal(cost.samples, 8);
	assert_int_equal(cost.dropped, 0);
	assert_int_equal(cost.mean_mticks, 5000);
	assert_int_equal(cost.stddev_mticks, 1690); /* sqrt(20 / 7), n - 1 */
	assert_int_equal(cost.shortest_ticks, 3);
}

static void one_sample_has_no_deviation(void **state)
{
	struct hpt_read_cost cost = cost_of((const int64_t[]){ 7 }, 1);

	(void)state;
	assert_int_equal(cost.mean_mticks, 7000);
	assert_int_equal(cost.stddev_mticks, 0);
	assert_int_equal(cost.samples, 1);
}

static void no_samples_give_zeros(void **state)
{
	struct hpt_read_cost cost = cost_of((const int64_t[]){ 0 }, 0);

	(void)state;
	assert_int_equal(cost.samples, 0);
	assert_int_equal(cost.mean_mticks, 0);
	assert_int_equal(cost.step_ticks, 0);
	assert_int_equal(cost.shortest_ticks, 0);
}

static void statistics_match_floating_point(void **state)
{
	(void)state;
	for (int round = 0; round < 2000; round++) {
		uint32_t n = (uint32_t)(2 + random_below(HPT_READ_COST_READS - 1));
		int64_t v[HPT_READ_COST_READS];
		long double sum = 0, squares = 0, mean, deviation;
		uint64_t base = 1000 + random_below(100000);
		struct hpt_read_cost cost;

		for (uint32_t i = 0; i < n; i++) { /* all within a factor of two: no peaks */
			v[i] = (int64_t)(base + random_below(base));
			sum += v[i];
		}
		mean = sum / n;
		for (uint32_t i = 0; i < n; i++)
			squares += (v[i] - mean) * (v[i] - mean);
		deviation = sqrtl(squares / (n - 1));
		cost = cost_of(v, n);
		assert_int_equal(cost.samples, n);
		assert_true(fabsl((long double)cost.mean_mticks - mean * 1000) <= 1);
		assert_true(fabsl((long double)cost.stddev_mticks - deviation * 1000) <= 2 + deviation * 1e-6L);
	}
}

static void peaks_above_twice_the_median_are_dropped(void **state)
{
	static const int64_t v[] = { 10, 10, 10, 10, 20, 21, 1000 };
	struct hpt_read_cost cost = cost_of(v, COUNT(v));

	(void)state;
	assert_int_equal(cost.dropped, 2); /* 21 and 1000; exactly twice stays */
	assert_int_equal(cost.samples, 5);
	assert_int_equal(cost.mean_mticks, 12000);
}

static void negative_differences_are_dropped(void **state)
{
	static const int64_t v[] = { 10, -5, 10, INT64_MIN, 10, -1, 10 };
	struct hpt_read_cost cost = cost_of(v, COUNT(v));

	(void)state;
	assert_int_equal(cost.samples, 4);
	assert_int_equal(cost.dropped, 3);
	assert_int_equal(cost.mean_mticks, 10000);
	assert_int_equal(cost.stddev_mticks, 0);

	cost = cost_of((const int64_t[]){ -1, -2 }, 2);
	assert_int_equal(cost.samples, 0);
	assert_int_equal(cost.dropped, 2);
	assert_int_equal(cost.mean_mticks, 0);
}

/* A coarse counter: mostly zeros, and steps that must not be mistaken for peaks. */
static void coarse_counter_drops_nothing(void **state)
{
	int64_t v[HPT_READ_COST_READS] = { 0 };
	struct hpt_read_cost cost;

	(void)state;
	v[3] = v[200] = 30000;
	cost = cost_of(v, HPT_READ_COST_READS);
	assert_int_equal(cost.dropped, 0);
	assert_int_equal(cost.samples, HPT_READ_COST_READS);
	assert_int_equal(cost.shortest_ticks, 30000);
	assert_int_equal(cost.step_ticks, 30000);
	assert_int_equal(cost.mean_mticks, 60000000 / HPT_READ_COST_READS);
	v[4] = v[5] = v[6] = 1; /* next to 0, which is no step */
	v[7] = v[8] = 3;
	assert_int_equal(cost_of(v, HPT_READ_COST_READS).step_ticks, 1);
	memset(v, 0, sizeof(v));
	cost = cost_of(v, HPT_READ_COST_READS);
	assert_int_equal(cost.samples, HPT_READ_COST_READS);
	assert_int_equal(cost.mean_mticks, 0);
	assert_int_equal(cost.step_ticks, 0);
	assert_int_equal(cost.shortest_ticks, 0);
}

/* lib/source/read_cost.h: "If half the differences or more are zero ... no peak is dropped." */
static void half_zeros_are_coarse(void **state)
{
	int64_t v[100] = { 0 };

	(void)state;
	for (int i = 50; i < 100; i++)
		v[i] = i < 98 ? 1 : 500;
	assert_int_equal(cost_of(v, 100).dropped, 0);
}

/* Dropping peaks must not move the median down to zero and then drop every step as a peak. */
static void just_under_half_zeros_keep_their_steps(void **state)
{
	int64_t v[320];
	struct hpt_read_cost cost;

	(void)state;
	for (int i = 0; i < 320; i++)
		v[i] = i < 159 ? 0 : i < 310 ? 1 : 500;
	cost = cost_of(v, 320);
	assert_true(cost.mean_mticks > 400);
	assert_true(cost.samples >= 310);
}

static void far_deviations_saturate(void **state)
{
	int64_t v[8] = { 0, 0, 0, 0, 0, 0, 0, INT64_C(1) << 39 };
	struct hpt_read_cost cost = cost_of(v, 8);

	(void)state;
	assert_int_equal(cost.samples, 8);
	assert_true(cost.stddev_mticks > UINT32_MAX / 2);
}

/* Differences near INT64_MAX, as from a counter that jumps at each read: no read takes that long. */
static void largest_differences_are_cut(void **state)
{
	int64_t v[4] = { INT64_MAX, INT64_MAX, INT64_MAX - 1, INT64_MAX };
	struct hpt_read_cost cost = cost_of(v, 4);

	(void)state;
	assert_int_equal(cost.samples, 4);
	assert_int_equal(cost.dropped, 0);
	assert_int_equal(cost.mean_mticks, (UINT64_C(1) << 40) * 1000);
	assert_int_equal(cost.stddev_mticks, 0);
}

static uint64_t step_of(const int64_t *v, uint32_t n)
{
	return cost_of(v, n).step_ticks;
}

static void step_is_found(void **state)
{
	int64_t v[256];

	(void)state;
	for (int i = 0; i < 256; i++) /* 26 ticks at a time: some CPUs' TSC */
		v[i] = 52 + 26 * (i % 3);
	assert_int_equal(step_of(v, 256), 26);
	for (int i = 0; i < 256; i++) /* 69.84 ns in whole nanoseconds */
		v[i] = i % 6 ? 70 : 69;
	assert_int_equal(step_of(v, 256), 70);
	for (int i = 0; i < 256; i++)
		v[i] = (i & 1 ? 70 : 139) + (i % 6 == 0);
	assert_in_range(step_of(v, 256), 68, 70);
	for (int i = 0; i < 256; i++) /* fine: all values from 40 to 71 */
		v[i] = 40 + i % 32;
	assert_int_equal(step_of(v, 256), 1);
	for (int i = 0; i < 256; i++) /* one cluster: the step is at most that */
		v[i] = 25;
	assert_int_equal(step_of(v, 256), 25);
	for (int i = 0; i < 256; i++)
		v[i] = 30 * (i % 2);
	assert_int_equal(step_of(v, 256), 30);
}

static void sorting_sorts(void **state)
{
	(void)state;
	for (int round = 0; round < 500; round++) {
		uint32_t n = (uint32_t)random_below(HPT_READ_COST_READS + 1);
		int64_t v[HPT_READ_COST_READS];
		uint64_t sum = 0;

		for (uint32_t i = 0; i < n; i++)
			sum += (uint64_t)(v[i] = (int64_t)(random_below(2) ? random_u64() : random_below(5)));
		hpt_read_cost_sort(v, n);
		for (uint32_t i = 0; i < n; i++) {
			assert_true(i == 0 || v[i - 1] <= v[i]);
			sum -= (uint64_t)v[i];
		}
		assert_int_equal(sum, 0);
	}
}

static struct hpt_source scripted(struct fake_script *s)
{
	struct hpt_source src;

	fake_script_next = s;
	src = (struct hpt_source){ .ops = &fake_script_ops };
	src.u.priv = s;
	return src;
}

static void start(struct hpt_source *src, struct fake_script *s)
{
	/* Without open(), which reads the counter, because the test counts all reads. */
	static int64_t (*const no_clock)(clockid_t) = fake_world_clock;
	struct fake_script probe = { .step = 1 };

	fake_script_next = &probe;
	world.tick_ps = world.read_ps = world.clock_ps = 1000;
	*src = scripted(s);
	src->clock_ns = no_clock;
	fake_script_next = &probe;
	assert_int_equal(fake_script_ops.open(src, NULL), 0);
	src->u.priv = s;
}

static void reads_give_their_differences(void **state)
{
	static const uint64_t values[] = { 100, 110, 110, 105, 1105 };
	struct fake_script s = { .values = values, .n = COUNT(values), .step = 7 };
	struct hpt_source src;
	int64_t deltas[8];
	static const int64_t want[8] = { 10, 0, -5, 1000, 7, 7, 7, 7 };

	(void)state;
	start(&src, &s);
	assert_int_equal(hpt_read_cost_deltas(&src, deltas, 8, 0), 8);
	assert_memory_equal(deltas, want, sizeof(want));
	assert_int_equal(s.reads, 9);
}

static void time_limit_ends_early_but_not_below_32(void **state)
{
	struct fake_script s = { .step = 100 };
	struct hpt_source src;
	int64_t deltas[HPT_READ_COST_READS];

	(void)state;
	start(&src, &s);
	assert_int_equal(hpt_read_cost_deltas(&src, deltas, HPT_READ_COST_READS, 1), 32);
	assert_int_equal(hpt_read_cost_deltas(&src, deltas, HPT_READ_COST_READS, 10000), 101);
	assert_int_equal(hpt_read_cost_deltas(&src, deltas, HPT_READ_COST_READS, 31999), HPT_READ_COST_READS);
	assert_int_equal(hpt_read_cost_deltas(&src, deltas, HPT_READ_COST_READS, 0), HPT_READ_COST_READS);
	assert_int_equal(hpt_read_cost_deltas(&src, deltas, 8, 1), 8);
}

static void wrap_of_the_counter_is_one_difference(void **state)
{
	struct fake_script s = { .values = (const uint64_t[]){ UINT64_MAX - 4 }, .n = 1, .step = 10 };
	struct hpt_source src;
	int64_t deltas[3];

	(void)state;
	start(&src, &s);
	hpt_read_cost_deltas(&src, deltas, 3, 0);
	for (int i = 0; i < 3; i++)
		assert_int_equal(deltas[i], 10);
}

static void picoseconds_of_ticks(void **state)
{
	(void)state;
	assert_int_equal(hpt_read_cost_ps(1000, UINT64_C(1000000000000000)), 1000); /* 1 tick of 1 GHz */
	assert_int_equal(hpt_read_cost_ps(1000, UINT64_C(2500000000000000)), 400);
	assert_int_equal(hpt_read_cost_ps(1000, UINT64_C(14318179693000)), 69841);
	assert_int_equal(hpt_read_cost_ps(1, UINT64_C(14318179693000)), 70);
	assert_int_equal(hpt_read_cost_ps(1000, 0), 0);
	assert_int_equal(hpt_read_cost_ps(0, 1), 0);
	assert_int_equal(hpt_read_cost_ps(UINT64_MAX, 1), INT64_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mean_and_deviation_are_exact),
		cmocka_unit_test(one_sample_has_no_deviation),
		cmocka_unit_test(no_samples_give_zeros),
		cmocka_unit_test(statistics_match_floating_point),
		cmocka_unit_test(peaks_above_twice_the_median_are_dropped),
		cmocka_unit_test(negative_differences_are_dropped),
		cmocka_unit_test(coarse_counter_drops_nothing),
		cmocka_unit_test(half_zeros_are_coarse),
		cmocka_unit_test(just_under_half_zeros_keep_their_steps),
		cmocka_unit_test(far_deviations_saturate),
		cmocka_unit_test(largest_differences_are_cut),
		cmocka_unit_test(step_is_found),
		cmocka_unit_test(sorting_sorts),
		cmocka_unit_test(reads_give_their_differences),
		cmocka_unit_test(time_limit_ends_early_but_not_below_32),
		cmocka_unit_test(wrap_of_the_counter_is_one_difference),
		cmocka_unit_test(picoseconds_of_ticks),
	};

	random_start();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
