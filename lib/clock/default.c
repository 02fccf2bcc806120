// SPDX-License-Identifier: MIT
/* Makes the choice once, at load or at the first use before load: lib/clock/default.h. */
#include "clock/default.h"

#include <errno.h>
#include <pthread.h>

/* A caller that finds the pool full waits for the others: 1000 times for 0.1 ms or somewhat longer. */
#define OTHERS_STEPS 1000
#define OTHERS_NS    100000

struct hpt_once hpt_once;

/* Publishes `mine` if nothing is published yet. Returns the published one. */
static struct hpt_boot *publish(struct hpt_boot *mine)
{
	struct hpt_boot *first = NULL;
	struct hpt_clock *none = NULL;

	if (!atomic_compare_exchange_strong(&hpt_once.booted, &first, mine)) {
		hpt_source_close(&mine->clk.src);
		return first;
	}
	atomic_compare_exchange_strong(&hpt_once.dflt, &none, &mine->clk);
	return mine;
}

/* More concurrent callers than pool slots: wait for one of them to publish, then fall back to the OS clock. */
static struct hpt_boot *wait_for_others(void)
{
	struct timespec ts = { .tv_nsec = OTHERS_NS };
	struct hpt_boot *b;

	for (int i = 0; i < OTHERS_STEPS; i++) {
		b = atomic_load_explicit(&hpt_once.booted, memory_order_acquire);
		if (b)
			return b;
		nanosleep(&ts, NULL);
	}
	hpt_choose_os(&hpt_once.reserve, &hpt_env_live);
	return publish(&hpt_once.reserve);
}

/*
 * Takes no lock, since a signal handler may run this while the thread that it interrupted does. Each caller chooses for
 * itself; the first to finish publishes, the others close the sources that they opened.
 */
static struct hpt_boot *boot_once(void)
{
	uint32_t slot = atomic_fetch_add(&hpt_once.taken, 1);

	if (slot >= HPT_BOOT_POOL)
		return wait_for_others();
	hpt_choose(&hpt_once.pool[slot], &hpt_env_live);
	return publish(&hpt_once.pool[slot]);
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

/* Another library's constructor may call us before ours has run: then this call makes the choice. */
COLD __attribute__((noinline)) struct hpt_clock *hpt_default_boot(void)
{
	struct hpt_clock *chosen = &hpt_booted()->clk;
	struct hpt_clock *clk = atomic_load_explicit(&hpt_once.dflt, memory_order_acquire);

	return clk ? clk : chosen;
}

hpt_clock *hpt_clock_default(void)
{
	return hpt_clock_or_default(NULL);
}

/* The library's constructor. */
__attribute__((constructor)) static void on_load(void)
{
	hpt_booted();
}
