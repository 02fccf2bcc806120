/* SPDX-License-Identifier: MIT */
/* Reads of any source, without a function call if the source is the TSC. */
#ifndef HPT_TSC_H
#define HPT_TSC_H

#include "source/source.h"

/* The TSC's reads. A caller that finds one of them in a source can inline the instruction instead. */
HIDDEN uint64_t hpt_tsc_read_rdtscp(const struct hpt_source *src);
HIDDEN uint64_t hpt_tsc_read_lfence(const struct hpt_source *src);
HIDDEN uint64_t hpt_tsc_read_plain(const struct hpt_source *src);

static inline bool hpt_source_is_tsc(const struct hpt_source *src)
{
#ifdef HPT_ARCH_X86
	return src->read_unordered == hpt_tsc_read_plain;
#else
	(void)src;
	return false;
#endif
}

/* By which instructions a counter is read in order. */
enum hpt_tsc_order {
	HPT_TSC_NOT, /* by none: it is not the TSC */
	HPT_TSC_RDTSCP,
	HPT_TSC_LFENCE,
};

static inline uint32_t hpt_tsc_order(const struct hpt_source *src)
{
#ifdef HPT_ARCH_X86
	if (src->read == hpt_tsc_read_rdtscp)
		return HPT_TSC_RDTSCP;
	if (src->read == hpt_tsc_read_lfence)
		return HPT_TSC_LFENCE;
#endif
	(void)src;
	return HPT_TSC_NOT;
}

/* A tick read by those instructions; 0 for NOT. */
static inline uint64_t hpt_tsc_read_by(uint32_t order)
{
#ifdef HPT_ARCH_X86
	if (order == HPT_TSC_RDTSCP)
		return arch_rdtscp();
	if (order == HPT_TSC_LFENCE)
		return arch_lfence_rdtsc();
#endif
	(void)order;
	return 0;
}

static inline uint64_t hpt_source_now(const struct hpt_source *src)
{
#ifdef HPT_ARCH_X86
	if (likely(src->read == hpt_tsc_read_rdtscp))
		return arch_rdtscp();
	if (likely(src->read == hpt_tsc_read_lfence))
		return arch_lfence_rdtsc();
#endif
	return src->read(src);
}

static inline uint64_t hpt_source_now_unordered(const struct hpt_source *src)
{
#ifdef HPT_ARCH_X86
	if (likely(hpt_source_is_tsc(src)))
		return arch_rdtsc();
#endif
	return src->read_unordered(src);
}

#endif
