// SPDX-License-Identifier: MIT
/*
 * Two CPUs pass times through memory: a time read after another was seen must not be smaller. One thread publishes its
 * time; the other loads it and then reads the clock itself, until MESSAGES have arrived. In between, the same is done
 * with the processor's own counter: what goes back there is the machine's fault, and excused.
 *
 * usage: causality ordered|ns|unix|monotonic|boottime|unordered [rdtscp|lfence] MESSAGES
 * The second word is the ordered read to use, by the TSC, instead of the default clock's. The unordered read shows that
 * this machine and this test can see a violation. Without one, the test is skipped.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <hpt/hpt.h>

#include "arch/arch.h"
#include "clock/clock.h"
#include "clock/read.h"
#include "source/own_read.h"
#include "pin.h"
#include "own_counter.h"
#include "process.h"

typedef int64_t read_fn(hpt_clock *clk);

/* Messages of the library's in a row, and of the counter's after them: some tens of milliseconds. */
#define BATCH         200000
#define COUNTER_BATCH (BATCH / 8)

/* Whose times: each has a box of its own. */
enum whose { LIBRARY, COUNTER };

static struct {
	_Alignas(128) _Atomic int64_t time;
} boxes[2];

static _Alignas(128) _Atomic bool stop;
static _Atomic unsigned turn; /* enum whose */
static hpt_clock *clk;

static const struct {
	const char *name;
	read_fn    *read;
	bool        may_break;
} modes[] = {
	{ "ordered", hpt_now, false },
	{ "ns", hpt_now_ns, false },
	{ "unix", hpt_now_unix_ns, false },
	{ "monotonic", hpt_now_monotonic_ns, false },
	{ "boottime", hpt_now_boottime_ns, false },
	{ "unordered", hpt_now_unordered, true },
};

struct sender {
	read_fn *read;
	int      cpu;
};

static void *send_times(void *arg)
{
	const struct sender *s = arg;

	if (!pin(s->cpu))
		return NULL;
	while (!atomic_load_explicit(&stop, memory_order_relaxed))
		if (atomic_load_explicit(&turn, memory_order_relaxed) == LIBRARY)
			atomic_store_explicit(&boxes[LIBRARY].time, s->read(clk), memory_order_release);
		else
			atomic_store_explicit(&boxes[COUNTER].time, own_counter(clk), memory_order_release);
	return arg;
}

/* Messages that arrived, and those that were later than the receiver's own time. */
struct received {
	uint64_t got, broken;
	int64_t  worst;
};

/* A minute of reads and more: the end where the sender could not begin. One that other programs keep from its CPU is
 * waited for. */
#define TURNS_MAX 4000000000u

static void receive_times(enum whose whose, read_fn *read, uint64_t messages, struct received *r)
{
	uint64_t wanted = r->got + messages, turns = 0;
	int64_t last = 0;

	atomic_store(&turn, whose);
	while (r->got < wanted && turns++ < TURNS_MAX) {
		int64_t sent = atomic_load_explicit(&boxes[whose].time, memory_order_acquire), now = read(clk);

		r->got += sent != last;
		last = sent;
		if (now < sent) {
			r->broken++;
			if (sent - now > r->worst)
				r->worst = sent - now;
		}
	}
	CHECK(r->got >= wanted, "only %llu messages arrived", (unsigned long long)r->got);
}

static void receive_both(read_fn *read, uint64_t messages, struct received r[2])
{
	bool has_counter = has_own_counter();

	while (r[LIBRARY].got < messages && !failures) {
		uint64_t left = messages - r[LIBRARY].got;

		receive_times(LIBRARY, read, left < BATCH ? left : BATCH, &r[LIBRARY]);
		if (has_counter)
			receive_times(COUNTER, own_counter, COUNTER_BATCH, &r[COUNTER]);
	}
}

static void report(const struct received r[2], int cpu_a, int cpu_b)
{
	static const char *const names[] = { "messages", "of the counter itself" };

	for (int i = 0; i < 2; i++)
		printf("%llu %s from CPU %d to CPU %d: %llu came from the future, worst by %lld\n",
		       (unsigned long long)r[i].got, names[i], cpu_b, cpu_a, (unsigned long long)r[i].broken,
		       (long long)r[i].worst);
}

static int run(read_fn *read, bool may_break, uint64_t messages, int cpu_a, int cpu_b)
{
	struct sender sender = { .read = read, .cpu = cpu_b };
	struct received r[2] = { { 0 } };
	int64_t excused;
	pthread_t thread;
	void *ok;

	if (!pin(cpu_a) || pthread_create(&thread, NULL, send_times, &sender))
		return skip("cannot pin or start threads");
	receive_both(read, messages, r);
	atomic_store(&stop, true);
	pthread_join(thread, &ok);
	if (!ok)
		return skip("cannot pin the second thread");
	report(r, cpu_a, cpu_b);
	if (may_break)
		return r[LIBRARY].broken ? 0 : skip("this machine shows no violation of the unordered read");
	excused = read == hpt_now ? r[COUNTER].worst : excused_ns(clk, r[COUNTER].worst);
	CHECK(r[LIBRARY].worst <= excused, "an ordered read was smaller than one that happened before it");
	return failures != 0;
}

/* A clock on the TSC that reads by one instruction. False: not on this machine, or not in order there. */
static bool open_tsc(const char *instruction)
{
#ifdef HPT_ARCH_X86
	enum hpt_own_order order;
	struct hpt_clock_info info;

	if (hpt_clock_open(HPT_SOURCE_TSC, 0, &clk) || hpt_clock_get_info(clk, &info, sizeof(info)) ||
	    info.flags & HPT_CLOCK_VETOED)
		return false;
	order = strcmp(instruction, "lfence") ? HPT_OWN_FIRST : HPT_OWN_SECOND;
	if (!(clk->src.orders & order))
		return false;
	hpt_own_set_order(&clk->src, order);
	hpt_read_set(clk);
	return true;
#else
	(void)instruction;
	return false;
#endif
}

int main(int argc, char **argv)
{
	uint64_t messages = argc == 3 || argc == 4 ? strtoull(argv[argc - 1], NULL, 10) : 0;
	int cpu_a = allowed_cpu(0), cpu_b = allowed_cpu(1);

	if (cpu_b < 0)
		return skip("one CPU only");
	clk = hpt_clock_default();
	if (argc == 4 && !open_tsc(argv[2]))
		return skip("no such ordered read here");
	hpt_now_ns(clk);
	for (size_t i = 0; messages && i < sizeof(modes) / sizeof(modes[0]); i++)
		if (!strcmp(argv[1], modes[i].name))
			return run(modes[i].read, modes[i].may_break, messages, cpu_a, cpu_b);
	fprintf(stderr, "usage: causality ordered|ns|unix|unordered [rdtscp|lfence] MESSAGES\n");
	return 2;
}
