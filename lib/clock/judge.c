// SPDX-License-Identifier: MIT
/* Gathers facts for the verdict from CPU, kernel and libc: lib/clock/judge.h. */
#include "clock/judge.h"

#include "arch/arch.h"
#include "machine/clocksource.h"
#include "clock/arch_trust.h"
#include "clock/tsc_trust.h"
#include "source/ordered_read.h"

/* A TSC counts as too expensive when it looks so this many times in a row. For ARCH the shortest of them counts. */
#define COST_TRIES 3

/*
 * Calls that are timed together: enough that as many raw system calls last COST_STEPS steps of the counter. With one of
 * 24 MHz 8 calls are enough; one of 1 MHz takes 256, in 100 us.
 */
#define COST_CALLS     8
#define COST_CALLS_MAX 512
#define COST_STEPS     32

/* Moves that show a step, and the most reads for them: a counter of 1 MHz moves once in 50 reads of 20 ns. */
#define STEP_MOVES 4
#define STEP_READS 1024

/*
 * Chooses the ordered read. Compares, in ticks of the TSC, the shortest of many TSC reads with the shortest of many
 * brackets, each of which takes a TSC read and an OS read. The anchor's brackets serve for this: since Linux 5.3
 * MONOTONIC_RAW costs the same as MONOTONIC. Before 5.3 it was a system call: the OS clock then looks expensive, and a
 * TSC that the CPU and the kernel already vouch for passes more easily.
 */
static COLD bool tsc_looks_cheap(struct hpt_source *src, struct hpt_load_reads *ret_reads,
				 struct hpt_anchor *ret_anchor)
{
	const struct hpt_bracket *narrowest;
	int64_t shortest = INT64_MAX;

	ret_reads->n = hpt_ordered_read_choose(src, ret_reads->deltas, HPT_LOAD_READS);
	for (uint32_t i = 0; i < ret_reads->n; i++)
		if (ret_reads->deltas[i] > 0 && ret_reads->deltas[i] < shortest)
			shortest = ret_reads->deltas[i];
	hpt_anchor_take(src, ret_anchor);
	narrowest = hpt_brackets_narrowest(ret_anchor->brackets, ret_anchor->n);
	return hpt_tsc_trust_cost((uint64_t)shortest, hpt_bracket_width(narrowest));
}

/* ---- Batches ------------------------------------------------------------------------------------------------- */

static uint64_t shorter(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Ticks that pass during n calls. */
static COLD uint64_t ticks_of_reads(const struct hpt_source *src, uint32_t n)
{
	uint64_t start = src->read(src), end = start;

	while (n-- > 0)
		end = src->read(src);
	return end - start;
}

static COLD uint64_t ticks_of_clock(const struct hpt_source *src, hpt_clock_ns_fn *clock_ns, uint32_t n)
{
	uint64_t start = src->read(src);

	while (n-- > 0)
		clock_ns(CLOCK_MONOTONIC);
	return src->read(src) - start;
}

/* In whole batches, because one read of a slow counter takes no step or one, and a step is many ticks. */
static COLD void time_reads(const struct hpt_source *src, uint64_t step_ticks, struct hpt_arch_facts *ret)
{
	hpt_clock_ns_fn *raw_ns = src->env->clock_ns_syscall;
	uint32_t n = COST_CALLS;

	while (n < COST_CALLS_MAX && ticks_of_clock(src, raw_ns, n) < COST_STEPS * step_ticks)
		n *= 2;
	ret->own_ticks = ret->twice_os_ticks = ret->raw_ticks = UINT64_MAX;
	for (int tries = 0; tries < COST_TRIES; tries++) {
		ret->own_ticks = shorter(ret->own_ticks, ticks_of_reads(src, n));
		ret->twice_os_ticks = shorter(ret->twice_os_ticks, ticks_of_clock(src, src->clock_ns, 2 * n));
		ret->raw_ticks = shorter(ret->raw_ticks, ticks_of_clock(src, raw_ns, n));
	}
}

/* The smallest of a few moves where reads repeat; else a read is longer than a step. */
static COLD uint64_t step_of(const struct hpt_source *src)
{
	uint64_t last = src->read(src), least = UINT64_MAX;
	uint32_t moves = 0, repeats = 0;

	for (uint32_t i = 0; i < STEP_READS && moves < STEP_MOVES; i++) {
		uint64_t now = src->read(src);

		if (now != last)
			least = shorter(least, now - last);
		moves += now != last;
		repeats += now == last;
		last = now;
	}
	return repeats && moves ? least : 1;
}

/*
 * Single reads show nothing of a TSC whose steps are as long as a read or longer, such as an emulator makes of a
 * counter of 24 MHz: the shortest move is one step, and the narrowest bracket one step or none.
 */
static COLD bool tsc_is_cheap_in_batches(const struct hpt_source *src)
{
	struct hpt_arch_facts facts;

	time_reads(src, step_of(src), &facts);
	return facts.own_ticks < facts.twice_os_ticks;
}

/* ---- The TSC --------------------------------------------------------------------------------------------------- */

/*
 * A microsecond of reads may fall into a moment when another thread shares the core; then the TSC looks expensive. On a
 * busy virtual machine a process sometimes took the OS clock for that reason. So it must look expensive in every try,
 * and in batches too.
 */
static COLD bool tsc_is_cheap(const struct hpt_source *src, struct hpt_findings *ret)
{
	struct hpt_source timed = *src; /* by either of its ordered reads, and at last by the cheaper one */
	bool is_cheap = false;

	for (int tries = 0; tries < COST_TRIES && !is_cheap; tries++)
		is_cheap = tsc_looks_cheap(&timed, &ret->reads, &ret->anchor);
	ret->order = timed.order;
	return is_cheap || tsc_is_cheap_in_batches(&timed);
}

/*
 * Two reads of libc's clock and one of the kernel's take less than 1 us, up to 2 us by system calls; longer ones show
 * nothing of a clock that runs at another rate and differs by microseconds yet: the thread was stopped between them.
 */
#define COMPARED_NS    5000
#define COMPARED_TRIES 4

/*
 * True if libc's clock does not show the kernel's time. Where the kernel does not answer there is nothing to compare
 * with, and libc is believed. Where the TSC is forbidden libc is not asked, because its clock would raise SIGSEGV.
 */
static COLD bool is_interposed(const struct hpt_source *src)
{
	int64_t before_ns, kernel_ns, after_ns;
	int tries = 0;

	if (src->tsc_forbidden)
		return false;
	do {
		before_ns = src->clock_ns(CLOCK_MONOTONIC_RAW);
		if (!src->env->kernel_ns(CLOCK_MONOTONIC_RAW, &kernel_ns))
			return false;
		after_ns = src->clock_ns(CLOCK_MONOTONIC_RAW);
		if (!hpt_tsc_trust_libc_clock(before_ns, kernel_ns, after_ns))
			return true;
	} while (after_ns - before_ns > COMPARED_NS && ++tries < COMPARED_TRIES);
	return false;
}

static COLD enum hpt_kernel_source compare_kernel(const struct hpt_source *src, struct hpt_findings *ret)
{
	enum hpt_kernel_source kernel = hpt_kernel_clocksource(src->env, src->ops->clocksource,
							       ret->kernel_clocksource,
							       sizeof(ret->kernel_clocksource));

	ret->is_clocksource = kernel == HPT_KERNEL_AGREES;
	return kernel;
}

static COLD struct hpt_verdict judge_tsc(const struct hpt_source *src, struct hpt_findings *ret)
{
	struct hpt_tsc_facts facts = {
		.tsc_class = src->u.tsc.cpu_class,
		.hypervisor = src->u.tsc.is_guest,
		.kernel = compare_kernel(src, ret),
	};

	if (hpt_tsc_trust(&facts).trusted) {
		/* Cost first: an interposer that scales time differs visibly only after some time has passed. */
		facts.expensive = !tsc_is_cheap(src, ret);
		facts.interposed = is_interposed(src);
	}
	return hpt_tsc_trust(&facts);
}

static COLD struct hpt_verdict judge_arch(const struct hpt_source *src, struct hpt_findings *ret)
{
	struct hpt_arch_facts facts = { .kernel = compare_kernel(src, ret) };

	if (ret->is_clocksource) {
		time_reads(src, 1, &facts);
		facts.interposed = is_interposed(src);
	}
	return hpt_arch_trust(&facts);
}

static COLD struct hpt_verdict verdict_on(const struct hpt_source *src, struct hpt_findings *ret)
{
	if (src->ops->id == HPT_SOURCE_TSC)
		return judge_tsc(src, ret);
	if (src->ops->id == HPT_SOURCE_ARCH)
		return judge_arch(src, ret);
	if (src->ops->id != HPT_SOURCE_OS && is_interposed(src))
		return (struct hpt_verdict){ .reason = HPT_REASON_INTERPOSED };
	return (struct hpt_verdict){ .trusted = true };
}

COLD void hpt_judge(const struct hpt_source *src, struct hpt_findings *ret)
{
	ret->order = src->order;
	ret->is_clocksource = false;
	ret->reads.n = ret->anchor.n = 0;
	ret->kernel_clocksource[0] = '\0';
	ret->verdict = verdict_on(src, ret);
}
