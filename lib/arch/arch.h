/* SPDX-License-Identifier: MIT */
/* The primitives of the target architecture, and attributes of functions. */
#ifndef HPT_ARCH_H
#define HPT_ARCH_H

#if defined(__x86_64__) || defined(__i386__)
#include "x86.h"
#else
#include "generic.h"
#endif

#define likely(x)   __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

/* For declarations of functions of this library: callers use the address itself instead of loading it from a table. */
#define HIDDEN __attribute__((visibility("hidden")))

/* Functions placed next to each other: after a long sleep each touched page and cache line of code costs 100 ns. */
#define HOT __attribute__((hot, aligned(16)))

/* Functions of the same files that seldom run, compiled for size. */
#define COLD __attribute__((cold))

#endif
