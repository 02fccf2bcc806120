/* SPDX-License-Identifier: MIT */
/* The counts of "hpt run --stats", in memory that the command shares with all programs that it started. */
#ifndef HPT_TALLY_H
#define HPT_TALLY_H

#include <stdatomic.h>
#include <stdint.h>

/* The functions that libhpt-preload.so replaces. */
enum hpt_call {
	HPT_CALL_NANOSLEEP, HPT_CALL_CLOCK_NANOSLEEP, HPT_CALL_USLEEP, HPT_CALL_SLEEP, HPT_CALL_THRD_SLEEP,
	HPT_CALL_SELECT, HPT_CALL_PSELECT, HPT_CALL_POLL, HPT_CALL_PPOLL,
	HPT_CALL_EPOLL_WAIT, HPT_CALL_EPOLL_PWAIT, HPT_CALL_EPOLL_PWAIT2, HPT_CALL_SEM_TIMEDWAIT,
	HPT_CALL_SEM_CLOCKWAIT, HPT_CALL_COND_TIMEDWAIT, HPT_CALL_COND_CLOCKWAIT, HPT_CALL_CND_TIMEDWAIT,
	HPT_CALL_FUTEX,
	HPT_CALLS
};

/* Why a sleep is served without spinning, though the policy has spins. */
enum hpt_unspun {
	HPT_UNSPUN_NOT,     /* it may spin */
	HPT_UNSPUN_BUDGET,  /* the thread's, or that of all threads, is spent */
	HPT_UNSPUN_CROWD,   /* as many other threads spin then as may */
	HPT_UNSPUN_BACKOFF, /* the thread's spins were of no use, because other threads had its CPU */
	HPT_UNSPUN_EVENTS,  /* of a wait: events end those of the thread */
	HPT_UNSPUN_LIMIT,   /* a quota or the scheduling class allows no spins */
	HPT_UNSPUN_REASONS
};

#define HPT_TALLY_MAGIC 0x33744e5274507048u /* another layout has another number */
#define HPT_TALLY_BINS  64

/* Programs of 32 and of 64 bits have the same layout. Zeros, except the first number: nothing happened. */
struct hpt_tally {
	_Alignas(8) uint64_t magic;
	_Atomic uint64_t programs;            /* that were started with the object */
	_Atomic uint64_t served[HPT_CALLS];   /* sleeps and waits that ended on time by the library, or sooner */
	_Atomic uint64_t passed[HPT_CALLS];   /* those that went on to the next object as they were: too short */
	_Atomic uint64_t by_event[HPT_CALLS]; /* of those served: ended by what the program waited for */
	_Atomic uint64_t interrupted;         /* of those served: by a signal */
	_Atomic uint64_t unspun[HPT_UNSPUN_REASONS]; /* of those served: without spinning; the first stays 0 */
	_Atomic uint64_t spun_ns;
	/* Bin 0: not late. Bin k: 2^(k-1) ns to less than 2^k ns. */
	_Atomic uint64_t kernel_late[HPT_TALLY_BINS]; /* how late the kernel ended waits */
	/* How late those served ended that nothing ended sooner. */
	_Atomic uint64_t late[HPT_CALLS][HPT_TALLY_BINS];
};

static inline uint32_t hpt_tally_bin(int64_t late_ns)
{
	return late_ns > 0 ? 64 - (uint32_t)__builtin_clzll((unsigned long long)late_ns) : 0;
}

/* Adds to one of the counts. */
static inline void hpt_tally_add(_Atomic uint64_t *count, uint64_t n)
{
	atomic_fetch_add_explicit(count, n, memory_order_relaxed);
}

#endif
