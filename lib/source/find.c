// SPDX-License-Identifier: MIT
/* Finds a driver: lib/source/find.h. Not in source.c, which drivers use: the table needs them all. */
#include "source/find.h"

#include "source/drivers.h"

COLD const struct hpt_source_ops *hpt_source_find(uint32_t id)
{
	for (size_t i = 0; hpt_drivers[i]; i++)
		if (hpt_drivers[i]->id == id)
			return hpt_drivers[i];
	return NULL;
}
