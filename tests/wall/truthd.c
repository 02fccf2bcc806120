// SPDX-License-Identifier: MIT
/*
 * A server of NTP whose truth is known (truth.h).
 *
 * usage: truthd make FILE [KEY=VALUE...]     the truth is CLOCK_REALTIME from now on, changed by the words
 *        truthd set FILE KEY=VALUE...        changes it, or what the server does, while others use it
 *        truthd serve FILE ADDRESS:PORT      answers; prints "ready"
 *        truthd now FILE                     prints CLOCK_MONOTONIC_RAW, the truth and CLOCK_REALTIME less it
 *
 * offset_ns is added to the truth. The other keys are the members of struct truth.
 */
#include <stdbool.h>
#include <sys/socket.h>
#include <time.h>

#include "arguments.h"
#include "ntp_packet.h"
#include "truth.h"

#define DAY_NS (86400 * NS_PER_S)

/* An interruption between the reads would count as a distance of the clocks. An emulated PC takes some microseconds. */
#define NOW_WITHIN_NS 50000

/* A stated precision of 2^-20 s, and the smallest root dispersion that is not 0: 15 us. */
#define PRECISION (-20)
#define ROOT_DISPERSION 1

static void change(struct truth *t, char **words)
{
	t->unix_ns += number_of(words, "offset_ns", 0);
	truth_turn(t, number_of(words, "rate_ppb", t->rate_ppb));
	t->tracks_sleep = number_of(words, "tracks_sleep", t->tracks_sleep);
	t->sleep_error_ns = number_of(words, "sleep_error_ns", t->sleep_error_ns);
	t->leap_at_ns = number_of(words, "leap_at_ns", t->leap_at_ns);
	t->leap = number_of(words, "leap", t->leap);
	t->lie_ns = number_of(words, "lie_ns", t->lie_ns);
	t->is_silent = number_of(words, "is_silent", t->is_silent);
}

/* The latest exchange: in the interleaved mode of chronyd's "xleave" a reply has the times of the one before. */
static struct {
	uint8_t receive[8];
	int64_t sent_ns;
} before;

static bool is_interleaved(const uint8_t *request)
{
	return before.sent_ns && !memcmp(request + NTP_ORIGIN, before.receive, sizeof(before.receive));
}

/* NTP announces a leap second in the day that it ends: 1 is one inserted, 2 one left out. */
static uint8_t leap_indicator(const struct truth *t, int64_t now_ns)
{
	int64_t left_ns = t->leap_at_ns - now_ns;

	return !t->leap || left_ns <= 0 || left_ns > DAY_NS ? 0 : t->leap > 0 ? 1 : 2;
}

static void answer(struct truth *t, int s, const uint8_t *request, const struct sockaddr_in *client,
		   int64_t received_ns)
{
	uint8_t reply[NTP_SIZE] = { 0 };
	bool interleaves = is_interleaved(request);
	int64_t now_ns;

	/* Version 4, mode 4 (server), stratum 1. */
	reply[0] = (uint8_t)(leap_indicator(t, received_ns) << 6 | 4 << 3 | 4);
	reply[1] = 1;
	reply[2] = request[2];
	reply[3] = (uint8_t)PRECISION;
	put32(reply + NTP_ROOT_DISPERSION, ROOT_DISPERSION);
	memcpy(reply + NTP_REFERENCE, "TRUE", 4);
	put_time(reply + NTP_REFERENCE_TIME, received_ns - NS_PER_S);
	memcpy(reply + NTP_ORIGIN, request + (interleaves ? NTP_RECEIVE : NTP_TRANSMIT), 8);
	put_time(reply + NTP_RECEIVE, received_ns);
	now_ns = truth_now(t) + t->lie_ns;
	put_time(reply + NTP_TRANSMIT, interleaves ? before.sent_ns : now_ns);
	memcpy(before.receive, reply + NTP_RECEIVE, sizeof(before.receive));
	before.sent_ns = now_ns;
	sendto(s, reply, sizeof(reply), 0, (const struct sockaddr *)client, sizeof(*client));
}

static _Noreturn void serve(struct truth *t, const char *own)
{
	struct sockaddr_in a = address_of(own), client;
	int s = datagrams(&a);

	puts("ready");
	fflush(stdout);
	for (;;) {
		uint8_t request[1024];
		socklen_t size = sizeof(client);
		ssize_t n = recvfrom(s, request, sizeof(request), 0, (struct sockaddr *)&client, &size);
		int64_t received_ns = truth_now(t) + t->lie_ns;

		if (n >= NTP_SIZE && !t->is_silent)
			answer(t, s, request, &client, received_ns);
	}
}

static int print_now(struct truth *t)
{
	int64_t before_ns, real_ns, after_ns;
	int tries = 0;

	do {
		before_ns = truth_now(t);
		real_ns = read_clock_ns(CLOCK_REALTIME);
		after_ns = truth_now(t);
	} while (after_ns - before_ns > NOW_WITHIN_NS && ++tries < 100);
	printf("{\"raw_ns\": %lld, \"unix_ns\": %lld, \"realtime_ahead_ns\": %lld}\n",
	       (long long)read_clock_ns(CLOCK_MONOTONIC_RAW), (long long)after_ns,
	       (long long)(real_ns - before_ns - (after_ns - before_ns) / 2));
	return 0;
}

int main(int argc, char **argv)
{
	if (argc >= 3 && !strcmp(argv[1], "make"))
		return change(truth_make(argv[2]), argv + 3), 0;
	if (argc >= 3 && !strcmp(argv[1], "set"))
		return change(truth_open(argv[2]), argv + 3), 0;
	if (argc == 4 && !strcmp(argv[1], "serve"))
		serve(truth_open(argv[2]), argv[3]);
	if (argc == 3 && !strcmp(argv[1], "now"))
		return print_now(truth_open(argv[2]));
	return 2;
}
