/* SPDX-License-Identifier: MIT */
/* A hundred periods of a millisecond, and how many of them were missed. */
#include <inttypes.h>
#include <stdio.h>

#include <hpt/hpt.h>

enum { PERIODS = 100 };

int main(void)
{
	hpt_ticker *ticker;
	uint64_t missed, all_missed = 0;

	if (hpt_ticker_new(NULL, 1000000, 0, &ticker) < 0)
		return 1;
	for (int i = 0; i < PERIODS; i++) {
		if (hpt_ticker_wait(ticker, &missed) < 0)
			return 1;
		all_missed += missed;
	}
	hpt_ticker_free(ticker);
	printf("libhpt %s: %d periods of 1 ms, %" PRIu64 " more missed\n", hpt_version(), PERIODS, all_missed);
	return 0;
}
