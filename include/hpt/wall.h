/* SPDX-License-Identifier: MIT */
/*
 * wall.h - bounded wall time: an interval that contains UTC now; with hlc.h, timestamps that strictly increase.
 * hpt.h does not include it: libhpt(3) says what young headers promise. clock.h has the rules of all functions.
 * hpt_wall(7) has the meaning of intervals, and what each source is worth.
 *
 * Times are UTC as Unix time: nanoseconds since 1970, without leap seconds.
 */
#ifndef LIBHPT_WALL_H
#define LIBHPT_WALL_H

#include <hpt/hlc.h>
#include <hpt/waiter.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Constants: a value keeps its meaning for ever ----------------------------------------------------- */

/* Sources of bounds. Each is a bit, so that a mask is their sum. */
enum {
	HPT_WALL_SOURCE_FEED       = 1, /* the program's own samples, by hpt_wall_feed() */
	HPT_WALL_SOURCE_CLOCKBOUND = 2, /* the shared memory of ClockBound's daemon */
	HPT_WALL_SOURCE_CHRONY     = 4, /* chronyd, asked by UDP */
	HPT_WALL_SOURCE_KERNEL     = 8, /* adjtimex(2): a claim of unknown worth, on request only */
	HPT_WALL_SOURCE_VMCLOCK    = 16, /* the page by which a hypervisor states time and disruptions: /dev/vmclock0 */
	HPT_WALL_SOURCE_PHC        = 32, /* a network card's clock: /dev/ptp0 */
	HPT_WALL_SOURCE_FBCLOCK    = 64 /* fbclock's shared memory: a statistical claim, on request only */
};

/* States of a wall. SYNCED and HOLDOVER have a bound, the others have none. */
enum {
	HPT_WALL_STATE_NONE         = 0, /* no sample yet */
	HPT_WALL_STATE_SYNCED       = 1, /* there is a fresh sample */
	HPT_WALL_STATE_HOLDOVER     = 2, /* no new sample lately, or the source has lost its own reference */
	HPT_WALL_STATE_UNSYNCED     = 3, /* a source answers, and says that it has no bound */
	HPT_WALL_STATE_STALE        = 4, /* the latest sample is older than max_age_ns */
	HPT_WALL_STATE_DISRUPTED    = 5, /* the counter jumped, or the machine slept or moved: old samples are void */
	HPT_WALL_STATE_CONTRADICTED = 6, /* samples have nothing in common: one of the sources is wrong */
	HPT_WALL_STATE_LEAP         = 7 /* within a second of a leap second */
};

/* hpt_wall_time.flags, and those of the infos */
enum {
	HPT_WALL_FLAG_ASSUMED_RATE         = 1, /* the counter's rate has the library's default limits */
	HPT_WALL_FLAG_CLAIMED              = 2, /* a source's claim is statistical, or of unknown worth */
	HPT_WALL_FLAG_SMEARED              = 4, /* a source spreads leap seconds over hours, not UTC */
	HPT_WALL_FLAG_NO_DISRUPTION_SIGNAL = 8 /* a guest whose hypervisor reports no moves */
};

/* Flags of hpt_wall_open(). */
enum {
	HPT_WALL_OPEN_LEAP_COVER = 1 /* near a leap second an interval that contains both readings, not -EAGAIN */
};

/* hpt_wall_config.phc_timescale */
enum {
	HPT_WALL_TIMESCALE_UTC = 1,
	HPT_WALL_TIMESCALE_TAI = 2
};

/* Why a source gives nothing. */
enum {
	HPT_WALL_REASON_NONE          = 0, /* nothing is wrong */
	HPT_WALL_REASON_NOT_USED      = 1, /* hpt_wall_config.sources does not name it */
	HPT_WALL_REASON_NOT_ASKED     = 2, /* no hpt_wall_update(), or for FEED no hpt_wall_feed(), yet */
	HPT_WALL_REASON_ABSENT        = 3, /* no such file, device or daemon */
	HPT_WALL_REASON_DENIED        = 4, /* no permission */
	HPT_WALL_REASON_FAILED        = 5, /* the system call failed; error says how */
	HPT_WALL_REASON_NO_ANSWER     = 6, /* the daemon does not answer in time */
	HPT_WALL_REASON_NOT_DEVICE    = 7, /* the path does not name a device of this kind */
	HPT_WALL_REASON_FORMAT        = 8, /* unknown magic, version, size or byte order */
	HPT_WALL_REASON_TORN          = 9, /* it was being written at each look */
	HPT_WALL_REASON_UNSYNCED      = 10, /* it says that it is not synchronised */
	HPT_WALL_REASON_OLD           = 11, /* its statement is too old, from before an event, or its writer has died */
	HPT_WALL_REASON_ABSURD        = 12, /* impossible values */
	HPT_WALL_REASON_OTHER_COUNTER = 13, /* it describes another counter than the clock's */
	HPT_WALL_REASON_NO_BOUND      = 14, /* it states a time, or disruptions, without an error bound */
	HPT_WALL_REASON_ZERO_ERROR    = 15, /* adjtimex's maxerror or esterror is 0, as timesyncd leaves it */
	HPT_WALL_REASON_STEPPED       = 16, /* the system's clock was set lately */
	HPT_WALL_REASON_NAMESPACE     = 17, /* its times are of another time namespace */
	HPT_WALL_REASON_NO_TIMESCALE  = 18, /* whether it counts UTC or TAI is not known, or by how much they differ */
	HPT_WALL_REASON_CONTRADICTED  = 19, /* its statement has nothing in common with others */
	HPT_WALL_REASON_LEAP          = 20 /* its statement is from near a leap second */
};

/* ---- Structs ------------------------------------------------------------------------------------------- */

/* A wall: a clock, and what sources have stated of UTC. */
typedef struct hpt_wall hpt_wall;

/* An interval. This struct never changes. */
struct hpt_wall_time {
	int64_t    earliest_ns;         /* UTC was in [earliest_ns, latest_ns] when the counter showed tick */
	int64_t    latest_ns;
	hpt_time_t tick;
	uint64_t   generation;          /* within one, earliest_ns never decreases */
	uint32_t   state;               /* HPT_WALL_STATE_SYNCED or HPT_WALL_STATE_HOLDOVER */
	uint32_t   flags;               /* sum of HPT_WALL_FLAG_ASSUMED_RATE ... */
};

/* A statement: at some moment from tick `before` to tick `after` UTC was in [earliest_ns, latest_ns]. */
struct hpt_wall_sample {
	hpt_time_t before, after;
	int64_t    earliest_ns, latest_ns;
	uint32_t   source;              /* HPT_WALL_SOURCE_FEED, or 0 for the same */
	uint32_t   flags;               /* sum of HPT_WALL_FLAG_CLAIMED, HPT_WALL_FLAG_SMEARED */
};
enum { HPT_WALL_SAMPLE_SIZE_V0 = 40 };

/* How a wall is opened. 0 and empty strings are defaults. */
struct hpt_wall_config {
	uint32_t sources;               /* mask; 0: all but KERNEL and FBCLOCK */
	uint32_t trusted;               /* mask, of sources in use: if sources contradict each other, these are right */
	uint32_t rate_ppb;              /* how wrong the counter's rate may be, below 10^9; 0: 50000, assumed */
	uint32_t wander_ppb;            /* how far its rate may move from any average, below 10^9; 0: 15000, assumed */
	uint32_t phc_timescale;         /* HPT_WALL_TIMESCALE_ of the PHC; 0: by the driver, where it is known */
	uint32_t reserved;              /* 0 */
	int64_t  phc_error_ns;          /* how wrong the PHC may be, CLAIMED then; 0: by the driver, if it states it */
	int64_t  max_width_ns;          /* wider intervals are -ERANGE; 0: no limit */
	int64_t  max_age_ns;            /* of the latest sample; 0: 1000 s */
	int64_t  chrony_refclock_error_ns; /* how wrong chronyd's reference clocks may be; 0: not known, and not used */
	char     clockbound_path[112];  /* /var/run/clockbound/shm1, else shm0 */
	char     vmclock_path[112];     /* /dev/vmclock0 */
	char     phc_path[112];         /* /dev/ptp0 */
	char     chrony_address[64];    /* 127.0.0.1:323; a numeric address with port, or the path of a socket */
};
enum { HPT_WALL_CONFIG_SIZE_V0 = 456 };

/* Facts about a wall. */
struct hpt_wall_info {
	uint32_t size;                  /* bytes filled in */
	uint32_t state;                 /* HPT_WALL_STATE_SYNCED ... */
	uint32_t flags;                 /* sum of HPT_WALL_FLAG_ASSUMED_RATE ... */
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
	uint64_t gained;                /* how often there was a bound after there was none, the first included */
	uint64_t lost;                  /* how often there was none after there was one, as far as a call has looked */
};
enum { HPT_WALL_INFO_SIZE_V0 = 128 };

/* Facts about a source of a wall. */
struct hpt_wall_source_info {
	uint32_t size;                  /* bytes filled in */
	uint32_t source;                /* HPT_WALL_SOURCE_FEED ... */
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
enum { HPT_WALL_SOURCE_INFO_SIZE_V0 = 184 };

/* ---- Walls --------------------------------------------------------------------------------------------- */

/**
 * hpt_wall_open - a wall on a clock
 *
 * @clk:    the clock, or NULL for the default. The wall holds it, as hpt_clock_ref() does.
 * @config: how; or NULL for all defaults
 * @size:   sizeof(*config), at least HPT_WALL_CONFIG_SIZE_V0; anything if @config is NULL
 * @flags:  0 or HPT_WALL_OPEN_LEAP_COVER
 * @ret:    the new wall, with one holder; untouched on failure. hpt_wall_close() gives it back.
 *
 * Asks no source: the first hpt_wall_update() does.
 *
 * Return: 0
 *         -EINVAL  @ret is NULL, @size is too small, an unknown flag, source or timescale, trust in a source that is
 *                  not used, a rate of 10^9 or more, a negative time, a string without an end, or a newer member is set
 *         -ENOMEM  no memory
 *
 * Safety: blocking; MT-Safe, AS-Unsafe. Cost: an allocation of 16 KiB, and up to 1 ms until the clock's rate is known.
 * Since:  1.0
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
 * Since:  1.0
 */
HPT_API hpt_wall *hpt_wall_ref(hpt_wall *w);

/**
 * hpt_wall_close - one holder of a wall less; the last one frees it
 *
 * @w: the wall. NULL is left alone.
 *
 * Safety: MT-Safe, AS-Unsafe. Cost: free(), hpt_clock_close(), and munmap(2) where VMClock was mapped.
 * Since:  1.0
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
 * Since:  1.0
 */
HPT_API_CHECKED HPT_NOPLT int hpt_wall_now(hpt_wall *w, struct hpt_wall_time *ret);

/**
 * hpt_wall_at - an interval that contained UTC when the clock showed a tick
 *
 * @w:   the wall
 * @t:   a present or past tick of the wall's clock
 * @ret: the interval; untouched on failure
 *
 * Return: 0
 *         -EAGAIN  there is no bound now
 *         -ERANGE  @t is in the future or before the generation's first sample, or max_width_ns would be exceeded
 *         -EINVAL  @w or @ret is NULL
 *
 * Safety: leaf. Cost: as hpt_wall_now(), and some 150 ns.
 * Since:  1.0
 */
HPT_API_CHECKED HPT_NOPLT int hpt_wall_at(hpt_wall *w, hpt_time_t t, struct hpt_wall_time *ret);

/**
 * hpt_wall_at_os_ns - an interval that contained UTC when a clock of the kernel showed a time
 *
 * @w:       the wall
 * @clockid: CLOCK_REALTIME, as of the packets' stamps of SO_TIMESTAMPING, CLOCK_MONOTONIC, CLOCK_BOOTTIME or
 *           CLOCK_MONOTONIC_RAW of <time.h>
 * @ns:      what that clock showed: nanoseconds, now or in the past
 * @ret:     the interval; untouched on failure. Its tick is the nearest one, by the clock's present rate.
 * @size:    sizeof(*ret)
 *
 * The kernel slews its clocks by up to 10 %, and nothing shows what they did since @ns: the interval is wider than that
 * of hpt_wall_at() by 11.3 % of the time since then to each side, which is 6 us for a packet of 50 us ago; for
 * CLOCK_MONOTONIC_RAW by the error of the counter's rate alone.
 *
 * Return: 0
 *         -EAGAIN  there is no bound now
 *         -ERANGE  @ns is in the future, or before the first sample of the present generation; or CLOCK_REALTIME was
 *                  set since, or has shown @ns before it was set back; or the interval would be wider than max_width_ns
 *         -EINVAL  @w or @ret is NULL, @size is too small, or @clockid is another clock
 *         -ENOTSUP the wall is on a manual clock
 *         other    errno of clock_gettime(2) where a sandbox denies the clock: -EPERM, ...
 *
 * Safety: leaf; no system call but the clocks' own. Cost: three reads of that clock and a comparison of the system's
 *         clocks, below 2 us.
 * Since:  1.0
 */
HPT_API_CHECKED int hpt_wall_at_os_ns(hpt_wall *w, int32_t clockid, int64_t ns, struct hpt_wall_time *ret, size_t size);

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
 * Since:  1.0
 */
HPT_API HPT_NOPLT int hpt_wall_after(hpt_wall *w, int64_t unix_ns);

/**
 * hpt_wall_before - is UTC surely before a time?
 *
 * @w:       the wall
 * @unix_ns: the time
 *
 * Return: as hpt_wall_after(); 1: latest is before @unix_ns
 *
 * Safety: leaf. Cost: as hpt_wall_now().
 * Since:  1.0
 */
HPT_API HPT_NOPLT int hpt_wall_before(hpt_wall *w, int64_t unix_ns);

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
 * Safety: leaf; a system call if threads wait, and one or two after hpt_wall_fd(). Cost: some 3 us.
 * Since:  1.0
 */
HPT_API int hpt_wall_feed(hpt_wall *w, const struct hpt_wall_sample *sample, size_t size);

/**
 * hpt_wall_update - ask all sources
 *
 * @w: the wall
 *
 * To be called about once a second, by any thread. Threads that wait for the wall look at it again.
 *
 * Return: HPT_WALL_STATE_, the wall's; SYNCED and HOLDOVER: there is a bound
 *         -EINVAL  @w is NULL
 *
 * Safety: blocking, at most 0.1 s where a daemon does not answer; MT-Safe, AS-Unsafe. Cost: system calls, to 0.2 ms.
 * Since:  1.0
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
 * Since:  1.0
 */
HPT_API_CHECKED int hpt_wall_get_info(hpt_wall *w, struct hpt_wall_info *ret, size_t size);

/**
 * hpt_wall_fd - a descriptor for event loops that is readable as the bound is lost or gained
 *
 * @w: the wall
 *
 * For poll(2), epoll(7) and the like. It becomes readable once hpt_wall_update() or hpt_wall_feed() finds that there is
 * a bound after there was none, or none after there was one, since hpt_wall_fd_clear(), or since it was made; as the
 * bound ends without news, max_age_ns after the latest sample or near a leap second; and as CLOCK_REALTIME is set, the
 * machine wakes from a suspend, or VMClock's page changes where the kernel announces that, so that the program looks.
 * It may be readable early: then nothing has changed. Each process has
 * its own: a forked child that calls this gets another one. It is the wall's: it lives until hpt_wall_close(), and is
 * not to be closed. The first call makes it.
 *
 * Return: the descriptor, which is not negative
 *         -ENOTSUP the wall is on a manual clock
 *         -ENOMEM  no memory
 *         -EINVAL  @w is NULL
 *         other    errno of epoll_create1(2), timerfd_create(2), eventfd(2) or epoll_ctl(2): -EMFILE, ...
 *
 * Safety: MT-Safe, AS-Unsafe. Cost: system calls at first, then some ns. Each update and feed makes one or two more.
 * Since:  1.0
 */
HPT_API_CHECKED int hpt_wall_fd(hpt_wall *w);

/**
 * hpt_wall_fd_clear - look at a wall, and make its descriptor unreadable until the bound is lost or gained again
 *
 * @w: the wall
 *
 * To be called when the descriptor is readable, before the program acts on the state: what happens after the look makes
 * it readable again. No other function makes it unreadable.
 *
 * Return: HPT_WALL_STATE_, the wall's; SYNCED and HOLDOVER: there is a bound
 *         -EINVAL  @w is NULL, or this process has called no hpt_wall_fd()
 *
 * Safety: MT-Safe, AS-Safe. Cost: two system calls, and a comparison of the system's clocks.
 * Since:  1.0
 */
HPT_API int hpt_wall_fd_clear(hpt_wall *w);

/**
 * hpt_wall_source_get_info - facts about a source of a wall
 *
 * @w:      the wall
 * @source: HPT_WALL_SOURCE_FEED ...
 * @ret:    the facts; untouched on failure
 * @size:   sizeof(*ret), at least HPT_WALL_SOURCE_INFO_SIZE_V0
 *
 * Return: 0
 *         -EINVAL  a NULL, @source is not one of the constants, or @size is too small
 *
 * Safety: blocking: it checks whether a file exists; MT-Safe, AS-Unsafe. Cost: below 2 us, and two system calls.
 * Since:  1.0
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
 * Since:  1.0
 */
HPT_API_CHECKED int hpt_wall_to_tai_ns(hpt_wall *w, int64_t unix_ns, int64_t *ret);

/* ---- Waits --------------------------------------------------------------------------------------------- */

/**
 * hpt_wall_wait_after - wait until UTC is surely after a time (commit wait)
 *
 * @w:          the wall
 * @unix_ns:    the time
 * @timeout_ns: wait no longer than this; 0 and below: one look; INT64_MAX: for ever
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
 * Since:  1.0
 */
HPT_API_CHECKED HPT_NOPLT int hpt_wall_wait_after(hpt_wall *w, int64_t unix_ns, int64_t timeout_ns);

/**
 * hpt_wall_wait_after_on - the same on a waiter, so that it can be interrupted
 *
 * @w:          the wall
 * @waiter:     a waiter on the wall's clock
 * @unix_ns:    as for hpt_wall_wait_after()
 * @timeout_ns: likewise
 *
 * A pending interrupt ends the wait at once, even if @unix_ns is past.
 *
 * Return: as hpt_wall_wait_after(), or
 *         -ECANCELED hpt_waiter_interrupt() was called, and is no longer pending; hpt_waiter_remaining_ns() has the
 *                  rest of @timeout_ns
 *         -EINTR   a signal handler ran while the wait was in the kernel, and the waiter has HPT_WAIT_EINTR
 *         -EBUSY   another thread sleeps on @waiter
 *         -EINVAL  a NULL, or the waiter is on another clock
 *
 * Safety: sleep safety. Cost: sleep cost.
 * Since:  1.0
 */
HPT_API_CHECKED HPT_NOPLT int hpt_wall_wait_after_on(hpt_wall *w, hpt_waiter *waiter, int64_t unix_ns,
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
 * Since:  1.0
 */
HPT_API_CHECKED int hpt_wall_wait_ready(hpt_wall *w, int64_t max_width_ns, int64_t timeout_ns);

/**
 * hpt_wall_sleep_until_ns - sleep until a moment of UTC, the same on machines that do not talk to each other
 *
 * @w:            the wall
 * @unix_ns:      the time
 * @max_error_ns: the largest error of use; 0: any. Not negative.
 * @ret_error_ns: at a moment between the last look at the wall and the return UTC was within this of @unix_ns; NULL:
 *                not wanted. Untouched on failure.
 *
 * Ends once the middle of the interval of hpt_wall_now() has reached @unix_ns: the error is then half its width, and
 * the time by which the thread came late. A sample that comes meanwhile moves the end. Asks no source: another thread
 * must update or feed the wall. A time that is past ends the sleep at once, with the error that this has.
 *
 * Return: 0
 *         -EAGAIN  there is no bound, or it was lost: the sleep ends then, before @unix_ns
 *         -ERANGE  half the interval is wider than @max_error_ns, now or at a later look: the sleep ends then; or the
 *                  thread came so late that the error is larger
 *         -EINVAL  @w is NULL, or @max_error_ns is negative
 *
 * Safety: sleep safety. Cost: sleep cost.
 * Since:  1.0
 */
HPT_API_CHECKED HPT_NOPLT int hpt_wall_sleep_until_ns(hpt_wall *w, int64_t unix_ns, int64_t max_error_ns,
						      int64_t *ret_error_ns);

/**
 * hpt_wall_sleep_until_ns_on - the same on a waiter, so that it can be interrupted
 *
 * @w:            the wall
 * @waiter:       a waiter on the wall's clock
 * @unix_ns:      as for hpt_wall_sleep_until_ns()
 * @max_error_ns: likewise
 * @ret_error_ns: likewise
 *
 * A pending interrupt ends the sleep at once, even if @unix_ns is past.
 *
 * Return: as hpt_wall_sleep_until_ns(), or
 *         -ECANCELED hpt_waiter_interrupt() was called, and is no longer pending; hpt_waiter_remaining_ns() has the
 *                  rest, by the bound as it was then
 *         -EINTR   a signal handler ran while the sleep was in the kernel, and the waiter has HPT_WAIT_EINTR
 *         -EBUSY   another thread sleeps on @waiter
 *         -EINVAL  a NULL, or the waiter is on another clock, or @max_error_ns is negative
 *
 * Safety: sleep safety. Cost: sleep cost.
 * Since:  1.0
 */
HPT_API_CHECKED HPT_NOPLT int hpt_wall_sleep_until_ns_on(hpt_wall *w, hpt_waiter *waiter, int64_t unix_ns,
							 int64_t max_error_ns, int64_t *ret_error_ns);

/* ---- Names --------------------------------------------------------------------------------------------- */

/**
 * hpt_wall_source_name - "feed", "clockbound", "chrony", "kernel", "vmclock", "phc", "fbclock"
 *
 * @source: HPT_WALL_SOURCE_FEED ...
 *
 * Return: a static string, never NULL; "unknown" for a value that this library does not know
 *
 * Safety: leaf. Cost: a few nanoseconds.
 * Since:  1.0
 */
HPT_API const char *hpt_wall_source_name(uint32_t source);

/**
 * hpt_wall_state_name - "none", "synced", "holdover", "unsynced", "stale", "disrupted", "contradicted", "leap"
 *
 * @state: HPT_WALL_STATE_NONE ...
 *
 * Return: a static string, never NULL; "unknown" for a value that this library does not know
 *
 * Safety: leaf. Cost: a few nanoseconds.
 * Since:  1.0
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
 * Since:  1.0
 */
HPT_API const char *hpt_wall_reason_text(uint32_t reason);

#ifdef __cplusplus
}
#endif

#endif
