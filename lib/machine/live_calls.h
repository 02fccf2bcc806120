/* SPDX-License-Identifier: MIT */
/*
 * Contacts of the running process with its clocks and its processor, as machine/env.h has them. They need no device, so
 * that a table of these alone brings in no code of one.
 */
#ifndef HPT_LIVE_CALLS_H
#define HPT_LIVE_CALLS_H

#include "arch/arch.h"
#include "machine/env.h"

/* What glibc alone has. Its header may be on the path of a compiler for another C library. */
#if defined(__GLIBC__) && defined(__has_include)
#if defined(HPT_ARCH_X86) && __has_include(<sys/platform/x86.h>)
#include <sys/platform/x86.h>
#elif defined(__powerpc64__) && __has_include(<sys/platform/ppc.h>)
#include <sys/platform/ppc.h>
#define HAS_PLATFORM_PPC
#endif
#endif

void hpt_live_cpuid(uint32_t leaf, uint32_t subleaf, uint32_t regs[4], void *ctx);

#ifdef CPU_FEATURE_PRESENT
bool hpt_live_cached_cpu(struct hpt_cpu *ret);
#else
#define hpt_live_cached_cpu NULL
#endif

bool hpt_live_tsc_forbidden(void);
int64_t hpt_live_clock_ns(clockid_t id);
int64_t hpt_live_clock_ns_syscall(clockid_t id);
uint64_t hpt_live_read_os(const struct hpt_source *src);
int hpt_live_try_clock(clockid_t id, bool by_syscall, int64_t *ret_ns);
int64_t hpt_live_coarse_step_ns(void);
uint64_t hpt_live_auxval(uint64_t type);
uint64_t hpt_live_random(void);

#if defined(HAS_PLATFORM_PPC) || defined(__riscv)
uint64_t hpt_live_counter_hz(void);
#else
#define hpt_live_counter_hz NULL
#endif

const char *hpt_live_getenv(const char *name);

#endif
