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
#define SHARE_NS 150

#define CPUS 1024

/* What a look found to be more than the look before had found, and when. Read without the claim. */
struct growth {
	_Atomic int64_t ns, seen_ns; /* seen_ns: CLOCK_MONOTONIC; 0: never */
};

/* Too large for the stack of a signal handler. */
struct looks {
	struct hpt_cgroups groups;
	struct hpt_throttled throttled; /* of the latest look */
	int64_t stolen_ns[CPUS];        /* likewise */
	int64_t now_ns[CPUS];
	struct growth of_throttled, of_stolen[CPUS];
};

static struct {
	struct looks *looks;       /* NULL: there is no memory */
	_Atomic uint32_t holder;   /* the process whose thread looks; 0: none does */
	_Atomic uint32_t waits;    /* since the latest look */
	_Atomic uint32_t due;      /* after this number of them the next look */
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

static struct hpt_cgroups *cleared(struct hpt_cgroups *g)
{
	memset(g->path, 0, sizeof(g->path));
	g->looks = 0;
	return g;
}

static void note_growth(struct growth *g, int64_t before_ns, int64_t ns, int64_t now_ns)
{
	if (before_ns < 0 || ns <= before_ns)
		return;
	atomic_store(&g->ns, ns - before_ns);
	atomic_store(&g->seen_ns, now_ns);
}

static void look(struct looks *l)
{
	struct hpt_throttled before = l->throttled;
	int64_t now_ns;

	l->throttled = hpt_throttled_read(cleared(&l->groups), &files);
	hpt_stolen_read(&files, l->now_ns, CPUS, l->groups.line, sizeof(l->groups.line));
	now_ns = hpt_next_clock_ns(CLOCK_MONOTONIC);
	/* Of another group nothing was known before. */
	if (l->throttled.groups == before.groups)
		note_growth(&l->of_throttled, before.ns, l->throttled.ns, now_ns);
	for (int i = 0; i < CPUS; i++)
		note_growth(&l->of_stolen[i], l->stolen_ns[i], l->now_ns[i], now_ns);
	memcpy(l->stolen_ns, l->now_ns, sizeof(l->stolen_ns));
}

/* Not where another thread looks. */
static void look_once(void)
{
	int64_t began_ns = hpt_next_clock_ns(CLOCK_MONOTONIC);
	int cancel;

	if (!hold(&cancel))
		return;
	look(others.looks);
	atomic_store(&others.waits, 0);
	atomic_store(&others.due, (uint32_t)((hpt_next_clock_ns(CLOCK_MONOTONIC) - began_ns) / SHARE_NS));
	let_go(cancel);
}

static int64_t grown_ns(const struct growth *g, int64_t began_ns)
{
	return atomic_load((_Atomic int64_t *)&g->seen_ns) >= began_ns ? atomic_load((_Atomic int64_t *)&g->ns) : 0;
}

struct hpt_others hpt_others_look(int64_t began_ns)
{
	struct hpt_others since = { 0 };
	int cpu;

	look_once();
	if (!others.looks)
		return since;
	since.throttled_ns = grown_ns(&others.looks->of_throttled, began_ns);
	cpu = sched_getcpu();
	if (cpu >= 0 && cpu < CPUS)
		since.stolen_ns = grown_ns(&others.looks->of_stolen[cpu], began_ns);
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

	if (memory == MAP_FAILED)
		return;
	others.looks = memory;
	for (int i = 0; i < CPUS; i++)
		others.looks->stolen_ns[i] = -1;
	look_once();
}

void hpt_others_count_wait(void)
{
	if (atomic_fetch_add_explicit(&others.waits, 1, memory_order_relaxed) >=
	    atomic_load_explicit(&others.due, memory_order_relaxed))
		look_once();
}
