// SPDX-License-Identifier: MIT
/* The counter that a program advances by itself: lib/source/manual.h. */
#include "source/manual.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "hpt/hpt.h"

#include "arch/arch.h"
#include "machine/process.h"
#include "math/ratio.h"
#include "math/units.h"
#include "source/own_time.h"

#define MANUAL_FASTEST_HZ UINT64_C(10000000000)

/* ---- Memory --------------------------------------------------------------------------------------------- */

/* All counters that were ever made. The list only grows, at its head, so that it needs no lock. */
static _Atomic(struct hpt_manual *) made;

static COLD struct hpt_manual *make(void)
{
	struct hpt_manual *m = aligned_alloc(_Alignof(struct hpt_manual), sizeof(*m));

	if (!m)
		return NULL;
	memset(m, 0, sizeof(*m));
	atomic_init(&m->is_used, 1);
	m->next = atomic_load(&made);
	while (!atomic_compare_exchange_weak(&made, &m->next, m))
		;
	return m;
}

static COLD struct hpt_manual *take_unused(void)
{
	uint32_t unused;

	for (struct hpt_manual *m = atomic_load(&made); m; m = m->next) {
		unused = 0;
		if (atomic_compare_exchange_strong(&m->is_used, &unused, 1))
			return m;
	}
	return make();
}

/* ---- Sleepers --------------------------------------------------------------------------------------------- */

#define VALUE_SHIFT 32

/* A fork copied the count of threads that the child does not have. */
static COLD void forget_other_process(struct hpt_manual *m, const struct hpt_env *env)
{
	uint32_t process = hpt_process();

	if (likely(atomic_load(&m->process) == process))
		return;
	hpt_own_time_notify(&m->eventcount, env);
	atomic_store(&m->process, process);
}

COLD bool hpt_manual_enter(struct hpt_manual *m, uint32_t value, const struct hpt_env *env)
{
	uint64_t old = atomic_load(&m->waiting), base = (uint64_t)value << VALUE_SHIFT;

	forget_other_process(m, env);
	do {
		if (hpt_eventcount_value(&m->eventcount) != value)
			return false;
	} while (!atomic_compare_exchange_weak(&m->waiting, &old, (old >> VALUE_SHIFT == value ? old : base) + 1));
	return true;
}

COLD void hpt_manual_leave(struct hpt_manual *m, uint32_t value)
{
	uint64_t old = atomic_load(&m->waiting);

	while (old >> VALUE_SHIFT == value && !atomic_compare_exchange_weak(&m->waiting, &old, old - 1))
		;
}

COLD uint32_t hpt_manual_sleepers(struct hpt_manual *m, const struct hpt_env *env)
{
	uint64_t waiting;

	forget_other_process(m, env);
	waiting = atomic_load(&m->waiting);
	return waiting >> VALUE_SHIFT == hpt_eventcount_value(&m->eventcount) ? (uint32_t)waiting : 0;
}

/* ---- Ticks ---------------------------------------------------------------------------------------------- */

COLD struct hpt_wide hpt_manual_ns(const struct hpt_source *src, int64_t t)
{
	return hpt_ratio_floor(hpt_wide_of(t), src->rate.num, src->rate.den);
}

static COLD struct hpt_wide manual_duration_ns(const struct hpt_source *src, struct hpt_wide ticks)
{
	return hpt_ratio_nearest(ticks, src->rate.num, src->rate.den);
}

static COLD struct hpt_wide manual_ticks(const struct hpt_source *src, struct hpt_wide ns)
{
	return hpt_ratio_nearest(ns, src->rate.den, src->rate.num);
}

static COLD struct hpt_wide manual_tick_at(const struct hpt_source *src, struct hpt_wide ns)
{
	return hpt_ratio_ceiling(ns, src->rate.den, src->rate.num);
}

static COLD int64_t manual_furthest(const struct hpt_source *src, int64_t end)
{
	struct hpt_wide first_ns = hpt_wide_of(end), first;
	int64_t t = end;

	/* From the first nanosecond beyond the end, back by a tick. */
	if (end > 0)
		first_ns = hpt_wide_add(first_ns, hpt_wide_of(1));
	first = manual_tick_at(src, first_ns);
	hpt_wide_narrow(end > 0 ? hpt_wide_subtract(first, hpt_wide_of(1)) : first, &t);
	return t;
}

/* INT64_MAX stands for "never" in sleeps until a tick. */
static COLD bool is_possible_tick(const struct hpt_source *src, int64_t tick)
{
	int64_t ns;

	return tick < INT64_MAX && !hpt_wide_narrow(hpt_manual_ns(src, tick), &ns);
}

COLD int hpt_manual_advance(const struct hpt_source *src, int64_t ticks)
{
	struct hpt_manual *m = src->u.manual;
	uint64_t old = atomic_load(&m->tick);
	int64_t sum;

	do {
		if (ticks < 0 || __builtin_add_overflow((int64_t)old, ticks, &sum) || !is_possible_tick(src, sum))
			return -ERANGE;
	} while (!atomic_compare_exchange_weak(&m->tick, &old, (uint64_t)sum));
	hpt_own_time_notify(&m->eventcount, src->env);
	return 0;
}

/* ---- The driver ------------------------------------------------------------------------------------------- */

static uint64_t read_tick(const struct hpt_source *src)
{
	const struct hpt_manual *m = src->u.manual;

	return atomic_load_explicit(&m->tick, memory_order_acquire);
}

static COLD void put_back(struct hpt_source *src)
{
	struct hpt_manual *m = src->u.manual;

	atomic_store(&m->is_used, 0);
}

static COLD struct hpt_eventcount *manual_eventcount(const struct hpt_source *src)
{
	return &hpt_manual_of(src)->eventcount;
}

static const struct hpt_own_time manual_time = {
	.ns = hpt_manual_ns,
	.duration_ns = manual_duration_ns,
	.ticks = manual_ticks,
	.tick_at = manual_tick_at,
	.furthest = manual_furthest,
	.eventcount = manual_eventcount,
};

/* Not in the table of drivers, and without open(): hpt_manual_open() takes what only the program knows. */
const struct hpt_source_ops hpt_source_manual = {
	.name = "manual",
	.id = HPT_SOURCE_MANUAL,
	.close = put_back,
};

COLD int hpt_manual_open(struct hpt_source *src, const struct hpt_env *env, uint64_t frequency_hz, int64_t start)
{
	uint64_t divisor = hpt_common_divisor(NS_PER_S, frequency_hz);
	struct hpt_manual *m;

	if (!frequency_hz || frequency_hz > MANUAL_FASTEST_HZ)
		return -EINVAL;
	*src = (struct hpt_source){
		.read = read_tick, .read_unordered = read_tick,
		.ops = &hpt_source_manual, .env = env, .own_time = &manual_time, .clock_ns = env->clock_ns,
		.rate = { .num = NS_PER_S / divisor, .den = frequency_hz / divisor,
			  .frequency_uhz = frequency_hz * 1000000, .origin = HPT_ORIGIN_EXACT },
		.bits = 64, .is_private = true, .stage = HPT_STAGE_USABLE,
	};
	if (!is_possible_tick(src, start))
		return -ERANGE;
	m = take_unused();
	if (!m)
		return -ENOMEM;
	atomic_store(&m->tick, (uint64_t)start);
	atomic_store(&m->waiting, (uint64_t)hpt_eventcount_value(&m->eventcount) << VALUE_SHIFT);
	atomic_store(&m->process, hpt_process());
	src->u.manual = m;
	return 0;
}
