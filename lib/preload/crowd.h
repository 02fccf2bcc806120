/* SPDX-License-Identifier: MIT */
/*
 * How many threads of a process sleep, and which of them may spin: as many at a time as there are places.
 *
 * A place is a window of time, from the wake before a deadline to that deadline. A thread takes it before it waits. It
 * is over when its time is: nobody gives it back. So a thread that is cancelled, leaves its sleep by siglongjmp(3) or
 * ends keeps it from others no longer than that, and one that ends on time loses none to it after its deadline.
 */
#ifndef HPT_CROWD_H
#define HPT_CROWD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* As many windows can be under way. Threads beyond do not spin. */
#define HPT_CROWD_WINDOWS 64

/* The longest time from the taking of a window to its end: long sleeps would fill the table. */
#define HPT_CROWD_AHEAD_NS 8000000

/* Of places: no limit. */
#define HPT_CROWD_ANY UINT32_MAX

/* The time over which sleeps are counted, to know how many begin in a millisecond. */
#define HPT_CROWD_COUNTED_NS 8000000

/* Zeros: of no process. Any thread or signal handler may call the functions at any time. */
struct hpt_crowd {
	_Atomic uint32_t process;  /* that it is counted for, as hpt_process() */
	_Atomic uint32_t sleeps;   /* since since_ns */
	_Atomic uint32_t per_ms;   /* as many there were in a millisecond before */
	_Atomic int64_t  since_ns; /* CLOCK_MONOTONIC */
	_Atomic uint64_t windows[HPT_CROWD_WINDOWS];
};

/* Counts a sleep that begins. Returns how many begin in a millisecond. A forked child has none before. */
uint32_t hpt_crowd_count(struct hpt_crowd *c, uint32_t process, int64_t now_ns);

/*
 * Takes a place from `from_ns` to `to_ns` by CLOCK_MONOTONIC, in exchange for `mine`, the result of an earlier call
 * for the same sleep; 0: there was none. Returns the window, or 0: as many others as there are places overlap with it,
 * or it is too far away.
 */
uint64_t hpt_crowd_take(struct hpt_crowd *c, uint32_t places, int64_t now_ns, int64_t from_ns, int64_t to_ns,
			uint64_t mine);

/* Until when a sleep waits that will be late anyhow: until the first time from at_ns on that many such sleeps share. */
int64_t hpt_crowd_shared_ns(int64_t at_ns, int64_t grid_ns);

#endif
