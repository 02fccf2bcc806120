// SPDX-License-Identifier: MIT
/* The bells of walls, and their choice: lib/machine/bell.h. */
#include "machine/bell.h"

struct hpt_eventcount hpt_bells[HPT_BELLS];

COLD uint32_t hpt_bell_choose(void)
{
	static _Atomic uint32_t next;

	return 1 + atomic_fetch_add_explicit(&next, 1, memory_order_relaxed) % HPT_BELLS;
}
