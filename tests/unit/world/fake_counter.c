// SPDX-License-Identifier: MIT
/* The fake architecture's counter is that of the fake world. */
#include "fake_counter.h"

#include "fake_env.h"
#include "fake_source.h"

struct fake_counter fake_counter;

uint64_t fake_counter_read(void)
{
	static struct hpt_source src;

	if (!src.read)
		fake_world_source(&src, &fake_env);
	return src.read(&src);
}
