// SPDX-License-Identifier: MIT
/* Sleep policies: lib/sleep/policy.h. */
#include "sleep/policy.h"

#include <errno.h>

#include "hpt/hpt.h"
#include "hpt/system.h"

#include "arch/arch.h"

#define CAP_NS        INT64_C(1000000)
#define STRICT_CAP_NS INT64_C(4000000) /* a jiffy at 250 Hz, the most common kernel's */

static struct hpt_policy packed_policy(uint32_t policy, int64_t cap_ns)
{
	return (struct hpt_policy){ (uint64_t)cap_ns << 3 | policy };
}

static int64_t own_cap_ns(uint32_t policy)
{
	uint32_t hz;

	switch (policy) {
	case HPT_SLEEP_STRICT:
		hz = hpt_kernel_hz();
		return hz ? 1000000000 / hz : STRICT_CAP_NS;
	case HPT_SLEEP_NOSPIN:
		return 0;
	case HPT_SLEEP_SPIN:
		return HPT_POLICY_CAP_MAX;
	default:
		return CAP_NS;
	}
}

COLD int hpt_policy_make(uint32_t policy, int64_t max_spin_ns, struct hpt_policy *ret)
{
	if (policy > HPT_SLEEP_SPIN || max_spin_ns < 0)
		return -EINVAL;
	if (!max_spin_ns)
		max_spin_ns = own_cap_ns(policy);
	*ret = packed_policy(policy, max_spin_ns < HPT_POLICY_CAP_MAX ? max_spin_ns : HPT_POLICY_CAP_MAX);
	return 0;
}

/*
 * At 2 ms a margin grows by 1 us if that avoids one late wake in 2000, as long as the spin takes no more than one and a
 * half times the CPU time of the wait: a sleep costs at most some two and a half times as much as the kernel's own.
 * Of wakes 1.003 ms apart, recorded on a Xeon guest's CPUs that do not halt and replayed, 2.1 % were late at 17 us of
 * spinning (FRUGAL 2.7 % at 10 us, STRICT 1.3 % at 48 us; 10 ms without a limit, as it once was, 1.3 % at 61 us); on
 * CPUs that halt 3.1 % at 34 us (4.8 % at 17, 1.4 % at 101, 1.3 % at 116 us).
 * NOSPIN does not spin: being early by its allowance costs nothing.
 */
struct hpt_price hpt_policy_price(struct hpt_policy p)
{
	switch (hpt_policy_kind(p)) {
	case HPT_SLEEP_FRUGAL:
		return (struct hpt_price){ 500000, 60 };
	case HPT_SLEEP_STRICT:
		return (struct hpt_price){ 50000000, 300 };
	case HPT_SLEEP_NOSPIN:
		return (struct hpt_price){ 10000000, 0 };
	default:
		return (struct hpt_price){ 2000000, 150 };
	}
}

/* 0 until it is set; hpt_policy_make() never makes this word. */
static _Atomic uint64_t of_process;

struct hpt_policy hpt_policy_current(void)
{
	uint64_t word = atomic_load_explicit(&of_process, memory_order_relaxed);

	return word ? (struct hpt_policy){ word } : packed_policy(HPT_SLEEP_BALANCED, CAP_NS);
}

uint32_t hpt_object_policy_kind(const struct hpt_object_policy *own)
{
	uint64_t word = atomic_load_explicit(&own->word, memory_order_relaxed);

	return word ? hpt_policy_kind((struct hpt_policy){ word }) : HPT_SLEEP_INHERIT;
}

COLD int hpt_object_policy_set(struct hpt_object_policy *own, uint32_t policy, int64_t max_spin_ns)
{
	struct hpt_policy p = { 0 };
	int r = policy == HPT_SLEEP_INHERIT ? (max_spin_ns ? -EINVAL : 0) : hpt_policy_make(policy, max_spin_ns, &p);

	if (!r)
		atomic_store_explicit(&own->word, p.word, memory_order_relaxed);
	return r;
}

COLD int hpt_sleep_set_policy(uint32_t policy, int64_t max_spin_ns)
{
	struct hpt_policy p;
	int r = hpt_policy_make(policy, max_spin_ns, &p);

	if (!r)
		atomic_store_explicit(&of_process, p.word, memory_order_relaxed);
	return r;
}
