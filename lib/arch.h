/* SPDX-License-Identifier: MIT */
/* Picks the primitives of the architecture that is compiled for. */
#ifndef HPT_ARCH_H
#define HPT_ARCH_H

#if defined(__x86_64__) || defined(__i386__)
#include "arch/x86.h"
#else
#include "arch/generic.h"
#endif

#define likely(x)   __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

#endif
