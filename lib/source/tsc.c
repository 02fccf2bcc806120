// SPDX-License-Identifier: MIT
/* The x86 time stamp counter, read by an instruction. Whether to trust it is decided in lib/clock/tsc_trust.c. */
#include "arch/arch.h"

#ifdef HPT_ARCH_X86

#include <errno.h>

#include "hpt/hpt.h"

#include "source/own_read.h"
#include "source/tsc.h"

static COLD int tsc_open(struct hpt_source *src, const struct hpt_env *env)
{
	struct hpt_cpu cpu;

	if (!env->cached_cpu || !env->cached_cpu(&cpu))
		hpt_cpu_read(env->cpuid, env->cpuid_ctx, &cpu);
	src->u.tsc.cpu_class = hpt_cpu_tsc_class(&cpu);
	src->u.tsc.is_guest = cpu.hypervisor;
	if (!cpu.tsc)
		return hpt_source_stop(src, HPT_STAGE_CPU, HPT_REASON_TSC_ABSENT, -ENODEV);
	if (!cpu.rdtscp && !cpu.sse2)
		return hpt_source_stop(src, HPT_STAGE_CPU, HPT_REASON_TSC_NOT_ORDERED, -ENOTSUP);
	if (src->tsc_forbidden)
		return hpt_source_stop(src, HPT_STAGE_CPU, HPT_REASON_TSC_FORBIDDEN, -EPERM);
	/* Without RDTSCP there is no other way: Linux makes LFENCE wait wherever it can. */
	src->orders = (cpu.rdtscp ? HPT_OWN_FIRST : 0) | (cpu.lfence_orders || !cpu.rdtscp ? HPT_OWN_SECOND : 0);
	hpt_own_set_order(src, cpu.rdtscp ? HPT_OWN_FIRST : HPT_OWN_SECOND);
	src->bits = 64;
	if (!hpt_source_is_counting(src))
		return hpt_source_stop(src, HPT_STAGE_COUNTING, HPT_REASON_TSC_NOT_COUNTING, -EIO);
	return 0;
}

/* The instruction of the ordered reads, and the costs that it was chosen by. */
static COLD void tsc_describe(const struct hpt_source *src, uint64_t other_ps, struct hpt_clock_info *ret)
{
	bool is_lfence = src->order == HPT_OWN_SECOND;

	ret->ordered_read = is_lfence ? HPT_ORDERED_LFENCE_RDTSC : HPT_ORDERED_RDTSCP;
	ret->rdtscp_mean_ps = is_lfence ? other_ps : ret->read_cost_mean_ps;
	ret->lfence_rdtsc_mean_ps = is_lfence ? ret->read_cost_mean_ps : other_ps;
}

const struct hpt_source_ops hpt_source_tsc = {
	.name = "tsc",
	.id = HPT_SOURCE_TSC,
	.clocksource = "tsc",
	.kernel_unit_hz = HPT_KERNEL_KHZ,
	.open = tsc_open,
	.describe = tsc_describe,
};

#endif
