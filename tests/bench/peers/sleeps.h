/* SPDX-License-Identifier: MIT */
/* Sleeps of peers: how late they end, and how much CPU time they take. */
#ifndef HPT_BENCH_SLEEPS_H
#define HPT_BENCH_SLEEPS_H

#include "peer.h"

/*
 * Measures lengths from 50 us to 100 ms, in rounds in which each peer sleeps once, in a new random order: @sleeps
 * rounds of the longest, more of the others. Prints one table per length.
 */
void bench_compare_sleeps(const struct hpt_peer *const *peers, unsigned n, unsigned sleeps);

#endif
