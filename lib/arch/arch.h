/* SPDX-License-Identifier: MIT */
/* The primitives of the target architecture, and attributes of functions. */
#ifndef HPT_ARCH_H
#define HPT_ARCH_H

/*
 * HPT_ARCH_X86 is defined on x86, HPT_ARCH_COUNTER where another architecture has a counter that programs may read.
 * Such a header defines:
 *   arch_counter()          the bare read: may execute before earlier and after later instructions
 *   arch_counter_ordered()  reads after all earlier instructions; later memory accesses can be ordered after the read
 *   arch_counter_hz()       the rate by a register or by definition; 0: unknown
 *   ARCH_CLOCKSOURCE        Linux's clocksource on this counter
 *   ARCH_COUNTER_NAME, ARCH_COUNTER_BITS
 * and, if it has them, arch_counter_synced() with ARCH_COUNTER_SYNCED_HWCAP2, the bit of AT_HWCAP2 for that cheaper
 * ordered read; and ARCH_COUNTER_HWCAP, the bits of AT_HWCAP without which no read may be executed.
 *
 * A header whose reads are no loads defines ARCH_FENCE_LOADS, and arch_fence_loads(): see below.
 *
 * A header whose second ordered read is a fence and the bare read defines ARCH_FENCE_FIRST, and arch_fence_first(),
 * which every processor can execute.
 *
 * ARCH_VMCLOCK_COUNTER, where it is defined, is the number of this counter, or of the TSC, in VMClock's page:
 * VMCLOCK_COUNTER_ of Linux's include/uapi/linux/vmclock-abi.h.
 */
#ifdef HPT_ARCH_HEADER /* tests: another machine's */
#include HPT_ARCH_HEADER
#elif defined(__x86_64__) || defined(__i386__)
#include "x86.h"
#elif defined(__aarch64__)
#include "aarch64.h"
#elif defined(__arm__)
#include "arm.h"
#elif defined(__riscv) && __riscv_xlen == 64
#include "riscv.h"
#elif defined(__powerpc64__)
#include "powerpc.h"
#elif defined(__s390x__)
#include "s390x.h"
#elif defined(__loongarch_grlen) && __loongarch_grlen == 64
#include "loongarch.h"
#else
#include "generic.h"
#endif

#ifndef ARCH_FENCE_LOADS
/* Later loads are executed after an ordered read of the counter, which counts as a load. */
static inline void arch_fence_loads(void)
{
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
}
#endif

#ifndef ARCH_COUNTER_HWCAP
#define ARCH_COUNTER_HWCAP 0
#endif

#define likely(x)   __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

/* For declarations of functions of this library: callers use the address itself instead of loading it from a table. */
#define HIDDEN __attribute__((visibility("hidden")))

/* Functions placed next to each other: after a long sleep each touched page and cache line of code costs 100 ns. */
#define HOT __attribute__((hot, aligned(16)))

/* The other paths of reads: their time does not depend on what the linker places before them. */
#define ALIGNED __attribute__((aligned(16)))

/*
 * Functions that run at most some thousand times a second: load, open, samples, records, answers. They stand apart from
 * the others and are compiled for size: without it the library's text has 208 instead of 190 kB, and a load takes 77.4
 * instead of 75.9 us and 12 page faults instead of 11 (medians of 500 processes, gcc 12 -O2). No signature, inlining or
 * cut of files is owed to it. A simulation that runs them often defines it.
 */
#ifndef COLD
#ifdef __clang__
#define COLD __attribute__((cold, minsize)) /* to clang, cold says nothing about size */
#else
#define COLD __attribute__((cold))
#endif
#endif

#endif
