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
