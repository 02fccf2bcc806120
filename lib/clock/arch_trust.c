// SPDX-License-Identifier: MIT
/*
 * Trusts the counter that the kernel itself trusts in user space: lib/clock/arch_trust.h. That covers the lists of
 * errata without keeping one.
 */
#include "clock/arch_trust.h"

#include "hpt/hpt.h"

#include "arch/arch.h"

COLD struct hpt_verdict hpt_arch_trust(const struct hpt_arch_facts *facts)
{
	uint32_t reason = HPT_REASON_ARCH_TRUSTED;

	if (facts->kernel == HPT_KERNEL_UNREADABLE)
		reason = HPT_REASON_ARCH_ALONE;
	else if (facts->kernel == HPT_KERNEL_OTHER)
		reason = HPT_REASON_KERNEL_DISAGREES;
	else if (facts->interposed)
		reason = HPT_REASON_INTERPOSED;
	else if (facts->twice_os_ticks >= facts->raw_ticks)
		reason = HPT_REASON_ARCH_NOT_VIRTUAL;
	else if (facts->own_ticks >= facts->twice_os_ticks)
		reason = HPT_REASON_ARCH_EXPENSIVE;
	return (struct hpt_verdict){ .trusted = reason == HPT_REASON_ARCH_TRUSTED, .reason = reason };
}
