// SPDX-License-Identifier: MIT
/* Handles of sources by their drivers, and of the default clock: hpt_clock_open(), hpt_clock_ref(). */
#include <errno.h>

#include "arch/arch.h"
#include "clock/default.h"
#include "clock/opener.h"

COLD int hpt_clock_open(uint32_t source, uint32_t flags, hpt_clock **ret)
{
	const struct hpt_boot *booted;

	if (!ret || source >= HPT_SOURCE_IDS || flags)
		return -EINVAL;
	if (source == HPT_SOURCE_MANUAL)
		return -ENOTSUP;
	booted = hpt_booted();
	if (source == HPT_SOURCE_AUTO)
		source = booted->clk.src.ops->id;
	return hpt_clock_open_by(source, NULL, NULL, booted->status, ret);
}

COLD hpt_clock *hpt_clock_ref(hpt_clock *clk)
{
	clk = hpt_clock_or_default(clk);
	hpt_clock_hold(clk);
	return clk;
}
