// SPDX-License-Identifier: MIT
/*
 * Prints the cost of calls in a plain loop, in ps: the median of LOOPS loops, for hpt_now() the least of several
 * placements. Uses nothing of tools/bench. Up to three lines: cost and name, of the calls that this machine has.
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

/*
 * The same loop at eight places within a cache line: on an AMD EPYC (Zen 3) a call costs 22.1 to 23.4 ns by the place
 * alone, and the loop of "hpt bench read" has one of its own.
 */
#if defined(__x86_64__) || defined(__i386__)
#define PLACE(bytes) __asm__ volatile(".p2align 6\n\t.skip " #bytes ", 0x90")
#else
#define PLACE(bytes) (void)0
#endif

#define OURS(bytes)                             \
	static void ours_##bytes(void)          \
	{                                       \
		PLACE(bytes);                   \
		for (int i = 0; i < CALLS; i++) \
			hpt_now(clk);           \
	}

OURS(1) OURS(8) OURS(16) OURS(24) OURS(32) OURS(40) OURS(48) OURS(56)

static void (*const ours[])(void) = { ours_1, ours_8, ours_16, ours_24, ours_32, ours_40, ours_48, ours_56 };

static int compare(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static int64_t cost_ps(void (*loop)(void))
{
	int64_t gone[LOOPS];

	for (int i = 0; i < LOOPS; i++) {
		int64_t start = monotonic_ns();

		loop();
		gone[i] = monotonic_ns() - start;
	}
	qsort(gone, LOOPS, sizeof(gone[0]), compare);
	return gone[LOOPS / 2] * 1000 / CALLS;
}

static void show(const char *name, int64_t ps)
{
	printf("%lld %s\n", (long long)ps, name);
}

static void show_ours(const char *name)
{
	int64_t least_ps = INT64_MAX;

	for (size_t i = 0; i < sizeof(ours) / sizeof(ours[0]); i++) {
		int64_t ps = cost_ps(ours[i]);

		least_ps = ps < least_ps ? ps : least_ps;
	}
	show(name, least_ps);
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
		show("rdtscp", cost_ps(instruction));
}
#else
static void show_instruction(void)
{
}
#endif

int main(void)
{
	show("clock_gettime(MONOTONIC)", cost_ps(libc));
	if (!hpt_clock_open(HPT_SOURCE_TSC, 0, &clk))
		show_ours("hpt_now(tsc)");
	else if (!hpt_clock_open(HPT_SOURCE_OS, 0, &clk))
		show_ours("hpt_now(os)");
	show_instruction();
	return 0;
}
