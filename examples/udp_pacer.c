/* SPDX-License-Identifier: MIT */
/*
 * udp_pacer.c - sends UDP packets at a fixed rate, for measurements of networks, and measures how even they arrive.
 *
 *	cc -pthread -o udp_pacer udp_pacer.c $(pkg-config --cflags --libs libhpt)
 *	./udp_pacer [PACKETS_PER_SECOND [SECONDS]]
 *
 * hpt_ticker, clock_nanosleep() and SO_TXTIME take turns in pacing a block of at most 100 packets. A thread receives
 * them on the loopback with the kernel's times of arrival. The program prints how far the gaps between packets were
 * off, how late the packets were against their schedule, and the sender's CPU time. With SO_TXTIME the kernel sends a
 * packet at a given time, but only if the interface has a queue of the kind fq: otherwise packets leave at once, early
 * and without an error. (etf obeys it too, but drops the packets of the other two.) So it is used only where tc shows
 * fq. Ctrl-C ends the program after a block. Exit 1 means that a packet was early or lost, never that one was late.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <linux/net_tstamp.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>

#include <hpt/hpt.h>

#define MOST      1000000 /* packets */
#define EARLY_NS  100000  /* an arrival this much before the schedule is early: two clocks are compared */
#define AHEAD_NS  2000000 /* SO_TXTIME hands a packet to the kernel this much before its time */
#define SECOND_NS INT64_C(1000000000)

enum { TICKER, NANOSLEEP, TXTIME, METHODS };

struct packet {
	int64_t number; /* in a block, from 1 */
	int64_t due_ns; /* Unix time */
};

static struct results {
	long    sent, received, gaps, early;
	int64_t cpu_ns, elapsed_ns;
	int64_t late_ns[MOST], gap_off_ns[MOST];
} results[METHODS];

static long rate = 1000;
static int sender, receiver;
static volatile sig_atomic_t stop;

static void on_signal(int number)
{
	stop = number;
}

/* The nanoseconds from the start of a block to its packet n, rounded up as the ticker does. */
static int64_t offset_ns(int64_t n)
{
	return (n * SECOND_NS + rate - 1) / rate;
}

static int64_t ns_of(const struct timespec *t)
{
	return t->tv_sec * SECOND_NS + t->tv_nsec;
}

static int64_t cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return ns_of(&t);
}

/* ---- Receive ------------------------------------------------------------------------------------------------ */

/* The next packet and its time of arrival. Fails if a minute passes without one. */
static int receive_packet(struct packet *p, int64_t *at_ns)
{
	int64_t control[16];
	struct iovec data = { p, sizeof(*p) };
	struct msghdr m;
	struct timespec at;
	ssize_t size;

	memset(&m, 0, sizeof(m));
	m.msg_iov = &data;
	m.msg_iovlen = 1;
	m.msg_control = control;
	m.msg_controllen = sizeof(control);
	do {
		size = recvmsg(receiver, &m, 0);
	} while (size < 0 && errno == EINTR);
	if (size != sizeof(*p) || !CMSG_FIRSTHDR(&m) || CMSG_FIRSTHDR(&m)->cmsg_type != SO_TIMESTAMPNS)
		return -1;
	memcpy(&at, CMSG_DATA(CMSG_FIRSTHDR(&m)), sizeof(at));
	*at_ns = ns_of(&at);
	return 0;
}

/* A thread for each block. */
static void *receive_block(void *arg)
{
	struct results *r = (struct results *)arg;
	struct packet p, before = { -1, 0 };
	int64_t at_ns, before_ns = 0;

	while (r->received < r->sent && !receive_packet(&p, &at_ns)) {
		if (p.number == before.number + 1)
			r->gap_off_ns[r->gaps++] = llabs(at_ns - before_ns - (p.due_ns - before.due_ns));
		r->early += at_ns < p.due_ns - EARLY_NS;
		r->late_ns[r->received++] = at_ns - p.due_ns;
		before = p;
		before_ns = at_ns;
	}
	return NULL;
}

/* ---- Send --------------------------------------------------------------------------------------------------- */

/* at_ns: when the kernel is to send the packet, for SO_TXTIME; 0: now. */
static int send_packet(struct packet *p, int64_t at_ns)
{
	int64_t control[16] = { 0 };
	struct iovec data = { p, sizeof(*p) };
	struct msghdr m;

	memset(&m, 0, sizeof(m));
	m.msg_iov = &data;
	m.msg_iovlen = 1;
	if (at_ns) {
		m.msg_control = control;
		m.msg_controllen = CMSG_SPACE(sizeof(at_ns));
		CMSG_FIRSTHDR(&m)->cmsg_level = SOL_SOCKET;
		CMSG_FIRSTHDR(&m)->cmsg_type = SCM_TXTIME;
		CMSG_FIRSTHDR(&m)->cmsg_len = CMSG_LEN(sizeof(at_ns));
		memcpy(CMSG_DATA(CMSG_FIRSTHDR(&m)), &at_ns, sizeof(at_ns));
	}
	return sendmsg(sender, &m, 0) == sizeof(*p) ? 0 : -1;
}

/* Packets 1 to n after a start, which is one moment by all clocks. Returns how many were early, or -1. */
static int send_block(hpt_ticker *ticker, int method, long n)
{
	struct hpt_sample start;
	int early = 0;

	if (hpt_clock_sample(NULL, &start, sizeof(start)) < 0 ||
	    hpt_ticker_start_rational(ticker, start.ns, 1, (uint32_t)rate) < 0)
		return -1;
	hpt_ticker_wait(ticker, NULL); /* tick 0 is the start */
	for (int64_t i = 1; i <= n; i++) {
		struct packet p = { i, start.unix_ns + offset_ns(i) };
		int64_t at_ns = start.monotonic_ns + offset_ns(i);
		struct timespec at = { (time_t)(at_ns / SECOND_NS), (long)(at_ns % SECOND_NS) };

		if (method == TICKER) {
			hpt_ticker_wait(ticker, NULL);
			early += hpt_now_ns(NULL) < start.ns + offset_ns(i) &&
				 hpt_clock_generation(NULL) == start.generation;
		} else if (method == NANOSLEEP) {
			while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL))
				;
		} else {
			hpt_sleep_until_ns(NULL, start.ns + offset_ns(i) - AHEAD_NS);
		}
		if (send_packet(&p, method == TXTIME ? at_ns : 0))
			return -1;
	}
	return early;
}

static int run_block(hpt_ticker *ticker, int method, long n)
{
	struct results *r = &results[method];
	int64_t used_ns = cpu_ns(), began_ns = hpt_now_ns(NULL);
	pthread_t thread;
	int early;

	r->sent += n;
	if (pthread_create(&thread, NULL, receive_block, r))
		return -1;
	early = send_block(ticker, method, n);
	r->cpu_ns += cpu_ns() - used_ns;
	r->elapsed_ns += hpt_now_ns(NULL) - began_ns;
	if (early < 0 || pthread_join(thread, NULL))
		return -1;
	r->early += early;
	if (r->received != r->sent)
		stop = 1;
	return 0;
}

/* ---- Report ------------------------------------------------------------------------------------------------- */

static int ascending(const void *a, const void *b)
{
	const int64_t *x = (const int64_t *)a, *y = (const int64_t *)b;

	return (*x > *y) - (*x < *y);
}

static void print_quantiles(const char *what, int64_t *ns, long n)
{
	if (n < 1)
		return;
	qsort(ns, (size_t)n, sizeof(*ns), ascending);
	printf("  %s: %.3f us in the median, 99 %% within %.3f us, %.3f us at most\n", what, (double)ns[n / 2] / 1e3,
	       (double)ns[n * 99 / 100] / 1e3, (double)ns[n - 1] / 1e3);
}

static int report(const char *name, struct results *r)
{
	double share = r->elapsed_ns ? (double)r->cpu_ns / (double)r->elapsed_ns : 0;

	printf("%s: %ld packets, %ld lost, %ld early; ", name, r->sent, r->sent - r->received, r->early);
	printf("%.1f %% of a CPU\n", 100 * share);
	print_quantiles("gaps off by", r->gap_off_ns, r->gaps);
	print_quantiles("late", r->late_ns, r->received);
	return r->early || r->received != r->sent;
}

/* ---- Set up ------------------------------------------------------------------------------------------------- */

/* setsockopt() succeeds for any queue, so tc is asked which one this is. */
static int can_use_txtime(void)
{
	struct sock_txtime how = { CLOCK_MONOTONIC, 0 };
	char line[128] = "";
	FILE *tc = popen("tc qdisc show dev lo 2>&1", "r");

	if (tc) {
		if (!fgets(line, sizeof(line), tc))
			line[0] = '\0';
		pclose(tc);
	}
	if (!strncmp(line, "qdisc fq ", 9) && !setsockopt(sender, SOL_SOCKET, SO_TXTIME, &how, sizeof(how)))
		return 1;
	line[strcspn(line, "\n")] = '\0';
	printf("SO_TXTIME is not used: the loopback has no queue fq, tc says \"%s\"\n", line);
	return 0;
}

/* A socket at a free port of the loopback, and one that is connected to it. */
static int make_sockets(void)
{
	static const struct timeval minute = { 60, 0 };
	struct sockaddr_in address;
	socklen_t size = sizeof(address);
	int on = 1;

	memset(&address, 0, sizeof(address));
	address.sin_family = AF_INET;
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	receiver = socket(AF_INET, SOCK_DGRAM, 0);
	sender = socket(AF_INET, SOCK_DGRAM, 0);
	return bind(receiver, (struct sockaddr *)&address, size) ||
	       getsockname(receiver, (struct sockaddr *)&address, &size) ||
	       setsockopt(receiver, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof(on)) ||
	       setsockopt(receiver, SOL_SOCKET, SO_RCVTIMEO, &minute, sizeof(minute)) ||
	       connect(sender, (struct sockaddr *)&address, size);
}

int main(int argc, char **argv)
{
	static const char *const names[METHODS] = { "hpt_ticker", "clock_nanosleep", "SO_TXTIME" };
	char none[] = "", *rest = none, *rest2 = none;
	double seconds = argc > 2 ? strtod(argv[2], &rest2) : 1;
	long packets = 0, methods;
	hpt_ticker *ticker;
	int result = 0;

	if (argc > 1)
		rate = strtol(argv[1], &rest, 10);
	if (rate >= 20 && rate <= 100000 && seconds >= 0.1 && seconds <= MOST / (double)rate)
		packets = (long)((double)rate * seconds);
	if (argc > 3 || *rest || *rest2 || !packets) {
		fprintf(stderr, "usage: udp_pacer [PACKETS_PER_SECOND [SECONDS]]\n"
				"20 to 100000 packets per second, at least 0.1 s, at most %d packets\n", MOST);
		return 2;
	}
	if (make_sockets() || hpt_ticker_new(NULL, 0, 0, &ticker) < 0 ||
	    hpt_ticker_set_missed(ticker, HPT_TICKER_CATCH_UP, 0) < 0) {
		perror("udp_pacer: no socket or ticker");
		return 1;
	}
	methods = can_use_txtime() ? METHODS : TXTIME;
	signal(SIGINT, on_signal);
	printf("%ld packets per second\n", rate);
	for (long done = 0, n; done < packets && !stop; done += n) {
		n = rate / 10 < 100 ? rate / 10 : 100;
		n = packets - done < n ? packets - done : n;
		for (int method = 0; method < methods; method++)
			if (run_block(ticker, method, n)) {
				perror("udp_pacer");
				return 1;
			}
	}
	hpt_ticker_free(ticker);
	for (int method = 0; method < methods; method++)
		result |= report(names[method], &results[method]);
	return result;
}
