// SPDX-License-Identifier: MIT
/* The x86 time stamp counter, read by an instruction. Whether to trust it is decided in lib/clock/tsc_trust.c. */
#include "arch/arch.h"

#ifdef HPT_ARCH_X86

#include <errno.h>

#include "hpt/hpt.h"

#include "source/tsc.h"

HOT uint64_t hpt_tsc_read_rdtscp(const struct hpt_source *src)
{
	(void)src;
	return arch_rdtscp();
}

HOT uint64_t hpt_tsc_read_lfence(const struct hpt_source *src)
{
	(void)src;
	return arch_lfence_rdtsc();
}

HOT uint64_t hpt_tsc_read_plain(const struct hpt_source *src)
{
	(void)src;
	return arch_rdtsc();
}

static COLD int tsc_open(struct hpt_source *src, const struct hpt_env *env)
{
	struct hpt_cpu cpu;

	if (!env->cached_cpu || !env->cached_cpu(&cpu))
		hpt_cpu_read(env->cpuid, env->cpuid_ctx, &cpu);
	src->tsc_class = hpt_cpu_tsc_class(&cpu);
	src->hypervisor = cpu.hypervisor;
	if (!cpu.tsc)
		return hpt_source_stop(src, HPT_STAGE_CPU, HPT_REASON_TSC_ABSENT, -ENODEV);
	if (!cpu.rdtscp && !cpu.sse2)
		return hpt_source_stop(src, HPT_STAGE_CPU, HPT_REASON_TSC_NOT_ORDERED, -ENOTSUP);
	if (src->tsc_forbidden)
		return hpt_source_stop(src, HPT_STAGE_CPU, HPT_REASON_TSC_FORBIDDEN, -EPERM);
	src->rdtscp = cpu.rdtscp ? hpt_tsc_read_rdtscp : NULL;
	/* Without RDTSCP there is no other way: Linux makes LFENCE wait wherever it can. */
	src->lfence = cpu.lfence_orders || !cpu.rdtscp ? hpt_tsc_read_lfence : NULL;
	src->read = cpu.rdtscp ? src->rdtscp : src->lfence;
	src->read_unordered = hpt_tsc_read_plain;
	src->bits = 64;
	if (!hpt_source_is_counting(src))
		return hpt_source_stop(src, HPT_STAGE_COUNTING, HPT_REASON_TSC_NOT_COUNTING, -EIO);
	return 0;
}

const struct hpt_source_ops hpt_source_tsc = {
	.name = "tsc",
	.id = HPT_SOURCE_TSC,
	.clocksource = "tsc",
	.kernel_unit_hz = HPT_KERNEL_KHZ,
	.open = tsc_open,
};

#endif
