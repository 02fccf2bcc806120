/* SPDX-License-Identifier: MIT */
/*
 * What limits the spins of this process, asked of the kernel once, and the budget that its threads share under a CPU
 * quota. Callable from signal handlers.
 */
#ifndef HPT_SPIN_LIMITS_H
#define HPT_SPIN_LIMITS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "arch/arch.h"
#include "machine/env.h"
#include "sleep/policy.h"
#include "sleep/spin_terms.h"

/* Zeros: nothing is known. */
extern struct hpt_spin_limits {
	_Atomic uint32_t asked_by;      /* the process that asked for its quota: hpt_process() */
	_Atomic bool is_shared;         /* the threads share a budget ... */
	_Atomic uint32_t millicpus;     /* ... of this size */
	_Atomic int64_t paid_until_ns;  /* CLOCK_MONOTONIC at which all that was spun is made up for */
	_Atomic int64_t block_after_ns; /* as in the terms; 0: not known */
	_Atomic int64_t awake_most_ns;
	_Atomic uint32_t cpus;          /* as in the terms, the most that a thread found; 0: not known */
	_Atomic uint32_t spinners, strict_spinners;
} hpt_spin_limits HIDDEN;

/* Of a thread. Zeros: nothing is known. */
struct hpt_thread_limits {
	bool must_not_spin;
	bool is_pinned;     /* to one CPU */
};

/*
 * Asks for the process's quota, the first time, and for the limits of the calling thread; for nothing where that has a
 * seccomp filter, which might kill it. Keeps errno.
 */
struct hpt_thread_limits hpt_spin_limits_ask(const struct hpt_env *env);

/* Sets what the terms say of the process. */
void hpt_spin_limits_take(const struct hpt_spin_terms *t);

static inline bool hpt_spin_limits_are_shared(void)
{
	return unlikely(atomic_load_explicit(&hpt_spin_limits.is_shared, memory_order_relaxed));
}

/* True if they share one of nothing: the quota is small. */
static inline bool hpt_spin_limits_forbid(void)
{
	return hpt_spin_limits_are_shared() &&
	       !atomic_load_explicit(&hpt_spin_limits.millicpus, memory_order_relaxed);
}

/* For threads that share a budget: true if there is something to spend. now_ns: CLOCK_MONOTONIC. */
bool hpt_spin_limits_allow(int64_t now_ns);
void hpt_spin_limits_spend(int64_t now_ns, int64_t spun_ns);

/* Such a thread is later than this: its group has probably used up the quota. Nothing is spun for a while. */
#define HPT_SPIN_LIMITS_STOOD_NS 2000000

void hpt_spin_limits_stood(int64_t now_ns);

static inline int64_t hpt_spin_limits_block_after_ns(void)
{
	int64_t ns = atomic_load_explicit(&hpt_spin_limits.block_after_ns, memory_order_relaxed);

	return ns ? ns : HPT_SPIN_BLOCK_AFTER_NS;
}

static inline int64_t hpt_spin_limits_awake_most_ns(void)
{
	int64_t ns = atomic_load_explicit(&hpt_spin_limits.awake_most_ns, memory_order_relaxed);

	return ns ? ns : INT64_MAX;
}

/* The CPUs that the process may use; 0: not known. */
static inline uint32_t hpt_spin_limits_cpus(void)
{
	return atomic_load_explicit(&hpt_spin_limits.cpus, memory_order_relaxed);
}

/* How many threads may spin at a time under this policy, HPT_SLEEP_; 0: not known, or none may. */
static inline uint32_t hpt_spin_limits_spinners(uint32_t policy)
{
	return atomic_load_explicit(policy == HPT_SLEEP_STRICT ? &hpt_spin_limits.strict_spinners :
								 &hpt_spin_limits.spinners, memory_order_relaxed);
}

#endif
