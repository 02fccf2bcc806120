/* SPDX-License-Identifier: MIT */
/* How a sleep weighs CPU time against lateness. Pure, except for the process's policy, one atomic word. */
#ifndef HPT_POLICY_H
#define HPT_POLICY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "hpt/sleep.h"

/* Packed, so that one load or store is atomic: the cap in ns above three bits of HPT_SLEEP_. Zeros: no policy. */
struct hpt_policy {
	uint64_t word;
};

/* No cap: longer than any time. */
#define HPT_POLICY_CAP_MAX (INT64_C(1) << 60)

/*
 * The shortest time worth a wait in the kernel: less is spun. In a virtual machine even a wait whose time is already
 * past costs 14 us, because its timer is armed all the same. It is also the least margin, since a wait that would end
 * closer to the deadline is not worth its system call.
 */
#define HPT_LEAST_WAIT_NS 4000

/* max_spin_ns 0 becomes the policy's default cap. 0, or -EINVAL, which leaves *ret unchanged. */
int hpt_policy_make(uint32_t policy, int64_t max_spin_ns, struct hpt_policy *ret);

/* The process's policy, as hpt_sleep_set_policy() set it; before that BALANCED. Callable from signal handlers. */
struct hpt_policy hpt_policy_current(void);

/*
 * An object's policy, for its later sleeps; zeros: the process's. Any thread or signal handler may set or load it at
 * any time.
 */
struct hpt_object_policy {
	_Atomic uint64_t word;
};

/* HPT_SLEEP_ of the object, INHERIT where it has the process's. */
uint32_t hpt_object_policy_kind(const struct hpt_object_policy *own);

/* HPT_SLEEP_INHERIT, with max_spin_ns 0 alone: the process's policy. 0, or -EINVAL, which changes nothing. */
int hpt_object_policy_set(struct hpt_object_policy *own, uint32_t policy, int64_t max_spin_ns);

static inline struct hpt_policy hpt_object_policy_current(const struct hpt_object_policy *own)
{
	uint64_t word = atomic_load_explicit(&own->word, memory_order_relaxed);

	return word ? (struct hpt_policy){ word } : hpt_policy_current();
}

static inline uint32_t hpt_policy_kind(struct hpt_policy p)
{
	return (uint32_t)(p.word & 7);
}

/* NOSPIN ends early by its cap. This one asks the kernel for the deadline itself. */
static inline struct hpt_policy hpt_policy_never_early(struct hpt_policy p)
{
	return hpt_policy_kind(p) == HPT_SLEEP_NOSPIN ? (struct hpt_policy){ HPT_SLEEP_NOSPIN } : p;
}

/* The longest margin, in ns. */
static inline int64_t hpt_policy_cap_ns(struct hpt_policy p)
{
	return (int64_t)(p.word >> 3);
}

/* What a margin may cost. */
struct hpt_price {
	uint64_t worth_ns;     /* of spinning, that one avoided late wake is worth */
	uint32_t spin_percent; /* the longest spin, as a share of the CPU time that a wait takes; 0: no limit */
};

struct hpt_price hpt_policy_price(struct hpt_policy p);

#endif
