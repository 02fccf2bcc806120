/* SPDX-License-Identifier: MIT */
/* Wakes for a margin, and the margin for a price: for the tests of its rule and of its level. */
#ifndef HPT_TEST_MARGIN_WORLD_H
#define HPT_TEST_MARGIN_WORLD_H

#include "unit.h"

#include "sleep/margin.h"

#define WORTH_NS  10000000
#define CAP_NS    1000000
#define GUESS_NS  100000
#define WINDOW    128

static inline int64_t margin(const struct hpt_margin *m, int64_t worth_ns, int64_t cap_ns)
{
	return hpt_margin_ns(m, (struct hpt_price){ (uint64_t)worth_ns, 0 }, cap_ns, 0);
}

static inline void add(struct hpt_margin *m, int64_t late_ns, uint32_t n)
{
	while (n-- > 0)
		hpt_margin_add(m, late_ns, WINDOW);
}

#endif
