/* SPDX-License-Identifier: MIT */
/* A loop of 1 kHz: a round begins each millisecond, however long the round before took. */
#include <stdio.h>

#include <hpt/hpt.h>

int main(void)
{
	hpt_time_t millisecond = hpt_ns_to_ticks(NULL, 1000000), deadline = hpt_now(NULL);
	int punctual = 0;

	for (int round = 0; round < 1000; round++) {
		deadline += millisecond;
		hpt_sleep_until(NULL, deadline);
		punctual += hpt_ticks_to_ns(NULL, hpt_now(NULL) - deadline) < 1000;
		/* the work of this round */
	}
	printf("%d of 1000 rounds began within 1 us of their time\n", punctual);
	return 0;
}
