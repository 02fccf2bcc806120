// SPDX-License-Identifier: MIT
/* Looks at control groups and at the host's share: lib/preload/others.h. */
#include "preload/others.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "arch/arch.h"
#include "machine/file_read.h"
#include "machine/process.h"
#include "preload/frozen.h"
#include "preload/next.h"
#include "preload/stolen.h"
#include "preload/throttled.h"

/* What looks between late wakes may take of each wait. */
#define SHARE_NS 300

#define CPUS 1024

/* Too large for the stack of a signal handler. */
struct looks {
	struct hpt_cgroups groups;
	struct hpt_throttled throttled;    /* of the latest look */
	int64_t stolen_ns[CPUS];
	int64_t now_ns[CPUS];
};

static struct {
	struct looks *looks;       /* NULL: there is no memory */
	_Atomic uint32_t holder;   /* the process whose thread looks; 0: none does */
	_Atomic uint32_t waits;    /* since the latest look */
	_Atomic uint32_t dear;     /* a look takes as long as this number of waits may */
} others;

static const struct hpt_env files = { .open = hpt_path_open };

/* Files are read, which are cancellation points. A child of a fork takes over from a thread that it does not have. */
static bool hold(int *ret_cancel)
{
	uint32_t me = hpt_process(), before = atomic_load(&others.holder);

	if (!others.looks || before == me || !atomic_compare_exchange_strong(&others.holder, &before, me))
		return false;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, ret_cancel);
	return true;
}

static void let_go(int cancel)
{
	atomic_store(&others.holder, 0);
	pthread_setcancelstate(cancel, NULL);
}

static int64_t stolen_since(const struct looks *l)
{
	int cpu = sched_getcpu();

	if (cpu < 0 || cpu >= CPUS || l->stolen_ns[cpu] < 0 || l->now_ns[cpu] < l->stolen_ns[cpu])
		return 0;
	return l->now_ns[cpu] - l->stolen_ns[cpu];
}

static struct hpt_cgroups *cleared(struct hpt_cgroups *g)
{
	memset(g->path, 0, sizeof(g->path));
	g->looks = 0;
	return g;
}

static struct hpt_others compare(struct looks *l)
{
	struct hpt_throttled before = l->throttled;
	struct hpt_others since = { 0 };

	l->throttled = hpt_throttled_read(cleared(&l->groups), &files);
	/* Of another group nothing was known before. */
	if (l->throttled.groups == before.groups && l->throttled.ns > before.ns)
		since.throttled_ns = l->throttled.ns - before.ns;
	hpt_stolen_read(&files, l->now_ns, CPUS, l->groups.line, sizeof(l->groups.line));
	since.stolen_ns = stolen_since(l);
	memcpy(l->stolen_ns, l->now_ns, sizeof(l->stolen_ns));
	return since;
}

struct hpt_others hpt_others_look(void)
{
	int64_t began_ns = hpt_next_clock_ns(CLOCK_MONOTONIC);
	struct hpt_others since = { 0 };
	int cancel;

	if (!hold(&cancel))
		return since;
	since = compare(others.looks);
	atomic_store(&others.waits, 0);
	atomic_store(&others.dear, (uint32_t)((hpt_next_clock_ns(CLOCK_MONOTONIC) - began_ns) / SHARE_NS));
	let_go(cancel);
	return since;
}

int64_t hpt_others_frozen_ns(void)
{
	int64_t ns;
	int cancel;

	if (!hold(&cancel))
		return 0;
	ns = hpt_frozen_latest_ns(cleared(&others.looks->groups), &files);
	let_go(cancel);
	return ns;
}

void hpt_others_begin(void)
{
	void *memory = mmap(NULL, sizeof(struct looks), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	others.looks = memory == MAP_FAILED ? NULL : memory;
	hpt_others_look();
}

void hpt_others_count_wait(void)
{
	if (atomic_fetch_add_explicit(&others.waits, 1, memory_order_relaxed) >=
	    atomic_load_explicit(&others.dear, memory_order_relaxed))
		hpt_others_look();
}
