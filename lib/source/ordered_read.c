// SPDX-License-Identifier: MIT
/* Times a source's ordered reads in turn and takes the cheaper: lib/source/ordered_read.h. */
#include "source/ordered_read.h"

#include "arch/arch.h"
#include "source/own_read.h"

/* Costs that differ by less are equal. */
#define TIE_PERCENT 3

/*
 * Differences of one read before it is the other one's turn. A counter that moves in steps adds the error of one step
 * to each turn, so that short turns are imprecise; long ones are not interleaved.
 */
#define TURN 8

COLD bool hpt_ordered_read_prefers_second(uint64_t first, uint64_t second)
{
	return second && second * 100 < first * (100 - TIE_PERCENT);
}

/* The sum of the differences up to a limit. *ret_n: how many those are. Not inline: once is small enough. */
static COLD __attribute__((noinline)) uint64_t sum_upto(uint64_t limit, const int64_t *deltas, uint32_t n,
							uint32_t *ret_n)
{
	uint64_t sum = 0;

	*ret_n = 0;
	for (uint32_t i = 0; i < n; i++)
		if ((uint64_t)deltas[i] <= limit) {
			sum += (uint64_t)deltas[i];
			++*ret_n;
		}
	return sum;
}

/*
 * The mean in thousandths of a tick, without peaks. A peak is more than twice the mean of the shortest turn: unlike the
 * median, which hpt_read_cost_of() takes, that needs no sorting, which would add 1 us to load. On a counter that jumps
 * it is any number.
 */
static COLD uint64_t mean_of(const int64_t *deltas, uint32_t n)
{
	uint64_t shortest = UINT64_MAX, sum;
	uint32_t kept, still;

	for (uint32_t i = 0; i < n; i += TURN) {
		sum = sum_upto(UINT64_MAX, deltas + i, TURN, &kept);
		if (sum < shortest)
			shortest = sum;
	}
	/* Where half of the reads or more repeat, a step is longer than a read and looks like a peak. */
	(void)sum_upto(0, deltas, n, &still);
	sum = sum_upto(2 * still >= n ? UINT64_MAX : shortest / TURN * 2, deltas, n, &kept);
	return kept ? sum * 1000 / kept : 0;
}

static COLD void take_turns(struct hpt_source *src, int64_t *ret_first, int64_t *ret_second, uint32_t n)
{
	for (uint32_t i = 0; i < n; i += TURN) {
		hpt_own_set_order(src, HPT_OWN_FIRST);
		hpt_read_cost_deltas(src, ret_first + i, TURN, 0);
		hpt_own_set_order(src, HPT_OWN_SECOND);
		hpt_read_cost_deltas(src, ret_second + i, TURN, 0);
	}
}

COLD uint32_t hpt_ordered_read_choose(struct hpt_source *src, int64_t *ret_deltas, uint32_t n)
{
	uint32_t own = n / 2;
	int64_t *second = ret_deltas, *first = ret_deltas + own;

	if (src->orders != (HPT_OWN_FIRST | HPT_OWN_SECOND))
		return hpt_read_cost_deltas(src, ret_deltas, n, 0);
	take_turns(src, first, second, own);
	if (hpt_ordered_read_prefers_second(mean_of(first, own), mean_of(second, own)))
		return own;
	hpt_own_set_order(src, HPT_OWN_FIRST);
	for (uint32_t i = 0; i < own; i++) {
		int64_t other = second[i];

		second[i] = first[i];
		first[i] = other;
	}
	return own;
}

COLD void hpt_ordered_read_cost(int64_t *deltas, uint32_t own, uint32_t n, struct hpt_read_cost *ret,
				uint64_t *ret_other)
{
	struct hpt_read_cost other;

	hpt_read_cost_of(deltas, own, ret);
	hpt_read_cost_of(deltas + own, n - own, &other);
	*ret_other = other.mean_mticks;
}
