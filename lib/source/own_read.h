/* SPDX-License-Identifier: MIT */
/*
 * Reads of any source, without a function call if the source is the architecture's own counter: the TSC on x86, ARCH
 * elsewhere. That counter has one or two ordered reads, here the first and the second, and a bare one.
 */
#ifndef HPT_OWN_READ_H
#define HPT_OWN_READ_H

#include "source/source.h"

/* How many ordered reads this architecture has. x86: RDTSCP, LFENCE;RDTSC. 0: programs may read no counter. */
#if defined(HPT_ARCH_X86) || defined(ARCH_COUNTER_SYNCED_HWCAP2)
#define HPT_OWN_READS 2
#elif defined(HPT_ARCH_COUNTER)
#define HPT_OWN_READS 1
#else
#define HPT_OWN_READS 0
#endif

/*
 * A tick by the instructions of FIRST, SECOND or BARE, a constant. The low word on its own too, because x86 has it
 * before the whole.
 */
static inline __attribute__((always_inline)) uint64_t hpt_own_tick(enum hpt_own_order order, uint32_t *ret_low)
{
#if defined(HPT_ARCH_X86)
	uint32_t hi;

	if (order == HPT_OWN_FIRST)
		arch_rdtscp_halves(ret_low, &hi);
	else if (order == HPT_OWN_SECOND)
		arch_lfence_rdtsc_halves(ret_low, &hi);
	else
		arch_rdtsc_halves(ret_low, &hi);
	return (uint64_t)hi << 32 | *ret_low;
#else
	uint64_t tick = 0;

#if defined(ARCH_COUNTER_SYNCED_HWCAP2)
	if (order == HPT_OWN_SECOND)
		tick = arch_counter_synced();
	else
#endif
#if defined(HPT_ARCH_COUNTER)
	tick = order == HPT_OWN_FIRST ? arch_counter_ordered() : arch_counter();
#endif
	(void)order;
	*ret_low = (uint32_t)tick;
	return tick;
#endif
}

static inline __attribute__((always_inline)) uint64_t hpt_own_read(enum hpt_own_order order)
{
	uint32_t low;

	return hpt_own_tick(order, &low);
}

/* For drivers of the own counter: makes the source read by this order, FIRST or SECOND. */
void hpt_own_set_order(struct hpt_source *src, enum hpt_own_order order);

static inline bool hpt_source_is_own(const struct hpt_source *src)
{
	return HPT_OWN_READS > 0 && src->order != HPT_OWN_NONE;
}

/* A tick by the instructions of FIRST or SECOND; 0 for NONE. */
static inline uint64_t hpt_own_read_by(enum hpt_own_order order)
{
	if (HPT_OWN_READS > 0 && order == HPT_OWN_FIRST)
		return hpt_own_read(HPT_OWN_FIRST);
	if (HPT_OWN_READS > 1 && order == HPT_OWN_SECOND)
		return hpt_own_read(HPT_OWN_SECOND);
	return 0;
}

static inline uint64_t hpt_source_now(const struct hpt_source *src)
{
	if (HPT_OWN_READS > 0 && likely(src->order == HPT_OWN_FIRST))
		return hpt_own_read(HPT_OWN_FIRST);
	if (HPT_OWN_READS > 1 && likely(src->order == HPT_OWN_SECOND))
		return hpt_own_read(HPT_OWN_SECOND);
	return src->read(src);
}

static inline uint64_t hpt_source_now_unordered(const struct hpt_source *src)
{
	return likely(hpt_source_is_own(src)) ? hpt_own_read(HPT_OWN_BARE) : src->read_unordered(src);
}

#endif
