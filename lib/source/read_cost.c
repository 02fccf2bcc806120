// SPDX-License-Identifier: MIT
/* Statistics of read cost, as in the papers: mean and standard deviation. See lib/source/read_cost.h. */
#include "source/read_cost.h"

#include "arch/arch.h"
#include "math/scale.h"

/* The time limit does not end a measurement with fewer differences than this. */
#define SAMPLES_MIN 32

COLD void hpt_read_cost_sort(int64_t *v, uint32_t n)
{
	static const uint32_t gaps[] = { 132, 57, 23, 10, 4, 1 }; /* Ciura 2001 */

	for (uint32_t g = 0; g < sizeof(gaps) / sizeof(gaps[0]); g++) {
		uint32_t gap = gaps[g];

		for (uint32_t i = gap; i < n; i++) {
			int64_t x = v[i];
			uint32_t j = i;

			for (; j >= gap && v[j - gap] > x; j -= gap)
				v[j] = v[j - gap];
			v[j] = x;
		}
	}
}

COLD uint32_t hpt_read_cost_deltas(const struct hpt_source *src, int64_t *ret_deltas, uint32_t n, uint64_t limit_ticks)
{
	uint64_t first = src->read(src), last = first;

	for (uint32_t i = 0; i < n; i++) {
		uint64_t now = src->read(src);

		ret_deltas[i] = (int64_t)(now - last);
		last = now;
		if (limit_ticks && i + 1 >= SAMPLES_MIN && now - first > limit_ticks)
			return i + 1;
	}
	return n;
}

static uint64_t isqrt(uint64_t x)
{
	uint64_t root = 0;

	for (uint64_t bit = UINT64_C(1) << 62; bit; bit >>= 2) {
		if (x >= root + bit) {
			x -= root + bit;
			root = (root >> 1) + bit;
		} else {
			root >>= 1;
		}
	}
	return root;
}

/* No read takes longer (4 minutes at 4 GHz); up to this the sums below fit 64 bits. */
#define DELTA_MAX (INT64_C(1) << 40)

/* Mean and standard deviation of v[0..n-1], all between 0 and DELTA_MAX; n >= 1. */
static void statistics(const int64_t *v, uint32_t n, struct hpt_read_cost *ret)
{
	uint64_t sum = 0, variance = 0, mean;

	for (uint32_t i = 0; i < n; i++)
		sum += (uint64_t)v[i];
	mean = sum / n * 1000 + sum % n * 1000 / n;
	for (uint32_t i = 0; n > 1 && i < n; i++) {
		uint64_t x = (uint64_t)v[i] * 1000, d = x > mean ? x - mean : mean - x;

		/* The square of a deviation above 4 ms (at 1 GHz) would not fit; it counts as infinite. */
		variance += d < UINT32_MAX ? d * d / (n - 1) : UINT64_MAX / 2 / n;
	}
	ret->mean_mticks = mean;
	ret->stddev_mticks = isqrt(variance);
	ret->samples = n;
}

COLD uint64_t hpt_read_cost_step(const int64_t *sorted, uint32_t n)
{
	int64_t start = sorted[0], step = 0;

	for (uint32_t i = 1; i < n; i++) {
		if (sorted[i] - sorted[i - 1] > 1) {
			if (!step || sorted[i] - start < step)
				step = sorted[i] - start;
			start = sorted[i];
		} else if (sorted[i] - start > 1) {
			return 1;
		}
	}
	return (uint64_t)step;
}

static uint64_t shortest_of(const int64_t *sorted, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (sorted[i] > 0)
			return (uint64_t)sorted[i];
	return 0;
}

COLD void hpt_read_cost_of(int64_t *deltas, uint32_t n, struct hpt_read_cost *ret)
{
	const int64_t *kept = deltas;
	uint32_t left = n;
	int64_t lower, twice_median;

	*ret = (struct hpt_read_cost){ 0 };
	hpt_read_cost_sort(deltas, n);
	for (uint32_t i = n; i && deltas[i - 1] > DELTA_MAX; i--)
		deltas[i - 1] = DELTA_MAX;
	for (; left && *kept < 0; kept++)
		left--;
	if (!left) {
		ret->dropped = n;
		return;
	}
	ret->shortest_ticks = shortest_of(kept, left);
	lower = kept[(left - 1) / 2];
	twice_median = lower + kept[left / 2];
	while (lower > 0 && kept[left - 1] > twice_median)
		left--;
	ret->dropped = n - left;
	/* Where reads repeat, a step lasts longer than a read, and the smallest move is one step. */
	ret->step_ticks = *kept ? hpt_read_cost_step(kept, left) : ret->shortest_ticks;
	if (!ret->step_ticks) /* no step is larger than the only cluster */
		ret->step_ticks = (uint64_t)kept[left - 1];
	statistics(kept, left, ret);
}

COLD uint64_t hpt_read_cost_ps(uint64_t mticks, uint64_t frequency_uhz)
{
	/* A thousandth of a tick in picoseconds equals a tick in nanoseconds. */
	struct hpt_scale s;
	int64_t ps;

	if (!frequency_uhz)
		return 0;
	s = hpt_scale_of(HPT_UHZ_PER_GHZ, frequency_uhz);
	ps = hpt_scale_round(mticks > INT64_MAX ? INT64_MAX : (int64_t)mticks, s);
	return (uint64_t)ps;
}
