// SPDX-License-Identifier: MIT
/* Asks for the limits of spins, and keeps the process's budget: lib/sleep/spin_limits.h. */
#include "sleep/spin_limits.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>

#include "machine/process.h"
#include "machine/quota.h"

#ifndef SCHED_DEADLINE
#define SCHED_DEADLINE 6
#endif

/* The most that can be saved up. At a share of 10 % it takes 100 ms, the usual period of a quota. */
#define SAVED_MOST_NS INT64_C(10000000)

/* The largest debt, in time. */
#define DEBT_MOST_NS 1000000000

/* Ten periods of a quota. A group that stood still once does so again: something in it computes. */
#define PAUSE_NS INT64_C(1000000000)

struct hpt_spin_limits hpt_spin_limits;

/* A thread may have fewer CPUs than others: it says nothing of those. */
static void note_most(_Atomic uint32_t *most, uint32_t n)
{
	if (atomic_load(most) < n)
		atomic_store(most, n);
}

COLD void hpt_spin_limits_take(const struct hpt_spin_terms *t)
{
	note_most(&hpt_spin_limits.cpus, t->cpus);
	note_most(&hpt_spin_limits.spinners, t->spinners);
	note_most(&hpt_spin_limits.strict_spinners, t->strict_spinners);
	atomic_store(&hpt_spin_limits.block_after_ns, t->block_after_ns);
	atomic_store(&hpt_spin_limits.awake_most_ns, t->awake_most_ns);
	if (t->process_millicpus == UINT32_MAX) /* not known to a thread that asks while another one reads the files */
		return;
	atomic_store(&hpt_spin_limits.millicpus, t->process_millicpus);
	atomic_store(&hpt_spin_limits.is_shared, true);
}

/* A forked child may be in another group than its parent. */
static COLD uint32_t ask_quota(const struct hpt_env *env)
{
	if (atomic_exchange(&hpt_spin_limits.asked_by, hpt_process()) == hpt_process())
		return 0;
	atomic_store(&hpt_spin_limits.is_shared, false);
	atomic_store(&hpt_spin_limits.cpus, 0);
	atomic_store(&hpt_spin_limits.spinners, 0);
	atomic_store(&hpt_spin_limits.strict_spinners, 0);
	return hpt_quota_millicpus(env);
}

static COLD struct hpt_thread_limits ask_limits(const struct hpt_env *env)
{
	struct hpt_surroundings s = { .cpus = env->cpus(), .rttime_ns = env->rttime_ns() };
	struct hpt_spin_terms terms;

	s.quota_millicpus = ask_quota(env);
	hpt_spin_terms(&s, &terms);
	hpt_spin_limits_take(&terms);
	s.is_deadline = env->scheduler() == SCHED_DEADLINE;
	hpt_spin_terms(&s, &terms);
	return (struct hpt_thread_limits){ !terms.spinners, env->is_pinned() };
}

COLD struct hpt_thread_limits hpt_spin_limits_ask(const struct hpt_env *env)
{
	struct hpt_thread_limits limits = { 0 };
	int saved = errno, cancel;

	/* Files are read, which are cancellation points. */
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	if (env->is_filtered && !env->is_filtered())
		limits = ask_limits(env);
	pthread_setcancelstate(cancel, NULL);
	errno = saved;
	return limits;
}

/* ---- The budget ------------------------------------------------------------------------------------------- */

bool hpt_spin_limits_allow(int64_t now_ns)
{
	int64_t until_ns = atomic_load_explicit(&hpt_spin_limits.paid_until_ns, memory_order_relaxed);

	return atomic_load_explicit(&hpt_spin_limits.millicpus, memory_order_relaxed) &&
	       (until_ns <= now_ns || until_ns > now_ns + PAUSE_NS); /* in another time namespace */
}

/*
 * A bucket as one number (GCRA): what is spun moves the time at which it is paid off, from the present less what may be
 * saved up. A debt ends after a while, so that one long spin does not end all spins.
 */
void hpt_spin_limits_spend(int64_t now_ns, int64_t spun_ns)
{
	int64_t share = atomic_load_explicit(&hpt_spin_limits.millicpus, memory_order_relaxed), before, after;
	int64_t cost_ns, least_ns;

	if (!share || spun_ns <= 0)
		return;
	spun_ns = spun_ns < DEBT_MOST_NS ? spun_ns : DEBT_MOST_NS;
	cost_ns = spun_ns * 1000 / share;
	least_ns = now_ns - SAVED_MOST_NS * 1000 / share;
	before = atomic_load_explicit(&hpt_spin_limits.paid_until_ns, memory_order_relaxed);
	do {
		after = (before > least_ns ? before : least_ns) + cost_ns;
		if (after > now_ns + DEBT_MOST_NS)
			after = now_ns + DEBT_MOST_NS;
	} while (!atomic_compare_exchange_weak_explicit(&hpt_spin_limits.paid_until_ns, &before, after,
							memory_order_relaxed, memory_order_relaxed));
}

void hpt_spin_limits_stood(int64_t now_ns)
{
	atomic_store_explicit(&hpt_spin_limits.paid_until_ns, now_ns + PAUSE_NS, memory_order_relaxed);
}
