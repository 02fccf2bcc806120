// SPDX-License-Identifier: MIT
/*
 * A relay of datagrams that takes its time, another one for each direction: a network whose ways there and back differ.
 *
 * usage: relay OWN SERVER there_us=N back_us=N [jitter_us=N]     OWN, SERVER: ADDRESS:PORT; prints "ready"
 *
 * A client's datagrams go on through a socket of its own, by which the answers find back.
 */
#include <poll.h>
#include <stdbool.h>
#include <sys/socket.h>
#include <time.h>

#include "arguments.h"
#include "truth.h"

#define CLIENTS 8
#define QUEUE   256
#define SIZE    1024

struct parcel {
	int64_t due_ns;
	int fd;
	struct sockaddr_in to;
	size_t length;
	uint8_t bytes[SIZE];
};

static struct {
	struct sockaddr_in server, clients[CLIENTS];
	int64_t there_ns, back_ns, jitter_ns;
	struct pollfd fds[1 + CLIENTS];
	nfds_t n_fds;
	struct parcel queue[QUEUE];
	size_t n_queued;
} relay;

static bool is_same(const struct sockaddr_in *a, const struct sockaddr_in *b)
{
	return a->sin_port == b->sin_port && a->sin_addr.s_addr == b->sin_addr.s_addr;
}

/* The index of the client's socket; the oldest client's is taken where there are too many. */
static nfds_t socket_of(const struct sockaddr_in *client)
{
	static nfds_t oldest;
	nfds_t i;

	for (i = 1; i < relay.n_fds; i++)
		if (is_same(&relay.clients[i - 1], client))
			return i;
	if (relay.n_fds <= CLIENTS) {
		relay.fds[relay.n_fds++] = (struct pollfd){ .fd = datagrams(NULL), .events = POLLIN };
	} else {
		i = 1 + oldest++ % CLIENTS;
	}
	relay.clients[i - 1] = *client;
	return i;
}

static void keep(const struct parcel *p, int64_t delay_ns)
{
	struct parcel *kept = &relay.queue[relay.n_queued];

	if (relay.n_queued == QUEUE)
		return; /* lost, as in any network */
	*kept = *p;
	kept->due_ns = read_clock_ns(CLOCK_MONOTONIC) + delay_ns + (relay.jitter_ns ? rand() % relay.jitter_ns : 0);
	relay.n_queued++;
}

static void take(nfds_t i)
{
	struct sockaddr_in from;
	socklen_t size = sizeof(from);
	struct parcel p = { .fd = relay.fds[i].fd };
	ssize_t n = recvfrom(p.fd, p.bytes, sizeof(p.bytes), 0, (struct sockaddr *)&from, &size);

	if (n < 0)
		return; /* a refused port: ICMP */
	p.length = (size_t)n;
	if (i) {
		p.fd = relay.fds[0].fd;
		p.to = relay.clients[i - 1];
	} else {
		p.fd = relay.fds[socket_of(&from)].fd;
		p.to = relay.server;
	}
	keep(&p, i ? relay.back_ns : relay.there_ns);
}

/* Sends what is due. Returns when the next is, or INT64_MAX. */
static int64_t send_due(void)
{
	int64_t next_ns = INT64_MAX;

	for (size_t i = 0; i < relay.n_queued; ) {
		struct parcel *p = &relay.queue[i];

		if (p->due_ns > read_clock_ns(CLOCK_MONOTONIC)) {
			next_ns = p->due_ns < next_ns ? p->due_ns : next_ns;
			i++;
			continue;
		}
		sendto(p->fd, p->bytes, p->length, 0, (struct sockaddr *)&p->to, sizeof(p->to));
		*p = relay.queue[--relay.n_queued];
	}
	return next_ns;
}

static void wait_until(int64_t ns)
{
	int64_t left_ns = ns - read_clock_ns(CLOCK_MONOTONIC);
	struct timespec left = { .tv_sec = (time_t)(left_ns / NS_PER_S), .tv_nsec = (long)(left_ns % NS_PER_S) };

	if (left_ns < 0)
		left = (struct timespec){ .tv_sec = 0 };
	ppoll(relay.fds, relay.n_fds, ns == INT64_MAX ? NULL : &left, NULL);
}

int main(int argc, char **argv)
{
	struct sockaddr_in own;

	if (argc < 3)
		return 2;
	own = address_of(argv[1]);
	relay.server = address_of(argv[2]);
	relay.there_ns = number_of(argv + 3, "there_us", 0) * 1000;
	relay.back_ns = number_of(argv + 3, "back_us", 0) * 1000;
	relay.jitter_ns = number_of(argv + 3, "jitter_us", 0) * 1000;
	relay.fds[relay.n_fds++] = (struct pollfd){ .fd = datagrams(&own), .events = POLLIN };
	puts("ready");
	fflush(stdout);
	for (;;) {
		wait_until(send_due());
		for (nfds_t i = 0, n = relay.n_fds; i < n; i++)
			if (relay.fds[i].revents)
				take(i);
	}
}
