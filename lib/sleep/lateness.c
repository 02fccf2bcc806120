// SPDX-License-Identifier: MIT
/* How late ticks were: lib/sleep/lateness.h. */
#include "sleep/lateness.h"

#include "math/octave.h"

void hpt_lateness_add(struct hpt_lateness *l, int64_t late_ns)
{
	uint64_t late = late_ns > 0 ? (uint64_t)late_ns : 0;
	uint32_t bin = hpt_octave_bin(late);
	_Atomic uint32_t *count = &l->bins[bin < HPT_LATENESS_BINS ? bin : HPT_LATENESS_BINS - 1];
	uint32_t n = atomic_load_explicit(count, memory_order_relaxed);

	/* One thread writes, so that a load and a store are an addition. A full bin stays full. */
	atomic_store_explicit(count, n < UINT32_MAX ? n + 1 : n, memory_order_relaxed);
	if (late > atomic_load_explicit(&l->longest_ns, memory_order_relaxed))
		atomic_store_explicit(&l->longest_ns, late, memory_order_relaxed);
}

int64_t hpt_lateness_quantile_ns(const struct hpt_lateness *l, uint32_t num, uint32_t den)
{
	int64_t longest_ns = hpt_lateness_longest_ns(l), edge_ns;
	uint32_t counts[HPT_LATENESS_BINS], bin = 0;
	uint64_t all = 0, rank, passed;

	for (uint32_t i = 0; i < HPT_LATENESS_BINS; i++)
		all += counts[i] = atomic_load_explicit(&l->bins[i], memory_order_relaxed);
	rank = (all * num + den - 1) / den;
	for (passed = counts[0]; passed < rank; passed += counts[bin])
		bin++;
	/* The bin's highest number, where none was that high the highest that there was. */
	edge_ns = hpt_octave_edge(bin) - 1;
	return bin == HPT_LATENESS_BINS - 1 || edge_ns > longest_ns ? longest_ns : edge_ns;
}
