// SPDX-License-Identifier: MIT
/* Memory, or the end: memory.h. */
#include "util.h"

#include <stdlib.h>

#include "cmd.h"

void *hpt_calloc(size_t n, size_t size)
{
	void *p = calloc(n ? n : 1, size ? size : 1);

	if (!p) {
		hpt_err("out of memory");
		exit(EXIT_FAILURE);
	}
	return p;
}
