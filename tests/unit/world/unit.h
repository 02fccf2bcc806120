/* SPDX-License-Identifier: MIT */
/* Shared by all unit tests: cmocka with its prerequisites, and repeatable random numbers. */
#ifndef HPT_TEST_UNIT_H
#define HPT_TEST_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Under an emulator of processors, which tests/cross has set: slow, and some system calls and CPUID are the host's. */
static inline bool is_emulated(void)
{
	static _Atomic int answer = -1; /* threads ask too */

	if (answer < 0)
		answer = getenv("HPT_TEST_EMULATED") != NULL;
	return answer;
}

/* AddressSanitizer finds faults of paths, not of values. ThreadSanitizer has all: there threads meet by chance. */
#ifdef __SANITIZE_ADDRESS__
#define SANITIZED_STRIDE 5
#else
#define SANITIZED_STRIDE 1
#endif

/* By how much a check of many values in order goes on: under an emulator or AddressSanitizer it leaves out most. */
static inline int stride(void)
{
	return is_emulated() ? 20 : SANITIZED_STRIDE;
}

/* How often to repeat a check with random values: there a twentieth or a fifth as often. */
static inline int rounds(int n)
{
	return n >= 20 ? n / stride() : n;
}

/* Ends a test program that cannot run, before its first test. */
static inline int skip_all(const char *why)
{
	printf("1..0 # SKIP %s\n", why);
	return 0;
}

/* Ends a test that cannot run. Not by cmocka's skip(), whose "not ok" in TAP Meson 1.0 takes for a failure. */
#define leave_out(why)                  \
	do {                            \
		note("left out: " why); \
		return;                 \
	} while (0)

/* Prints a line of a test program's own as a TAP comment. */
#define note(...) (printf("# " __VA_ARGS__), printf("\n"), fflush(stdout))

static uint64_t random_state;

/* Setting HPT_TEST_SEED repeats a run. */
static inline void random_start(void)
{
	const char *text = getenv("HPT_TEST_SEED");

	random_state = text ? strtoull(text, NULL, 0) :
			      UINT64_C(0x9e3779b97f4a7c15) ^ (uint64_t)(uintptr_t)&random_state;
	note("HPT_TEST_SEED=0x%llx", (unsigned long long)random_state);
	if (!random_state)
		random_state = 1;
}

/* Vigna's xorshift64*. */
static inline uint64_t random_u64(void)
{
	random_state ^= random_state >> 12;
	random_state ^= random_state << 25;
	random_state ^= random_state >> 27;
	return random_state * UINT64_C(2685821657736338717);
}

static inline uint64_t random_below(uint64_t n)
{
	return random_u64() % n;
}

/* All magnitudes are equally likely: small values come as often as large ones. */
static inline uint64_t random_magnitude(void)
{
	return random_u64() >> random_below(64);
}

#endif
