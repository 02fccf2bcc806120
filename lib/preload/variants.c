// SPDX-License-Identifier: MIT
/* Whether waits may make other system calls than the program's own: lib/preload/variants.h. */
#include "preload/variants.h"

#include "machine/cpu_time.h"

_Atomic bool hpt_variants_allowed;

void hpt_variants_ask(void)
{
	atomic_store_explicit(&hpt_variants_allowed, HPT_SEES_SYSCALLS && !hpt_cpu_time_is_filtered(),
			      memory_order_relaxed);
}

void hpt_variants_forbid(void)
{
	atomic_store_explicit(&hpt_variants_allowed, false, memory_order_relaxed);
}
