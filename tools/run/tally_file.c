// SPDX-License-Identifier: MIT
/* Makes the memory of the counts: tools/run/tally_file.h. */
#include "run/tally_file.h"

#include <stddef.h>

#include "preload/words.h"

#include "run/shared_file.h"

struct hpt_tally *tally_file_new(void)
{
	struct hpt_tally *t = shared_file_new("hpt-run-stats", HPT_RUN_STATS, sizeof(*t));

	if (t)
		t->magic = HPT_TALLY_MAGIC;
	return t;
}
