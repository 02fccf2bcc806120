# SPDX-License-Identifier: MIT

#: lib/sleep/lateness.c
s/late_ns > 0 ? (uint64_t)late_ns : 0/(uint64_t)late_ns/
s/bin < HPT_LATENESS_BINS ? bin : HPT_LATENESS_BINS - 1/bin % HPT_LATENESS_BINS/
s/n < UINT32_MAX ? n + 1 : n/n + 1/
s/if (late > atomic_load_explicit(&l->longest_ns, memory_order_relaxed))/if (1)/
s/ret->all = late_ns >= 0;/ret->all = 0;/
s/^\tif (late_ns >= 0)/\tif (0)/
s/late_ns > longest_ns ? late_ns : longest_ns/longest_ns/
s/l->all \* num + den - 1/l->all * num/
s/hpt_octave_edge(bin) - 1/hpt_octave_edge(bin)/
s/ || edge_ns > l->longest_ns ?/ ?/
s/bin == HPT_LATENESS_BINS - 1 || //

#: lib/math/octave.h
s/if (x < 8)/if (x < 4)/
s/(octave - 2) \* 8/(octave - 3) * 8/
s/8 + bin % 8 + 1/8 + bin % 8/
