// SPDX-License-Identifier: MIT
/* Allocates the data of a bench, and computes its rounds from the request: tools/bench/engine.h. */
#include "bench/engine.h"

#include <stddef.h>

#include "bench/request.h"
#include "cli/util.h"

/* --short takes this part of the default rounds. */
#define SHORT_SHARE 10

/* Never freed, but reachable: a leak checker finds it here. */
struct kept {
	struct kept *next;
	max_align_t data[];
};

static struct kept *volatile kept;

void *engine_new(size_t size)
{
	struct kept *k = xcalloc(1, sizeof(*k) + size);

	k->next = kept;
	kept = k;
	return k->data;
}

int64_t engine_short(int64_t by_default)
{
	return by_default < SHORT_SHARE ? 1 : by_default / SHORT_SHARE;
}

uint32_t engine_rounds(const struct request *r, uint32_t by_default, uint32_t by_long)
{
	if (r->rounds)
		return r->rounds;
	if (r->is_short)
		return (uint32_t)engine_short(by_default);
	return r->is_long ? by_long : by_default;
}
