/* SPDX-License-Identifier: MIT */
/* Picks the primitives of the architecture that is compiled for. */
#ifndef HPT_ARCH_H
#define HPT_ARCH_H

#if defined(__x86_64__) || defined(__i386__)
#include "x86.h"
#else
#include "generic.h"
#endif

#define likely(x)   __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

/* Declared elsewhere in the library: its address is known, and not to be looked up in a table. */
#define HIDDEN __attribute__((visibility("hidden")))

/* Functions that lie side by side: behind a long sleep each page and line of code that is touched costs 100 ns. */
#define HOT __attribute__((hot, aligned(16)))

/* Functions of the same files that are seldom run: compiled for size. */
#define COLD __attribute__((cold))

#endif
