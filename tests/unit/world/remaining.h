/* SPDX-License-Identifier: MIT */
/* hpt_waiter_remaining_ns() as a value, for tests that compare it. */
#ifndef HPT_TEST_REMAINING_H
#define HPT_TEST_REMAINING_H

#include "unit.h"

#include "hpt/hpt.h"

static inline int64_t remaining_ns(hpt_waiter *w)
{
	int64_t ns = -1;

	assert_int_equal(hpt_waiter_remaining_ns(w, &ns), 0);
	return ns;
}

#endif
