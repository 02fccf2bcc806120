/* SPDX-License-Identifier: MIT */
/*
 * Reads of any source, without a function call if the source is the architecture's own counter: the TSC on x86, ARCH
 * elsewhere. That counter has one or two ordered reads, here the first and the second, and a bare one.
 */
#ifndef HPT_OWN_READ_H
#define HPT_OWN_READ_H

#include "source/arch_counter.h"
#include "source/tsc.h"

/* HPT_OWN_FIRST and HPT_OWN_SECOND are those functions of the source; hpt_own_first() and so on their instructions. */
#if defined(HPT_ARCH_X86)
#define HPT_OWN_FIRST  hpt_tsc_read_rdtscp
#define HPT_OWN_SECOND hpt_tsc_read_lfence
#define HPT_OWN_BARE   hpt_tsc_read_plain
#define hpt_own_first  arch_rdtscp
#define hpt_own_second arch_lfence_rdtsc
#define hpt_own_bare   arch_rdtsc
#define hpt_own_first_halves  arch_rdtscp_halves
#define hpt_own_second_halves arch_lfence_rdtsc_halves
#define hpt_own_bare_halves   arch_rdtsc_halves
#elif defined(HPT_ARCH_COUNTER)
#define HPT_OWN_FIRST  hpt_arch_read_ordered
#define HPT_OWN_BARE   hpt_arch_read_plain
#define hpt_own_first  arch_counter_ordered
#define hpt_own_bare   arch_counter
#ifdef ARCH_COUNTER_SYNCED_HWCAP2
#define HPT_OWN_SECOND hpt_arch_read_synced
#define hpt_own_second arch_counter_synced
#endif

static inline void hpt_own_first_halves(uint32_t *ret_lo, uint32_t *ret_hi)
{
	uint64_t v = hpt_own_first();

	*ret_lo = (uint32_t)v;
	*ret_hi = (uint32_t)(v >> 32);
}

static inline void hpt_own_bare_halves(uint32_t *ret_lo, uint32_t *ret_hi)
{
	uint64_t v = hpt_own_bare();

	*ret_lo = (uint32_t)v;
	*ret_hi = (uint32_t)(v >> 32);
}

#ifdef HPT_OWN_SECOND
static inline void hpt_own_second_halves(uint32_t *ret_lo, uint32_t *ret_hi)
{
	uint64_t v = hpt_own_second();

	*ret_lo = (uint32_t)v;
	*ret_hi = (uint32_t)(v >> 32);
}
#endif
#endif

/* By which instructions a counter is read in order. */
enum hpt_own_order {
	HPT_OWN_ORDER_NONE, /* by a call: it is not the own counter */
	HPT_OWN_ORDER_FIRST,
	HPT_OWN_ORDER_SECOND,
};

static inline uint32_t hpt_own_order(const struct hpt_source *src)
{
#ifdef HPT_OWN_FIRST
	if (src->read == HPT_OWN_FIRST)
		return HPT_OWN_ORDER_FIRST;
#endif
#ifdef HPT_OWN_SECOND
	if (src->read == HPT_OWN_SECOND)
		return HPT_OWN_ORDER_SECOND;
#endif
	(void)src;
	return HPT_OWN_ORDER_NONE;
}

/* A tick read by those instructions; 0 for NONE. */
static inline uint64_t hpt_own_read_by(uint32_t order)
{
#ifdef HPT_OWN_FIRST
	if (order == HPT_OWN_ORDER_FIRST)
		return hpt_own_first();
#endif
#ifdef HPT_OWN_SECOND
	if (order == HPT_OWN_ORDER_SECOND)
		return hpt_own_second();
#endif
	(void)order;
	return 0;
}

static inline bool hpt_source_is_own(const struct hpt_source *src)
{
#ifdef HPT_OWN_BARE
	return src->read_unordered == HPT_OWN_BARE;
#else
	(void)src;
	return false;
#endif
}

static inline uint64_t hpt_source_now(const struct hpt_source *src)
{
#ifdef HPT_OWN_FIRST
	if (likely(src->read == HPT_OWN_FIRST))
		return hpt_own_first();
#endif
#ifdef HPT_OWN_SECOND
	if (likely(src->read == HPT_OWN_SECOND))
		return hpt_own_second();
#endif
	return src->read(src);
}

static inline uint64_t hpt_source_now_unordered(const struct hpt_source *src)
{
#ifdef HPT_OWN_BARE
	if (likely(hpt_source_is_own(src)))
		return hpt_own_bare();
#endif
	return src->read_unordered(src);
}

#endif
