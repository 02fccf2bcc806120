/* SPDX-License-Identifier: MIT */
/* How a sleep weighs CPU time against lateness: pure but for the process's own, one word. */
#ifndef HPT_POLICY_H
#define HPT_POLICY_H

#include <stdbool.h>
#include <stdint.h>

/* Packed, so that it is read and written at once: the cap in nanoseconds above three bits of HPT_SLEEP_. */
struct hpt_policy {
	uint64_t word;
};

/* "All of it": more than any time. */
#define HPT_POLICY_CAP_MAX (INT64_C(1) << 60)

/* 0 or -EINVAL, then *ret is untouched. max_spin_ns 0 becomes the policy's own. */
int hpt_policy_make(uint32_t policy, int64_t max_spin_ns, struct hpt_policy *ret);

/* The process's, as hpt_sleep_set_policy() set it. */
struct hpt_policy hpt_policy_current(void);

static inline uint32_t hpt_policy_kind(struct hpt_policy p)
{
	return (uint32_t)(p.word & 7);
}

/* No margin is longer. */
static inline int64_t hpt_policy_cap_ns(struct hpt_policy p)
{
	return (int64_t)(p.word >> 3);
}

/* What not to be late once is worth in nanoseconds of spinning. */
uint64_t hpt_policy_worth_ns(struct hpt_policy p);

#endif
