/* SPDX-License-Identifier: MIT */
/*
 * hpt.h - one clock over whatever counter this machine has.
 *
 * Functions that return int return 0 (or a documented positive number) on success and a
 * negative errno value on failure; on failure the outputs keep their old values.
 * A NULL clock means the process's default clock at the time of the call.
 *
 * "leaf" functions are bounded, take no lock, allocate nothing, leave errno alone (but see libhpt(3)) and may be
 * called from signal handlers, after fork and before main. "blocking" ones may wait.
 */
#ifndef HPT_HPT_H
#define HPT_HPT_H

#include <stddef.h>
#include <stdint.h>

#include <hpt/version.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Marks what the shared library exports. Every such function is also in lib/libhpt.map. */
#if defined(__GNUC__) && __GNUC__ >= 4
#define HPT_API __attribute__((visibility("default")))
#else
#define HPT_API
#endif

/*
 * Reads and sleeps are called through the address that the loader fills in, not through a stub that jumps
 * there: 4 % of a TSC read on an Intel Xeon of family 6 model 207.
 */
#if defined(__has_attribute)
#if __has_attribute(noplt)
#define HPT_API_READ HPT_API __attribute__((noplt))
#endif
#endif
#ifndef HPT_API_READ
#define HPT_API_READ HPT_API
#endif

/* A clock: one source and its rate. It never changes its source. */
typedef struct hpt_clock hpt_clock;

/*
 * Ticks of its clock since that clock's own zero; the difference of two is a duration in ticks.
 * A value does not carry its clock: never mix values of two clocks, machines or boots.
 */
typedef int64_t hpt_time_t;

/* ---- Constants: values are pinned for ever and never reused -------------------------------- */

/* Sources. */
#define HPT_SOURCE_AUTO 0u /* the library's own choice */
#define HPT_SOURCE_TSC  1u /* x86 time stamp counter, read by an instruction */
#define HPT_SOURCE_HPET 2u /* x86 high precision event timer, read through /dev/hpet */
#define HPT_SOURCE_OS   3u /* clock_gettime(CLOCK_MONOTONIC) */
#define HPT_SOURCE_ARM  4u /* Arm generic timer */
#define HPT_SOURCE_MMIO 5u /* memory-mapped counter of a system on chip */

/* How far the library came with a source. */
#define HPT_STAGE_UNTRIED  0u /* not asked for */
#define HPT_STAGE_CPU      1u /* processor and process: instruction there and permitted */
#define HPT_STAGE_OPEN     2u /* device node */
#define HPT_STAGE_MAP      3u /* mapping of its registers */
#define HPT_STAGE_CAPS     4u /* width, period, enabled */
#define HPT_STAGE_COUNTING 5u /* two reads differ */
#define HPT_STAGE_USABLE   6u /* everything above passed */

/* State of a clock. */
#define HPT_STATE_OK         0u
#define HPT_STATE_REANCHORED 1u /* the clocks moved: suspend, step of the wall clock, another time namespace */
#define HPT_STATE_DISRUPTED  2u /* the counter jumped: snapshot, migration, another counter */
#define HPT_STATE_DEMOTED    3u /* the kernel stopped trusting this counter */
#define HPT_STATE_VETOED     4u /* opened on request although the library would not have chosen it */

/* Where a clock's rate comes from. */
#define HPT_ORIGIN_NONE     0u /* could not be measured: counter and clocks contradicted each other */
#define HPT_ORIGIN_EXACT    1u /* by definition: the OS clock counts nanoseconds */
#define HPT_ORIGIN_REGISTER 2u /* stated by the hardware: the HPET's period register */
#define HPT_ORIGIN_MEASURED 3u /* measured against CLOCK_MONOTONIC_RAW */
#define HPT_ORIGIN_KERNEL   4u /* the kernel's own, told from all others that it can have by measurement */

/* What the CPU promises of its TSC. */
#define HPT_CPU_NO_TSC             0u /* no such instruction */
#define HPT_CPU_NOT_CONSTANT       1u /* rate may follow the CPU's frequency */
#define HPT_CPU_CONSTANT_BY_FAMILY 2u /* constant rate known from family and model; may stop in deep idle */
#define HPT_CPU_INVARIANT          3u /* constant rate in every state: CPUID 80000007h EDX bit 8 */

/* Why a source was chosen, not chosen, or cannot be used. hpt_reason_text() has the sentence. */
#define HPT_REASON_NONE 0u
/* chosen */
#define HPT_REASON_TSC_TRUSTED        1u
#define HPT_REASON_TSC_FAMILY         2u
#define HPT_REASON_TSC_UNCONTRADICTED 3u
#define HPT_REASON_LOWER_MEAN         4u
#define HPT_REASON_LOWER_STDDEV       5u
#define HPT_REASON_FINER              6u
#define HPT_REASON_ONLY_ONE           7u
#define HPT_REASON_REQUESTED          8u
#define HPT_REASON_REQUESTED_ENV      9u
/* usable but not chosen */
#define HPT_REASON_NOT_NEEDED      20u
#define HPT_REASON_SKIPPED_ENV     21u
#define HPT_REASON_HIGHER_MEAN     22u
#define HPT_REASON_HIGHER_STDDEV   23u
#define HPT_REASON_COARSER         24u
#define HPT_REASON_BETTER_TSC      25u
#define HPT_REASON_OTHER_REQUESTED 26u
/* this build or machine has no such source */
#define HPT_REASON_NOT_BUILT 40u
/* TSC */
#define HPT_REASON_TSC_ABSENT        50u
#define HPT_REASON_TSC_NOT_ORDERED   51u
#define HPT_REASON_TSC_FORBIDDEN     52u
#define HPT_REASON_TSC_NOT_CONSTANT  53u
#define HPT_REASON_TSC_GUEST_FAMILY  54u
#define HPT_REASON_TSC_FAMILY_ALONE  55u
#define HPT_REASON_TSC_GUEST_ALONE   56u
#define HPT_REASON_KERNEL_DISAGREES  57u
#define HPT_REASON_TSC_EXPENSIVE     58u
#define HPT_REASON_TSC_NOT_COUNTING  59u
/* any counter */
#define HPT_REASON_INTERPOSED 65u
/* HPET: the papers' HPETFail list, and what it lacked */
#define HPT_REASON_HPET_ACCESS       70u /* EACCES, EPERM */
#define HPT_REASON_HPET_FAULT        71u /* EFAULT */
#define HPT_REASON_HPET_NOENT        72u /* ENOENT, ENOTDIR */
#define HPT_REASON_HPET_MFILE        73u /* EMFILE, ENFILE */
#define HPT_REASON_HPET_AGAIN        74u /* EAGAIN */
#define HPT_REASON_HPET_BUSY         75u /* EBUSY */
#define HPT_REASON_HPET_BADF         76u /* EBADF */
#define HPT_REASON_HPET_NODEV        77u /* ENODEV, ENXIO */
#define HPT_REASON_HPET_NOMEM        78u /* ENOMEM */
#define HPT_REASON_HPET_32BIT        79u /* MC32BIT: counter of 32 bits */
#define HPT_REASON_HPET_UNKNOWN      80u /* any other errno */
#define HPT_REASON_HPET_NOT_DEVICE   81u
#define HPT_REASON_HPET_MMAP_DENIED  82u
#define HPT_REASON_HPET_PERIOD       83u
#define HPT_REASON_HPET_DISABLED     84u
#define HPT_REASON_HPET_NOT_COUNTING 85u
#define HPT_REASON_HPET_GONE         86u
#define HPT_REASON_HPET_NO_MMAP      87u /* ENOSYS from mmap */

/* hpt_clock_info.flags */
#define HPT_CLOCK_IS_DEFAULT  1u /* the process's default clock */
#define HPT_CLOCK_ENV_UNKNOWN 2u /* HPT_SOURCE named no source; see env_source */
#define HPT_CLOCK_ENV_REFUSED 4u /* HPT_SOURCE named a source that cannot be used here */
#define HPT_CLOCK_RATE_CONTRADICTED 8u /* the hardware states a rate more than 0.1 % off; the measured one is used */

/* ---- Results: plain data, filled up to the size the caller names ----------------------------- */

/* All about a clock. Members are only ever added at the end. */
struct hpt_clock_info {
	uint32_t size;                  /* bytes filled in */
	uint32_t source;                /* HPT_SOURCE_ */
	uint32_t reason;                /* HPT_REASON_: why this source, or why it is vetoed */
	uint32_t state;                 /* HPT_STATE_ */
	uint32_t flags;                 /* HPT_CLOCK_ */
	uint32_t counter_bits;          /* implemented bits of the counter */
	uint64_t generation;            /* grows when conversion starts anew, see hpt_clock_check(); first is 1 */
	uint64_t frequency_uhz;         /* ticks per 10^6 seconds (micro-hertz) */
	uint32_t frequency_error_ppb;   /* half-width of the proven bound, parts per 10^9; UINT32_MAX: nothing proven */
	uint32_t frequency_origin;      /* HPT_ORIGIN_ */
	uint32_t granularity_ns;        /* smallest step seen, rounded up to a whole nanosecond; 0: no step was seen */
	uint32_t env_requested;         /* HPT_SOURCE_ asked for by the environment; AUTO if none */
	uint64_t read_cost_mean_ps;     /* one ordered read, picoseconds; 0 if not measured */
	uint64_t read_cost_stddev_ps;
	uint32_t read_cost_samples;     /* reads behind these two, and peaks dropped before */
	uint32_t read_cost_dropped;
	uint64_t hpet_period_fs;        /* HPET only: femtoseconds a tick, else 0 */
	uint32_t hpet_vendor_id;        /* HPET only: PCI vendor, else 0 */
	uint32_t reserved;
	int64_t  epoch_ticks;           /* this tick ... */
	int64_t  epoch_ns;              /* ... was this on the clock's nanosecond line ... */
	int64_t  epoch_unix_ns;         /* ... and this in Unix time */
	char     env_source[24];        /* text of HPT_SOURCE, cut to fit; "" if unset */
	char     kernel_clocksource[32];/* the kernel's own at load; "" if not asked or unreadable */
};
#define HPT_CLOCK_INFO_SIZE_V0 176u

/* All about a source, usable or not. */
struct hpt_source_info {
	uint32_t size;                  /* bytes filled in */
	uint32_t source;                /* HPT_SOURCE_ */
	uint32_t usable;                /* 1: hpt_clock_open() worked or would, as far as is known */
	uint32_t chosen;                /* 1: the default clock runs on it */
	uint32_t stage;                 /* HPT_STAGE_: how far it came */
	uint32_t reason;                /* HPT_REASON_ */
	uint32_t error;                 /* errno value (positive) that stopped it, or 0 */
	uint32_t granularity_ns;        /* as in hpt_clock_info; 0 if not measured or not seen */
	uint64_t cost_mean_ps;          /* one ordered read, picoseconds; 0 if not measured */
	uint64_t cost_stddev_ps;
	uint32_t cost_samples;
	uint32_t cost_dropped;
	uint64_t frequency_uhz;         /* micro-hertz; 0 if not known yet */
	char     name[16];              /* "tsc", "hpet", ... */
};
#define HPT_SOURCE_INFO_SIZE_V0 80u

/* What CPUID tells of this processor (the papers' AccessTimeHardware). */
struct hpt_cpu_info {
	uint32_t size;                  /* bytes filled in */
	uint32_t tsc_class;             /* HPT_CPU_ */
	uint32_t family, model, stepping;
	uint32_t tsc, rdtscp, invariant, sse2, hypervisor;      /* 0 or 1 */
	uint32_t cores_online;          /* logical processors, by sysconf */
	uint32_t crystal_hz;            /* CPUID 15h ECX; 0 if not stated */
	uint64_t tsc_hz;                /* CPUID 15h, only where all three words are given; a hint */
	char     vendor_id[16];         /* the 12 characters of CPUID 0 */
	char     vendor[16];            /* "intel", "amd", ... or "other" */
	char     brand[64];             /* trimmed */
	char     hypervisor_id[16];     /* the 12 characters of CPUID 40000000h */
};
#define HPT_CPU_INFO_SIZE_V0 168u

/*
 * Seconds and what is above them; as Unix time, or as a duration. sec is rounded down and the rest is never negative:
 * -0.5 s is { -1, 500000000 }. Not struct timespec, whose size differs between builds of one machine. These two never
 * change.
 */
struct hpt_timespec {
	int64_t sec;
	int64_t nsec;                   /* 0 to 999999999 */
};

struct hpt_timeval {
	int64_t sec;
	int64_t usec;                   /* 0 to 999999 */
};

/* ---- Clocks ------------------------------------------------------------------------------------ */

/**
 * hpt_clock_default - the process's default clock
 *
 * Return: the clock, never NULL. It lives as long as the process; hpt_clock_close() leaves it alone.
 *
 * Safety: leaf; MT-Safe, AS-Safe. Cost: a load, once the library has chosen.
 * Since:  0.1
 */
HPT_API hpt_clock *hpt_clock_default(void);

/**
 * hpt_clock_open - a clock of its own on a given source
 *
 * @source: HPT_SOURCE_; AUTO is the source that the library chose at load
 * @ret:    the new clock; untouched on failure. Give it back with hpt_clock_close().
 *
 * A TSC that the library would not have chosen is opened all the same if it executes and
 * counts; its state then says VETOED and its reason why.
 *
 * Return: 0
 *         -EINVAL  @ret is NULL, or @source is none of the constants
 *         -ENODEV  this build, machine or CPU has no such source
 *         -ENOTSUP it has one that cannot be used: 32 bits wide, disabled, absurd period, no ordered read
 *         -EPERM   the TSC is forbidden to this process (PR_SET_TSC)
 *         -EIO     the counter does not count, or no HPET answers behind its address
 *         -EBUSY   another process holds the HPET's only channel (or 4095 clocks of this one share it)
 *         -ENOMEM  no memory
 *         other    errno of open(2), fstat(2) or mmap(2) on /dev/hpet: -EACCES, -ENOENT, -EMFILE, ...
 *         hpt_source_get_info() then tells stage and reason.
 *
 * Safety: blocking; MT-Safe, AS-Unsafe. Cost: that of about 400 reads, at least a few microseconds.
 * Since:  0.1
 */
HPT_API int hpt_clock_open(uint32_t source, hpt_clock **ret);

/**
 * hpt_clock_close - give a clock back
 *
 * @clk: from hpt_clock_open(); NULL and default clocks are left alone
 *
 * No other thread may still be using it.
 *
 * Safety: MT-Safe, AS-Unsafe. Cost: free(), and munmap() for the last one on the HPET.
 * Since:  0.1
 */
HPT_API void hpt_clock_close(hpt_clock *clk);

/**
 * hpt_clock_set_default - change the default clock (the papers' SetTimerSource)
 *
 * @source: HPT_SOURCE_; AUTO goes back to the library's own choice
 *
 * For program start: a time taken through NULL before the change and one taken after it count
 * in different ticks and must not be mixed. Clocks already held keep their source.
 *
 * Return: as hpt_clock_open(); the default is unchanged on failure.
 *
 * Safety: blocking; MT-Safe, AS-Unsafe. Cost: as hpt_clock_open() the first time, then a few loads.
 * Since:  0.1
 */
HPT_API int hpt_clock_set_default(uint32_t source);

/* ---- Reads ------------------------------------------------------------------------------------- */

/**
 * hpt_now - now, in ticks of the clock; ordered
 *
 * @clk: the clock, or NULL for the default
 *
 * A read that happens after another, on any thread and CPU, is never smaller (two may be equal).
 *
 * Return: ticks since the clock's zero. Cannot fail.
 *
 * Safety: leaf; MT-Safe, AS-Safe. Cost: the counter's own; no system call unless the source is one.
 * Since:  0.1
 */
HPT_API_READ hpt_time_t hpt_now(hpt_clock *clk);

/**
 * hpt_now_unordered - now, by the bare counter instruction
 *
 * @clk: the clock, or NULL for the default
 *
 * The processor may execute it before earlier and after later instructions: of two threads that
 * pass such times through memory the receiver's may be the smaller. Fit for statistics and
 * for intervals within one thread. Where a source has one read only, the same as hpt_now().
 *
 * Return: ticks since the clock's zero. Cannot fail.
 *
 * Safety: leaf; MT-Safe, AS-Safe. Cost: about half of hpt_now() on a TSC.
 * Since:  0.1
 */
HPT_API_READ hpt_time_t hpt_now_unordered(hpt_clock *clk);

/**
 * hpt_now_ns - now, in nanoseconds on CLOCK_MONOTONIC_RAW's line; ordered
 *
 * @clk: the clock, or NULL for the default
 *
 * On the OS source: on CLOCK_MONOTONIC's line. A read that happens after another, on any thread and CPU, is never
 * smaller, within a generation: see hpt_clock_check().
 *
 * Return: nanoseconds. Cannot fail.
 *
 * Safety: leaf, but the first conversion of a clock may wait until its anchor is 1 ms old;
 *         MT-Safe, AS-Safe. Cost: hpt_now() and one multiplication; once a second of use 39 clock reads.
 * Since:  0.1
 */
HPT_API_READ int64_t hpt_now_ns(hpt_clock *clk);

/**
 * hpt_now_unix_ns - now, in nanoseconds since 1970-01-01 00:00 UTC
 *
 * @clk: the clock, or NULL for the default
 *
 * Follows CLOCK_REALTIME with its steps and slew, by a look at it once a second of use: after two seconds of use within
 * 100 ns while the kernel does not change its rate. A step is seen at the next look, and begins a generation; a
 * change of rate by n ppm leaves up to n microseconds open, and is followed within four seconds of use. On the OS
 * source it is that clock itself.
 *
 * Return: nanoseconds. Cannot fail: where a sandbox denies the clock, its coarse sister answers.
 *
 * Safety: as hpt_now_ns(). Cost: as hpt_now_ns().
 * Since:  0.1
 */
HPT_API int64_t hpt_now_unix_ns(hpt_clock *clk);

/* ---- State and generation ------------------------------------------------------------------------ */

/**
 * hpt_clock_check - look at once whether the clock is what it was
 *
 * @clk: the clock, or NULL for the default
 *
 * About once a second of use, on the caller's way through a conversion, the library compares the counter with the
 * system's clocks. This does the same now, and asks what cannot be asked on that way: whether the kernel still keeps
 * time with the TSC, whether the hypervisor says that it disturbed the counter (/dev/vmclock0, from the second check
 * on), and what rate CPUID states.
 *
 * What it finds begins a new generation, whose state says why it began and stays until the next one begins:
 *   HPT_STATE_REANCHORED  the system's clocks moved: a suspend, a step of the wall clock, another time namespace. Unix
 *                         time starts anew; nanoseconds do too if the counter did not go along.
 *   HPT_STATE_DISRUPTED   the counter jumped on its own: a restored snapshot, a migration. Both start anew, and so
 *                         does the measurement of the rate.
 *   HPT_STATE_DEMOTED     the kernel left the TSC. hpt_now() is the counter still; hpt_now_ns() and hpt_now_unix_ns()
 *                         are now the system's own clocks, and conversions go on with an error bound that grows.
 *
 * Return: HPT_STATE_; OK is 0
 *
 * Safety: blocking (reads two small files); MT-Safe, AS-Unsafe. Cost: some 6 us, the first more where CPUID is slow.
 * Since:  0.1
 */
HPT_API int hpt_clock_check(hpt_clock *clk);

/**
 * hpt_clock_generation - which generation of its conversions the clock is in
 *
 * @clk: the clock, or NULL for the default
 *
 * Times and durations of one generation can be compared after conversion; those of two cannot, and ticks of before a
 * jump of the counter convert to times that are off by the jump.
 *
 * Return: 1 at first; grows by 1 at a time.
 *
 * Safety: as hpt_now_ns(). Cost: about twice hpt_now_ns().
 * Since:  0.1
 */
HPT_API uint64_t hpt_clock_generation(hpt_clock *clk);

/* ---- Conversions --------------------------------------------------------------------------------- */

/**
 * hpt_ticks_to_ns - a duration in ticks as nanoseconds
 *
 * @clk:   the clock the ticks were counted by, or NULL for the default
 * @ticks: any value; negative durations are fine
 *
 * Return: nanoseconds, rounded to nearest; INT64_MIN or INT64_MAX where they do not fit.
 *
 * Safety: as hpt_now_ns(). Cost: one multiplication; while the rate is still being refined a read of the clock more for
 *         durations that are not short beside the clock's age.
 * Since:  0.1
 */
HPT_API int64_t hpt_ticks_to_ns(hpt_clock *clk, int64_t ticks);

/**
 * hpt_ns_to_ticks - a duration in nanoseconds as ticks
 *
 * @clk: the clock whose ticks are wanted, or NULL for the default
 * @ns:  any value
 *
 * Return: ticks, rounded to nearest; INT64_MIN or INT64_MAX where they do not fit.
 *
 * Safety: as hpt_now_ns(). Cost: as hpt_ticks_to_ns().
 * Since:  0.1
 */
HPT_API int64_t hpt_ns_to_ticks(hpt_clock *clk, int64_t ns);

/**
 * hpt_ticks_to_timespec - a duration in ticks as seconds and nanoseconds
 *
 * @clk:   the clock the ticks were counted by, or NULL for the default
 * @ticks: any value; every one fits
 * @ret:   seconds, rounded down, and nanoseconds above them; untouched on failure
 *
 * Return: 0
 *         -EINVAL  @ret is NULL
 *
 * Safety: as hpt_now_ns(). Cost: one multiplication and four divisions.
 * Since:  0.1
 */
HPT_API int hpt_ticks_to_timespec(hpt_clock *clk, int64_t ticks, struct hpt_timespec *ret);

/**
 * hpt_ticks_format - a duration in ticks as text: -12.345678901 s
 *
 * @clk:   the clock the ticks were counted by, or NULL for the default
 * @ticks: any value
 * @buf:   where to; HPT_TICKS_FORMAT_SIZE bytes are enough for every duration. Untouched on failure.
 * @size:  bytes there
 *
 * Seconds with nine digits behind the point, independent of locale; a duration that rounds to nothing has no sign.
 *
 * Return: the length without the terminating NUL
 *         -EINVAL  @buf is NULL
 *         -ERANGE  @size is too small for this duration
 *
 * Safety: as hpt_now_ns(). Cost: below a microsecond.
 * Since:  0.1
 */
HPT_API int hpt_ticks_format(hpt_clock *clk, int64_t ticks, char *buf, size_t size);
#define HPT_TICKS_FORMAT_SIZE 33u

/**
 * hpt_time_add_ticks - a time so many ticks later
 *
 * @clk:    the clock that gave @t, or NULL for the default
 * @t:      a time of that clock
 * @amount: ticks; negative: earlier
 * @ret:    the sum; untouched on failure
 *
 * The sum of two integers, but checked.
 *
 * Return: 0
 *         -EINVAL  @ret is NULL
 *         -ERANGE  the sum does not fit
 *
 * Safety: leaf; MT-Safe, AS-Safe. Cost: an addition.
 * Since:  0.1
 */
HPT_API int hpt_time_add_ticks(hpt_clock *clk, hpt_time_t t, int64_t amount, hpt_time_t *ret);

/**
 * hpt_time_add_ns - a time so many nanoseconds later
 *
 * @clk:    the clock that gave @t, or NULL for the default
 * @t:      a time of that clock
 * @amount: nanoseconds; negative: earlier
 * @ret:    the sum; untouched on failure
 *
 * Adds what hpt_ns_to_ticks() makes of @amount, rounded to nearest; but also where that alone would not fit.
 *
 * Return: 0
 *         -EINVAL  @ret is NULL
 *         -ERANGE  the sum does not fit
 *
 * Safety: as hpt_now_ns(). Cost: one multiplication.
 * Since:  0.1
 */
HPT_API int hpt_time_add_ns(hpt_clock *clk, hpt_time_t t, int64_t amount, hpt_time_t *ret);

/**
 * hpt_time_add_us - a time so many microseconds later
 *
 * @clk:    the clock that gave @t, or NULL for the default
 * @t:      a time of that clock
 * @amount: microseconds; negative: earlier. They need not fit as nanoseconds.
 * @ret:    the sum; untouched on failure
 *
 * The same as hpt_time_add_ns() of 1000 times @amount.
 *
 * Return: 0
 *         -EINVAL  @ret is NULL
 *         -ERANGE  the sum does not fit
 *
 * Safety: as hpt_now_ns(). Cost: one multiplication; beyond 292 years a division of 0.1 us.
 * Since:  0.1
 */
HPT_API int hpt_time_add_us(hpt_clock *clk, hpt_time_t t, int64_t amount, hpt_time_t *ret);

/**
 * hpt_time_add_s - a time so many seconds later
 *
 * @clk:    the clock that gave @t, or NULL for the default
 * @t:      a time of that clock
 * @amount: seconds; negative: earlier. They need not fit as nanoseconds.
 * @ret:    the sum; untouched on failure
 *
 * The same as hpt_time_add_ns() of 10^9 times @amount.
 *
 * Return: 0
 *         -EINVAL  @ret is NULL
 *         -ERANGE  the sum does not fit
 *
 * Safety: as hpt_now_ns(). Cost: as hpt_time_add_us().
 * Since:  0.1
 */
HPT_API int hpt_time_add_s(hpt_clock *clk, hpt_time_t t, int64_t amount, hpt_time_t *ret);

/**
 * hpt_time_to_unix_ns - a time of the clock as Unix time
 *
 * @clk: the clock that gave @t, or NULL for the default
 * @t:   a time of that clock
 * @ret: nanoseconds since 1970-01-01 00:00 UTC, rounded to nearest; untouched on failure
 *
 * Of a @t of now it is what hpt_now_unix_ns() says. Farther away it goes by the present rate: each look at the clocks,
 * about once a second of use, may move the Unix time of one and the same old tick a little, by what the look teaches of
 * the rate over the time between. What the rate leaves open is frequency_error_ppb over that time.
 *
 * Return: 0
 *         -EINVAL  @ret is NULL
 *         -ERANGE  the result does not fit (years 1677 to 2262): @t is before hpt_time_min() or after hpt_time_max()
 *
 * Safety: as hpt_now_ns(). Cost: one multiplication; a read of the clock more if @t is not of the last second.
 * Since:  0.1
 */
HPT_API int hpt_time_to_unix_ns(hpt_clock *clk, hpt_time_t t, int64_t *ret);

/**
 * hpt_time_from_unix_ns - Unix time as a time of the clock
 *
 * @clk:     the clock whose time is wanted, or NULL for the default
 * @unix_ns: nanoseconds since 1970-01-01 00:00 UTC
 * @ret:     the nearest tick; untouched on failure
 *
 * The reverse of hpt_time_to_unix_ns(). Until the library looks again, the way there and back gives @t again where a
 * tick is a nanosecond or longer, and else a tick within half a nanosecond and half a tick of it.
 *
 * Return: 0
 *         -EINVAL  @ret is NULL
 *         -ERANGE  the result does not fit
 *
 * Safety: as hpt_now_ns(). Cost: two divisions of 128 bits, 0.3 us.
 * Since:  0.1
 */
HPT_API int hpt_time_from_unix_ns(hpt_clock *clk, int64_t unix_ns, hpt_time_t *ret);

/**
 * hpt_time_to_timespec - a time of the clock as Unix time in seconds and nanoseconds
 *
 * @clk: the clock that gave @t, or NULL for the default
 * @t:   a time of that clock; every one fits, also where hpt_time_to_unix_ns() has no room for it
 * @ret: seconds since 1970-01-01 00:00 UTC, rounded down, and nanoseconds above them; untouched on failure
 *
 * Return: 0
 *         -EINVAL  @ret is NULL
 *
 * Safety: as hpt_now_ns(). Cost: as hpt_time_to_unix_ns(), and four divisions.
 * Since:  0.1
 */
HPT_API int hpt_time_to_timespec(hpt_clock *clk, hpt_time_t t, struct hpt_timespec *ret);

/**
 * hpt_time_from_timespec - Unix time in seconds and nanoseconds as a time of the clock
 *
 * @clk: the clock whose time is wanted, or NULL for the default
 * @ts:  Unix time
 * @ret: the nearest tick; untouched on failure
 *
 * Return: 0
 *         -EINVAL  @ts or @ret is NULL, or the nanoseconds are not 0 to 999999999
 *         -ERANGE  the result does not fit
 *
 * Safety: as hpt_now_ns(). Cost: two divisions of 128 bits, 0.3 us.
 * Since:  0.1
 */
HPT_API int hpt_time_from_timespec(hpt_clock *clk, const struct hpt_timespec *ts, hpt_time_t *ret);

/**
 * hpt_time_to_timeval - a time of the clock as Unix time in seconds and microseconds
 *
 * @clk: the clock that gave @t, or NULL for the default
 * @t:   a time of that clock; every one fits
 * @ret: as hpt_time_to_timespec(), the nanoseconds cut to whole microseconds; untouched on failure
 *
 * Return: 0
 *         -EINVAL  @ret is NULL
 *
 * Safety: as hpt_now_ns(). Cost: as hpt_time_to_timespec().
 * Since:  0.1
 */
HPT_API int hpt_time_to_timeval(hpt_clock *clk, hpt_time_t t, struct hpt_timeval *ret);

/**
 * hpt_time_from_timeval - Unix time in seconds and microseconds as a time of the clock
 *
 * @clk: the clock whose time is wanted, or NULL for the default
 * @tv:  Unix time
 * @ret: the nearest tick; untouched on failure
 *
 * Return: 0
 *         -EINVAL  @tv or @ret is NULL, or the microseconds are not 0 to 999999
 *         -ERANGE  the result does not fit
 *
 * Safety: as hpt_now_ns(). Cost: two divisions of 128 bits, 0.3 us.
 * Since:  0.1
 */
HPT_API int hpt_time_from_timeval(hpt_clock *clk, const struct hpt_timeval *tv, hpt_time_t *ret);

/**
 * hpt_unix_ticks - a time of the clock as ticks since 1970 (the papers' value of a timer)
 *
 * @clk: the clock that gave @t, or NULL for the default
 * @t:   a time of that clock
 * @ret: Unix time multiplied by the clock's rate; untouched on failure
 *
 * Such numbers end early: at 5 GHz on 2028-06-15, at 4.7 GHz on 2032-03-09. And they follow the rate, which is an
 * estimate: one part in a million more, and they are half an hour of ticks away. So hpt_time_t does not count from
 * 1970.
 *
 * Return: 0
 *         -EINVAL  @ret is NULL
 *         -ERANGE  the result does not fit
 *
 * Safety: as hpt_now_ns(). Cost: as hpt_time_to_unix_ns().
 * Since:  0.1
 */
HPT_API int hpt_unix_ticks(hpt_clock *clk, hpt_time_t t, int64_t *ret);

/**
 * hpt_time_min - the earliest time of the clock that hpt_time_to_unix_ns() can convert
 *
 * @clk: the clock, or NULL for the default
 *
 * That is 1677-09-21 in Unix time, or INT64_MIN ticks where they end later. hpt_time_format() can write this and
 * all that is after it, up to hpt_time_max(). Steps of the wall clock move the two.
 *
 * Return: ticks since the clock's zero. Cannot fail.
 *
 * Safety: as hpt_now_ns(). Cost: below a microsecond; may look at both clocks.
 * Since:  0.1
 */
HPT_API hpt_time_t hpt_time_min(hpt_clock *clk);

/**
 * hpt_time_max - the latest time of the clock that hpt_time_to_unix_ns() can convert
 *
 * @clk: the clock, or NULL for the default
 *
 * That is 2262-04-11 in Unix time, or INT64_MAX ticks where they end earlier. See hpt_time_min().
 *
 * Return: ticks since the clock's zero. Cannot fail.
 *
 * Safety: as hpt_now_ns(). Cost: as hpt_time_min().
 * Since:  0.1
 */
HPT_API hpt_time_t hpt_time_max(hpt_clock *clk);

/**
 * hpt_time_format - a time of the clock as text: 2026-11-20T10:47:59.123456789Z
 *
 * @clk:  the clock that gave @t, or NULL for the default
 * @t:    a time of that clock
 * @buf:  where to; HPT_TIME_FORMAT_SIZE bytes are enough. Untouched on failure.
 * @size: bytes there
 *
 * UTC, ISO 8601, nanoseconds; independent of locale and time zone.
 *
 * Return: the length without the terminating NUL
 *         -EINVAL  @buf is NULL
 *         -ERANGE  @size is too small, or @t is before hpt_time_min() or after hpt_time_max()
 *
 * Safety: as hpt_now_ns(). Cost: below a microsecond.
 * Since:  0.1
 */
HPT_API int hpt_time_format(hpt_clock *clk, hpt_time_t t, char *buf, size_t size);
#define HPT_TIME_FORMAT_SIZE 31u

/**
 * hpt_time_parse - text as a time of the clock
 *
 * @clk:  the clock whose time is wanted, or NULL for the default
 * @text: ISO 8601 as hpt_time_format() writes it. There may be t or one blank for the T, z for the Z or an offset from
 *        UTC like +02:00, a comma for the point, and fewer digits after it or none, then without the point. Nothing
 *        else.
 * @ret:  the nearest tick; untouched on failure
 *
 * Return: 0
 *         -EINVAL  @text or @ret is NULL, @text is not of this form, or there is no such date or time of day (a
 *                  leap second, :60, is none)
 *         -ERANGE  the result does not fit
 *
 * Safety: as hpt_now_ns(). Cost: below a microsecond.
 * Since:  0.1
 */
HPT_API int hpt_time_parse(hpt_clock *clk, const char *text, hpt_time_t *ret);

/* ---- Facts --------------------------------------------------------------------------------------- */

/**
 * hpt_clock_get_info - all about a clock
 *
 * @clk:  the clock, or NULL for the default
 * @ret:  filled up to @size; a tail that this library does not know is zeroed
 * @size: sizeof(*ret) as the caller was compiled, at least HPT_CLOCK_INFO_SIZE_V0
 *
 * Recorded facts; nothing is measured but the rate, which is computed when first asked for, and refined if the latest
 * look at the clocks is too old.
 *
 * Return: 0
 *         -EINVAL  @ret is NULL or @size too small
 *
 * Safety: as hpt_now_ns(). Cost: below a microsecond.
 * Since:  0.1
 */
HPT_API int hpt_clock_get_info(hpt_clock *clk, struct hpt_clock_info *ret, size_t size);

/**
 * hpt_source_get_info - all about a source: usable or not, and why
 *
 * @source: HPT_SOURCE_TSC and so on; AUTO means the default clock's
 * @ret:    filled up to @size; a tail that this library does not know is zeroed
 * @size:   sizeof(*ret) as the caller was compiled, at least HPT_SOURCE_INFO_SIZE_V0
 *
 * What was recorded at load or by the latest hpt_clock_open() of that source; opens nothing. Of the
 * default clock's source the rate is computed when first asked for.
 *
 * Return: 0
 *         -EINVAL  @source is unknown, @ret is NULL or @size too small
 *
 * Safety: as hpt_now_ns(). Cost: below a microsecond.
 * Since:  0.1
 */
HPT_API int hpt_source_get_info(uint32_t source, struct hpt_source_info *ret, size_t size);

/**
 * hpt_cpu_get_info - what CPUID tells of this processor
 *
 * @ret:  filled up to @size; a tail that this library does not know is zeroed
 * @size: sizeof(*ret) as the caller was compiled, at least HPT_CPU_INFO_SIZE_V0
 *
 * Return: 0
 *         -EINVAL  @ret is NULL or @size too small
 *         -ENOTSUP this architecture has no CPUID
 *
 * Safety: MT-Safe, AS-Unsafe. Cost: about 20 CPUID instructions, in a virtual machine microseconds
 *         each; and sysconf(_SC_NPROCESSORS_ONLN), which reads a file.
 * Since:  0.1
 */
HPT_API int hpt_cpu_get_info(struct hpt_cpu_info *ret, size_t size);

/**
 * hpt_kernel_hz - the kernel's timer frequency
 *
 * Return: ticks per second from the resolution of CLOCK_MONOTONIC_COARSE (100, 250, 1000, ...);
 *         0 when that is implausible.
 *
 * Safety: leaf; MT-Safe, AS-Safe. Cost: one system call at most.
 * Since:  0.1
 */
HPT_API uint32_t hpt_kernel_hz(void);

/**
 * hpt_source_name - "tsc", "hpet", "os", "arm", "mmio", "auto"
 *
 * @source: HPT_SOURCE_
 *
 * Return: a static string, never NULL; "unknown" for any other value.
 *
 * Safety: leaf; MT-Safe, AS-Safe. Cost: a few nanoseconds.
 * Since:  0.1
 */
HPT_API const char *hpt_source_name(uint32_t source);

/**
 * hpt_reason_text - a reason as a sentence for people
 *
 * @reason: HPT_REASON_
 *
 * Return: a static string, never NULL; "unknown reason" for a value this library does not know.
 *
 * Safety: leaf; MT-Safe, AS-Safe. Cost: a few nanoseconds.
 * Since:  0.1
 */
HPT_API const char *hpt_reason_text(uint32_t reason);

/**
 * hpt_version - the version of the library at run time
 *
 * Return: a static string like HPT_VERSION_STRING of the header it was built with.
 *
 * Safety: leaf; MT-Safe, AS-Safe. Cost: a few nanoseconds.
 * Since:  0.1
 */
HPT_API const char *hpt_version(void);

#ifdef __cplusplus
}
#endif

#include <hpt/sleep.h>

#endif
