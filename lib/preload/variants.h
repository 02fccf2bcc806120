/* SPDX-License-Identifier: MIT */
/*
 * Whether a wait for whole milliseconds, by poll() or epoll_wait(), may end at a part of one. That takes another system
 * call than the program's own, ppoll() or epoll_pwait2(), for which a seccomp filter may kill the process. So they are
 * made only while there is no filter, and where it is seen when one is installed: lib/preload/syscall.c.
 */
#ifndef HPT_VARIANTS_H
#define HPT_VARIANTS_H

#include <stdatomic.h>
#include <stdbool.h>

#include "arch/arch.h"

/* On these architectures lib/preload/syscall.c has a syscall(2), by which filters are installed too. */
#if (defined(__x86_64__) && !defined(__ILP32__)) || (defined(__aarch64__) && defined(__AARCH64EL__))
#define HPT_SEES_SYSCALLS 1
#else
#define HPT_SEES_SYSCALLS 0
#endif

extern _Atomic bool hpt_variants_allowed HIDDEN;

static inline bool hpt_variants_are_allowed(void)
{
	return atomic_load_explicit(&hpt_variants_allowed, memory_order_relaxed);
}

/* As the process begins: asks the kernel for a filter. */
void hpt_variants_ask(void);

/* From now on, in all threads. */
void hpt_variants_forbid(void);

#endif
