// SPDX-License-Identifier: MIT
/* The table of drivers, and nothing else: lib/source/drivers.h. */
#include "source/drivers.h"

#include "source/arch_counter.h"
#include "source/hpet.h"
#include "source/mmio.h"
#include "source/os.h"
#include "source/tsc.h"

const struct hpt_source_ops *const hpt_drivers[HPT_SOURCE_IDS] = {
#ifdef HPT_ARCH_X86
	&hpt_source_tsc,
	&hpt_source_hpet,
#endif
#ifdef HPT_ARCH_COUNTER
	&hpt_source_arch,
#endif
	&hpt_source_os,
	&hpt_source_mmio,
	NULL,
};
