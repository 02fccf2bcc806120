/* SPDX-License-Identifier: MIT */
/* Constants and structs of walls that programs will see, once the functions on them exist. */
#ifndef HPT_WALL_TYPES_H
#define HPT_WALL_TYPES_H

#include "hpt/hpt.h"

/* Sources of bounds. In masks their bit is 1u << HPT_WALL_. */
#define HPT_WALL_FEED       1u /* the program's own samples */
#define HPT_WALL_CLOCKBOUND 2u /* the shared memory of ClockBound's daemon */
#define HPT_WALL_CHRONY     3u /* chronyd, asked by UDP */
#define HPT_WALL_KERNEL     4u /* adjtimex(2): a claim of unknown worth, and used on request only */
#define HPT_WALL_VMCLOCK    5u /* the page by which a hypervisor states time and disruptions: /dev/vmclock0 */
#define HPT_WALL_PHC        6u /* a network card's clock: /dev/ptp0 */
#define HPT_WALL_FBCLOCK    7u /* the shared memory of fbclock's daemon: a statistical claim, used on request only */

/* States. SYNCED and HOLDOVER have a bound, the others have none. */
#define HPT_WALL_NONE         0u /* no sample yet */
#define HPT_WALL_SYNCED       1u
#define HPT_WALL_HOLDOVER     2u /* no new sample lately, or the source has lost its own reference; wider each second */
#define HPT_WALL_UNSYNCED     3u /* a source answers, and says that it has no bound */
#define HPT_WALL_STALE        4u /* the latest sample is older than max_age_ns */
#define HPT_WALL_DISRUPTED    5u /* the counter jumped, the machine slept or was moved: samples of before are void */
#define HPT_WALL_CONTRADICTED 6u /* samples have nothing in common: one of the sources is wrong */
#define HPT_WALL_LEAP         7u /* within a second of a leap second */

/* hpt_wall_time.flags */
#define HPT_WALL_ASSUMED_RATE 1u /* how wrong the counter's rate may be is the library's default, not the program's */
#define HPT_WALL_CLAIMED      2u /* a source's claim is statistical, or of unknown worth */
#define HPT_WALL_SMEARED      4u /* a source spreads leap seconds over hours: this is not UTC meanwhile */
#define HPT_WALL_NO_DISRUPTION_SIGNAL 8u /* in a virtual machine whose hypervisor reports no move: one can be missed */

/* A statement: at some tick from `before` to `after`, UTC was in [earliest_ns, latest_ns]. New members at the end. */
struct hpt_wall_sample {
	hpt_time_t before, after;
	int64_t    earliest_ns, latest_ns;
	uint32_t   source;      /* HPT_WALL_FEED, or 0 for the same */
	uint32_t   flags;       /* sum of HPT_WALL_CLAIMED, HPT_WALL_SMEARED */
};

#endif
