/* SPDX-License-Identifier: MIT */
/*
 * frames.c - 59.94 Hz, which is 60000/1001, without drift.
 *
 *	cc -o frames frames.c $(pkg-config --cflags --libs libhpt)
 */
#include <stdio.h>

#include <hpt/hpt.h>

#define FRAMES 60

int main(void)
{
	int64_t first_ns = hpt_now_ns(NULL) + 10000000, next_ns;
	uint64_t missed, frame = 0;
	hpt_ticker *ticker;

	if (hpt_ticker_new(NULL, 0, 0, &ticker) < 0 || hpt_ticker_start_rational(ticker, first_ns, 1001, 60000) < 0)
		return 1;
	while (frame < FRAMES) {
		if (hpt_ticker_wait(ticker, &missed) < 0)
			return 1;
		frame += 1 + missed; /* frames whose time has passed are not drawn */
	}
	if (hpt_ticker_next_ns(ticker, &next_ns) < 0)
		return 1;
	hpt_ticker_free(ticker);
	printf("frame %llu comes %lld ns after the first\n", (unsigned long long)frame,
	       (long long)(next_ns - first_ns));
	printf("with a period of 16683333 ns frame 1000000 would be %lld ns early\n",
	       1000000LL * 1001000000000 / 60000 - 1000000LL * 16683333);
	return 0;
}
