/* SPDX-License-Identifier: MIT */
/*
 * audio.c - a callback each 64 frames at 44100 Hz, whose period is no whole number of nanoseconds.
 *
 *	cc -o audio audio.c $(pkg-config --cflags --libs libhpt)
 */
#include <stdio.h>

#include <hpt/hpt.h>

#define FRAMES 64
#define RATE_HZ 44100
#define BUFFERS 345

int main(void)
{
	uint64_t missed, buffers = 0, xruns = 0;
	struct hpt_ticker_info info;
	hpt_ticker *ticker;

	if (hpt_ticker_new(NULL, 0, 0, &ticker) < 0 || hpt_ticker_set_policy(ticker, HPT_SLEEP_STRICT, 0) < 0 ||
	    hpt_ticker_start_rational(ticker, hpt_now_ns(NULL), FRAMES, RATE_HZ) < 0)
		return 1;
	while (buffers < BUFFERS) {
		if (hpt_ticker_wait(ticker, &missed) < 0)
			return 1;
		buffers += 1 + missed;
		xruns += missed; /* silence in their place; here the callback makes FRAMES frames */
	}
	if (hpt_ticker_get_info(ticker, &info, sizeof(info)) < 0)
		return 1;
	hpt_ticker_free(ticker);
	printf("%d buffers, %d without a callback\n", (int)buffers, (int)xruns);
	printf("late: %.1f us in the median, %.1f us at most\n", (double)info.late_median_ns / 1e3,
	       (double)info.late_max_ns / 1e3);
	return info.ticks + info.missed != buffers;
}
