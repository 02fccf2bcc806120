// SPDX-License-Identifier: MIT
/* For LD_PRELOAD: the counter jumps during each sleep. */
#include <hpt/hpt.h>

int hpt_sleep_ns(hpt_clock *clk, int64_t amount)
{
	(void)clk, (void)amount;
	return HPT_STATE_DISRUPTED;
}
