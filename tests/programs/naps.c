// SPDX-License-Identifier: MIT
/*
 * naps US MS: a loop that backs off by usleep(US), as programs do that wait for another one. Runs for MS milliseconds
 * and prints the number of calls, the CPU time and the time, in ns.
 */
#define _DEFAULT_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static int64_t now_ns(clockid_t id)
{
	struct timespec ts;

	clock_gettime(id, &ts);
	return (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

int main(int argc, char **argv)
{
	int64_t began_ns, cpu_ns, end_ns, calls = 0;
	useconds_t us;

	if (argc != 3)
		return 2;
	us = (useconds_t)atol(argv[1]);
	began_ns = now_ns(CLOCK_MONOTONIC);
	cpu_ns = now_ns(CLOCK_PROCESS_CPUTIME_ID);
	end_ns = began_ns + (int64_t)atol(argv[2]) * 1000000;
	while (now_ns(CLOCK_MONOTONIC) < end_ns) {
		usleep(us);
		calls++;
	}
	printf("%lld %lld %lld\n", (long long)calls, (long long)(now_ns(CLOCK_PROCESS_CPUTIME_ID) - cpu_ns),
	       (long long)(now_ns(CLOCK_MONOTONIC) - began_ns));
	return 0;
}
