// SPDX-License-Identifier: MIT
/* The public reads: each is one indirect call by the clock's own pointer. NULL is the default clock. */
#include "arch/arch.h"
#include "clock/default.h"
#include "clock/read.h"

HOT hpt_time_t hpt_now(hpt_clock *clk)
{
	clk = hpt_clock_or_default(clk);
	return (hpt_time_t)clk->src.read(&clk->src);
}

ALIGNED hpt_time_t hpt_now_unordered(hpt_clock *clk)
{
	clk = hpt_clock_or_default(clk);
	return (hpt_time_t)clk->src.read_unordered(&clk->src);
}

ALIGNED int64_t hpt_now_ns(hpt_clock *clk)
{
	clk = hpt_clock_or_default(clk);
	return atomic_load_explicit(&clk->now_ns, memory_order_relaxed)(clk);
}

ALIGNED int64_t hpt_now_ns_unordered(hpt_clock *clk)
{
	clk = hpt_clock_or_default(clk);
	return atomic_load_explicit(&clk->now_ns_unordered, memory_order_relaxed)(clk);
}

/* The words are constants, which no load before the counter's waits for. */
static inline __attribute__((always_inline)) int64_t now_os_ns(hpt_clock *clk, size_t line, size_t at)
{
	clk = hpt_clock_or_default(clk);
	return atomic_load_explicit(&clk->now_os_ns, memory_order_relaxed)(clk, line, at);
}

ALIGNED int64_t hpt_now_unix_ns(hpt_clock *clk)
{
	return now_os_ns(clk, HPT_READ_WORD(unix_ns), HPT_READ_UNIX);
}

ALIGNED int64_t hpt_now_monotonic_ns(hpt_clock *clk)
{
	return now_os_ns(clk, HPT_READ_WORD(mono_ns), HPT_READ_MONOTONIC);
}

ALIGNED int64_t hpt_now_boottime_ns(hpt_clock *clk)
{
	return now_os_ns(clk, HPT_READ_WORD(mono_ns), HPT_READ_BOOTTIME);
}

ALIGNED int64_t hpt_now_tai_ns(hpt_clock *clk)
{
	return now_os_ns(clk, HPT_READ_WORD(unix_ns), HPT_READ_TAI);
}

ALIGNED hpt_time_t hpt_now_cpu(hpt_clock *clk, uint32_t *ret_cpu)
{
	uint32_t cpu = UINT32_MAX;
	uint64_t tick;

	clk = hpt_clock_or_default(clk);
#ifdef HPT_ARCH_X86
	if (likely(clk->src.orders & HPT_OWN_FIRST)) {
		tick = arch_rdtscp_aux(&cpu);
		if (cpu != UINT32_MAX)
			cpu &= 0xfff;
	} else
#endif
		tick = clk->src.read(&clk->src);
	if (ret_cpu)
		*ret_cpu = cpu;
	return (hpt_time_t)tick;
}
