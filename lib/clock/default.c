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

/* Clocks that hpt_clock_set_default_source() made. They are never freed, since any thread may still use them. */
static _Atomic(struct hpt_clock *) made_default[HPT_SOURCE_IDS];

/* All clocks that are held for good: what can be reached from here is no leak to a sanitizer. */
static _Atomic(struct hpt_clock *) held;

/* Makes clk live as long as the process. Its caller holds it. */
static COLD void hold_for_good(struct hpt_clock *clk)
{
	if (!hpt_clock_is_counted(clk) || atomic_fetch_or(&clk->holders, HPT_CLOCK_HELD) & HPT_CLOCK_HELD)
		return;
	clk->next_held = atomic_load(&held);
	while (!atomic_compare_exchange_weak(&held, &clk->next_held, clk))
		;
}

/* The clock that hpt_once.wanted stands for. */
static COLD struct hpt_clock *clock_for(uintptr_t wanted)
{
	wanted &= ~HPT_DEFAULT_FIXED;
	return wanted ? (struct hpt_clock *)wanted : &hpt_booted()->clk;
}

/* For hpt_default_first_tick(): the second read where it can be taken apart, whichever costs less. */
static COLD enum hpt_own_order first_tick_order(const struct hpt_source *src)
{
#ifdef ARCH_FENCE_FIRST
	if (src->orders & HPT_OWN_SECOND)
		return HPT_OWN_SECOND;
#endif
	return (enum hpt_own_order)src->order;
}

/* Another library's constructor may call us before ours has run: then this call makes the choice. */
COLD __attribute__((noinline)) struct hpt_clock *hpt_default_fix(void)
{
	struct hpt_clock *clk = clock_for(atomic_fetch_or(&hpt_once.wanted, HPT_DEFAULT_FIXED));

	atomic_store_explicit(&hpt_once.order, first_tick_order(&clk->src), memory_order_relaxed);
	atomic_store_explicit(&hpt_once.dflt, clk, memory_order_release);
	return clk;
}

COLD struct hpt_clock *hpt_default_now(void)
{
	return clock_for(atomic_load(&hpt_once.wanted));
}

hpt_clock *hpt_clock_default(void)
{
	return hpt_clock_or_default(NULL);
}

/* Makes it the default, unless that is fixed. 0; -EBUSY: the default is fixed and is another clock. */
static COLD int want(uintptr_t clk)
{
	uintptr_t now = atomic_load(&hpt_once.wanted);

	while (!(now & HPT_DEFAULT_FIXED))
		if (atomic_compare_exchange_weak(&hpt_once.wanted, &now, clk))
			return 0;
	return clock_for(now) == clock_for(clk) ? 0 : -EBUSY;
}

/* The one clock on a source that may become the default: makes it, if none is made yet. 0 or -errno. */
static COLD int make_default(uint32_t source, struct hpt_clock **ret)
{
	struct hpt_clock *clk;
	int r;

	*ret = atomic_load(&made_default[source]);
	if (*ret)
		return 0;
	r = hpt_clock_open_by(source, NULL, NULL, hpt_booted()->status, &clk);
	if (r)
		return r;
	if (!atomic_compare_exchange_strong(&made_default[source], ret, clk)) {
		hpt_clock_close(clk);
		return 0;
	}
	hold_for_good(clk);
	*ret = clk;
	return 0;
}

COLD int hpt_clock_set_default_source(uint32_t source, uint32_t flags)
{
	uintptr_t now = atomic_load(&hpt_once.wanted);
	struct hpt_clock *clk;
	int r;

	if (source >= HPT_SOURCE_IDS || flags)
		return -EINVAL;
	if (source == HPT_SOURCE_MANUAL)
		return -ENOTSUP;
	if (source == HPT_SOURCE_AUTO)
		source = hpt_booted()->clk.src.ops->id;
	/* A request that must fail opens nothing: the HPET has one channel for all processes. */
	if (now & HPT_DEFAULT_FIXED)
		return clock_for(now)->src.ops->id == source ? 0 : -EBUSY;
	if (source == hpt_booted()->clk.src.ops->id)
		return want(0);
	r = make_default(source, &clk);
	return r ? r : want((uintptr_t)clk);
}

COLD int hpt_clock_set_default(hpt_clock *clk, uint32_t flags)
{
	int r;

	if (!clk || flags)
		return -EINVAL;
	/* A holder more meanwhile: another thread may use and close the default as soon as it is this one. */
	hpt_clock_hold(clk);
	r = want((uintptr_t)clk);
	if (r)
		hpt_clock_close(clk);
	else
		hold_for_good(clk);
	return r;
}

/* The library's constructor. */
__attribute__((constructor)) static void on_load(void)
{
	hpt_booted();
}
