// SPDX-License-Identifier: MIT
/*
 * Trusts the TSC if the CPU and the kernel agree. CPUID alone is wrong on real laptops and virtual machines; the kernel
 * knows the results of its boot-time warp test and of its watchdog.
 */
#include "clock/tsc_trust.h"

#include "hpt/hpt.h"
#include "hpt/system.h"

#include "arch/arch.h"

/* The verdict by the TSC's class, by what the kernel keeps time with, and by whether this is a guest. */
static uint32_t reason_by_class(const struct hpt_tsc_facts *f)
{
	bool kernel_agrees = f->kernel == HPT_KERNEL_AGREES;

	if (f->tsc_class == HPT_CPU_NO_TSC)
		return HPT_REASON_TSC_ABSENT;
	if (f->kernel == HPT_KERNEL_OTHER)
		return HPT_REASON_KERNEL_DISAGREES;
	if (f->tsc_class == HPT_CPU_INVARIANT) {
		if (kernel_agrees)
			return HPT_REASON_TSC_TRUSTED;
		return f->hypervisor ? HPT_REASON_TSC_GUEST_ALONE : HPT_REASON_TSC_UNCONTRADICTED;
	}
	if (f->tsc_class != HPT_CPU_CONSTANT_BY_FAMILY)
		return HPT_REASON_TSC_NOT_CONSTANT;
	if (f->hypervisor)
		return HPT_REASON_TSC_GUEST_FAMILY;
	return kernel_agrees ? HPT_REASON_TSC_FAMILY : HPT_REASON_TSC_FAMILY_ALONE;
}

static bool is_yes(uint32_t reason)
{
	return reason == HPT_REASON_TSC_TRUSTED || reason == HPT_REASON_TSC_FAMILY ||
	       reason == HPT_REASON_TSC_UNCONTRADICTED;
}

COLD struct hpt_verdict hpt_tsc_trust(const struct hpt_tsc_facts *facts)
{
	uint32_t reason = reason_by_class(facts);

	if (is_yes(reason) && facts->interposed)
		reason = HPT_REASON_INTERPOSED;
	else if (is_yes(reason) && facts->expensive)
		reason = HPT_REASON_TSC_EXPENSIVE;
	return (struct hpt_verdict){ .trusted = is_yes(reason), .reason = reason };
}

COLD bool hpt_tsc_trust_cost(uint64_t tsc_ticks, uint64_t tsc_and_os_ticks)
{
	return tsc_and_os_ticks > tsc_ticks && tsc_ticks < 2 * (tsc_and_os_ticks - tsc_ticks);
}

COLD bool hpt_tsc_trust_libc_clock(int64_t libc_before_ns, int64_t kernel_ns, int64_t libc_after_ns)
{
	return libc_before_ns <= kernel_ns && kernel_ns <= libc_after_ns;
}
