/* SPDX-License-Identifier: MIT */
/* The reads of the counter that an architecture other than x86 lets programs read. */
#ifndef HPT_SOURCE_ARCH_COUNTER_H
#define HPT_SOURCE_ARCH_COUNTER_H

#include "source/source.h"

/* A caller that finds one of them in a source can inline the instructions instead: source/own_read.h. */
HIDDEN uint64_t hpt_arch_read_ordered(const struct hpt_source *src);
HIDDEN uint64_t hpt_arch_read_synced(const struct hpt_source *src);
HIDDEN uint64_t hpt_arch_read_plain(const struct hpt_source *src);

#endif
