// SPDX-License-Identifier: MIT
/*
 * Two CPUs pass times through memory: a time read after another was seen must not be smaller. One thread publishes its
 * time; the other loads it and then reads the clock itself, until MESSAGES have arrived.
 *
 * usage: causality ordered|ns|unix|unordered [rdtscp|lfence] MESSAGES
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
#include "cpus.h"
#include "process.h"

typedef int64_t read_fn(hpt_clock *clk);

static _Alignas(128) _Atomic int64_t box;
static _Alignas(128) _Atomic bool stop;
static hpt_clock *clk;

static const struct {
	const char *name;
	read_fn    *read;
	bool        may_break;
} modes[] = {
	{ "ordered", hpt_now, false },
	{ "ns", hpt_now_ns, false },
	{ "unix", hpt_now_unix_ns, false },
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
		atomic_store_explicit(&box, s->read(clk), memory_order_release);
	return arg;
}

/* Returns how many of the messages that arrived were later than the receiver's own time. */
static uint64_t receive_times(read_fn *read, uint64_t messages, int64_t *ret_worst)
{
	uint64_t got = 0, broken = 0, turns = 0;
	int64_t last = 0;

	while (got < messages && turns++ < 100 * messages) {
		int64_t sent = atomic_load_explicit(&box, memory_order_acquire), now = read(clk);

		got += sent != last;
		last = sent;
		if (now < sent) {
			broken++;
			if (sent - now > *ret_worst)
				*ret_worst = sent - now;
		}
	}
	CHECK(got == messages, "only %llu messages arrived", (unsigned long long)got);
	return broken;
}

static int run(read_fn *read, bool may_break, uint64_t messages, int cpu_a, int cpu_b)
{
	struct sender sender = { .read = read, .cpu = cpu_b };
	int64_t worst = 0;
	uint64_t broken;
	pthread_t thread;
	void *ok;

	if (!pin(cpu_a) || pthread_create(&thread, NULL, send_times, &sender))
		return skip("cannot pin or start threads");
	broken = receive_times(read, messages, &worst);
	atomic_store(&stop, true);
	pthread_join(thread, &ok);
	if (!ok)
		return skip("cannot pin the second thread");
	printf("%llu messages from CPU %d to CPU %d: %llu came from the future, worst by %lld\n",
	       (unsigned long long)messages, cpu_b, cpu_a, (unsigned long long)broken, (long long)worst);
	if (may_break)
		return broken ? 0 : skip("this machine shows no violation of the unordered read");
	CHECK(!broken, "an ordered read was smaller than one that happened before it");
	return failures != 0;
}

/* A clock on the TSC that reads by one instruction. False: not on this machine, or not in order there. */
static bool open_tsc(const char *instruction)
{
#ifdef HPT_ARCH_X86
	struct hpt_clock_info info;

	if (hpt_clock_open(HPT_SOURCE_TSC, 0, &clk) || hpt_clock_get_info(clk, &info, sizeof(info)) ||
	    info.flags & HPT_CLOCK_VETOED)
		return false;
	clk->src.read = strcmp(instruction, "lfence") ? clk->src.rdtscp : clk->src.lfence;
	if (!clk->src.read)
		return false;
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
