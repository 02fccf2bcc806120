// SPDX-License-Identifier: MIT
/*
 * Reads of a wall while a hypervisor disrupts the counter: one thread changes VMClock's page at random moments, as a
 * hypervisor does, another reads the time. A read that was accepted although its tick is from after the disruption is a
 * failure. The page is the test's own: the clock's env maps it.
 *
 * usage: wall_marker ordered|lfence|bare READS
 * By the default clock's counter; by LFENCE and RDTSC; by RDTSC alone, which nothing orders but the fence in the wall's
 * read. Without that fence AMD's Zen 3 shows no failure in 10^7 reads of any mode: tests/model has the fence's test.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <hpt/hpt.h>
#include <hpt/wall.h>

#include "arch/arch.h"
#include "clock/clock.h"
#include "machine/live.h"
#include "source/own_read.h"
#include "pin.h"
#include "process.h"
#include "vmclock_page.h"

#define UNIX_NS INT64_C(1700000000000000000)

/* Some reads pass between a new bound and a disruption: up to this many turns of a loop. */
#define MOST_DELAY 1024

/* If a wall never notices a disruption, the test ends after this many more reads. */
#define MOST_LATE 10000000

static struct hpt_env env;
static struct hpt_clock *clk;
static hpt_wall *wall;
static uint64_t (*ordered_read)(const struct hpt_source *src);

static _Alignas(4096) uint32_t page[1024];

static _Alignas(128) _Atomic bool is_armed;      /* there is a bound: to be disrupted */
static _Alignas(128) _Atomic uint64_t disrupted; /* the tick of the disruption; 0: it is to come */
static _Alignas(128) _Atomic bool stops;

static int map_page(const char *path, uint64_t start, size_t length, const volatile void **ret, uint32_t *ret_stage)
{
	(void)path, (void)start, (void)length, (void)ret_stage;
	*ret = page;
	return 0;
}

static void unmap_page(const volatile void *start, size_t length)
{
	(void)start, (void)length;
}

static uint32_t next_random(uint32_t *state)
{
	return *state = *state * 1664525 + 1013904223;
}

/*
 * Stores are visible to all before the counter is read. On AMD's Zen 3 a locked instruction, which the fence of C11 is
 * there, is not enough for that: LFENCE and RDTSC after it read the counter up to 2633 ticks before the store was seen,
 * in 27 % of 2.4 million tries; with MFENCE, which Intel's manual names for it, in none.
 */
static void show_stores(void)
{
	atomic_thread_fence(memory_order_seq_cst);
#if defined(__x86_64__) || defined(__i386__)
	__asm__ volatile("mfence" : : : "memory");
#endif
}

/* The sequence is odd for all to see before anything is disrupted: from that tick on the old time is wrong. */
static void disrupt(uint32_t seq, uint64_t marker)
{
	uint64_t tick;

	vmclock_store(&page[VMCLOCK_SEQ_WORD], vmclock_little(seq + 1));
	show_stores();
	tick = ordered_read(&clk->src);
	vmclock_store(&page[4], vmclock_little((uint32_t)marker));
	vmclock_store(&page[5], vmclock_little((uint32_t)(marker >> 32)));
	__atomic_store_n(&page[VMCLOCK_SEQ_WORD], vmclock_little(seq + 2), __ATOMIC_RELEASE);
	atomic_store_explicit(&disrupted, tick, memory_order_release);
}

static void *disrupt_often(void *arg)
{
	uint32_t random = 12345, seq = 0;
	uint64_t marker = 1;

	if (!pin(*(const int *)arg))
		return NULL;
	while (!atomic_load_explicit(&stops, memory_order_relaxed)) {
		if (!atomic_exchange_explicit(&is_armed, false, memory_order_acq_rel)) {
			arch_relax();
			continue;
		}
		for (uint32_t turns = next_random(&random) >> 16 & (MOST_DELAY - 1); turns; turns--)
			__asm__ volatile("" : : : "memory");
		disrupt(seq, ++marker);
		seq += 2;
	}
	return arg;
}

/* A bound from now on. False: the wall takes none. */
static bool feed(void)
{
	hpt_time_t now = hpt_now((hpt_clock *)clk);
	const struct hpt_wall_sample s = {
		.before = now, .after = now, .earliest_ns = UNIX_NS, .latest_ns = UNIX_NS + 1000000000,
	};

	return !hpt_wall_feed(wall, &s, sizeof(s));
}

/* The machine itself may disrupt the counter in between, or the wall take a switch of threads for that. */
static bool begin(struct hpt_wall_time *ret)
{
	for (int tries = 0; tries < 1000; tries++)
		if (feed() && !hpt_wall_now(wall, ret))
			return true;
	return false;
}

struct counts {
	uint64_t reads, disruptions, accepted_late;
	int64_t worst;
};

/* Reads until the disruption is noticed, or all reads are done. False: it cannot go on. */
static bool read_until_disrupted(struct counts *c, uint64_t reads)
{
	struct hpt_wall_time t = { 0 };
	uint64_t tick;

	if (!begin(&t))
		return false;
	atomic_store_explicit(&disrupted, 0, memory_order_relaxed);
	atomic_store_explicit(&is_armed, true, memory_order_release);
	while (!hpt_wall_now(wall, &t) && c->reads < reads + MOST_LATE)
		c->reads++;
	while (!(tick = atomic_load_explicit(&disrupted, memory_order_acquire)))
		arch_relax();
	c->reads++;
	c->disruptions++;
	if (t.tick - (int64_t)tick > 0) {
		c->accepted_late++;
		if (t.tick - (int64_t)tick > c->worst)
			c->worst = t.tick - (int64_t)tick;
	}
	return true;
}

static void run(uint64_t reads)
{
	struct hpt_wall_info info;
	struct counts c = { 0 };
	uint64_t before;

	CHECK(!hpt_wall_get_info(wall, &info, sizeof(info)), "no facts");
	before = info.disruptions;
	while (c.reads < reads && read_until_disrupted(&c, reads))
		;
	CHECK(!hpt_wall_get_info(wall, &info, sizeof(info)), "no facts");
	printf("%llu reads, %llu disruptions, %llu reads accepted after one, the latest by %lld ticks\n",
	       (unsigned long long)c.reads, (unsigned long long)c.disruptions, (unsigned long long)c.accepted_late,
	       (long long)c.worst);
	CHECK(c.reads >= reads, "the wall took no bound any more: state %u", info.state);
	CHECK(!c.accepted_late, "%llu reads were accepted after a disruption", (unsigned long long)c.accepted_late);
	/* The machine itself may disrupt the counter as well. */
	CHECK(info.disruptions - before >= c.disruptions, "%llu disruptions were seen",
	      (unsigned long long)(info.disruptions - before));
}

/* False: this machine has no such read. */
static bool set_read(const char *mode)
{
	bool is_tsc = clk->src.ops->id == HPT_SOURCE_TSC;

	ordered_read = clk->src.read;
	if (!strcmp(mode, "lfence") && clk->src.orders & HPT_OWN_SECOND) {
		hpt_own_set_order(&clk->src, HPT_OWN_SECOND);
	} else if (!strcmp(mode, "bare") && is_tsc) {
		clk->src.read = clk->src.read_unordered;
		clk->src.order = HPT_OWN_NONE;
	} else {
		return !strcmp(mode, "ordered");
	}
	return true;
}

static int open_wall(const char *mode)
{
	const struct hpt_wall_config config = { .sources = HPT_WALL_SOURCE_FEED | HPT_WALL_SOURCE_VMCLOCK };
	struct vmclock_page p = { .magic = VMCLOCK_MAGIC, .size = 4096, .version = 1,
				  .counter_id = VMCLOCK_COUNTER_INVALID, .disruption_marker = 1 };
	hpt_clock *opened;

	if (hpt_clock_open(HPT_SOURCE_AUTO, 0, &opened))
		return skip("no clock");
	clk = (struct hpt_clock *)opened;
	if (!set_read(mode))
		return skip("no such read of the counter here");
	env = hpt_env_live;
	env.map_registers = map_page;
	env.unmap_registers = unmap_page;
	clk->src.env = &env;
	vmclock_encode(&p, page);
	CHECK(!hpt_wall_open(opened, &config, sizeof(config), 0, &wall), "no wall");
	(void)hpt_wall_update(wall); /* maps the page */
	return failures;
}

int main(int argc, char **argv)
{
	uint64_t reads = argc == 3 ? strtoull(argv[2], NULL, 10) : 0;
	int cpu_a = allowed_cpu(0), cpu_b = allowed_cpu(1), r;
	pthread_t thread;
	void *ok;

	if (!reads) {
		fprintf(stderr, "usage: wall_marker ordered|lfence|bare READS\n");
		return 2;
	}
	if (cpu_b < 0)
		return skip("one CPU only");
	r = open_wall(argv[1]);
	if (r)
		return r;
	if (!pin(cpu_a) || pthread_create(&thread, NULL, disrupt_often, &cpu_b))
		return skip("cannot pin or start threads");
	run(reads);
	atomic_store(&stops, true);
	pthread_join(thread, &ok);
	hpt_wall_close(wall);
	clk->src.env = &hpt_env_live;
	hpt_clock_close((hpt_clock *)clk);
	return ok ? failures != 0 : skip("cannot pin the second thread");
}
