// SPDX-License-Identifier: MIT
/* Recorded facts as plain structs that may grow: the caller passes the size of the struct that it knows. */
#include <errno.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "hpt/hpt.h"
#include "hpt/system.h"

#include "arch/arch.h"
#include "math/units.h"
#include "machine/time_calls.h"
#include "rate/os_lines.h"
#include "clock/default.h"
#include "clock/sized.h"
#include "clock/timekeeper.h"
#include "clock/world.h"

/* The kernel's own choices are 100, 250, 300 and 1000 (kernel/Kconfig.hz); 24 and 1200 exist on Arm and Alpha. */
#define KERNEL_HZ_MIN 24
#define KERNEL_HZ_MAX 10000

static void copy_text(char *ret, size_t size, const char *text)
{
	for (size_t i = 0; i + 1 < size && text[i]; i++)
		ret[i] = text[i];
}

static uint32_t ns_rounded_up(uint64_t ticks, uint64_t frequency_uhz)
{
	uint64_t mticks = ticks > UINT64_MAX / 1000 ? UINT64_MAX : ticks * 1000;
	uint64_t ns = (hpt_read_cost_ps(mticks, frequency_uhz) + 999) / 1000;

	return ns < UINT32_MAX ? (uint32_t)ns : UINT32_MAX;
}

/*
 * Where a step lasts longer than two reads, the few moves between the reads that were timed may each be many steps of a
 * preemption, and there may have been none. The record has seen more, and its granularity is at least a step; a manual
 * clock's is 0.
 */
static uint64_t known_step(const struct hpt_record *rec, const struct hpt_read_cost *cost)
{
	uint64_t most = rec->granularity.ticks, two_reads = cost->mean_mticks / 500;

	if (!cost->step_ticks && most > 1)
		return most;
	return most && cost->step_ticks > most && cost->step_ticks > two_reads ? most : cost->step_ticks;
}

/* The kernel's clocks have nothing to do with a clock's own time. Where none can be read, nothing is known of them. */
static bool has_kernel_lines(const struct hpt_clock *clk)
{
	return !clk->src.own_time && !hpt_sample_is_blind(&clk->src);
}

COLD int hpt_clock_get_info(hpt_clock *clk, struct hpt_clock_info *ret, size_t size)
{
	const struct hpt_boot *booted = hpt_booted();
	struct hpt_clock_info info = { 0 };
	struct hpt_record rec;
	struct hpt_read_cost cost;
	uint64_t other_mticks, tick;
	bool has_lines;

	if (!ret || size < HPT_CLOCK_INFO_SIZE_V0)
		return -EINVAL;
	clk = hpt_clock_or_default(clk);
	has_lines = has_kernel_lines(clk);
	tick = hpt_timekeeper_settled(clk, &rec);
	hpt_clock_read_cost(clk, &cost, &other_mticks);
	info.source = clk->src.ops->id;
	info.reason = clk->reason;
	info.state = (uint32_t)rec.state;
	info.flags = booted->flags | (uint32_t)rec.flags;
	if (clk == atomic_load(&hpt_once.dflt))
		info.flags |= HPT_CLOCK_IS_DEFAULT;
	if (clk->is_vetoed)
		info.flags |= HPT_CLOCK_VETOED;
	info.counter_bits = clk->src.bits;
	info.generation = rec.generation;
	info.frequency_uhz = rec.rate.frequency_uhz;
	info.frequency_error_ppb = (uint32_t)rec.rate.error_ppb;
	info.frequency_origin = (uint32_t)rec.rate.origin;
	info.granularity_ns = ns_rounded_up(known_step(&rec, &cost), rec.rate.frequency_uhz);
	info.env_requested = booted->requested;
	info.read_cost_mean_ps = hpt_read_cost_ps(cost.mean_mticks, rec.rate.frequency_uhz);
	info.read_cost_stddev_ps = hpt_read_cost_ps(cost.stddev_mticks, rec.rate.frequency_uhz);
	info.read_cost_samples = cost.samples;
	info.read_cost_dropped = cost.dropped;
	if (clk->src.ops->describe)
		clk->src.ops->describe(&clk->src, hpt_read_cost_ps(other_mticks, rec.rate.frequency_uhz), &info);
	info.epoch_ticks = (int64_t)rec.read.start;
	info.epoch_ns = (int64_t)hpt_line_at(&rec.read.ns, rec.read.start, rec.read.start).ns;
	info.epoch_unix_ns = (int64_t)rec.convert.start_unix_ns;
	info.os_error_ns = has_lines ? hpt_os_lines_error_ns(&rec, tick) : INT64_MAX;
	memcpy(info.env_source, booted->env_source, sizeof(info.env_source));
	memcpy(info.kernel_clocksource, booted->own.kernel_clocksource, sizeof(info.kernel_clocksource));
	hpt_hand_out(ret, size, &info, sizeof(info));
	return 0;
}

/*
 * For the default clock's source: it can be used, since that clock does, whatever load found or a later open of another
 * one. The reason comes from the clock (the program may have made it the default after load), and rate and cost are
 * computed now if they are not known yet. For other sources the recorded status is all there is.
 */
static void complete_status(uint32_t source, struct hpt_source_status *status, struct hpt_clock *dflt)
{
	struct hpt_record rec;
	uint64_t other_mticks;

	if (dflt->src.ops->id != source)
		return;
	status->usable = 1;
	status->stage = HPT_STAGE_USABLE;
	status->error = 0;
	status->reason = dflt->reason;
	hpt_timekeeper_settled(dflt, &rec);
	status->frequency_uhz = rec.rate.frequency_uhz;
	if (!status->cost.samples)
		hpt_clock_read_cost(dflt, &status->cost, &other_mticks);
	status->cost.step_ticks = known_step(&rec, &status->cost);
}

COLD int hpt_source_get_info(uint32_t source, struct hpt_source_info *ret, size_t size)
{
	struct hpt_clock *dflt = hpt_default_now();
	struct hpt_source_info info = { 0 };
	struct hpt_source_status status;

	if (!ret || size < HPT_SOURCE_INFO_SIZE_V0 || source >= HPT_SOURCE_IDS)
		return -EINVAL;
	if (source == HPT_SOURCE_AUTO)
		source = dflt->src.ops->id;
	hpt_source_status_get(hpt_booted()->status, source, &status);
	complete_status(source, &status, dflt);
	info.source = source;
	info.usable = (uint32_t)status.usable;
	info.chosen = dflt->src.ops->id == source;
	info.stage = (uint32_t)status.stage;
	info.reason = (uint32_t)status.reason;
	info.error = (uint32_t)status.error;
	info.granularity_ns = status.cost.samples ? ns_rounded_up(status.cost.step_ticks, status.frequency_uhz) : 0;
	info.cost_mean_ps = hpt_read_cost_ps(status.cost.mean_mticks, status.frequency_uhz);
	info.cost_stddev_ps = hpt_read_cost_ps(status.cost.stddev_mticks, status.frequency_uhz);
	info.cost_samples = status.cost.samples;
	info.cost_dropped = status.cost.dropped;
	info.frequency_uhz = status.frequency_uhz;
	copy_text(info.name, sizeof(info.name), hpt_source_name(source));
	hpt_hand_out(ret, size, &info, sizeof(info));
	return 0;
}

#ifdef HPT_ARCH_X86
static void fill_cpu_info(struct hpt_cpu_info *info)
{
	int saved = errno;
	long online = sysconf(_SC_NPROCESSORS_ONLN);

	errno = saved;
	hpt_cpu_read_info(hpt_world.env->cpuid, hpt_world.env->cpuid_ctx, info);
	info->cores_online = online > 0 ? (uint32_t)online : 0;
}
#endif

COLD int hpt_cpu_get_info(struct hpt_cpu_info *ret, size_t size)
{
	if (!ret || size < HPT_CPU_INFO_SIZE_V0)
		return -EINVAL;
#ifdef HPT_ARCH_X86
	struct hpt_cpu_info info = { 0 };

	fill_cpu_info(&info);
	hpt_hand_out(ret, size, &info, sizeof(info));
	return 0;
#else
	return -ENOTSUP;
#endif
}

COLD uint32_t hpt_kernel_hz(void)
{
	int saved = errno;
	/* The coarse clock advances by one jiffy (1/HZ) at a time. */
	int64_t step_ns = hpt_clock_step_ns(CLOCK_MONOTONIC_COARSE);
	uint32_t hz = 0;

	if (step_ns > 0 && step_ns < NS_PER_S)
		hz = (uint32_t)((NS_PER_S + step_ns / 2) / step_ns);
	errno = saved;
	return hz >= KERNEL_HZ_MIN && hz <= KERNEL_HZ_MAX ? hz : 0;
}
