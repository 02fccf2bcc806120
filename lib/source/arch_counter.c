// SPDX-License-Identifier: MIT
/*
 * The counter that an architecture other than x86 lets programs read: the source "arch". Its instructions are in
 * lib/arch/. Whether to trust it is decided in lib/clock/arch_trust.c.
 */
#include "arch/arch.h"

#ifdef HPT_ARCH_COUNTER

#include <errno.h>
#include <sys/auxv.h>

#include "hpt/hpt.h"

#include "machine/counter_hz.h"

#include "source/arch_counter.h"
#include "source/own_read.h"

/* The error assumed of a stated rate that could not be measured: as the HPET's, which has such a crystal too. */
#define ARCH_RATE_ERROR_PPB 500000

/* A rate outside 1 kHz to 100 GHz is a mistake of the firmware. */
#define HZ_MIN UINT64_C(1000)
#define HZ_MAX UINT64_C(100000000000)

static COLD enum hpt_own_order order_of(const struct hpt_env *env)
{
#ifdef ARCH_COUNTER_SYNCED_HWCAP2
	if (env->auxval(AT_HWCAP2) & ARCH_COUNTER_SYNCED_HWCAP2)
		return HPT_OWN_SECOND;
#endif
	(void)env;
	return HPT_OWN_FIRST;
}

static COLD void set_rate(struct hpt_source *src, const struct hpt_env *env)
{
	uint64_t hz = arch_counter_hz();

	if (!hz)
		hz = hpt_counter_hz(env);
	if (hz < HZ_MIN || hz > HZ_MAX)
		return;
	src->rate = (struct hpt_rate){
		.num = UINT64_C(1000000000), .den = hz, .frequency_uhz = hz * 1000000,
		.error_ppb = ARCH_RATE_ERROR_PPB, .origin = HPT_ORIGIN_REGISTER,
	};
}

/* Executes no instruction on the counter, the one that reads its rate included, before it is known to be allowed. */
static COLD int arch_open(struct hpt_source *src, const struct hpt_env *env)
{
	if (src->tsc_forbidden)
		return hpt_source_stop(src, HPT_STAGE_CPU, HPT_REASON_ARCH_FORBIDDEN, -EPERM);
	if (~env->auxval(AT_HWCAP) & ARCH_COUNTER_HWCAP)
		return hpt_source_stop(src, HPT_STAGE_CPU, HPT_REASON_ARCH_NO_EVTSTRM, -ENODEV);
	hpt_own_set_order(src, order_of(env));
	src->orders = src->order;
	src->bits = ARCH_COUNTER_BITS;
	if (!hpt_source_is_counting(src))
		return hpt_source_stop(src, HPT_STAGE_COUNTING, HPT_REASON_ARCH_NOT_COUNTING, -EIO);
	set_rate(src, env);
	return 0;
}

const struct hpt_source_ops hpt_source_arch = {
	.name = "arch",
	.id = HPT_SOURCE_ARCH,
	.clocksource = ARCH_CLOCKSOURCE,
	.kernel_unit_hz = HPT_KERNEL_HZ,
	.open = arch_open,
};

#endif
