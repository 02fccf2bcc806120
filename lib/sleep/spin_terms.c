// SPDX-License-Identifier: MIT
/* What follows for spins from the limits of a process's CPU time: lib/sleep/spin_terms.h. */
#include "sleep/spin_terms.h"

#include "arch/arch.h"

/*
 * With a quota smaller than this nothing is spun, with a larger one a tenth of it. A group that has used up its quota
 * stands still for the rest of the period, which is 100 ms by default: such a sleep is later than any that a spin
 * improves.
 */
#define QUOTA_LEAST_MILLICPUS 250
#define QUOTA_PART            10

/*
 * RLIMIT_RTTIME ends a real-time thread that runs for its length without a blocking call: rtkit sets 200 ms. The
 * program's own work counts as well.
 */
#define RTTIME_PART 4

/* A process cannot use up a quota of as many CPUs as it may run on. */
static bool has_quota(const struct hpt_surroundings *s)
{
	return s->quota_millicpus && s->quota_millicpus < UINT64_C(1000) * (s->cpus ? s->cpus : 1);
}

static void take_quota(const struct hpt_surroundings *s, struct hpt_spin_terms *ret)
{
	ret->process_millicpus = s->quota_millicpus / QUOTA_PART;
	ret->limit = HPT_SPIN_LIMIT_QUOTA;
}

static void take_rttime(const struct hpt_surroundings *s, struct hpt_spin_terms *ret)
{
	if (s->rttime_ns == INT64_MAX)
		return;
	ret->awake_most_ns = s->rttime_ns / RTTIME_PART + 1;
	if (ret->awake_most_ns >= ret->block_after_ns)
		return;
	ret->block_after_ns = ret->awake_most_ns;
	ret->limit = HPT_SPIN_LIMIT_RTTIME;
}

static void forbid(struct hpt_spin_terms *ret, enum hpt_spin_limit limit)
{
	ret->spinners = ret->strict_spinners = ret->process_millicpus = 0;
	ret->limit = limit;
}

COLD void hpt_spin_terms(const struct hpt_surroundings *s, struct hpt_spin_terms *ret)
{
	*ret = (struct hpt_spin_terms){
		.cpus = s->cpus ? s->cpus : 1,
		.spinners = s->cpus / 2 ? s->cpus / 2 : 1,
		.strict_spinners = s->cpus ? s->cpus : 1,
		.process_millicpus = UINT32_MAX,
		.block_after_ns = HPT_SPIN_BLOCK_AFTER_NS,
		.awake_most_ns = INT64_MAX,
	};
	take_rttime(s, ret);
	if (s->is_deadline)
		forbid(ret, HPT_SPIN_LIMIT_DEADLINE);
	else if (has_quota(s) && s->quota_millicpus < QUOTA_LEAST_MILLICPUS)
		forbid(ret, HPT_SPIN_LIMIT_SMALL_QUOTA);
	else if (has_quota(s))
		take_quota(s, ret);
}
