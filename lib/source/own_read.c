// SPDX-License-Identifier: MIT
/* The reads of the own counter as functions, for callers by pointer: lib/source/own_read.h. */
#include "source/own_read.h"

static HOT uint64_t read_first(const struct hpt_source *src)
{
	(void)src;
	return hpt_own_read(HPT_OWN_FIRST);
}

static HOT uint64_t read_second(const struct hpt_source *src)
{
	(void)src;
	return hpt_own_read(HPT_OWN_SECOND);
}

static HOT uint64_t read_bare(const struct hpt_source *src)
{
	(void)src;
	return hpt_own_read(HPT_OWN_BARE);
}

COLD void hpt_own_set_order(struct hpt_source *src, enum hpt_own_order order)
{
	src->order = (uint8_t)order;
	src->read = HPT_OWN_READS > 1 && order == HPT_OWN_SECOND ? read_second : read_first;
	src->read_unordered = read_bare;
}
