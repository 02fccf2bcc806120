// SPDX-License-Identifier: MIT
/* hpt_wall_update(): asks all sources of a wall. */
#include <errno.h>
#include <pthread.h>

#include "arch/arch.h"
#include "wall/vmclock.h"
#include "wall/wall_fd.h"
#include "wall/wall_keeper.h"
#include "wall/wall_update.h"

/* In this order: disruptions first, then the sources that need no daemon, and those that may be slow at the end. */
static const struct hpt_wall_source_ops *const asked[] = {
	&hpt_wall_vmclock, &hpt_wall_clockbound, &hpt_wall_fbclock, &hpt_wall_kernel, &hpt_wall_phc, &hpt_wall_chrony,
};

COLD const struct hpt_wall_source_ops *hpt_wall_source_find(uint32_t source)
{
	for (size_t i = 0; i < sizeof(asked) / sizeof(asked[0]); i++)
		if (asked[i]->id == source)
			return asked[i];
	return NULL;
}

static struct hpt_wall_ask question_for(const struct hpt_wall *w)
{
	return (struct hpt_wall_ask){
		.clk = w->clk, .config = &w->config,
		.vmclock = atomic_load_explicit(&w->vmclock, memory_order_acquire),
		.expected = atomic_load_explicit(&w->expected, memory_order_relaxed),
	};
}

/* The page stays mapped, so that each read looks at its marker. A thread that is second gives its own mapping back. */
static void map_vmclock(struct hpt_wall *w)
{
	struct hpt_wall_ask question = question_for(w);
	const volatile void *page, *none = NULL;
	uint32_t reason;

	if (!(w->sources & HPT_WALL_SOURCE_VMCLOCK) || question.vmclock)
		return;
	reason = hpt_vmclock_map(&question, &page);
	if (reason)
		hpt_wall_note_answer(w, HPT_WALL_SOURCE_VMCLOCK, reason, question.error);
	else if (!atomic_compare_exchange_strong(&w->vmclock, &none, page))
		hpt_vmclock_unmap(w->clk->src.env, page);
}

static void ask_source(struct hpt_wall *w, const struct hpt_wall_source_ops *ops)
{
	struct hpt_wall_ask question = question_for(w);
	struct hpt_wall_reading reading = { .leap = HPT_WALL_LEAP_UNKNOWN };
	struct hpt_measured_events events = hpt_wall_events(w);
	uint32_t reason;
	int r;

	if (ops->id == HPT_WALL_SOURCE_VMCLOCK && !question.vmclock)
		return; /* map_vmclock() has said why */
	reason = ops->ask(&question, &reading);
	reading.sample.source = ops->id;
	reading.events = events;
	atomic_store_explicit(&w->expected, question.expected, memory_order_relaxed);
	if (reason) {
		hpt_wall_note_answer(w, ops->id, reason, question.error);
		if (reason == HPT_WALL_REASON_UNSYNCED)
			hpt_wall_note_unsynced(w, &reading);
		return;
	}
	r = hpt_wall_add(w, &reading);
	if (r == -EINVAL || r == -EBUSY)
		hpt_wall_note_answer(w, ops->id, HPT_WALL_REASON_FAILED, -r);
}

COLD int hpt_wall_update(hpt_wall *w)
{
	struct hpt_wall_record rec = { 0 };
	int saved = errno, cancel;
	uint64_t tick;

	if (!w)
		return -EINVAL;
	/* open(2) and others are cancellation points; a thread cancelled there would leave a file open. */
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	map_vmclock(w);
	(void)hpt_wall_look(w);
	for (size_t i = 0; i < sizeof(asked) / sizeof(asked[0]); i++)
		if (w->sources & asked[i]->id)
			ask_source(w, asked[i]);
	pthread_setcancelstate(cancel, NULL);
	hpt_wall_ring(w);
	(void)hpt_wall_present(w, &rec, &tick);
	errno = saved;
	return (int)hpt_wall_record_state(&rec);
}
