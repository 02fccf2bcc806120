// SPDX-License-Identifier: MIT
/* The reads and sleeps of the processor and of libc: the yardsticks. */
#include <time.h>

#include "arch/arch.h"
#include "floor.h"
#include "peer.h"

static inline int64_t gettime(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * INT64_C(1000000000) + ts.tv_nsec;
}

HPT_PEER_LOOPS(gettime, gettime())
HPT_PEER_LOOPS(nothing, i)

#ifdef HPT_ARCH_X86
HPT_PEER_LOOPS(rdtscp, arch_rdtscp())
HPT_PEER_LOOPS(rdtsc, arch_rdtsc())
HPT_PEER_LOOPS(floor_rdtscp, hpt_bench_rdtscp())
HPT_PEER_LOOPS(floor_rdtsc, hpt_bench_rdtsc())
#endif

static void sleep_nano(int64_t ns)
{
	struct timespec ts = { .tv_sec = (time_t)(ns / 1000000000), .tv_nsec = (long)(ns % 1000000000) };

	nanosleep(&ts, NULL);
}

const struct hpt_peer hpt_peers[] = {
	HPT_PEER_READS("clock_gettime(MONOTONIC)", gettime, 0),
#ifdef HPT_ARCH_X86
	HPT_PEER_READS("rdtscp", rdtscp, 0),
	HPT_PEER_READS("rdtsc", rdtsc, 0),
	HPT_PEER_READS("rdtscp in a call", floor_rdtscp, 0),
	HPT_PEER_READS("rdtsc in a call", floor_rdtsc, 0),
#endif
	HPT_PEER_READS("nothing", nothing, 0), /* the loop alone; in the isolated table, the loop and the fence */
	HPT_PEER_SLEEPS("nanosleep", sleep_nano, 1),
	HPT_PEER_LAST,
};
