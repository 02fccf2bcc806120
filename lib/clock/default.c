// SPDX-License-Identifier: MIT
/*
 * Makes the choice once, at load or at the first use before load, and fixes the default clock at its first use:
 * lib/clock/default.h.
 */
#include "clock/default.h"

#include <errno.h>
#include <pthread.h>

#include "arch/arch.h"
#include "clock/world.h"
#include "machine/time_calls.h"
#include "clock/opener.h"

/* A caller that finds the pool full waits for the others: 1000 times for 0.1 ms or somewhat longer. */
#define OTHERS_STEPS 1000
#define OTHERS_NS    100000

struct hpt_once hpt_once;

/* Publishes `mine` if nothing is published yet. Returns the published one. */
static struct hpt_boot *publish_boot(struct hpt_boot *mine)
{
	struct hpt_boot *first = NULL;

	if (atomic_compare_exchange_strong(&hpt_once.booted, &first, mine))
		return mine;
	hpt_source_close(&mine->clk.src);
	return first;
}

/* More concurrent callers than pool slots: wait for one of them to publish, then fall back to the OS clock. */
static struct hpt_boot *wait_for_others(void)
{
	struct hpt_boot *b;

	for (int i = 0; i < OTHERS_STEPS; i++) {
		b = atomic_load_explicit(&hpt_once.booted, memory_order_acquire);
		if (b)
			return b;
		hpt_nap_ns(OTHERS_NS);
	}
	hpt_choose_os(&hpt_once.reserve, hpt_world.env);
	return publish_boot(&hpt_once.reserve);
}

/*
 * Takes no lock, since a signal handler may run this while the thread that it interrupted does. Each caller chooses for
 * itself; the first to finish publishes, the others close the sources that they opened.
 */
static COLD struct hpt_boot *boot_once(void)
{
	uint32_t slot = atomic_fetch_add(&hpt_once.taken, 1);

	if (slot >= HPT_BOOT_POOL)
		return wait_for_others();
	hpt_world.choose(&hpt_once.pool[slot], hpt_world.env);
	return publish_boot(&hpt_once.pool[slot]);
}

struct hpt_boot *hpt_booted(void)
{
	struct hpt_boot *b = atomic_load_explicit(&hpt_once.booted, memory_order_acquire);
	int saved, cancel;

	if (likely(b != NULL))
		return b;
	saved = errno;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	b = boot_once();
	pthread_setcancelstate(cancel, NULL);
	errno = saved;
	return b;
}

/* ---- The default clock --------------------------------------------------------------------------------- */

/* Clocks that hpt_clock_set_default() made. They are never freed, since any thread may still use them. */
static _Atomic(struct hpt_clock *) made_default[HPT_SOURCE_IDS];

/* The clock that hpt_once.source stands for. */
static COLD struct hpt_clock *clock_for(uint32_t source)
{
	source &= ~HPT_DEFAULT_FIXED;
	return source == HPT_SOURCE_AUTO ? &hpt_booted()->clk : atomic_load(&made_default[source]);
}

/* Another library's constructor may call us before ours has run: then this call makes the choice. */
COLD __attribute__((noinline)) struct hpt_clock *hpt_default_fix(void)
{
	struct hpt_clock *clk = clock_for(atomic_fetch_or(&hpt_once.source, HPT_DEFAULT_FIXED));

	atomic_store_explicit(&hpt_once.order, clk->src.order, memory_order_relaxed);
	atomic_store_explicit(&hpt_once.dflt, clk, memory_order_release);
	return clk;
}

COLD struct hpt_clock *hpt_default_now(void)
{
	return clock_for(atomic_load(&hpt_once.source));
}

hpt_clock *hpt_clock_default(void)
{
	return hpt_clock_or_default(NULL);
}

/* Makes the one clock on a source that may become the default, if none is made yet. 0 or -errno. */
static COLD int make_default(uint32_t source)
{
	struct hpt_clock *clk, *first = NULL;
	int r;

	if (source == HPT_SOURCE_AUTO || atomic_load(&made_default[source]))
		return 0;
	r = hpt_clock_open_by(source, NULL, NULL, hpt_booted()->status, &clk);
	if (r)
		return r;
	atomic_store(&clk->holders, 0);
	if (!atomic_compare_exchange_strong(&made_default[source], &first, clk)) {
		atomic_store(&clk->holders, 1);
		hpt_clock_close(clk);
	}
	return 0;
}

COLD int hpt_clock_set_default(uint32_t source)
{
	uint32_t now = atomic_load(&hpt_once.source);
	int r;

	if (source >= HPT_SOURCE_IDS)
		return -EINVAL;
	if (source == HPT_SOURCE_MANUAL)
		return -ENOTSUP;
	if (source == hpt_booted()->clk.src.ops->id)
		source = HPT_SOURCE_AUTO;
	/* A request that must fail opens nothing: the HPET has one channel for all processes. */
	r = now & HPT_DEFAULT_FIXED ? 0 : make_default(source);
	if (r)
		return r;
	while (!(now & HPT_DEFAULT_FIXED))
		if (atomic_compare_exchange_weak(&hpt_once.source, &now, source))
			return 0;
	return now == (source | HPT_DEFAULT_FIXED) ? 0 : -EBUSY;
}

/* The library's constructor. */
__attribute__((constructor)) static void on_load(void)
{
	hpt_booted();
}
