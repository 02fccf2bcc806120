// SPDX-License-Identifier: MIT
/*
 * Measures sleeps of 40 ms by the kernel's own clocks, even where libc's are replaced. Prints a line for each: the
 * result and the ns that it took, by CLOCK_MONOTONIC and by CLOCK_MONOTONIC_RAW.
 */
#include <inttypes.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <hpt/hpt.h>

#define LENGTH_NS 40000000

/* Not through libc's syscall() either: it can be replaced like any other function. */
static int64_t kernel_ns(clockid_t clock)
{
	struct { int64_t tv_sec, tv_nsec; } ts = { 0, 0 };
#ifdef __x86_64__
	long r;

	__asm__ volatile("syscall" : "=a"(r) : "0"(SYS_clock_gettime), "D"(clock), "S"(&ts)
			 : "rcx", "r11", "memory");
#else
	syscall(SYS_clock_gettime, clock, &ts);
#endif
	return ts.tv_sec * 1000000000 + ts.tv_nsec;
}

int main(void)
{
	for (int i = 0; i < 4; i++) {
		int64_t mono_ns = kernel_ns(CLOCK_MONOTONIC), raw_ns = kernel_ns(CLOCK_MONOTONIC_RAW);
		int r = i % 2 ? hpt_sleep_ns(NULL, LENGTH_NS) :
				hpt_sleep_until_ticks(NULL, hpt_now(NULL) + hpt_ns_to_ticks(NULL, LENGTH_NS));

		raw_ns = kernel_ns(CLOCK_MONOTONIC_RAW) - raw_ns;
		mono_ns = kernel_ns(CLOCK_MONOTONIC) - mono_ns;
		printf("%d %" PRId64 " %" PRId64 "\n", r, mono_ns, raw_ns);
	}
	return 0;
}
