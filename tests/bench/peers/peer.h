/* SPDX-License-Identifier: MIT */
/* The interface between harness and peers. A peer is a shared object with a table hpt_peers[] of its functions. */
#ifndef HPT_BENCH_PEER_H
#define HPT_BENCH_PEER_H

#include <stdint.h>

enum { HPT_PEER_END, HPT_PEER_READ, HPT_PEER_SLEEP };

struct hpt_peer {
	const char *name;
	uint32_t    kind;       /* HPT_PEER_END ends the table */
	uint32_t    settle_ms;  /* time in use until the cost of a call is final */
	/* A read: that number of calls, back to back. The compiler inlines a call if it can, as for any user. */
	void      (*loop)(unsigned calls);
	/* The same with a fence between calls, so that each ends before the next begins. NULL: not available here. */
	void      (*isolated)(unsigned calls);
	/* A sleep, and the unit of its argument: lengths are whole multiples of it. */
	void      (*sleep)(int64_t ns);
	int64_t     unit_ns;
};

#ifdef __cplusplus
extern "C"
#else
extern
#endif
__attribute__((visibility("default"))) const struct hpt_peer hpt_peers[];

/* Waits until every instruction before it has completed. Does nothing on other processors: both loops are the same. */
static inline void hpt_peer_fence(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__asm__ volatile("lfence" : : : "memory");
#elif defined(__aarch64__)
	__asm__ volatile("isb" : : : "memory");
#endif
}

/* Keeps a value alive without storing it. */
#define HPT_PEER_USE(v) __asm__ volatile("" : : "r"(v))

/* Defines loop_ID and isolated_ID of a read. */
#define HPT_PEER_LOOPS(id, expression)                                       \
	static __attribute__((noinline)) void loop_##id(unsigned calls)      \
	{                                                                    \
		for (unsigned i = 0; i < calls; i++)                         \
			HPT_PEER_USE(expression);                            \
	}                                                                    \
	static __attribute__((noinline)) void isolated_##id(unsigned calls)  \
	{                                                                    \
		for (unsigned i = 0; i < calls; i++) {                       \
			hpt_peer_fence();                                    \
			HPT_PEER_USE(expression);                            \
		}                                                            \
	}

/* Entries of the table. */
#define HPT_PEER_READS(name, id, settle_ms) { name, HPT_PEER_READ, settle_ms, loop_##id, isolated_##id, 0, 0 }
#define HPT_PEER_SLEEPS(name, sleep, unit_ns) { name, HPT_PEER_SLEEP, 0, 0, 0, sleep, unit_ns }
#define HPT_PEER_LAST { 0, HPT_PEER_END, 0, 0, 0, 0, 0 }

#endif
