// SPDX-License-Identifier: MIT
/* The CPU time that all threads of a process may spin together: lib/preload/purse.h. */
#include "preload/purse.h"

/* Fills any purse that has the greatest debt. */
#define PASSED_MOST_NS ((int64_t)HPT_PURSE_SAVED_NS + HPT_PURSE_DEBT_NS)

static int64_t gain_ns(int64_t passed_ns, uint32_t millicpus)
{
	return passed_ns * millicpus / 1000;
}

/* Of threads that call at once, one begins. A fork leaves one thread. */
static void begin(struct hpt_purse *p, uint32_t process, int64_t saved_ns)
{
	uint32_t before = atomic_load_explicit(&p->process, memory_order_relaxed);

	if (before != process && atomic_compare_exchange_strong_explicit(&p->process, &before, process,
									 memory_order_relaxed, memory_order_relaxed))
		atomic_store_explicit(&p->saved_ns, saved_ns, memory_order_relaxed);
}

/*
 * The time since the latest call, for one of the threads that call at once; 0 for the others. One that read its clock
 * before another's call leaves that as the latest, or the time between would count twice. A clock that went back
 * further was set back, as in a restored checkpoint: time counts from there on.
 */
static int64_t take_time_ns(struct hpt_purse *p, int64_t now_ns)
{
	int64_t last_ns = atomic_load_explicit(&p->last_ns, memory_order_relaxed), passed_ns = now_ns - last_ns;

	if (passed_ns <= 0 && passed_ns >= -PASSED_MOST_NS)
		return 0;
	if (!atomic_compare_exchange_strong_explicit(&p->last_ns, &last_ns, now_ns, memory_order_relaxed,
						     memory_order_relaxed) || passed_ns < 0)
		return 0;
	return passed_ns < PASSED_MOST_NS ? passed_ns : PASSED_MOST_NS;
}

static int64_t within(int64_t ns, int64_t least_ns, int64_t most_ns)
{
	return ns < least_ns ? least_ns : ns > most_ns ? most_ns : ns;
}

bool hpt_purse_pay(struct hpt_purse *p, uint32_t process, int64_t now_ns, uint32_t millicpus, int64_t spun_ns)
{
	int64_t most_ns, least_ns, added_ns, before_ns, saved_ns;

	if (millicpus == HPT_PURSE_ANY)
		return true;
	most_ns = gain_ns(HPT_PURSE_SAVED_NS, millicpus);
	least_ns = -gain_ns(HPT_PURSE_DEBT_NS, millicpus);
	begin(p, process, most_ns);
	added_ns = gain_ns(take_time_ns(p, now_ns), millicpus) - within(spun_ns, 0, most_ns - least_ns);
	before_ns = atomic_load_explicit(&p->saved_ns, memory_order_relaxed);
	do
		saved_ns = within(before_ns + added_ns, least_ns, most_ns);
	while (!atomic_compare_exchange_weak_explicit(&p->saved_ns, &before_ns, saved_ns, memory_order_relaxed,
						      memory_order_relaxed));
	return saved_ns > 0;
}
