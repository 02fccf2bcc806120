/* SPDX-License-Identifier: MIT */
/*
 * cloud_vm.c - which clock a server on a virtual machine gets, and why.
 *
 *	cc -o cloud_vm cloud_vm.c $(pkg-config --cflags --libs libhpt)
 */
#include <stdio.h>

#include <hpt/hpt.h>

int main(void)
{
	struct hpt_clock_info clock;
	struct hpt_source_info tsc;
	uint64_t generation;

	if (hpt_clock_get_info(NULL, &clock, sizeof(clock)) < 0 ||
	    hpt_source_get_info(HPT_SOURCE_TSC, &tsc, sizeof(tsc)) < 0)
		return 1;
	printf("the kernel keeps time with: %s\n", *clock.kernel_clocksource ? clock.kernel_clocksource : "unknown");
	printf("chosen: %s: %s\n", hpt_source_name(clock.source), hpt_reason_text(clock.reason));
	printf("a read costs %.0f ns\n", (double)clock.read_cost_mean_ps / 1e3);
	if (!tsc.chosen)
		printf("not the TSC: %s\n", hpt_reason_text(tsc.reason));
	/* About once a minute: has the machine been moved, stopped or restored, or has the kernel left the counter? */
	printf("state: %s", hpt_state_name((uint32_t)hpt_clock_check(NULL, &generation)));
	printf(", generation %llu\n", (unsigned long long)generation);
	return 0;
}
