// SPDX-License-Identifier: MIT
/*
 * Prints the cost of calls in a plain loop, in ps: the median of LOOPS loops. Uses nothing of tools/bench. Up to three
 * lines: cost and name, of the calls that this machine has.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <hpt/hpt.h>

#define CALLS 20000
#define LOOPS 51

static int64_t monotonic_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

static hpt_clock *clk;

static void libc(void)
{
	struct timespec ts;

	for (int i = 0; i < CALLS; i++)
		clock_gettime(CLOCK_MONOTONIC, &ts);
}

static void ours(void)
{
	for (int i = 0; i < CALLS; i++)
		hpt_now(clk);
}

static int compare(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static void show(const char *name, void (*loop)(void))
{
	int64_t gone[LOOPS];

	for (int i = 0; i < LOOPS; i++) {
		int64_t start = monotonic_ns();

		loop();
		gone[i] = monotonic_ns() - start;
	}
	qsort(gone, LOOPS, sizeof(gone[0]), compare);
	printf("%lld %s\n", (long long)(gone[LOOPS / 2] * 1000 / CALLS), name);
}

#if defined(__x86_64__) || defined(__i386__)
static void instruction(void)
{
	for (int i = 0; i < CALLS; i++) {
		uint32_t low, high, aux;
		uint64_t value;

		__asm__ volatile("rdtscp" : "=a"(low), "=d"(high), "=c"(aux));
		/* The next read waits for this: a read ends when its two halves are combined. */
		value = (uint64_t)high << 32 | low;
		__asm__ volatile("" : : "r"(value));
	}
}

static void show_instruction(void)
{
	struct hpt_cpu_info cpu;

	if (!hpt_cpu_get_info(&cpu, sizeof(cpu)) && cpu.rdtscp)
		show("rdtscp", instruction);
}
#else
static void show_instruction(void)
{
}
#endif

int main(void)
{
	show("clock_gettime(MONOTONIC)", libc);
	if (!hpt_clock_open(HPT_SOURCE_TSC, 0, &clk))
		show("hpt_now(tsc)", ours);
	else if (!hpt_clock_open(HPT_SOURCE_OS, 0, &clk))
		show("hpt_now(os)", ours);
	show_instruction();
	return 0;
}
