/* SPDX-License-Identifier: MIT */
/*
 * clock.h - clocks, their reads and their state; part of hpt.h.
 *
 * Rules for all headers of libhpt; libhpt(3) has them in full.
 *
 * Results: a function that returns int returns 0, or a positive number that its comment explains, or a negative errno
 * value. After a failure its outputs have their old values. errno keeps its value, but see libhpt(3) on sandboxes.
 *
 * Clocks: NULL is the process's default clock, which is fixed by its first use: see hpt_clock_set_default_source(). A
 * clock never changes its source.
 *
 * Time-outs: a duration or deadline of INT64_MAX is for ever. A duration of 0 and below, or a deadline that is past, is
 * one look.
 *
 * Ticks: all clocks on one source give the same ticks. TSC, HPET and ARCH ticks, and those of an MMIO counter of 64
 * bits, are the raw counter's, and equal in all processes of a boot; on s390x they count from 1970. An MMIO counter of
 * 16 or 32 bits is extended: its ticks belong to one clock of one process, and hpt_clock_get_timebase() returns
 * -ENOTSUP. OS ticks are CLOCK_MONOTONIC's nanoseconds, but in tests by HPT_OS_HZ (libhpt(3)). MANUAL ticks mean
 * nothing outside of their clock. A new time namespace moves OS ticks alone. A time does not carry its source: times of
 * two sources must not be mixed.
 *
 * Generations: within one, hpt_now_ns(), hpt_now_unix_ns(), hpt_now_monotonic_ns() and hpt_now_boottime_ns() never
 * decrease: see hpt_clock_check().
 *
 * Threads: any thread may call any function at any time, on the same object too. The one exception is the call that
 * frees an object: all other calls on that object must have returned. An object that serves one thread at a time gives
 * a second thread -EBUSY. After fork(2) the child's clocks and objects are its own, and no thread sleeps on them.
 *
 * "Safety" below is one of these:
 *   leaf        MT-Safe and AS-Safe: the function is bounded, takes no lock and allocates nothing. Any thread may call
 *               it, also in a signal handler, after fork(2) and before main().
 *   conversion  a leaf, but it may wait until the clock's anchor is 1 ms old: see hpt_source(7)
 *   blocking    the function may wait for files, for memory or, as the sleeps do, for time
 *
 * Stack: 8 KiB is enough for every leaf and conversion, in addition to the kernel's signal frame. MINSIGSTKSZ is not.
 */
#ifndef LIBHPT_CLOCK_H
#define LIBHPT_CLOCK_H

/* Of <stddef.h> size_t and NULL alone: parsers of declarations cannot read C11's max_align_t. */
#define __need_size_t
#define __need_NULL
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The builder may define these before, for another way to link or for a parser: cc -E -P -std=c99 -DHPT_API=
 * -DHPT_API_CHECKED= leaves plain C.
 *
 * HPT_API: the shared library exports these functions; lib/libhpt.map lists the same. None throws or is a cancellation
 * point, so C++ needs no landing pads around its calls.
 * HPT_NOPLT: callers of reads and sleeps jump to the address that the loader fills in, without a stub between. This
 * saves 4 % of a TSC read on an Intel Xeon of family 6 model 207.
 */
#ifndef HPT_API
#if defined(__GNUC__) && __GNUC__ >= 4
#define HPT_API __attribute__((visibility("default"), nothrow))
#else
#define HPT_API
#endif
#if !defined(HPT_NOPLT) && defined(__has_attribute)
#if __has_attribute(noplt)
#define HPT_NOPLT __attribute__((noplt))
#endif
#endif
#endif
#ifndef HPT_NOPLT
#define HPT_NOPLT
#endif

/* A function whose output exists only if it succeeds: the compiler warns if its result is ignored. */
#ifndef HPT_API_CHECKED
#if defined(__GNUC__) && __GNUC__ >= 4
#define HPT_API_CHECKED HPT_API __attribute__((warn_unused_result))
#else
#define HPT_API_CHECKED HPT_API
#endif
#endif

/* A clock: one source, and the parameters that convert its ticks. */
typedef struct hpt_clock hpt_clock;

/* Ticks of a clock since the counter's own zero. The difference of two is a duration in ticks. */
typedef int64_t hpt_time_t;

/* ---- Constants: a value keeps its meaning for ever ----------------------------------------------------- */

/* Sources. */
enum {
	HPT_SOURCE_AUTO   = 0, /* the library's own choice */
	HPT_SOURCE_TSC    = 1, /* x86 time stamp counter, read by an instruction */
	HPT_SOURCE_HPET   = 2, /* x86 high precision event timer, read through /dev/hpet */
	HPT_SOURCE_OS     = 3, /* clock_gettime(CLOCK_MONOTONIC) */
	HPT_SOURCE_ARCH   = 4, /* the counter that programs may read on Arm, RISC-V, PowerPC and s390 */
	HPT_SOURCE_MMIO   = 5, /* memory-mapped counter of a system on chip, which HPT_MMIO or the program describes */
	HPT_SOURCE_MANUAL = 6 /* no counter: the program advances the clock itself */
};

/* State of a clock: why its present generation began. */
enum {
	HPT_STATE_OK         = 0,
	HPT_STATE_REANCHORED = 1, /* the system's clocks moved: suspend, step of the wall clock, new time namespace */
	HPT_STATE_DISRUPTED  = 2, /* the counter jumped: restored snapshot, migration, another counter */
	HPT_STATE_DEMOTED    = 3 /* the kernel stopped trusting this counter, or it jumps again and again */
};

/* ---- Clocks -------------------------------------------------------------------------------------------- */

/**
 * hpt_clock_default - the process's default clock
 *
 * Fixes the default, as every other use of it does: see hpt_clock_set_default_source().
 *
 * Return: the clock, never NULL. It lives as long as the process; hpt_clock_close() leaves it alone.
 *
 * Safety: leaf. Cost: a load, after the first use.
 * Since:  1.0
 */
HPT_API hpt_clock *hpt_clock_default(void);

/**
 * hpt_clock_open - a new clock on a given source
 *
 * @source: HPT_SOURCE_; AUTO is the source that the library chose at load
 * @flags:  0
 * @ret:    the new clock, with one holder; untouched on failure. hpt_clock_close() gives it back.
 *
 * A TSC or ARCH that the library would not have chosen can be opened if it executes and counts. Then
 * hpt_clock_get_info() has the flag HPT_CLOCK_VETOED, and the reason. After a failure hpt_source_get_info() has stage
 * and reason.
 *
 * Return: 0
 *         -EINVAL  @ret is NULL, @source is not one of the constants, or @flags is not 0; or @source is MMIO and the
 *                  variable HPT_MMIO is not set or wrong
 *         -ENODEV  this build, machine or CPU has no such source, or the device's node is something else
 *         -ENOTSUP the source cannot be used: 32 bits wide, disabled, an absurd period, no ordered read; or @source is
 *                  MANUAL
 *         -EPERM   the TSC or the architecture's counter is forbidden to this process (PR_SET_TSC)
 *         -EIO     the counter does not count or counts the other way, or no HPET answers at its address
 *         -EBUSY   another process holds the HPET's only channel, or 4095 clocks of this one share it
 *         -ENOMEM  no memory
 *         other    errno of open(2), fstat(2) or mmap(2) on the device: -EACCES, -ENOENT, -EMFILE, ...
 *
 * Safety: blocking; MT-Safe, AS-Unsafe. Cost: that of about 400 reads: 10 to 30 us for the TSC and the OS clock.
 * Since:  1.0
 */
HPT_API_CHECKED int hpt_clock_open(uint32_t source, uint32_t flags, hpt_clock **ret);

/**
 * hpt_clock_ref - one more holder of a clock
 *
 * @clk: a clock that the caller holds, or NULL for the default
 *
 * A clock lives until hpt_clock_close() has been called once for hpt_clock_open() and once for each hpt_clock_ref().
 * Waiters, gates and tickers hold their clock. Default clocks are not counted. After fork(2) the child's counts are its
 * own.
 *
 * Return: @clk, or the default clock; never NULL
 *
 * Safety: leaf. Cost: an atomic addition.
 * Since:  1.0
 */
HPT_API hpt_clock *hpt_clock_ref(hpt_clock *clk);

/**
 * hpt_clock_close - one holder of a clock less
 *
 * @clk: from hpt_clock_open() or hpt_clock_ref(). NULL and default clocks are left alone.
 *
 * The last holder's call frees the clock, and unmaps the HPET with the last clock on it. Using the clock after that is
 * undefined.
 *
 * Safety: MT-Safe, AS-Unsafe. Cost: an atomic subtraction; the last call free(), and munmap() for the HPET.
 * Since:  1.0
 */
HPT_API void hpt_clock_close(hpt_clock *clk);

/**
 * hpt_clock_set_default_source - choose the default clock's source (the papers' SetTimerSource)
 *
 * @source: HPT_SOURCE_; AUTO is the library's own choice
 * @flags:  0
 *
 * A program calls this at its start, because the first use of the default clock fixes it. Uses are hpt_clock_default()
 * and every function that is given NULL for a clock; hpt_clock_open(), hpt_source_get_info() and hpt_cpu_get_info() use
 * none. Before the first use this and hpt_clock_set_default() may be called as often as needed, and the last call
 * counts. Clocks made by it live as long as the process.
 *
 * Return: 0        also if the default is fixed and has this source
 *         -EBUSY   the default is fixed and has another source; or as hpt_clock_open()
 *         -EINVAL  @source is not one of the constants, or @flags is not 0
 *         other    as hpt_clock_open(); -ENOTSUP for MANUAL
 *         On failure the default is as before.
 *
 * Safety: blocking; MT-Safe, AS-Unsafe. Cost: as hpt_clock_open() the first time, then a few loads.
 * Since:  1.0
 */
HPT_API int hpt_clock_set_default_source(uint32_t source, uint32_t flags);

/**
 * hpt_clock_set_default - make a clock the default: for tests of code that uses NULL, or an MMIO clock
 *
 * @clk:   the clock, which the caller holds
 * @flags: 0
 *
 * As hpt_clock_set_default_source(), before the first use of the default. The clock then lives as long as the process,
 * also if it is replaced before that first use.
 *
 * Return: 0        also if the default is fixed and is this clock
 *         -EBUSY   the default is fixed and is another clock, as it was before
 *         -EINVAL  @clk is NULL, or @flags is not 0
 *
 * Safety: leaf. Cost: some atomic operations.
 * Since:  1.0
 */
HPT_API int hpt_clock_set_default(hpt_clock *clk, uint32_t flags);

/* ---- Manual clocks: for tests of programs that sleep --------------------------------------------------- */

/**
 * hpt_clock_new_manual - a clock that stands still until hpt_clock_advance()
 *
 * @frequency_hz: ticks a second, from 1 to 10^10. At 10^9 a tick is 1 ns; tests should take another frequency, so that
 *                a tick used for a nanosecond shows.
 * @start:        the first tick
 * @flags:        0
 * @ret:          the new clock, with one holder; untouched on failure. hpt_clock_close() gives it back.
 *
 * Reads, conversions, sleeps, waiters, gates and tickers work on it as on any clock; hpt_time_to_os(),
 * hpt_time_from_os(), hpt_clock_get_timebase() and hpt_ticker_fd() return -ENOTSUP. A sleep waits in the kernel until
 * an advance reaches its deadline; it never spins and reads no clock of the system. hpt_now_ns() and hpt_now_unix_ns()
 * are both ticks * 10^9 / frequency, rounded down. The state is always OK, the generation 1, and the origin of the
 * frequency EXACT. After fork(2) each process advances its own copy.
 *
 * Return: 0
 *         -EINVAL  @ret is NULL, @flags is not 0, or @frequency_hz is out of range
 *         -ERANGE  @start is INT64_MAX, or its nanoseconds do not fit in 64 bits
 *         -ENOMEM  no memory
 *
 * Safety: MT-Safe, AS-Unsafe. Cost: as malloc(). The library keeps up to 256 bytes for a later manual clock.
 * Since:  1.0
 */
HPT_API_CHECKED int hpt_clock_new_manual(uint64_t frequency_hz, hpt_time_t start, uint32_t flags, hpt_clock **ret);

/**
 * hpt_clock_advance - move a manual clock forward, and end the sleeps whose deadline it reaches
 *
 * @clk:   the clock; NULL does not mean the default clock here
 * @ticks: by this many ticks, 0 or more
 *
 * Returns at once. The threads that it wakes run when the scheduler lets them; see hpt_clock_sleepers().
 *
 * Return: 0
 *         -EINVAL  @clk is NULL
 *         -ENOTSUP @clk is not a manual clock
 *         -ERANGE  @ticks is negative, or the clock would reach INT64_MAX ticks, or its nanoseconds would not fit in 64
 *                  bits; the clock is as before
 *
 * Safety: leaf. Cost: some 100 ns, and a system call if a thread sleeps.
 * Since:  1.0
 */
HPT_API int hpt_clock_advance(hpt_clock *clk, int64_t ticks);

/**
 * hpt_clock_sleepers - how many threads sleep on a manual clock
 *
 * @clk: the clock; NULL does not mean the default clock here
 *
 * Counts the threads that have seen the present tick and wait for a later one. An advance sets it to 0, and it grows
 * as threads go on sleeping or begin to. A test waits for the number of sleepers that it expects, and then advances;
 * so it does not depend on the speed of the machine. An interrupt of an object on the clock also sets it to 0, and the
 * threads that go on sleeping count again. A thread that is cancelled asynchronously in a sleep counts until the next
 * advance or interrupt.
 *
 * Return: the number; 0 if @clk is NULL or not a manual clock
 *
 * Safety: leaf. Cost: some loads.
 * Since:  1.0
 */
HPT_API uint32_t hpt_clock_sleepers(hpt_clock *clk);

/* ---- Reads --------------------------------------------------------------------------------------------- */

/**
 * hpt_now - the present time in ticks; ordered
 *
 * @clk: the clock, or NULL for the default
 *
 * A read that happens after another, on any thread and CPU, is never smaller, as far as the CPUs' counters agree: see
 * hpt_source(7). Two reads may be equal.
 *
 * Return: ticks since the counter's zero. Cannot fail.
 *
 * Safety: leaf. Cost: the counter's own; no system call unless the source is one.
 * Since:  1.0
 */
HPT_API HPT_NOPLT hpt_time_t hpt_now(hpt_clock *clk);

/**
 * hpt_now_unordered - the present time in ticks, by the bare counter instruction
 *
 * @clk: the clock, or NULL for the default
 *
 * The processor may execute the read before earlier instructions and after later ones. If two threads pass such times
 * through memory, the receiver's own may be the smaller. Fit for statistics, and for intervals within one thread. A
 * source that has one read only gives the same as hpt_now().
 *
 * Return: ticks since the counter's zero. Cannot fail.
 *
 * Safety: leaf. Cost: about half of hpt_now() on a TSC.
 * Since:  1.0
 */
HPT_API HPT_NOPLT hpt_time_t hpt_now_unordered(hpt_clock *clk);

/**
 * hpt_now_cpu - the present time in ticks, and the CPU that the counter was read on; ordered
 *
 * @clk:     the clock, or NULL for the default
 * @ret_cpu: the CPU's number, of which Linux keeps the low 12 bits for RDTSCP; UINT32_MAX if unknown. May be NULL.
 *
 * RDTSCP reads both in one instruction, so the thread cannot move to another CPU in between. The CPU is unknown for
 * other sources than the TSC and without RDTSCP. An emulator may report a wrong CPU.
 *
 * Return: ticks, as hpt_now()
 *
 * Safety: leaf. Cost: that of RDTSCP, or of hpt_now() without RDTSCP.
 * Since:  1.0
 */
HPT_API HPT_NOPLT hpt_time_t hpt_now_cpu(hpt_clock *clk, uint32_t *ret_cpu);

/**
 * hpt_now_ns - the present time in nanoseconds on CLOCK_MONOTONIC_RAW's timeline; ordered
 *
 * @clk: the clock, or NULL for the default
 *
 * The OS source gives CLOCK_MONOTONIC's timeline. A read that happens after another of the same generation, on any
 * thread and CPU, is never smaller; hpt_clock_check() has the exception.
 *
 * Return: nanoseconds. Cannot fail.
 *
 * Safety: conversion. Cost: hpt_now() and one multiplication; once a second of use 30 clock reads.
 * Since:  1.0
 */
HPT_API HPT_NOPLT int64_t hpt_now_ns(hpt_clock *clk);

/**
 * hpt_now_ns_unordered - the present time on hpt_now_ns()'s timeline, by the bare counter instruction
 *
 * @clk: the clock, or NULL for the default
 *
 * Ordered as little as hpt_now_unordered(). Fit for caches, statistics and the logs of one thread.
 *
 * Return: nanoseconds. Cannot fail.
 *
 * Safety: conversion. Cost: hpt_now_unordered() and one multiplication.
 * Since:  1.0
 */
HPT_API HPT_NOPLT int64_t hpt_now_ns_unordered(hpt_clock *clk);

/**
 * hpt_now_unix_ns - the present time in nanoseconds since 1970-01-01 00:00 UTC; ordered as hpt_now_ns()
 *
 * @clk: the clock, or NULL for the default
 *
 * Follows CLOCK_REALTIME by a comparison about once a second of use: within 100 ns after two seconds of use while the
 * kernel does not change that clock's rate. The next comparison notices a change of that rate by n ppm; Unix time
 * is off by up to n microseconds until then. Unix time is right again 0.3 s of use after that if n is more than 50, and
 * otherwise within four seconds. A step of the wall clock is noticed likewise, and begins a generation. The OS source
 * gives CLOCK_REALTIME itself.
 *
 * Return: nanoseconds. Cannot fail: where a sandbox denies the clock, CLOCK_REALTIME_COARSE answers.
 *
 * Safety: conversion. Cost: as hpt_now_ns().
 * Since:  1.0
 */
HPT_API HPT_NOPLT int64_t hpt_now_unix_ns(hpt_clock *clk);

/**
 * hpt_now_monotonic_ns - the present time on CLOCK_MONOTONIC's line, without the kernel; ordered as hpt_now_ns()
 *
 * @clk: the clock, or NULL for the default
 *
 * The line that the kernel's time-outs, std::chrono::steady_clock and other processes use; hpt_now_ns() departs from it
 * by up to 0.05 %, and while chrony makes up for an error by up to 8.3 %. Follows that clock as hpt_now_unix_ns()
 * follows CLOCK_REALTIME, and is compared with it at the same moments: each millisecond of use from a slew of more than
 * 500 ppm on until a second has passed without one. hpt_clock_info.os_error_ns says what a read may be off;
 * hpt_clock_sample() gives the kernel's own times with their error.
 *
 * Within a generation no read is smaller than one that happened before, under slews and steps of the kernel's clocks
 * too; hpt_clock_check() has the exception. A step of CLOCK_REALTIME begins a generation, and this line continues
 * through it. The OS source gives CLOCK_MONOTONIC itself, a manual clock its own time.
 *
 * Return: nanoseconds. Cannot fail: where a sandbox denies the clock, CLOCK_MONOTONIC_COARSE answers.
 *
 * Safety: conversion. Cost: as hpt_now_ns().
 * Since:  1.0
 */
HPT_API HPT_NOPLT int64_t hpt_now_monotonic_ns(hpt_clock *clk);

/**
 * hpt_now_boottime_ns - the present time on CLOCK_BOOTTIME's line, without the kernel
 *
 * @clk: the clock, or NULL for the default
 *
 * As hpt_now_monotonic_ns(), with the time that the machine was suspended. A suspend begins a generation.
 *
 * Return: nanoseconds. Cannot fail: CLOCK_MONOTONIC's line answers where the kernel or a sandbox denies the clock.
 *
 * Safety: conversion. Cost: as hpt_now_ns(); one system call or vDSO call with the OS source.
 * Since:  1.0
 */
HPT_API HPT_NOPLT int64_t hpt_now_boottime_ns(hpt_clock *clk);

/**
 * hpt_now_tai_ns - the present time on CLOCK_TAI's line, without the kernel
 *
 * @clk: the clock, or NULL for the default
 *
 * hpt_now_unix_ns() and the kernel's offset of TAI in whole seconds (adjtimex(2)), which is 0 where no daemon sets it.
 * A change of the offset is no event: the next comparison finds it. Where the kernel steps CLOCK_REALTIME for a leap
 * second, it changes the offset with it.
 *
 * Return: nanoseconds. Cannot fail: hpt_now_unix_ns() answers where the kernel or a sandbox denies the clock.
 *
 * Safety: conversion. Cost: as hpt_now_ns(); one system call or vDSO call with the OS source.
 * Since:  1.0
 */
HPT_API HPT_NOPLT int64_t hpt_now_tai_ns(hpt_clock *clk);

/* ---- State and generation ------------------------------------------------------------------------------ */

/**
 * hpt_clock_check - compare a clock with the system's clocks now
 *
 * @clk:            the clock, or NULL for the default
 * @ret_generation: the generation that the result belongs to, or NULL
 *
 * Reads and conversions make such a comparison about once a second of use, and by clock reads alone. This function also
 * asks whether the kernel still keeps time with the TSC or ARCH, whether the hypervisor reports a disruption (by
 * /dev/vmclock0, from the second check on), and what rate CPUID states. It also notices a counter that has stopped;
 * reads cannot.
 *
 * An event begins a new generation. The state reports the event and stays until the next generation:
 *   HPT_STATE_REANCHORED  The system's clocks moved. Unix time starts again, and so do nanoseconds if the counter did
 *                         not move along.
 *   HPT_STATE_DISRUPTED   The counter alone jumped. Nanoseconds, Unix time and the measurement of the rate start again.
 *   HPT_STATE_DEMOTED     The kernel left the counter, or it jumped three times in ten seconds. hpt_now() is still the
 *                         counter. The reads in nanoseconds are the system's clocks. Conversions of ticks
 *                         have an error bound of at least 500 ppm that never falls. The state ends when a check finds
 *                         the kernel back on the counter.
 *
 * Within a generation hpt_now_ns() never decreases, with one exception: a counter that steps back by less than the time
 * since the latest comparison takes hpt_now_ns() back with it, once, until the next comparison finds the step.
 *
 * After an event that may have changed the rate no rate is known for about 2 ms of use. The reads in nanoseconds are
 * the system's clocks until then. Conversions of times go by a guess: as in DEMOTED, a later tick may give an earlier
 * time if a comparison comes between the two conversions.
 *
 * Return: HPT_STATE_ of the present generation; OK is 0. Cannot fail.
 *
 * Safety: blocking (reads two small files); MT-Safe, AS-Unsafe. Cost: 6 to 12 us, the first more where CPUID is slow.
 * Since:  1.0
 */
HPT_API int hpt_clock_check(hpt_clock *clk, uint64_t *ret_generation);

/**
 * hpt_clock_generation - the present generation of a clock's conversions
 *
 * @clk: the clock, or NULL for the default
 *
 * Converted times and durations of one generation can be compared; those of two cannot. Ticks from before a jump of
 * the counter convert to times that are off by the jump.
 *
 * Return: 1 at first; each event adds 1
 *
 * Safety: conversion. Cost: about twice hpt_now_ns().
 * Since:  1.0
 */
HPT_API uint64_t hpt_clock_generation(hpt_clock *clk);

#ifdef __cplusplus
}
#endif

#endif
