/* SPDX-License-Identifier: MIT */
/*
 * time_section.c - how long a section takes, also one that is shorter than a step of the clock.
 *
 *	cc -o time_section time_section.c $(pkg-config --cflags --libs libhpt)
 */
#include <stdio.h>

#include <hpt/hpt.h>

#define ROUNDS 1000000

static volatile unsigned int state = 1;

static void work(void)
{
	state = state * 1664525 + 1013904223;
}

int main(void)
{
	struct hpt_clock_info info;
	hpt_time_t start = hpt_now(NULL), once, many;

	work();
	once = hpt_now(NULL) - start;
	start = hpt_now(NULL);
	for (int i = 0; i < ROUNDS; i++)
		work();
	many = hpt_now(NULL) - start;
	if (hpt_clock_get_info(NULL, &info, sizeof(info)) < 0)
		return 1;
	printf("one round: %lld ns, with a read of %.1f ns, in steps of up to %u ns\n",
	       (long long)hpt_ticks_to_ns(NULL, once), (double)info.read_cost_mean_ps / 1e3, info.granularity_ns);
	printf("a round of %d: %.2f ns\n", ROUNDS, (double)hpt_ticks_to_ns(NULL, many) / ROUNDS);
	return 0;
}
