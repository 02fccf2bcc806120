// SPDX-License-Identifier: MIT
/* What a program may know of its sleeps: hpt_sleep_get_info(). */
#include <errno.h>

#include "hpt/hpt.h"

#include "arch/arch.h"
#include "clock/sized.h"
#include "sleep/habits.h"
#include "sleep/policy.h"
#include "sleep/spin_limits.h"
#include "sleep/wait_margins.h"

COLD int hpt_sleep_get_info(struct hpt_sleep_info *ret, size_t size)
{
	struct hpt_policy p = hpt_policy_current();
	const struct hpt_habits *h = hpt_habits_known();
	struct hpt_sleep_info info = { 0 };
	struct hpt_wait_margins m;

	if (!ret || size < HPT_SLEEP_INFO_SIZE_V0)
		return -EINVAL;
	m = hpt_wait_margins_of(h, p, hpt_spin_limits_block_after_ns(), INT64_MAX);
	info.policy = hpt_policy_kind(p);
	info.max_spin_ns = hpt_policy_cap_ns(p);
	info.margin_ns = (uint32_t)(m.brief_ns < UINT32_MAX ? m.brief_ns : UINT32_MAX);
	info.long_margin_ns = (uint32_t)m.long_ns;
	info.samples = hpt_margin_samples(&h->after_brief);
	info.long_samples = hpt_margin_samples(&h->after_long);
	info.waits = h->waits;
	info.oversleeps = h->oversleeps;
	info.oversleep_ns = h->oversleep_ns;
	hpt_hand_out(ret, size, &info, sizeof(info));
	return 0;
}
