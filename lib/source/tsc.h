/* SPDX-License-Identifier: MIT */
/* The reads of the TSC. */
#ifndef HPT_TSC_H
#define HPT_TSC_H

#include "source/source.h"

/* A caller that finds one of them in a source can inline the instruction instead: source/own_read.h. */
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

#endif
