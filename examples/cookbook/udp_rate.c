/* SPDX-License-Identifier: MIT */
/*
 * udp_rate.c - datagrams at a fixed rate, here to a socket of the program's own on the loopback.
 *
 *	cc -o udp_rate udp_rate.c $(pkg-config --cflags --libs libhpt)
 */
#include <netinet/in.h>
#include <stdio.h>
#include <sys/socket.h>

#include <hpt/hpt.h>

#define PACKETS 500
#define PERIOD_NS 1000000

int main(void)
{
	struct sockaddr_in to = { .sin_family = AF_INET };
	socklen_t size = sizeof(to);
	hpt_ticker *ticker;
	int received = 0, number, fd = socket(AF_INET, SOCK_DGRAM, 0);

	to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (fd < 0 || bind(fd, (struct sockaddr *)&to, size) || getsockname(fd, (struct sockaddr *)&to, &size) ||
	    connect(fd, (struct sockaddr *)&to, size) || hpt_ticker_new(NULL, PERIOD_NS, 0, &ticker) < 0 ||
	    hpt_ticker_set_missed(ticker, HPT_TICKER_CATCH_UP, 0) < 0)
		return 1;
	for (int i = 0; i < PACKETS; i++) {
		if (hpt_ticker_wait(ticker, NULL) < 0 || send(fd, &i, sizeof(i), 0) < 0)
			return 1;
		received += recv(fd, &number, sizeof(number), 0) == sizeof(number) && number == i;
	}
	hpt_ticker_free(ticker);
	printf("%d packets sent, %d received\n", PACKETS, received);
	return received != PACKETS;
}
