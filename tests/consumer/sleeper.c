/* SPDX-License-Identifier: MIT */
/* A loop of 1 kHz: a round begins each millisecond, however long the round before took. */
#include <stdint.h>
#include <stdio.h>

#include <hpt/hpt.h>

int main(void)
{
	int64_t deadline = hpt_now_ns(NULL);
	int punctual = 0;

	for (int round = 0; round < 1000; round++) {
		deadline += 1000000;
		hpt_sleep_until_ns(NULL, deadline);
		punctual += hpt_now_ns(NULL) - deadline < 1000;
		/* the work of this round */
	}
	printf("%d of 1000 rounds began within 1 us of their time\n", punctual);
	return 0;
}
