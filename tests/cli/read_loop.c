// SPDX-License-Identifier: MIT
/*
 * Prints the cost of calls in a plain loop, in ps: the median of LOOPS loops, the least and the greatest of several
 * placements. Uses nothing of tools/bench. Up to three lines: both costs and the name, of the calls that this machine
 * has.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <hpt/hpt.h>
#include <hpt/system.h>

#define CALLS 20000
#define LOOPS 21

static int64_t monotonic_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

/*
 * Each loop at eight places within a cache line: on an AMD EPYC (Zen 3) a call of hpt_now() costs 22.1 to 23.4 ns by
 * the place alone, and the loops of "hpt bench read" have places of their own.
 */
#if defined(__x86_64__) || defined(__i386__)
#define PLACE(bytes) __asm__ volatile(".p2align 6\n\t.skip " #bytes ", 0x90")
#else
#define PLACE(bytes) (void)0
#endif

#define PLACES 8

#define LOOP(call, bytes)                       \
	static void call##_##bytes(void)        \
	{                                       \
		PLACE(bytes);                   \
		for (int i = 0; i < CALLS; i++) \
			call();                 \
	}

#define LOOPS_OF(call)                                                                                            \
	LOOP(call, 1) LOOP(call, 8) LOOP(call, 16) LOOP(call, 24)                                                 \
	LOOP(call, 32) LOOP(call, 40) LOOP(call, 48) LOOP(call, 56)                                               \
	static void (*const call##_loops[PLACES])(void) = { call##_1,  call##_8,  call##_16, call##_24, call##_32, \
							    call##_40, call##_48, call##_56 };

#define INLINE static inline __attribute__((always_inline))

static hpt_clock *clk;

INLINE void ours(void)
{
	hpt_now(clk);
}

INLINE void libc(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
}

LOOPS_OF(ours)
LOOPS_OF(libc)

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

static void show(const char *name, void (*const loops[PLACES])(void))
{
	int64_t least_ps = INT64_MAX, greatest_ps = 0;

	for (int i = 0; i < PLACES; i++) {
		int64_t ps = cost_ps(loops[i]);

		least_ps = ps < least_ps ? ps : least_ps;
		greatest_ps = ps > greatest_ps ? ps : greatest_ps;
	}
	printf("%lld %lld %s\n", (long long)least_ps, (long long)greatest_ps, name);
}

#if defined(__x86_64__) || defined(__i386__)
INLINE void instruction(void)
{
	uint32_t low, high, aux;
	uint64_t value;

	__asm__ volatile("rdtscp" : "=a"(low), "=d"(high), "=c"(aux));
	/* The next read waits for this: a read ends when its two halves are combined. */
	value = (uint64_t)high << 32 | low;
	__asm__ volatile("" : : "r"(value));
}

LOOPS_OF(instruction)

static void show_instruction(void)
{
	struct hpt_cpu_info cpu;

	if (!hpt_cpu_get_info(&cpu, sizeof(cpu)) && cpu.rdtscp)
		show("rdtscp", instruction_loops);
}
#else
static void show_instruction(void)
{
}
#endif

int main(void)
{
	show("clock_gettime(MONOTONIC)", libc_loops);
	if (!hpt_clock_open(HPT_SOURCE_TSC, 0, &clk))
		show("hpt_now(tsc)", ours_loops);
	else if (!hpt_clock_open(HPT_SOURCE_OS, 0, &clk))
		show("hpt_now(os)", ours_loops);
	show_instruction();
	return 0;
}
