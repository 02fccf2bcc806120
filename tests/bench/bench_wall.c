// SPDX-License-Identifier: MIT
/*
 * Cost of walls and hybrid logical clocks, compared with clock_gettime(CLOCK_REALTIME): see rows.h. With two threads a
 * read costs what it does with one, because reads share no write. Then the cost of an update, and how late a commit
 * wait ends after the first moment at which earliest is after the time. With VMClock the read also looks at a page of
 * this program, since machines with such a device are rare.
 *
 * usage: bench_wall [ROUNDS [CALLS]]
 */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include <hpt/hpt.h>
#include <hpt/wall.h>

#include "wall/vmclock.h"
#include "wall/wall_object.h"

#include "rows.h"

#define WAITS     1000
#define UPDATES   200
#define WIDTH_NS  20000
#define WAIT_TARGET_NS   1000
#define UPDATE_TARGET_NS 200000

static hpt_wall *wall, *wall_vm;
static hpt_hlc *hlc, *hlc_vm;
static struct hpt_wall_time result;
static int64_t timestamp;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int64_t latest;

/* The peer: as programs do it today. */
static int64_t by_mutex(void)
{
	int64_t now = bench_clock_ns(CLOCK_REALTIME), ret;

	pthread_mutex_lock(&mutex);
	latest = now > latest ? now : latest + 1;
	ret = latest;
	pthread_mutex_unlock(&mutex);
	return ret;
}

BENCH_LOOP(realtime, bench_clock_ns(CLOCK_REALTIME))
BENCH_LOOP(now, hpt_now(NULL))
BENCH_LOOP(wall_now, hpt_wall_now(wall, &result))
BENCH_LOOP(wall_now_vm, hpt_wall_now(wall_vm, &result))
BENCH_LOOP(wall_at, hpt_wall_at(wall, result.tick, &result))
BENCH_LOOP(wall_after, hpt_wall_after(wall, 0))
BENCH_LOOP(hlc_now, hpt_hlc_now(hlc, &timestamp))
BENCH_LOOP(hlc_now_vm, hpt_hlc_now(hlc_vm, &timestamp))
BENCH_LOOP(mutex_now, by_mutex())

enum { REALTIME, NOW, WALL, WALL_VM, AT, AFTER, MUTEX, HLC, HLC_VM };

static const struct bench_row rows[] = {
	[REALTIME] = { "clock_gettime(REALTIME)", realtime, BENCH_NO_BASE, 0, BENCH_NO_BASE, 0 },
	[NOW] = { "hpt_now", now, REALTIME, 0, BENCH_NO_BASE, 0 },
	[WALL] = { "hpt_wall_now", wall_now, REALTIME, 1.00, NOW, 0 },
	[WALL_VM] = { "hpt_wall_now, VMClock", wall_now_vm, REALTIME, 1.30, WALL, 0 },
	[AT] = { "hpt_wall_at", wall_at, WALL, 0, BENCH_NO_BASE, 0 },
	[AFTER] = { "hpt_wall_after", wall_after, WALL, 0, BENCH_NO_BASE, 0 },
	[MUTEX] = { "mutex over REALTIME", mutex_now, REALTIME, 0, BENCH_NO_BASE, 0 },
	[HLC] = { "hpt_hlc_now", hlc_now, MUTEX, 0.85, WALL, 0 },
	[HLC_VM] = { "hpt_hlc_now, VMClock", hlc_now_vm, HLC, 0, WALL_VM, 0 },
};

/* Good for as long as this program runs: samples are made of CLOCK_REALTIME. */
static void feed(hpt_wall *w)
{
	struct hpt_wall_sample s = { .before = hpt_now(NULL) };
	int64_t ns = bench_clock_ns(CLOCK_REALTIME);

	s.after = hpt_now(NULL);
	s.earliest_ns = ns - WIDTH_NS / 2;
	s.latest_ns = ns + WIDTH_NS / 2;
	if (hpt_wall_feed(w, &s, sizeof(s)))
		abort();
}

/* ---- Threads ------------------------------------------------------------------------------------------------- */

struct reader {
	pthread_t thread;
	bench_loop *loop;
	unsigned calls;
	double cost_ns;
};

static _Atomic int ready, n_readers;

static void *read_often(void *arg)
{
	struct reader *r = arg;
	int64_t start;

	atomic_fetch_add(&ready, 1);
	while (atomic_load(&ready) < atomic_load(&n_readers))
		;
	start = bench_ns();
	r->loop(r->calls);
	r->cost_ns = (double)(bench_ns() - start) / r->calls;
	return NULL;
}

static double median_of_threads(bench_loop *loop, int n, unsigned rounds)
{
	double *costs = calloc(rounds, sizeof(*costs)), median;
	struct reader readers[2];

	for (unsigned i = 0; i < rounds; i++) {
		atomic_store(&ready, 0);
		atomic_store(&n_readers, n);
		for (int k = 0; k < n; k++) {
			readers[k] = (struct reader){ .loop = loop, .calls = 50000 };
			pthread_create(&readers[k].thread, NULL, read_often, &readers[k]);
		}
		for (int k = 0; k < n; k++)
			pthread_join(readers[k].thread, NULL);
		costs[i] = readers[0].cost_ns;
	}
	median = bench_quantile(costs, rounds, 0.5);
	free(costs);
	return median;
}

static void threads(void)
{
	static const struct {
		const char *name;
		bench_loop *loop;
	} kinds[] = { { "hpt_wall_now", wall_now }, { "hpt_hlc_now", hlc_now }, { "mutex over REALTIME", mutex_now } };

	for (unsigned i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		printf("%-29s with 1 thread %.2f ns, with 2 threads %.2f ns a call of each\n", kinds[i].name,
		       median_of_threads(kinds[i].loop, 1, 41), median_of_threads(kinds[i].loop, 2, 41));
}

/* ---- Updates and waits ------------------------------------------------------------------------------------- */

static void updates(void)
{
	static double costs[UPDATES];

	for (int i = 0; i < UPDATES; i++) {
		int64_t start = bench_ns();

		(void)hpt_wall_update(wall);
		costs[i] = (double)(bench_ns() - start);
	}
	printf("%-29s %.0f ns (p90 %.0f) target %d %s\n", "hpt_wall_update",
	       bench_quantile(costs, UPDATES, 0.5), bench_quantile(costs, UPDATES, 0.9), UPDATE_TARGET_NS,
	       bench_verdict(bench_quantile(costs, UPDATES, 0.5), UPDATE_TARGET_NS));
}

/* Waits of the interval's width, as after hpt_hlc_now(), and of up to 20 ms. A wall may be updated meanwhile. */
static void waits(void)
{
	static double late[WAITS];
	unsigned early = 0;

	for (int i = 0; i < WAITS; i++) {
		struct hpt_wall_time t;
		int64_t ns;

		if (i % 10 == 0)
			feed(wall);
		if (hpt_wall_now(wall, &t))
			abort();
		ns = t.latest_ns + (i % 4 == 0 ? 0 : i % 4 == 1 ? 100000 : i % 4 == 2 ? 2000000 : 20000000);
		if (hpt_wall_wait_after(wall, ns, INT64_MAX) || hpt_wall_at(wall, hpt_now(NULL), &t))
			abort();
		/* earliest_ns goes with UTC: how far it is beyond is how long ago it passed. */
		late[i] = (double)(t.earliest_ns - ns - 1);
		early += late[i] < 0;
	}
	printf("%-29s late by %.0f ns (p90 %.0f, p99 %.0f), early %u of %d; target %d %s\n", "hpt_wall_wait_after",
	       bench_quantile(late, WAITS, 0.5), bench_quantile(late, WAITS, 0.9), bench_quantile(late, WAITS, 0.99),
	       early, WAITS, WAIT_TARGET_NS, bench_verdict(bench_quantile(late, WAITS, 0.5), WAIT_TARGET_NS));
}

/* ---- Main ---------------------------------------------------------------------------------------------------- */

/* Programs that need a mutex have threads. In a process with one thread glibc takes mutexes without atomics. */
static void *idle(void *arg)
{
	for (;;)
		pause();
	return arg;
}

/* A page whose marker stays. The read path cannot distinguish it from the device's. */
static void give_page(hpt_wall *w)
{
	static _Alignas(4096) unsigned char page[4096];

	memcpy(page, "VCLK", 4);
	atomic_store(&w->vmclock, (const volatile void *)page);
}

int main(int argc, char **argv)
{
	struct bench_effort effort = { .rounds = 500, .calls = 2000 };
	pthread_t other;
	cpu_set_t all;

	if (!bench_effort_of(argc, argv, &effort))
		return 2;
	if (hpt_wall_open(NULL, NULL, 0, 0, &wall) || hpt_wall_open(NULL, NULL, 0, 0, &wall_vm) ||
	    hpt_hlc_new(wall, 1000000000, 0, &hlc) || hpt_hlc_new(wall_vm, 1000000000, 0, &hlc_vm))
		return 1;
	sched_getaffinity(0, sizeof(all), &all);
	pthread_create(&other, NULL, idle, NULL);
	give_page(wall_vm);
	feed(wall);
	feed(wall_vm);
	bench_rows(rows, sizeof(rows) / sizeof(rows[0]), effort);
	sched_setaffinity(0, sizeof(all), &all);
	threads();
	updates();
	waits();
	return 0;
}
