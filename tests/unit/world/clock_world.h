/* SPDX-License-Identifier: MIT */
/* A clock on a counter of known rate, and OS clocks that go wrong as the test wants. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "unit.h"

#include "hpt/hpt.h"
#include "clock/anchor.h"
#include "clock/default.h"
#include "clock/read.h"
#include "clock/timekeeper.h"
#include "fake_env.h"
#include "fake_source.h"

static inline void new_clock(struct hpt_clock *clk, uint64_t tick_ps)
{
	world = (struct fake_world){
		.now_ps = UINT64_C(5000000000000), .tick_ps = tick_ps, .tick_offset = 1000000007, .read_ps = 8000,
		.clock_ps = 24000, .clock_offset_ns = INT64_C(77000000000),
		.realtime_offset_ns = INT64_C(1700000000000000000),
	};
	memset(clk, 0, sizeof(*clk));
	fake_world_source(&clk->src, &fake_env);
	hpt_read_set(clk);
	clk->at_load = hpt_booted()->status;
	hpt_anchor_take(&clk->src, &clk->anchor);
}

static inline int64_t true_ns(void)
{
	return (int64_t)(world.now_ps / 1000) + world.clock_offset_ns;
}

static inline void check_measured(const struct hpt_record *rec, uint32_t error_max_ppb)
{
	assert_int_equal(rec->rate.origin, HPT_ORIGIN_MEASURED);
	if (fabs(1 - 2.5e15 / (double)rec->rate.frequency_uhz) * 1e9 > rec->rate.error_ppb ||
	    rec->rate.error_ppb > error_max_ppb)
		fail_msg("%llu uHz, bound %llu ppb", (unsigned long long)rec->rate.frequency_uhz,
			 (unsigned long long)rec->rate.error_ppb);
}

