// SPDX-License-Identifier: MIT
/* Clocks on a memory-mapped counter that the program describes: hpt_clock_open_mmio(). */
#include <errno.h>

#include "arch/arch.h"
#include "clock/default.h"
#include "clock/opener.h"
#include "clock/sized.h"
#include "source/mmio.h"

static COLD int open_given(struct hpt_source *src, const struct hpt_env *env, const void *given)
{
	return hpt_mmio_open(src, env, given);
}

COLD int hpt_clock_open_mmio(const struct hpt_mmio *mmio, size_t size, uint32_t flags, hpt_clock **ret)
{
	if (!mmio || !ret || flags || !hpt_can_take(mmio, size, HPT_MMIO_SIZE_V0, sizeof(*mmio)))
		return -EINVAL;
	return hpt_clock_open_by(HPT_SOURCE_MMIO, open_given, mmio, hpt_booted()->status, ret);
}
