// SPDX-License-Identifier: MIT
/* Functions that all drivers share: lib/source/source.h. */
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "hpt/hpt.h"

#include "arch/arch.h"
#include "source/source.h"

/*
 * Far longer than one tick of a counter that states no rate (HPET: at most 100 ns). A coarse OS clock steps by up to
 * 4 ms, and is not checked.
 */
#define COUNTING_LIMIT_NS 100000
/* Reads between two reads of the OS clock, and the limit of such batches in case that clock stands still too. */
#define COUNTING_BATCH 64
#define COUNTING_BATCHES 1000

COLD void hpt_source_prepare(struct hpt_source *src, const struct hpt_source_ops *ops, const struct hpt_env *env)
{
	memset(src, 0, sizeof(*src));
	src->ops = ops;
	src->env = env;
	src->tsc_forbidden = env->tsc_forbidden();
	src->clock_ns = src->tsc_forbidden ? env->clock_ns_syscall : env->clock_ns;
}

COLD int hpt_source_open(struct hpt_source *src, const struct hpt_source_ops *ops, const struct hpt_env *env)
{
	int r;

	if (!ops) {
		memset(src, 0, sizeof(*src));
		return hpt_source_stop(src, HPT_STAGE_UNTRIED, HPT_REASON_NOT_BUILT, -ENODEV);
	}
	hpt_source_prepare(src, ops, env);
	r = ops->open(src, env);
	if (!r)
		src->stage = HPT_STAGE_USABLE;
	return r;
}

COLD void hpt_source_close(struct hpt_source *src)
{
	if (src->ops->close)
		src->ops->close(src);
}

COLD bool hpt_source_is_counting(const struct hpt_source *src)
{
	uint64_t first = src->read(src);
	int64_t end = src->clock_ns(CLOCK_MONOTONIC) + COUNTING_LIMIT_NS;

	if (src->rate.den)
		end += (int64_t)(2 * src->rate.num / src->rate.den);
	for (int batch = 0; batch < COUNTING_BATCHES; batch++) {
		for (int i = 0; i < COUNTING_BATCH; i++)
			if (src->read(src) != first)
				return true;
		if (src->clock_ns(CLOCK_MONOTONIC) > end)
			break;
	}
	return src->read(src) != first;
}
