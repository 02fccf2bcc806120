/* SPDX-License-Identifier: MIT */
/*
 * clock.h - clocks and their reads; part of hpt.h.
 *
 * Functions that return int return 0 (or a documented positive number) on success and a
 * negative errno value on failure; on failure the outputs keep their old values.
 * A NULL clock means the process's default clock. It is fixed by its first use: see hpt_clock_set_default().
 *
 * "leaf" functions are bounded, take no lock, allocate nothing, leave errno alone (but see libhpt(3)) and may be
 * called from signal handlers, after fork and before main. "blocking" ones may wait.
 */
#ifndef LIBHPT_CLOCK_H
#define LIBHPT_CLOCK_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Marks what the shared library exports. Every such function is also in lib/libhpt.map. No function throws or is a
 * cancellation point, so that C++ needs no landing pads around its calls.
 */
#if defined(__GNUC__) && __GNUC__ >= 4
#define HPT_API __attribute__((visibility("default"), nothrow))
/* The same for a function whose output exists only if it succeeds: a caller that ignores the result gets a warning. */
#define HPT_API_CHECKED HPT_API __attribute__((warn_unused_result))
#else
#define HPT_API
#define HPT_API_CHECKED HPT_API
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
#define HPT_SOURCE_ARCH 4u /* the counter that another architecture lets programs read: Arm, RISC-V, PowerPC, s390 */
#define HPT_SOURCE_MMIO 5u /* memory-mapped counter of a system on chip */
#define HPT_SOURCE_MANUAL 6u /* advanced by the program itself; hpt_clock_open() cannot open it */

/* State of a clock: why its present generation began. The value 4 is never used again. */
#define HPT_STATE_OK         0u
#define HPT_STATE_REANCHORED 1u /* the clocks moved: suspend, step of the wall clock, another time namespace */
#define HPT_STATE_DISRUPTED  2u /* the counter jumped: snapshot, migration, another counter */
#define HPT_STATE_DEMOTED    3u /* the kernel stopped trusting this counter */

/* ---- Clocks ------------------------------------------------------------------------------------ */

/**
 * hpt_clock_default - the process's default clock
 *
 * Fixes it, as every use of it does: see hpt_clock_set_default().
 *
 * Return: the clock, never NULL. It lives as long as the process; hpt_clock_close() leaves it alone.
 *
 * Safety: leaf; MT-Safe, AS-Safe. Cost: a load, after the first use.
 * Since:  0.1
 */
HPT_API hpt_clock *hpt_clock_default(void);

/**
 * hpt_clock_open - a clock of its own on a given source
 *
 * @source: HPT_SOURCE_; AUTO is the source that the library chose at load
 * @flags:  0
 * @ret:    the new clock; untouched on failure. Give it back with hpt_clock_close().
 *
 * A TSC that the library would not have chosen is opened all the same if it executes and
 * counts. hpt_clock_get_info() then has the flag HPT_CLOCK_VETOED and the reason.
 *
 * Return: 0
 *         -EINVAL  @ret is NULL, @source is none of the constants, or @flags is not 0
 *         -ENODEV  this build, machine or CPU has no such source
 *         -ENOTSUP it has one that cannot be used: 32 bits wide, disabled, absurd period, no ordered read; or
 *                  @source is MANUAL
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
HPT_API_CHECKED int hpt_clock_open(uint32_t source, uint32_t flags, hpt_clock **ret);

/**
 * hpt_clock_ref - one more holder of a clock
 *
 * @clk: the clock, or NULL for the default
 *
 * The clock lives until hpt_clock_close() is called once for hpt_clock_open() and once for each hpt_clock_ref(). Only
 * a holder may call it. Default clocks live as long as the process and are not counted. After fork(2) the child's
 * counts are its own.
 *
 * Return: the clock, never NULL
 *
 * Safety: leaf; MT-Safe, AS-Safe. Cost: an atomic addition.
 * Since:  0.1
 */
HPT_API hpt_clock *hpt_clock_ref(hpt_clock *clk);

/**
 * hpt_clock_close - one holder of a clock less
 *
 * @clk: from hpt_clock_open() or hpt_clock_ref(); NULL and default clocks are left alone
 *
 * The last holder's call frees the clock; it may not be used after that.
 *
 * Safety: MT-Safe, AS-Unsafe. Cost: an atomic subtraction; the last one free(), and munmap() for the last on the HPET.
 * Since:  0.1
 */
HPT_API void hpt_clock_close(hpt_clock *clk);

/**
 * hpt_clock_set_default - change the default clock (the papers' SetTimerSource)
 *
 * @source: HPT_SOURCE_; AUTO goes back to the library's own choice
 *
 * For program start: the first use fixes the default clock for the life of the process. Every function that is given
 * NULL uses it, hpt_clock_get_info(), hpt_clock_check() and hpt_clock_ref() too, and so does hpt_clock_default().
 * hpt_clock_open(), hpt_source_get_info() and hpt_cpu_get_info() do not. Before the first use this may be called as
 * often as needed, and the last call counts. Clocks made by it live as long as the process.
 *
 * Return: 0        also if the default is fixed on this source already
 *         -EBUSY   the default is fixed on another source (or as hpt_clock_open())
 *         -EINVAL  @source is none of the constants
 *         other    as hpt_clock_open(); the default is unchanged on failure
 *
 * Safety: blocking; MT-Safe, AS-Unsafe. Cost: as hpt_clock_open() the first time, then a few loads.
 * Since:  0.1
 */
HPT_API int hpt_clock_set_default(uint32_t source);

/* ---- Manual clocks: for tests of programs that sleep ------------------------------------------- */

/**
 * hpt_clock_new_manual - a clock that stands still until hpt_clock_advance()
 *
 * @frequency_uhz: ticks in a second, in millionths: 1 Hz to 10 GHz. At 1 GHz a tick is a nanosecond.
 * @start:         the clock's first tick
 * @ret:           the new clock; untouched on failure. Give it back with hpt_clock_close().
 *
 * Reads, conversions, sleeps, waiters, gates and tickers work on it as on any clock. Sleeps wait in the kernel until
 * an advance reaches their deadline; none spins, and none asks a clock of the system. hpt_now_ns() and
 * hpt_now_unix_ns() are both ticks * 10^9 / frequency, rounded down. Its state is always OK, its generation 1, and the
 * origin of its frequency EXACT. Its ticks mean nothing outside the process. After fork(2) each process advances its
 * own.
 *
 * Return: 0
 *         -EINVAL  @ret is NULL, or @frequency_uhz is out of range
 *         -ERANGE  @start is INT64_MAX, or its nanoseconds exceed int64
 *         -ENOMEM  no memory
 *
 * Safety: MT-Safe, AS-Unsafe. Cost: as malloc(). The library keeps up to 256 bytes for a later manual clock.
 * Since:  0.1
 */
HPT_API int hpt_clock_new_manual(uint64_t frequency_uhz, hpt_time_t start, hpt_clock **ret);

/**
 * hpt_clock_advance - move a manual clock forward, and end the sleeps whose deadline it reaches
 *
 * @clk:   the clock; NULL is not the default clock here
 * @ticks: by how many ticks, 0 or more
 *
 * It returns at once: the threads that it wakes run when the system lets them. hpt_clock_sleepers() says when they
 * sleep again. A clock never reaches INT64_MAX.
 *
 * Return: 0
 *         -EINVAL  @clk is NULL
 *         -ENOTSUP the clock is not a manual one
 *         -ERANGE  @ticks is negative, or the clock's ticks would reach INT64_MAX or its nanoseconds exceed int64; the
 *                  clock stays as it is
 *
 * Safety: leaf; MT-Safe, AS-Safe. Cost: some 100 ns, and a system call if a thread sleeps.
 * Since:  0.1
 */
HPT_API int hpt_clock_advance(hpt_clock *clk, int64_t ticks);

/**
 * hpt_clock_sleepers - how many threads sleep on a manual clock
 *
 * @clk: the clock; NULL is not the default clock here
 *
 * Counts the threads that have seen the clock's present tick and wait for a later one. So after an advance it is 0, and
 * grows as threads sleep on or sleep again. A test that waits until as many threads sleep as it expects, then advances,
 * does not depend on the speed of the machine. (An interrupt, too, lets it begin again at 0 for a moment.)
 *
 * Return: the number; 0 for NULL and for clocks that are not manual
 *
 * Safety: leaf; MT-Safe, AS-Safe. Cost: some loads.
 * Since:  0.1
 */
HPT_API uint32_t hpt_clock_sleepers(hpt_clock *clk);

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
 * hpt_now_cpu - now, and the CPU that the counter was read on
 *
 * @clk:     the clock, or NULL for the default
 * @ret_cpu: the CPU's number, of the low 12 bits that Linux keeps for RDTSCP; UINT32_MAX where it is unknown: sources
 *           other than the TSC, and a TSC without RDTSCP. Or NULL.
 *
 * One instruction reads both, so no move to another CPU comes between them. An emulator may report a wrong CPU.
 *
 * Return: as hpt_now(), ordered
 *
 * Safety: leaf; MT-Safe, AS-Safe. Cost: that of RDTSCP, else of hpt_now().
 * Since:  0.1
 */
HPT_API_READ hpt_time_t hpt_now_cpu(hpt_clock *clk, uint32_t *ret_cpu);

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
 * hpt_now_ns_unordered - now, on hpt_now_ns()'s line, by the bare counter instruction
 *
 * @clk: the clock, or NULL for the default
 *
 * As hpt_now_unordered(): of two threads that pass such times through memory the receiver's may be the smaller. Fit for
 * caches, statistics and the logs of one thread.
 *
 * Return: nanoseconds. Cannot fail.
 *
 * Safety: as hpt_now_ns(). Cost: hpt_now_unordered() and one multiplication.
 * Since:  0.1
 */
HPT_API_READ int64_t hpt_now_ns_unordered(hpt_clock *clk);

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
 * @clk:            the clock, or NULL for the default
 * @ret_generation: the generation that the result belongs to, or NULL
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
HPT_API int hpt_clock_check(hpt_clock *clk, uint64_t *ret_generation);

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

#ifdef __cplusplus
}
#endif

#endif
