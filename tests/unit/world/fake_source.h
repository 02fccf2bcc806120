/* SPDX-License-Identifier: MIT */
/* Counters that follow a script, and a fake world with its own time, a counter and the kernel's clocks. */
#ifndef HPT_TEST_FAKE_SOURCE_H
#define HPT_TEST_FAKE_SOURCE_H

#include <stddef.h>
#include <stdint.h>

#include "source/source.h"

/* Reads return the values of the script one after the other, then continue by step from the last one. */
struct fake_script {
	const uint64_t *values;
	size_t          n, at;
	uint64_t        last, step; /* step 0: stands still; UINT64_MAX: runs backwards */
	uint64_t        mask;       /* 0: 64 bits */
	uint32_t        reads;
};

/* A driver like any other; it opens fake_script_next. */
extern const struct hpt_source_ops fake_script_ops;
extern struct fake_script *fake_script_next;

/* A clock whose rate is wrong by ppb since from_ps, and the offset that it had gained before. */
struct fake_slew {
	int64_t  ppb, gained_ns;
	uint64_t from_ps;
};

/*
 * Time passes only when it is read: every counter read takes read_ps, every clock read clock_ps plus the values of
 * jitter_ps(). The clocks step by clock_step_ns.
 */
struct fake_world {
	uint64_t now_ps;
	uint64_t tick_ps;       /* one tick of the counter */
	uint64_t tick_fs;       /* the same, exactly; 0: tick_ps */
	uint64_t tick_offset;
	uint64_t staircase;     /* the counter moves this many ticks at a time; 0: 1 */
	uint64_t pause_ps;      /* the counter stands still for this long, then moves by the ticks of that time; 0: 1 */
	uint64_t read_ps, clock_ps;
	int64_t  clock_step_ns; /* 0: 1 */
	int64_t  clock_offset_ns, realtime_offset_ns;
	int64_t  boottime_offset_ns, tai_offset_ns; /* CLOCK_TAI less CLOCK_REALTIME */
	bool     are_clocks_lost;    /* no clock can be read: they return 0 */
	uint64_t (*jitter_ps)(void);
	uint32_t clock_reads;
	uint32_t kernel_mult, kernel_shift; /* all clocks are computed from the counter by these; 0: from now_ps */
	struct fake_slew all, wall;         /* of all clocks against the counter; of all but CLOCK_MONOTONIC_RAW */
	uint64_t event_at_ps;               /* the read that passes this moment calls event() once; it may set both */
	void (*event)(void);
};

extern struct fake_world world;

/* The step of CLOCK_MONOTONIC_COARSE, as fake_env_reset() sets it too. */
#define FAKE_JIFFY_NS 4000000

/* An open source in that world, of unknown rate. */
void fake_world_source(struct hpt_source *src, const struct hpt_env *env);
int64_t fake_world_clock(clockid_t id);

/* Returns the clock's time now, without reading it: no time passes. */
int64_t fake_world_true_ns(clockid_t id);

/* A sandbox denies all clocks from now on, and there is no vDSO. */
void fake_world_lose_clocks(void);

/* Calls event() if its moment has come. */
void fake_world_event(void);

/* Changes the rate from now on. */
void fake_world_slew(struct fake_slew *slew, int64_t ppb);

#endif
