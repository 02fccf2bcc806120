/* SPDX-License-Identifier: MIT */
/*
 * The truth of these tests: UTC as they define it, a line over CLOCK_MONOTONIC_RAW. Programs share it by a file, so
 * that a time server and the programs that check intervals agree to the nanosecond.
 */
#ifndef HPT_TRUTH_H
#define HPT_TRUTH_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define NS_PER_S INT64_C(1000000000)

/* All words may be changed while others use the file. */
struct truth {
	/* At raw_ns by CLOCK_MONOTONIC_RAW it was unix_ns; since then a second of RAW has 10^9 + rate_ppb ns. */
	_Atomic int64_t raw_ns, unix_ns, rate_ppb;
	/* Odd while truth_turn() changes these three. */
	_Atomic uint64_t turns;
	/*
	 * Where tracks_sleep is set: how long the machine had slept at raw_ns, and has by now. RAW stands still then.
	 * The machine knows that by a clock of whole seconds: it slept sleep_error_ns longer than it thinks.
	 */
	_Atomic int64_t tracks_sleep, slept_before_ns, slept_ns, sleep_error_ns;
	/* At this midnight a second is inserted (1) or left out (-1); 0: none. */
	_Atomic int64_t leap_at_ns, leap;
	/* What the server does: what it adds to the truth, and if it answers at all. */
	_Atomic int64_t lie_ns, is_silent;
};

/* Maps the file, which truth_make() has made. Ends the program on failure. */
struct truth *truth_open(const char *path);

/* Makes the file: the truth is CLOCK_REALTIME now. Ends the program on failure. */
struct truth *truth_make(const char *path);

/* Now. A caller on which the machine falls asleep gets a time before or after it, never one between. */
int64_t truth_now(struct truth *t);

/* From now on it has this rate. One caller at a time. */
void truth_turn(struct truth *t, int64_t rate_ppb);

int64_t read_clock_ns(int id);

/* Maps a file that programs share; flags: O_CREAT, O_TRUNC. Ends the program on failure. */
void *map_shared(const char *path, int flags, size_t size);

#endif
