// SPDX-License-Identifier: MIT
/*
 * hpt_now_ns() and the kernel's CLOCK_MONOTONIC_RAW, read in turns: where the kernel uses the same counter they are one
 * timeline, and neither is ever smaller than the other was just before.
 *
 * usage: interleaved READS
 * hpt_now_unix_ns() and CLOCK_REALTIME are printed in the same way but not checked: NTP slews that clock meanwhile.
 */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <hpt/hpt.h>

#include "process.h"

/* By then the library has taken samples at 1, 10 and 100 ms and at 1 s and 2 s, and knows the kernel's own rate. */
#define SETTLED_NS INT64_C(2500000000)

/* The alarm turns a hang into a failure. 10^7 reads of both pairs take 1 s, or a minute where each read is trapped. */
#define WATCHDOG_S 300

typedef int64_t read_fn(hpt_clock *clk);

/* How much later one clock was than the other just before. Negative: time went back. */
struct gap {
	int64_t  least_ns;
	uint64_t below_zero;
};

static int64_t kernel_ns(clockid_t id)
{
	struct timespec ts;

	clock_gettime(id, &ts);
	return (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

static bool on_one_counter(void)
{
	struct hpt_clock_info info;

	return !hpt_clock_get_info(NULL, &info, sizeof(info)) && info.source == HPT_SOURCE_TSC &&
	       !strcmp(info.kernel_clocksource, "tsc");
}

static void settle(void)
{
	int64_t end_ns = kernel_ns(CLOCK_MONOTONIC_RAW) + SETTLED_NS;

	while (kernel_ns(CLOCK_MONOTONIC_RAW) < end_ns)
		for (int i = 0; i < 1000; i++)
			if (hpt_now_ns(NULL) <= 0 || hpt_now_unix_ns(NULL) <= 0)
				failures++;
}

static void note(struct gap *gap, int64_t earlier_ns, int64_t later_ns)
{
	int64_t ns = later_ns - earlier_ns;

	gap->below_zero += ns < 0;
	if (ns < gap->least_ns)
		gap->least_ns = ns;
}

static void read_in_turns(read_fn *read, clockid_t id, uint64_t reads, struct gap *to_ours, struct gap *to_kernel)
{
	int64_t kernel = kernel_ns(id), ours;

	for (uint64_t i = 0; i < reads; i++) {
		ours = read(NULL);
		note(to_ours, kernel, ours);
		kernel = kernel_ns(id);
		note(to_kernel, ours, kernel);
	}
}

/* Returns how often time went back. */
static uint64_t compare(const char *what, read_fn *read, clockid_t id, uint64_t reads)
{
	struct gap to_ours = { .least_ns = INT64_MAX }, to_kernel = to_ours;

	read_in_turns(read, id, reads, &to_ours, &to_kernel);
	printf("%s: smallest gap from the kernel to us %lld ns, back %lld ns; below zero %llu and %llu of %llu\n", what,
	       (long long)to_ours.least_ns, (long long)to_kernel.least_ns, (unsigned long long)to_ours.below_zero,
	       (unsigned long long)to_kernel.below_zero, (unsigned long long)reads);
	return to_ours.below_zero + to_kernel.below_zero;
}

int main(int argc, char **argv)
{
	uint64_t reads = argc == 2 ? strtoull(argv[1], NULL, 10) : 0, back;

	if (!reads) {
		fprintf(stderr, "usage: interleaved READS\n");
		return 2;
	}
	alarm(WATCHDOG_S);
	if (!on_one_counter())
		return skip("library and kernel do not both use the TSC");
	settle();
	back = compare("hpt_now_ns, CLOCK_MONOTONIC_RAW", hpt_now_ns, CLOCK_MONOTONIC_RAW, reads);
	compare("hpt_now_unix_ns, CLOCK_REALTIME", hpt_now_unix_ns, CLOCK_REALTIME, reads);
	CHECK(!back, "one of two clocks on one counter went back against the other");
	return failures != 0;
}
