/* SPDX-License-Identifier: MIT */
/*
 * How many threads of a process, or of several, sleep, and which of them may spin: as many at a time as there are
 * places.
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

#include "arch/arch.h"

/* As many windows can be under way. Threads beyond do not spin. */
#define HPT_CROWD_WINDOWS 64

/* The longest time from the taking of a window to its end: long sleeps would fill the table. */
#define HPT_CROWD_AHEAD_NS 8000000

/* No thread's name. */
#define HPT_CROWD_MANY UINT32_MAX

/* Of places: no limit. */
#define HPT_CROWD_ANY UINT32_MAX

/* After this it is found out again whether there is one alone: others may have ended. */
#define HPT_CROWD_ASKED_NS 1000000000

/* The time over which sleeps are counted, to know how many begin in a millisecond. */
#define HPT_CROWD_COUNTED_NS 8000000

/*
 * Zeros: of no process. Any thread or signal handler may call the functions at any time. Processes may share one:
 * programs of 32 and of 64 bits have the same layout.
 */
struct hpt_crowd {
	_Atomic uint32_t only;     /* the thread that sleeps, if there is one alone; HPT_CROWD_MANY; 0: none yet */
	_Atomic uint32_t process;  /* that it is counted for: hpt_process(), or a number for all that share it */
	_Atomic uint32_t sleeps;   /* since since_ns */
	_Atomic uint32_t per_ms;   /* as many as there were in a millisecond before that */
	_Alignas(8) _Atomic int64_t since_ns; /* CLOCK_MONOTONIC */
	_Alignas(8) _Atomic int64_t asked_ns; /* CLOCK_MONOTONIC when `only` was last to be found out again; 0: never */
	_Alignas(8) _Atomic uint64_t windows[HPT_CROWD_WINDOWS];
};

/* True if this is the only thread that sleeps, so that it needs no place. thread: its name, or 0. */
static inline bool hpt_crowd_is_only(const struct hpt_crowd *c, uint32_t thread)
{
	return likely(thread && atomic_load_explicit(&c->only, memory_order_relaxed) == thread);
}

/* Where it is not known to be the only one: true if there are others, from now on. */
bool hpt_crowd_join(struct hpt_crowd *c, uint32_t process, uint32_t thread);

/* Counts a sleep that begins. A forked child has none before. */
void hpt_crowd_count(struct hpt_crowd *c, uint32_t process, int64_t now_ns);

/* How many of these began in a millisecond, lately. */
uint32_t hpt_crowd_per_ms(const struct hpt_crowd *c, int64_t now_ns);

/*
 * Takes a place from `from_ns` to `to_ns` by CLOCK_MONOTONIC, in exchange for `mine`, the result of the thread's
 * latest call; 0: there was none. Returns the window, or 0: as many others as there are places overlap with it,
 * or it is too far away.
 */
uint64_t hpt_crowd_take(struct hpt_crowd *c, uint32_t places, int64_t now_ns, int64_t from_ns, int64_t to_ns,
			uint64_t mine);

#endif
