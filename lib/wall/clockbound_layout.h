/* SPDX-License-Identifier: MIT */
/*
 * Where ClockBound's shared memory has what, in its versions 2 and 3. The layouts are those of the crates
 * clock-bound-shm 2.0.3 (src/shm_header.rs, ClockErrorBound in src/lib.rs) and clock-bound 3.0.0-rc.0
 * (src/shm/shm_header.rs, ClockErrorBoundV2 and ClockErrorBoundV3 in src/shm.rs), as 64-bit daemons write them.
 */
#ifndef HPT_CLOCKBOUND_LAYOUT_H
#define HPT_CLOCKBOUND_LAYOUT_H

#define HPT_CLOCKBOUND_V2_SIZE 80
#define HPT_CLOCKBOUND_V3_SIZE 104

/* SHM_MAGIC. A daemon of the other byte order has other words. */
#define HPT_CLOCKBOUND_MAGIC_0 0x414d5a4eu
#define HPT_CLOCKBOUND_MAGIC_1 0x43420200u

/* The first 16 bytes: two words of magic, the size, then these. */
#define HPT_CLOCKBOUND_SIZE       8
#define HPT_CLOCKBOUND_VERSION    12
#define HPT_CLOCKBOUND_GENERATION 14
#define HPT_CLOCKBOUND_HEADER     16

/* The latest version, and in the high byte the oldest that can read it; version 2 has no high byte. */
#define HPT_CLOCKBOUND_VERSION_2 0x0002
#define HPT_CLOCKBOUND_VERSION_3 0x0303

/* Times are two words of 64 bits, seconds and nanoseconds. 32-bit daemons have other sizes, which are refused. */
struct hpt_clockbound_layout {
	unsigned char as_of, void_after, bound, marker, drift, status, has_marker;
};

static const struct hpt_clockbound_layout hpt_clockbound_layout_2 = { 16, 32, 48, 56, 64, 68, 72 };
static const struct hpt_clockbound_layout hpt_clockbound_layout_3 = { 24, 40, 72, 80, 88, 92, 96 };

/* Of version 3 alone. */
#define HPT_CLOCKBOUND_AS_OF_TICK   16
#define HPT_CLOCKBOUND_PERIOD       56
#define HPT_CLOCKBOUND_PERIOD_ERROR 64
#define HPT_CLOCKBOUND_PERIOD_SHIFT 97
#define HPT_CLOCKBOUND_ERROR_SHIFT  98

/* ClockStatus. */
enum {
	HPT_CLOCKBOUND_UNKNOWN      = 0,
	HPT_CLOCKBOUND_SYNCHRONIZED = 1,
	HPT_CLOCKBOUND_FREE_RUNNING = 2,
	HPT_CLOCKBOUND_DISRUPTED    = 3
};

#endif
