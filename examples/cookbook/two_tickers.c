/* SPDX-License-Identifier: MIT */
/*
 * two_tickers.c - two periods in one loop of epoll, beside whatever else the loop serves.
 *
 *	cc -o two_tickers two_tickers.c $(pkg-config --cflags --libs libhpt)
 */
#include <errno.h>
#include <stdio.h>
#include <sys/epoll.h>

#include <hpt/hpt.h>

int main(void)
{
	static const int64_t period_ns[2] = { 2000000, 5000000 };
	hpt_ticker *ticker[2];
	uint64_t missed, count[2] = { 0, 0 };
	int epoll = epoll_create1(EPOLL_CLOEXEC);

	for (uint32_t i = 0; i < 2; i++) {
		struct epoll_event event = { .events = EPOLLIN, .data.u32 = i };

		if (hpt_ticker_new(NULL, period_ns[i], 0, &ticker[i]) < 0 ||
		    epoll_ctl(epoll, EPOLL_CTL_ADD, hpt_ticker_fd(ticker[i]), &event))
			return 1;
	}
	while (count[0] < 50 || count[1] < 20) {
		struct epoll_event event;
		int ready = epoll_wait(epoll, &event, 1, -1);

		if (ready < 0 && errno == EINTR) /* by a signal, or a stop */
			continue;
		if (ready < 0 || hpt_ticker_wait(ticker[event.data.u32], &missed) < 0)
			return 1;
		count[event.data.u32] += 1 + missed; /* the work of this tick */
	}
	printf("ticks: %d of the first ticker, %d of the second\n", (int)count[0], (int)count[1]);
	hpt_ticker_free(ticker[0]);
	hpt_ticker_free(ticker[1]);
	return 0;
}
