// SPDX-License-Identifier: MIT
/*
 * hpt_clock_check() and hpt_clock_generation(): compares a clock with the kernel's clocks, the kernel's clocksource,
 * CPUID and the hypervisor's marker.
 */
#include <errno.h>
#include <pthread.h>

#include "arch/arch.h"
#include "machine/clocksource.h"
#include "machine/cpu.h"
#include "machine/process.h"
#include "machine/vm_marker.h"
#include "rate/calibrate.h"
#include "rate/next_record.h"
#include "clock/default.h"
#include "clock/first.h"
#include "clock/timekeeper.h"

/* A check whose record comes after another thread's is done again, up to this many times in all. */
#define CHECK_TRIES 8

static bool is_tsc(const struct hpt_clock *clk)
{
	return clk->src.ops->id == HPT_SOURCE_TSC;
}

/* Asks whether a kernel that kept time with this counter still does. It may be that neither is known. */
static void ask_about_rate(const struct hpt_clock *clk, struct hpt_samples *samples)
{
	char name[sizeof(((struct hpt_clock_info *)0)->kernel_clocksource)];
	enum hpt_kernel_source now;

	if (!clk->is_clocksource)
		return;
	now = hpt_kernel_clocksource(clk->src.env, clk->src.ops->clocksource, name, sizeof(name));
	samples->is_demoted = now == HPT_KERNEL_OTHER;
	samples->is_confirmed = now == HPT_KERNEL_AGREES;
}

/* On some machines CPUID states the TSC's rate. True if it is wrong by more than its error and HPT_STATED_PPB. */
static bool is_contradicted(const struct hpt_clock *clk, struct hpt_record *rec)
{
	uint64_t hz = rec->rate.frequency_uhz / 1000000, off_hz;

	if (!is_tsc(clk) || rec->rate.error_ppb == UINT32_MAX)
		return false;
	if (!(rec->rate.flags & HPT_ESTIMATE_STATED))
		rec->rate.stated_hz = hpt_cpu_stated_hz(clk->src.env->cpuid, clk->src.env->cpuid_ctx);
	rec->rate.flags |= HPT_ESTIMATE_STATED;
	off_hz = rec->rate.stated_hz > hz ? rec->rate.stated_hz - hz : hz - rec->rate.stated_hz;
	return rec->rate.stated_hz && off_hz > hz / 1000 * (rec->rate.error_ppb + HPT_STATED_PPB) / 1000000;
}

/* A hypervisor that disrupts the counter (migration, snapshot) changes its marker: compare with the one seen before. */
static void ask_hypervisor(const struct hpt_clock *clk, struct hpt_record *rec, struct hpt_samples *samples)
{
	uint64_t marker;

	if ((!is_tsc(clk) && clk->src.ops->id != HPT_SOURCE_ARCH) || !hpt_vm_marker(clk->src.env, &marker))
		return;
	samples->is_disrupted = (rec->flags & HPT_RECORD_VM_MARKER) && marker != rec->vm_marker;
	rec->flags |= HPT_RECORD_VM_MARKER;
	rec->vm_marker = marker;
}

static int check(struct hpt_clock *clk, struct hpt_record *rec)
{
	uint32_t seen = hpt_timekeeper_current(clk, rec);
	struct hpt_record next;
	struct hpt_samples samples;

	if (clk->src.own_time || hpt_sample_is_blind(&clk->src))
		return 0;
	hpt_first_settle(clk, rec);
	hpt_samples_take(&clk->src, &samples);
	ask_about_rate(clk, &samples);
	samples.is_contradicted = is_contradicted(clk, rec);
	ask_hypervisor(clk, rec, &samples);
	hpt_record_next(rec, &samples, &next);
	*rec = next;
	return hpt_timekeeper_publish(clk, &next, seen);
}

COLD int hpt_clock_check(hpt_clock *clk, uint64_t *ret_generation)
{
	struct hpt_record rec;
	int saved = errno, cancel;

	clk = hpt_clock_or_default(clk);
	hpt_process(); /* threads that check often claim many slots, and a forked child has to know its own */
	/* open(2) and read(2) are cancellation points; a thread cancelled between them would leave a file open. */
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	for (int tries = 0; tries < CHECK_TRIES && check(clk, &rec) == -EAGAIN; tries++)
		;
	pthread_setcancelstate(cancel, NULL);
	errno = saved;
	if (ret_generation)
		*ret_generation = rec.generation;
	return (int)rec.state;
}

COLD uint64_t hpt_clock_generation(hpt_clock *clk)
{
	struct hpt_record rec;

	hpt_timekeeper_now(hpt_clock_or_default(clk), &rec);
	return rec.generation;
}
