/* SPDX-License-Identifier: MIT */
/*
 * wall.h - bounded wall time: an interval that contains UTC now, and timestamps that never collide; part of hpt.h.
 * clock.h has the rules of all functions. hpt_wall(7) has the meaning of intervals, and what each source is worth.
 *
 * Times are UTC as Unix time: nanoseconds since 1970, without leap seconds.
 */
#ifndef LIBHPT_WALL_H
#define LIBHPT_WALL_H

#include <hpt/waiter.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Constants: a value keeps its meaning for ever ----------------------------------------------------- */

/* Sources of bounds. In masks their bit is 1u << HPT_WALL_. */
#define HPT_WALL_FEED       1u /* the program's own samples, by hpt_wall_feed() */
#define HPT_WALL_CLOCKBOUND 2u /* the shared memory of ClockBound's daemon */
#define HPT_WALL_CHRONY     3u /* chronyd, asked by UDP */
#define HPT_WALL_KERNEL     4u /* adjtimex(2): a claim of unknown worth, used on request only */
#define HPT_WALL_VMCLOCK    5u /* the page by which a hypervisor states time and disruptions: /dev/vmclock0 */
#define HPT_WALL_PHC        6u /* a network card's clock: /dev/ptp0 */
#define HPT_WALL_FBCLOCK    7u /* the shared memory of fbclock's daemon: a statistical claim, used on request only */

/* States of a wall. SYNCED and HOLDOVER have a bound, the others have none. */
#define HPT_WALL_NONE         0u /* no sample yet */
#define HPT_WALL_SYNCED       1u /* there is a fresh sample */
#define HPT_WALL_HOLDOVER     2u /* no new sample lately, or the source has lost its own reference */
#define HPT_WALL_UNSYNCED     3u /* a source answers, and says that it has no bound */
#define HPT_WALL_STALE        4u /* the latest sample is older than max_age_ns */
#define HPT_WALL_DISRUPTED    5u /* the counter jumped, the machine slept or was moved: earlier samples are void */
#define HPT_WALL_CONTRADICTED 6u /* samples have nothing in common: one of the sources is wrong */
#define HPT_WALL_LEAP         7u /* within a second of a leap second */

/* hpt_wall_time.flags, and those of the infos */
#define HPT_WALL_ASSUMED_RATE 1u /* the limits of the counter's rate are the library's defaults, not the program's */
#define HPT_WALL_CLAIMED      2u /* a source's claim is statistical, or of unknown worth */
#define HPT_WALL_SMEARED      4u /* a source spreads leap seconds over hours: meanwhile its time is not UTC */
#define HPT_WALL_NO_DISRUPTION_SIGNAL 8u /* a virtual machine whose hypervisor reports no moves: one can be missed */

/* Flags of hpt_wall_open(). */
#define HPT_WALL_LEAP_COVER 1u /* near a leap second an interval that contains both readings, not -EAGAIN */

/* hpt_wall_config.phc_timescale */
#define HPT_WALL_TIMESCALE_UTC 1u
#define HPT_WALL_TIMESCALE_TAI 2u

/* Why a source gives nothing. */
#define HPT_WALL_REASON_NONE           0u /* nothing is wrong */
#define HPT_WALL_REASON_NOT_USED       1u /* hpt_wall_config.sources does not name it */
#define HPT_WALL_REASON_NOT_ASKED      2u /* no hpt_wall_update(), or for FEED no hpt_wall_feed(), yet */
#define HPT_WALL_REASON_ABSENT         3u /* no such file, device or daemon */
#define HPT_WALL_REASON_DENIED         4u /* no permission */
#define HPT_WALL_REASON_FAILED         5u /* the system call failed; error says how */
#define HPT_WALL_REASON_NO_ANSWER      6u /* the daemon does not answer in time */
#define HPT_WALL_REASON_NOT_DEVICE     7u /* the path does not name a device of this kind */
#define HPT_WALL_REASON_FORMAT         8u /* unknown magic, version, size or byte order */
#define HPT_WALL_REASON_TORN           9u /* it was being written at each look */
#define HPT_WALL_REASON_UNSYNCED      10u /* it says that it is not synchronised */
#define HPT_WALL_REASON_OLD           11u /* its statement is too old, from before an event, or its writer has died */
#define HPT_WALL_REASON_ABSURD        12u /* impossible values */
#define HPT_WALL_REASON_OTHER_COUNTER 13u /* it describes another counter than the clock's */
#define HPT_WALL_REASON_NO_BOUND      14u /* it states a time, or disruptions, without an error bound */
#define HPT_WALL_REASON_ZERO_ERROR    15u /* adjtimex's maxerror or esterror is 0, as timesyncd and phc2sys leave it */
#define HPT_WALL_REASON_STEPPED       16u /* the system's clock was set lately */
#define HPT_WALL_REASON_NAMESPACE     17u /* its times are of another time namespace */
#define HPT_WALL_REASON_NO_TIMESCALE  18u /* whether it counts UTC or TAI is not known, or by how much they differ */
#define HPT_WALL_REASON_CONTRADICTED  19u /* its statement has nothing in common with others */
#define HPT_WALL_REASON_LEAP          20u /* its statement is from near a leap second */

/* ---- Structs ------------------------------------------------------------------------------------------- */

/* A wall: a clock, and what sources have stated of UTC. */
typedef struct hpt_wall hpt_wall;

/* A hybrid logical clock: timestamps of this process that strictly increase. */
typedef struct hpt_hlc hpt_hlc;

/* An interval. This struct never changes. */
struct hpt_wall_time {
	int64_t    earliest_ns;         /* UTC was in [earliest_ns, latest_ns] when the counter showed tick */
	int64_t    latest_ns;
	hpt_time_t tick;
	uint64_t   generation;          /* within one, earliest_ns never decreases */
	uint32_t   state;               /* HPT_WALL_SYNCED or HPT_WALL_HOLDOVER */
	uint32_t   flags;               /* sum of HPT_WALL_ASSUMED_RATE ... */
};

/* A statement: at some moment from tick `before` to tick `after` UTC was in [earliest_ns, latest_ns]. */
struct hpt_wall_sample {
	hpt_time_t before, after;
	int64_t    earliest_ns, latest_ns;
	uint32_t   source;              /* HPT_WALL_FEED, or 0 for the same */
	uint32_t   flags;               /* sum of HPT_WALL_CLAIMED, HPT_WALL_SMEARED */
};
#define HPT_WALL_SAMPLE_SIZE_V0 40u

/* How a wall is opened. 0 and empty strings are defaults. */
struct hpt_wall_config {
	uint32_t sources;               /* mask; 0: all but KERNEL and FBCLOCK */
	uint32_t trusted;               /* mask: if sources contradict each other, these are right */
	uint32_t rate_ppb;              /* how wrong the counter's rate may be, below 10^9; 0: 50000, assumed */
	uint32_t wander_ppb;            /* how far its rate may move from any average, below 10^9; 0: 15000, assumed */
	uint32_t phc_timescale;         /* HPT_WALL_TIMESCALE_ of the PHC; 0: by the driver, where it is known */
	uint32_t reserved;              /* 0 */
	int64_t  phc_error_ns;          /* how wrong the PHC may be; 0: by the driver, where it states it */
	int64_t  max_width_ns;          /* wider intervals are -ERANGE; 0: no limit */
	int64_t  max_age_ns;            /* of the latest sample; 0: 1000 s */
	char     clockbound_path[112];  /* /var/run/clockbound/shm1, else shm0 */
	char     vmclock_path[112];     /* /dev/vmclock0 */
	char     phc_path[112];         /* /dev/ptp0 */
	char     chrony_address[64];    /* 127.0.0.1:323; a numeric address with port, or the path of a socket */
};
#define HPT_WALL_CONFIG_SIZE_V0 448u

/* Facts about a wall. */
struct hpt_wall_info {
	uint32_t size;                  /* bytes filled in */
	uint32_t state;                 /* HPT_WALL_SYNCED ... */
	uint32_t flags;                 /* sum of HPT_WALL_ASSUMED_RATE ... */
	uint32_t sources;               /* mask: those that it was opened with */
	uint32_t live;                  /* mask: those with a sample in the present bound */
	uint32_t waiting;               /* threads that wait for it now */
	uint64_t generation;
	uint64_t samples;               /* accepted */
	uint64_t refused;
	uint64_t contradictions;
	uint64_t disruptions;
	int64_t  width_ns;              /* of the interval now; -1: none */
	int64_t  age_ns;                /* of the latest sample; -1: none */
	int64_t  leap_at_ns;            /* UTC midnight of the leap second that is announced; 0: none */
	int32_t  leap;                  /* 1: a second will be inserted, -1: left out, 0: none is announced */
	int32_t  tai_offset_s;          /* TAI less UTC; 0: unknown */
	int32_t  rate_lo_ppb;           /* the counter's seconds are longer than UTC's by rate_lo_ppb to rate_hi_ppb */
	int32_t  rate_hi_ppb;
	uint32_t rate_ppb;              /* as opened, or the default */
	uint32_t wander_ppb;
};
#define HPT_WALL_INFO_SIZE_V0 112u

/* Facts about a source of a wall. */
struct hpt_wall_source_info {
	uint32_t size;                  /* bytes filled in */
	uint32_t source;                /* HPT_WALL_FEED ... */
	uint32_t usable;                /* 1: its latest statement was accepted */
	uint32_t reason;                /* HPT_WALL_REASON_: why not */
	uint32_t error;                 /* the errno value, positive, of the call that failed; 0: none */
	uint32_t flags;                 /* of its latest sample that was accepted */
	uint64_t samples;               /* accepted */
	uint64_t refused;
	int64_t  width_ns;              /* of what its latest sample allows now; -1: none */
	int64_t  age_ns;                /* of that sample; -1: none */
	char     name[16];              /* "feed", "clockbound", ... */
	char     path[112];             /* of file, device or address; empty: it has none */
};
#define HPT_WALL_SOURCE_INFO_SIZE_V0 184u

/* ---- Walls --------------------------------------------------------------------------------------------- */

/**
 * hpt_wall_open - a wall on a clock
 *
 * @clk:    the clock, or NULL for the default. The wall holds it, as hpt_clock_ref() does.
 * @config: how; or NULL for all defaults
 * @size:   sizeof(*config), at least HPT_WALL_CONFIG_SIZE_V0; anything if @config is NULL
 * @flags:  0 or HPT_WALL_LEAP_COVER
 * @ret:    the new wall, with one holder; untouched on failure. hpt_wall_close() gives it back.
 *
 * Asks no source: the first hpt_wall_update() does.
 *
 * Return: 0
 *         -EINVAL  @ret is NULL, @size is too small, an unknown flag or timescale, a rate of 10^9 or more, a negative
 *                  time, a string without an end, or a member that this version does not know is not 0
 *         -ENOENT  @config->sources names no source that this version has
 *         -ENOMEM  no memory
 *
 * Safety: blocking; MT-Safe, AS-Unsafe. Cost: an allocation of 11 KiB, and up to 1 ms if the clock's rate is not known
 *         yet.
 * Since:  0.2
 */
HPT_API_CHECKED int hpt_wall_open(hpt_clock *clk, const struct hpt_wall_config *config, size_t size, uint32_t flags,
				  hpt_wall **ret);

/**
 * hpt_wall_ref - one more holder of a wall
 *
 * @w: the wall. NULL is left alone.
 *
 * Return: @w
 *
 * Safety: leaf. Cost: an atomic addition.
 * Since:  0.2
 */
HPT_API hpt_wall *hpt_wall_ref(hpt_wall *w);

/**
 * hpt_wall_close - one holder of a wall less; the last one frees it
 *
 * @w: the wall. NULL is left alone.
 *
 * Safety: MT-Safe, AS-Unsafe. Cost: free(), hpt_clock_close(), and munmap(2) where VMClock was mapped.
 * Since:  0.2
 */
HPT_API void hpt_wall_close(hpt_wall *w);

/**
 * hpt_wall_now - an interval that contains UTC now
 *
 * @w:   the wall
 * @ret: the interval; untouched on failure
 *
 * At a moment between call and return UTC is in the interval, if what the sources stated is true and the counter's rate
 * keeps within its bounds. A program that calls neither hpt_wall_update() nor hpt_wall_feed() gets wider intervals,
 * and -EAGAIN after max_age_ns.
 *
 * Return: 0
 *         -EAGAIN  there is no bound now; hpt_wall_get_info() has the state, which says why
 *         -ERANGE  it would be wider than max_width_ns
 *         -EINVAL  @w or @ret is NULL
 *
 * Safety: leaf; no system call but the clock's own. Cost: a read of the clock and some 3 ns, on the OS clock some
 *         75 ns; each 10 ms a comparison of the system's clocks, below a microsecond.
 * Since:  0.2
 */
HPT_API_READ_CHECKED int hpt_wall_now(hpt_wall *w, struct hpt_wall_time *ret);

/**
 * hpt_wall_at - an interval that contained UTC when the clock showed a tick
 *
 * @w:   the wall
 * @t:   a present or past tick of the wall's clock
 * @ret: the interval; untouched on failure
 *
 * Return: 0
 *         -EAGAIN  there is no bound now
 *         -ERANGE  @t is in the future, or before the first sample of the present generation; or the interval would be
 *                  wider than max_width_ns
 *         -EINVAL  @w or @ret is NULL
 *
 * Safety: leaf. Cost: as hpt_wall_now(), and some 150 ns.
 * Since:  0.2
 */
HPT_API_READ_CHECKED int hpt_wall_at(hpt_wall *w, hpt_time_t t, struct hpt_wall_time *ret);

/**
 * hpt_wall_after - is UTC surely after a time?
 *
 * @w:       the wall
 * @unix_ns: the time
 *
 * Return: 1        surely: earliest is after @unix_ns
 *         0        not surely
 *         -EAGAIN  there is no bound now
 *         -EINVAL  @w is NULL
 *
 * Safety: leaf. Cost: as hpt_wall_now().
 * Since:  0.2
 */
HPT_API_READ int hpt_wall_after(hpt_wall *w, int64_t unix_ns);

/**
 * hpt_wall_before - is UTC surely before a time?
 *
 * @w:       the wall
 * @unix_ns: the time
 *
 * Return: as hpt_wall_after(); 1: latest is before @unix_ns
 *
 * Safety: leaf. Cost: as hpt_wall_now().
 * Since:  0.2
 */
HPT_API_READ int hpt_wall_before(hpt_wall *w, int64_t unix_ns);

/**
 * hpt_wall_feed - add a sample of the program's own
 *
 * @w:      the wall
 * @sample: at some moment from tick before to tick after UTC was in [earliest_ns, latest_ns]
 * @size:   sizeof(*sample), at least HPT_WALL_SAMPLE_SIZE_V0
 *
 * Threads that wait for the wall look at it again.
 *
 * Return: 0
 *         -EAGAIN  refused: it contradicts other samples, or a leap second is near; or the clock has no rate yet
 *         -ERANGE  refused: it is from before an event that disrupted the clock, or older than max_age_ns
 *         -EBUSY   not added: at each try another thread was first, or seven threads are interrupted while they feed
 *         -EINVAL  a NULL, @size is too small, latest_ns < earliest_ns, after < before, after is in the future, a time
 *                  outside of the years 1970 to 2224, another source than FEED, an unknown flag; or @w was not opened
 *                  with FEED
 *
 * Safety: leaf; a system call if threads wait. Cost: some 3 us.
 * Since:  0.2
 */
HPT_API int hpt_wall_feed(hpt_wall *w, const struct hpt_wall_sample *sample, size_t size);

/**
 * hpt_wall_update - ask all sources
 *
 * @w: the wall
 *
 * To be called about once a second, by any thread. Threads that wait for the wall look at it again.
 *
 * Return: HPT_WALL_, the wall's state; SYNCED and HOLDOVER: there is a bound
 *         -EINVAL  @w is NULL
 *
 * Safety: blocking, for 0.1 s at most where a daemon does not answer; MT-Safe, AS-Unsafe. Cost: files, a datagram,
 *         ioctls: up to 0.2 ms.
 * Since:  0.2
 */
HPT_API int hpt_wall_update(hpt_wall *w);

/**
 * hpt_wall_get_info - facts about a wall
 *
 * @w:    the wall
 * @ret:  the facts; untouched on failure
 * @size: sizeof(*ret), at least HPT_WALL_INFO_SIZE_V0
 *
 * Return: 0
 *         -EINVAL  a NULL, or @size is too small
 *
 * Safety: leaf. Cost: below 2 us.
 * Since:  0.2
 */
HPT_API_CHECKED int hpt_wall_get_info(hpt_wall *w, struct hpt_wall_info *ret, size_t size);

/**
 * hpt_wall_source_get_info - facts about a source of a wall
 *
 * @w:      the wall
 * @source: HPT_WALL_FEED ...
 * @ret:    the facts; untouched on failure
 * @size:   sizeof(*ret), at least HPT_WALL_SOURCE_INFO_SIZE_V0
 *
 * Return: 0
 *         -EINVAL  a NULL, @source is not one of the constants, or @size is too small
 *
 * Safety: blocking: it checks whether a file exists; MT-Safe, AS-Unsafe. Cost: below 2 us, and two system calls.
 * Since:  0.2
 */
HPT_API_CHECKED int hpt_wall_source_get_info(hpt_wall *w, uint32_t source, struct hpt_wall_source_info *ret,
					     size_t size);

/**
 * hpt_wall_to_tai_ns - a time of UTC as TAI
 *
 * @w:       the wall
 * @unix_ns: the time
 * @ret:     TAI, in nanoseconds since 1970-01-01 00:00:00 TAI; untouched on failure
 *
 * Uses the offset that a source stated, and the leap second that is announced. Leap seconds come at the end of months:
 * the offset holds in the UTC month in which it was stated, and in the next one if a leap second between is announced.
 *
 * Return: 0
 *         -ENODATA no source states the offset, or a source smears; or @unix_ns is of another month, or within a second
 *                  of a leap second
 *         -ERANGE  the result exceeds int64
 *         -EINVAL  a NULL
 *
 * Safety: leaf. Cost: below 1 us.
 * Since:  0.2
 */
HPT_API_CHECKED int hpt_wall_to_tai_ns(hpt_wall *w, int64_t unix_ns, int64_t *ret);

/* ---- Waits --------------------------------------------------------------------------------------------- */

/**
 * hpt_wall_wait_after - wait until UTC is surely after a time (commit wait)
 *
 * @w:          the wall
 * @unix_ns:    the time
 * @timeout_ns: wait no longer than this; 0: one look, negative: for ever
 *
 * Ends once hpt_wall_now() gives an earliest_ns after @unix_ns. Asks no source: another thread must update or feed the
 * wall. If the bound is lost, the wait ends.
 *
 * Return: 0        UTC is surely after @unix_ns
 *         -ETIMEDOUT
 *         -EAGAIN  there is no bound, or it was lost
 *         -EINVAL  @w is NULL
 *
 * Safety: sleep safety. Cost: sleep cost.
 * Since:  0.2
 */
HPT_API_READ_CHECKED int hpt_wall_wait_after(hpt_wall *w, int64_t unix_ns, int64_t timeout_ns);

/**
 * hpt_waiter_wait_after - the same on a waiter, so that it can be interrupted
 *
 * @waiter:     a waiter on the wall's clock
 * @w:          the wall
 * @unix_ns:    as for hpt_wall_wait_after()
 * @timeout_ns: likewise
 *
 * A pending interrupt ends the wait at once, even if @unix_ns is past.
 *
 * Return: as hpt_wall_wait_after(), or
 *         -ECANCELED hpt_waiter_interrupt() was called, and is no longer pending
 *         -EINTR   a signal handler ran while the wait was in the kernel, and the waiter has HPT_WAIT_EINTR
 *         -EBUSY   another thread sleeps on @waiter
 *         -EINVAL  a NULL, or the waiter is on another clock
 *
 * Safety: sleep safety. Cost: sleep cost.
 * Since:  0.2
 */
HPT_API_READ_CHECKED int hpt_waiter_wait_after(hpt_waiter *waiter, hpt_wall *w, int64_t unix_ns,
					       int64_t timeout_ns);

/**
 * hpt_wall_wait_ready - wait until a wall has a bound: at a program's start
 *
 * @w:            the wall
 * @max_width_ns: and until it is no wider than this; 0: any width
 * @timeout_ns:   as for hpt_wall_wait_after()
 *
 * Asks no source: another thread must update or feed the wall.
 *
 * Return: 0
 *         -ETIMEDOUT
 *         -EINVAL  @w is NULL, or @max_width_ns is negative
 *
 * Safety: sleep safety. Cost: sleep cost.
 * Since:  0.2
 */
HPT_API_CHECKED int hpt_wall_wait_ready(hpt_wall *w, int64_t max_width_ns, int64_t timeout_ns);

/* ---- Timestamps that never collide --------------------------------------------------------------------- */

/**
 * hpt_hlc_new - a hybrid logical clock
 *
 * @w:            the wall, which it holds
 * @max_ahead_ns: how far beyond latest_ns a timestamp may be; not negative
 * @flags:        0
 * @ret:          the clock; untouched on failure. hpt_hlc_free() gives it back.
 *
 * Return: 0
 *         -EINVAL  a NULL, @max_ahead_ns is negative, or @flags is not 0
 *         -ENOMEM  no memory
 *
 * Safety: MT-Safe, AS-Unsafe. Cost: an allocation.
 * Since:  0.2
 */
HPT_API_CHECKED int hpt_hlc_new(hpt_wall *w, int64_t max_ahead_ns, uint32_t flags, hpt_hlc **ret);

/**
 * hpt_hlc_free - give a hybrid logical clock back
 *
 * @h: the clock. NULL is left alone.
 *
 * Safety: MT-Safe, AS-Unsafe. Cost: free(), and hpt_wall_close().
 * Since:  0.2
 */
HPT_API void hpt_hlc_free(hpt_hlc *h);

/**
 * hpt_hlc_now - a timestamp of now, larger than all that this clock gave or received
 *
 * @h:   the clock
 * @ret: the larger of latest_ns and the previous timestamp + 1, as Unix time; untouched on failure
 *
 * Return: 0
 *         -EAGAIN  the wall has no bound, or the timestamp would be more than max_ahead_ns beyond latest_ns, as after
 *                  hpt_hlc_set_floor() with a time that is not reached yet
 *         -ERANGE  the interval is wider than the wall's max_width_ns
 *         -ESTALE  in a forked child before hpt_hlc_set_floor(): its timestamps could equal its parent's
 *         -EINVAL  a NULL
 *
 * Safety: leaf. Cost: hpt_wall_now() and an atomic exchange.
 * Since:  0.2
 */
HPT_API_CHECKED int hpt_hlc_now(hpt_hlc *h, int64_t *ret);

/**
 * hpt_hlc_receive - a timestamp larger than one that came from another machine
 *
 * @h:         the clock
 * @remote_ns: the timestamp that came
 * @ret:       as for hpt_hlc_now(), and larger than @remote_ns; untouched on failure
 *
 * Return: as hpt_hlc_now(), or
 *         -ERANGE  @remote_ns is more than max_ahead_ns beyond latest_ns; it leaves no trace
 *
 * Safety: leaf. Cost: as hpt_hlc_now().
 * Since:  0.2
 */
HPT_API_CHECKED int hpt_hlc_receive(hpt_hlc *h, int64_t remote_ns, int64_t *ret);

/**
 * hpt_hlc_set_floor - all further timestamps are larger than this
 *
 * @h:        the clock
 * @floor_ns: after a restart: the largest timestamp that the program may have given before. A floor below a timestamp
 *            that this clock has already given changes nothing.
 *
 * Return: 0
 *         -EINVAL  @h is NULL, or @floor_ns is INT64_MAX
 *
 * Safety: leaf. Cost: an atomic exchange.
 * Since:  0.2
 */
HPT_API int hpt_hlc_set_floor(hpt_hlc *h, int64_t floor_ns);

/* ---- Names --------------------------------------------------------------------------------------------- */

/**
 * hpt_wall_source_name - "feed", "clockbound", "chrony", "kernel", "vmclock", "phc", "fbclock"
 *
 * @source: HPT_WALL_FEED ...
 *
 * Return: a static string, never NULL; "unknown" for a value that this library does not know
 *
 * Safety: leaf. Cost: a few nanoseconds.
 * Since:  0.2
 */
HPT_API const char *hpt_wall_source_name(uint32_t source);

/**
 * hpt_wall_state_name - "none", "synced", "holdover", "unsynced", "stale", "disrupted", "contradicted", "leap"
 *
 * @state: HPT_WALL_NONE ...
 *
 * Return: a static string, never NULL; "unknown" for a value that this library does not know
 *
 * Safety: leaf. Cost: a few nanoseconds.
 * Since:  0.2
 */
HPT_API const char *hpt_wall_state_name(uint32_t state);

/**
 * hpt_wall_reason_text - a sentence for a reason
 *
 * @reason: HPT_WALL_REASON_
 *
 * Return: a static string, never NULL; "unknown reason" for a value that this library does not know
 *
 * Safety: leaf. Cost: a few nanoseconds.
 * Since:  0.2
 */
HPT_API const char *hpt_wall_reason_text(uint32_t reason);

#ifdef __cplusplus
}
#endif

#endif
