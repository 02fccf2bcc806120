// SPDX-License-Identifier: MIT
/* The share of its time that a thread may spin: lib/preload/budget.h. */
#include "preload/budget.h"

/* As long as it takes a budget of 1 % to fill. */
#define PASSED_MOST_NS (INT64_C(100) * HPT_BUDGET_MOST_NS)

bool hpt_budget_gain(struct hpt_budget *b, uint32_t process, int64_t now_ns, uint32_t percent)
{
	int64_t passed_ns = now_ns - b->last_ns;

	if (b->process != process) {
		b->process = process;
		b->saved_ns = HPT_BUDGET_MOST_NS;
		passed_ns = 0;
	}
	if (passed_ns < 0)
		passed_ns = 0;
	if (passed_ns > PASSED_MOST_NS)
		passed_ns = PASSED_MOST_NS;
	b->saved_ns += passed_ns * percent / 100;
	if (b->saved_ns > HPT_BUDGET_MOST_NS)
		b->saved_ns = HPT_BUDGET_MOST_NS;
	b->last_ns = now_ns;
	return percent && b->saved_ns > 0;
}
