// SPDX-License-Identifier: MIT
/* Spins at less power, where the processor can wait for a cache line to change or a time to come: lib/sleep/relax.h. */
#include "sleep/relax.h"

#include <stdbool.h>

#include "arch/arch.h"
#include "clock/world.h"

COLD enum hpt_relax hpt_relax_choose(hpt_cpuid_fn *cpuid, void *ctx)
{
	uint32_t regs[4];

	cpuid(0, 0, regs, ctx);
	if (regs[0] >= 7) {
		cpuid(7, 0, regs, ctx);
		if (regs[2] & 1u << 5) /* ECX: WAITPKG (Intel SDM vol. 2A, CPUID) */
			return HPT_RELAX_UMWAIT;
	}
	cpuid(0x80000000, 0, regs, ctx);
	if (regs[0] >= 0x80000001 && regs[0] <= 0x8000ffff) {
		cpuid(0x80000001, 0, regs, ctx);
		if (regs[2] & 1u << 29) /* ECX: MONITORX (AMD APM vol. 3, appendix E) */
			return HPT_RELAX_MWAITX;
	}
	return HPT_RELAX_PAUSE;
}

/* Linux limits UMWAIT to this. MWAITX has no limit, but a spin counts turns until it reads its second clock. */
#define MOST_TICKS 100000

static _Atomic uint32_t chosen;

enum hpt_relax hpt_relax_kind(void)
{
	return atomic_load_explicit(&chosen, memory_order_relaxed);
}

/* In a virtual machine its CPUID instructions take 10 to 100 us: call it once, and neither at load nor in a spin. */
void hpt_relax_ask(void)
{
	if (hpt_relax_kind() == HPT_RELAX_UNKNOWN)
		atomic_store_explicit(&chosen, hpt_relax_choose(hpt_world.env->cpuid, hpt_world.env->cpuid_ctx),
				      memory_order_relaxed);
}

#ifdef HPT_ARCH_X86
/* The line is monitored before the word is loaded, so a change after the load ends the wait. */
void hpt_relax_until(enum hpt_relax kind, const _Atomic uint32_t *word, uint32_t value, uint64_t now, uint64_t until)
{
	uint64_t left = until - now < MOST_TICKS ? until - now : MOST_TICKS;

	if (kind == HPT_RELAX_UMWAIT)
		arch_umonitor(word);
	else
		arch_monitorx(word);
	if (atomic_load(word) != value)
		return;
	if (kind == HPT_RELAX_UMWAIT)
		arch_umwait(until);
	else
		arch_mwaitx((uint32_t)left);
}
#else
void hpt_relax_until(enum hpt_relax kind, const _Atomic uint32_t *word, uint32_t value, uint64_t now, uint64_t until)
{
	(void)kind, (void)word, (void)value, (void)now, (void)until;
	arch_relax();
}
#endif
