// SPDX-License-Identifier: MIT
/* How late ticks were: lib/sleep/lateness.h. */
#include "sleep/lateness.h"

#include "arch/arch.h"
#include "math/octave.h"

static uint32_t lateness_bin(uint64_t late_ns)
{
	uint32_t bin = hpt_octave_bin(late_ns);

	return bin < HPT_LATENESS_BINS ? bin : HPT_LATENESS_BINS - 1;
}

void hpt_lateness_add(struct hpt_lateness *l, int64_t late_ns)
{
	uint64_t late = late_ns > 0 ? (uint64_t)late_ns : 0;
	_Atomic uint32_t *count = &l->bins[lateness_bin(late)];
	uint32_t n = atomic_load_explicit(count, memory_order_relaxed);

	/* One thread writes, so that a load and a store are an addition. A full bin stays full. */
	atomic_store_explicit(count, n < UINT32_MAX ? n + 1 : n, memory_order_relaxed);
	if (late > atomic_load_explicit(&l->longest_ns, memory_order_relaxed))
		atomic_store_explicit(&l->longest_ns, late, memory_order_relaxed);
}

COLD void hpt_lateness_get(const struct hpt_lateness *l, int64_t late_ns, struct hpt_lateness_copy *ret)
{
	int64_t longest_ns = (int64_t)atomic_load_explicit(&l->longest_ns, memory_order_relaxed);

	ret->all = late_ns >= 0;
	for (uint32_t i = 0; i < HPT_LATENESS_BINS; i++)
		ret->all += ret->bins[i] = atomic_load_explicit(&l->bins[i], memory_order_relaxed);
	if (late_ns >= 0)
		ret->bins[lateness_bin((uint64_t)late_ns)]++;
	ret->longest_ns = late_ns > longest_ns ? late_ns : longest_ns;
}

COLD int64_t hpt_lateness_quantile_ns(const struct hpt_lateness_copy *l, uint32_t num, uint32_t den)
{
	uint64_t rank = (l->all * num + den - 1) / den, passed = l->bins[0];
	uint32_t bin = 0;
	int64_t edge_ns;

	while (passed < rank)
		passed += l->bins[++bin];
	/* The bin's highest number; where none was that high, the highest that there was. */
	edge_ns = hpt_octave_edge(bin) - 1;
	return bin == HPT_LATENESS_BINS - 1 || edge_ns > l->longest_ns ? l->longest_ns : edge_ns;
}
