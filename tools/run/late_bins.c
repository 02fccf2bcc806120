// SPDX-License-Identifier: MIT
/* Quantiles of counts in bins of powers of two: tools/run/late_bins.h. */
#include "run/late_bins.h"

static uint64_t sum(uint64_t a, uint64_t b)
{
	return __builtin_add_overflow(a, b, &a) ? UINT64_MAX : a;
}

uint64_t late_bins_total(const uint64_t *bins, size_t n)
{
	uint64_t total = 0;

	for (size_t k = 0; k < n; k++)
		total = sum(total, bins[k]);
	return total;
}

int64_t late_bins_end(size_t k)
{
	return k < 63 ? INT64_C(1) << k : INT64_MAX;
}

int64_t late_bins_below(const uint64_t *bins, size_t n, uint32_t permille)
{
	uint64_t total = late_bins_total(bins, n), counted = 0;
	/* Rounded up, in two parts that do not overflow. */
	uint64_t wanted = total / 1000 * permille + (total % 1000 * permille + 999) / 1000;

	if (!wanted)
		return 0;
	for (size_t k = 0; k < n; k++) {
		counted = sum(counted, bins[k]);
		if (counted >= wanted)
			return late_bins_end(k);
	}
	return INT64_MAX;
}
