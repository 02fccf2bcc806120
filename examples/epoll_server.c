/* SPDX-License-Identifier: MIT */
/*
 * epoll_server.c - an event loop with a ticker: a server that answers by UDP, and has something to do each millisecond.
 *
 *	cc -pthread -o epoll_server epoll_server.c $(pkg-config --cflags --libs libhpt)
 *	./epoll_server [SECONDS]
 *
 * epoll reports the ticker's descriptor a margin before each tick, and hpt_ticker_wait() waits for the rest. Requests
 * wait that long too, some tens of microseconds. With HPT_SLEEP_NOSPIN they would not, and the ticks would be as late
 * as a timerfd's. The client is a thread of this program, for the demonstration. Ctrl-C ends it as the end of the time
 * does: the client learns from its next answer that this was the last. Exit 1 means that a tick came early or was not
 * counted, or that a request had no answer within 5 s.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>

#include <hpt/hpt.h>

#define PERIOD_NS INT64_C(1000000)

struct message {
	uint64_t number;
	uint64_t is_last; /* in an answer: the client may go */
};

static hpt_ticker *ticker;
static int64_t ticks, served;           /* the server's */
static uint64_t answers, lost, slowest; /* the client's; slowest in ticks of the clock */

static void on_signal(int number)
{
	(void)number;
	hpt_ticker_interrupt(ticker);
}

/* Returns 0 after 5 s without an answer. Late answers to earlier requests are passed over, but for the last of all. */
static int has_answer(int fd, const struct message *request, struct message *answer)
{
	ssize_t r;

	if (send(fd, request, sizeof(*request), 0) < 0)
		return 0;
	do
		r = recv(fd, answer, sizeof(*answer), 0);
	while (r < 0 ? errno == EINTR : answer->number != request->number && !answer->is_last);
	return r >= 0;
}

/* The client asks until the server has no more time, with pauses of 0.1 ms. It sends again after 5 s without answer. */
static void *ask(void *arg)
{
	static const struct timespec a_while = { 0, 100000 };
	struct message request = { 0, 0 }, answer = { 0, 0 };
	int fd = *(int *)arg;

	while (!answer.is_last) {
		hpt_time_t sent = hpt_now(NULL);
		uint64_t took;

		request.number++;
		while (!has_answer(fd, &request, &answer))
			lost++;
		answers++;
		took = (uint64_t)(hpt_now(NULL) - sent);
		slowest = took > slowest ? took : slowest;
		nanosleep(&a_while, NULL);
	}
	return NULL;
}

/* Returns whether this answer was the last. */
static int answer_one(int fd, int is_over)
{
	struct sockaddr_in from;
	socklen_t size = sizeof(from);
	struct message m;

	if (recvfrom(fd, &m, sizeof(m), MSG_DONTWAIT, (struct sockaddr *)&from, &size) != sizeof(m))
		return 0;
	m.is_last = (uint64_t)is_over;
	if (sendto(fd, &m, sizeof(m), 0, (struct sockaddr *)&from, size) != sizeof(m))
		return 0;
	served++;
	return is_over;
}

/* The event loop. The ticker was made after start_ns. */
static int serve(int epoll, int fd, int64_t start_ns, int64_t end)
{
	struct epoll_event events[8];
	int is_over = 0, was_last = 0;
	int64_t n = 0; /* the latest tick's number */

	while (!was_last) {
		int ready = epoll_wait(epoll, events, 8, -1); /* fails only if a signal handler ran */

		for (int i = 0; i < ready; i++) {
			uint64_t missed;

			if (events[i].data.fd == fd) {
				was_last = answer_one(fd, is_over);
				continue;
			}
			if (hpt_ticker_wait(ticker, &missed) < 0) {
				is_over = 1; /* -ECANCELED: on_signal() was called */
				continue;
			}
			/* The work of a tick would be here. */
			ticks++;
			n += 1 + (int64_t)missed;
			is_over |= n >= end;
			if (hpt_now_ns(NULL) < start_ns + n * PERIOD_NS && hpt_clock_generation(NULL) == 1) {
				fprintf(stderr, "epoll_server: tick %" PRId64 " came early\n", n);
				return 1;
			}
		}
	}
	return 0;
}

static int report(void)
{
	struct hpt_ticker_info info;

	if (hpt_ticker_get_info(ticker, &info, sizeof(info)) < 0)
		return 1;
	printf("%" PRIu64 " ticks and %" PRIu64 " missed; ", info.ticks, info.missed);
	printf("late: %.3f us in the median, 99 %% within %.3f us, %.3f us at most\n",
	       (double)info.late_median_ns / 1e3, (double)info.late_p99_ns / 1e3, (double)info.late_max_ns / 1e3);
	printf("%" PRId64 " requests served, %" PRIu64 " answers received, %" PRIu64 " lost; ", served, answers, lost);
	printf("the slowest took %.3f us\n", (double)hpt_ticks_to_ns(NULL, (int64_t)slowest) / 1e3);
	return lost || answers != (uint64_t)served || info.ticks != (uint64_t)ticks;
}

/* A socket at a free port of the loopback, and one that is connected to it. */
static int make_sockets(int *server, int *client)
{
	static const struct timeval longest = { 5, 0 };
	struct sockaddr_in address;
	socklen_t size = sizeof(address);

	memset(&address, 0, sizeof(address));
	address.sin_family = AF_INET;
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	*server = socket(AF_INET, SOCK_DGRAM, 0);
	*client = socket(AF_INET, SOCK_DGRAM, 0);
	return *server < 0 || *client < 0 || bind(*server, (struct sockaddr *)&address, size) ||
	       getsockname(*server, (struct sockaddr *)&address, &size) ||
	       connect(*client, (struct sockaddr *)&address, size) ||
	       setsockopt(*client, SOL_SOCKET, SO_RCVTIMEO, &longest, sizeof(longest));
}

int main(int argc, char **argv)
{
	char none[] = "", *rest = none;
	double seconds = argc > 1 ? strtod(argv[1], &rest) : 2;
	struct epoll_event on_request, on_tick;
	int server, client, result, epoll = epoll_create1(0);
	int64_t start_ns = hpt_now_ns(NULL);
	pthread_t thread;

	if (argc > 2 || *rest || !(seconds >= 0.001 && seconds <= 1e6)) {
		fprintf(stderr, "usage: epoll_server [SECONDS]\nSECONDS is a number from 0.001 to 1000000.\n");
		return 2;
	}
	if (make_sockets(&server, &client) || hpt_ticker_new(NULL, PERIOD_NS, 0, &ticker) < 0) {
		perror("epoll_server: no socket or no ticker");
		return 1;
	}
	on_request.events = on_tick.events = EPOLLIN;
	on_request.data.fd = server;
	on_tick.data.fd = hpt_ticker_fd(ticker);
	if (epoll_ctl(epoll, EPOLL_CTL_ADD, server, &on_request) ||
	    epoll_ctl(epoll, EPOLL_CTL_ADD, on_tick.data.fd, &on_tick) || pthread_create(&thread, NULL, ask, &client)) {
		perror("epoll_server: no event loop or no thread");
		return 1;
	}
	signal(SIGINT, on_signal);
	result = serve(epoll, server, start_ns, (int64_t)(seconds * 1000));
	if (!result) {
		pthread_join(thread, NULL);
		result = report();
	}
	hpt_ticker_free(ticker);
	return result;
}
