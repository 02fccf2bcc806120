/* SPDX-License-Identifier: MIT */
/*
 * ntp_feed.c - a wall from the program's own exchanges with an NTP server, without a daemon that sets the clock.
 *
 *	cc -o ntp_feed ntp_feed.c $(pkg-config --cflags --libs libhpt)
 *	./ntp_feed ask ADDRESS PORT [EXCHANGES [SECONDS]]
 *	./ntp_feed serve ADDRESS PORT [ERROR_NS]
 *
 * "ask" sends a question every SECONDS, feeds the wall with the answer, and prints the interval that contains UTC. The
 * server read its clock twice between the two ticks at which the question left and the answer came. So each of the two
 * times, with the server's own error around it, is a sample. How long each way took does not matter: an NTP client that
 * halves the round trip assumes that both took the same. An answer that is short, of another kind, late, of somebody
 * else, or of a server without a bound is refused, and the program says why.
 *
 * "serve" answers any NTP client with the interval of its own wall, or with that of the system's clock, whose error
 * ERROR_NS states. On port 0 the system chooses one. Ctrl-C ends it.
 *
 * Exit 1 means that there is no interval at the end, or that the wall refused an answer: it contradicts others.
 *
 * A sample cannot announce a leap second, so an answer that does is refused too: a program that has to be right then
 * opens a source that can, such as chronyd.
 */
#include <errno.h>
#include <inttypes.h>
#include <netdb.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <hpt/hpt.h>
#include <hpt/wall.h>

#define SECOND_NS  INT64_C(1000000000)
#define PATIENCE_NS SECOND_NS           /* for an answer */
#define MOST_NS    (16 * SECOND_NS)     /* RFC 5905 calls a server that is farther off unsynchronised (MAXDISP) */
#define TO_1970_S  INT64_C(2208988800)  /* from 1900, where NTP counts from */
#define OTHERS     20                   /* datagrams that are no answer, until an exchange is given up */

/* The header of an NTP packet: RFC 5905, figure 8. */
#define PACKET 48
enum { MODE = 0, STRATUM = 1, PRECISION = 3, ROOT_DELAY = 4, ROOT_DISPERSION = 8, REFERENCE_ID = 12, REFERENCE = 16,
       ORIGIN = 24, RECEIVE = 32, TRANSMIT = 40 };
enum { CLIENT = 3, SERVER = 4 };

struct interval {
	int64_t earliest_ns, latest_ns;
};

struct exchange {
	hpt_time_t sent, came;
	struct interval received, transmitted; /* by the server's clock */
};

static volatile sig_atomic_t stop;
static hpt_waiter *waiter; /* sleeps between exchanges */

static void on_signal(int number)
{
	stop = number;
	hpt_waiter_interrupt(waiter);
}

static int failed(const char *what, const char *why)
{
	fprintf(stderr, "ntp_feed: %s: %s\n", what, why);
	return 1;
}

/* ---- Packets ------------------------------------------------------------------------------------------------ */

static uint64_t get(const uint8_t *p, int bytes)
{
	uint64_t value = 0;

	for (int i = 0; i < bytes; i++)
		value = value << 8 | p[i];
	return value;
}

static void put(uint8_t *p, int bytes, uint64_t value)
{
	for (int i = bytes; i-- > 0; value >>= 8)
		p[i] = (uint8_t)value;
}

/* Seconds with 32 bits of fraction. The count wraps in February 2036: less than 2^31 seconds is after that. */
static int64_t to_unix_ns(uint64_t stamp)
{
	int64_t s = (int64_t)(stamp >> 32) + (stamp >> 63 ? 0 : INT64_C(1) << 32) - TO_1970_S;

	return s * SECOND_NS + (int64_t)(((stamp & UINT32_MAX) * SECOND_NS) >> 32);
}

static uint64_t from_unix_ns(int64_t ns)
{
	return (uint64_t)(ns / SECOND_NS + TO_1970_S) << 32 | (uint64_t)(((ns % SECOND_NS) << 32) / SECOND_NS);
}

/* Seconds with 16 bits of fraction, rounded up. */
static int64_t short_to_ns(uint64_t units)
{
	return (int64_t)((units * SECOND_NS + 0xffff) >> 16);
}

static uint64_t short_from_ns(int64_t ns)
{
	return (uint64_t)(((ns << 16) + SECOND_NS - 1) / SECOND_NS);
}

/* How wrong the server's times may be, by itself: root distance and precision. -1: no server says that. */
static int64_t error_of(const uint8_t *p)
{
	int precision = (int8_t)p[PRECISION];
	int64_t ns = short_to_ns(get(p + ROOT_DELAY, 4)) / 2 + 1 + short_to_ns(get(p + ROOT_DISPERSION, 4));

	/* Half of 2^32 units of delay and 2^32 of dispersion are 98304 s. */
	if (precision > 0 || precision < -62 || ns > MOST_NS)
		return -1;
	return ns + (SECOND_NS >> -precision) + 1;
}

/* A time stamp is rounded down to a quarter of a nanosecond, its conversion to a nanosecond. */
static struct interval around(uint64_t stamp, int64_t error_ns)
{
	struct interval i = { to_unix_ns(stamp) - error_ns, to_unix_ns(stamp) + 2 + error_ns };

	return i;
}

/* ---- Ask ---------------------------------------------------------------------------------------------------- */

/* Is it the answer to this question? Returns why not, or NULL. Only a host that saw the question has its cookie. */
static const char *why_no_answer(const uint8_t *p, ssize_t size, const uint8_t *cookie)
{
	int version = p[MODE] >> 3 & 7;

	if (size < PACKET)
		return "it is too short";
	if ((p[MODE] & 7) != SERVER || version < 3 || version > 4)
		return "it is no answer of an NTP server";
	if (memcmp(p + ORIGIN, cookie, 8))
		return "it answers another question: it is late, or forged";
	return NULL;
}

/* What an answer says. Returns why it is of no use, or NULL. */
static const char *read_answer(const uint8_t *p, struct exchange *e)
{
	uint64_t received = get(p + RECEIVE, 8), transmitted = get(p + TRANSMIT, 8);
	int leap = p[MODE] >> 6;
	int64_t error_ns = error_of(p);

	if (!p[STRATUM])
		return "the server sends a refusal (kiss of death)";
	if (leap == 3 || p[STRATUM] > 15 || !received || !transmitted)
		return "the server is not synchronised";
	if (leap)
		return "a leap second is announced, which a sample cannot say";
	if (error_ns < 0)
		return "the server's error is no bound";
	if (to_unix_ns(transmitted) < to_unix_ns(received))
		return "the server's clock went backwards";
	e->received = around(received, error_ns);
	e->transmitted = around(transmitted, error_ns);
	return NULL;
}

static int refuse(const char *why, long *refused)
{
	printf("refused: %s\n", why);
	++*refused;
	return -1;
}

/*
 * Returns the answer's size, with the tick at which it came; or -1 if none comes in time. The last look is taken when
 * the time is over: this program may have been off its processor while the answer came.
 */
static ssize_t receive(int fd, uint8_t *p, size_t size, int64_t until_ns, hpt_time_t *came)
{
	int64_t left_ns = 1;
	ssize_t got = -1;

	while (!stop && left_ns > 0) {
		struct pollfd ready = { fd, POLLIN, 0 };

		left_ns = until_ns - hpt_now_ns(NULL);
		if (poll(&ready, 1, left_ns > 0 ? (int)(left_ns / 1000000) + 1 : 0) <= 0)
			continue;
		got = recv(fd, p, size, MSG_DONTWAIT);
		*came = hpt_now(NULL);
		if (got >= 0)
			return got;
		if (errno != EAGAIN && errno != EINTR) /* ECONNREFUSED: nobody has that port */
			return -1;
	}
	return -1;
}

/* Asks once. */
static int ask_once(int fd, struct exchange *e, long *refused)
{
	uint8_t question[PACKET] = { 0 }, answer[512] = { 0 };
	int64_t until_ns;
	const char *why;

	/* The server returns the transmit time as it came, so it may be a random number. */
	if (getrandom(question + TRANSMIT, 8, 0) != 8)
		return failed("getrandom", strerror(errno)), -1;
	question[MODE] = 4 << 3 | CLIENT;
	e->sent = hpt_now(NULL);
	if (send(fd, question, PACKET, 0) != PACKET)
		return refuse(strerror(errno), refused);
	until_ns = hpt_now_ns(NULL) + PATIENCE_NS;
	for (int i = 0; i < OTHERS; i++) {
		ssize_t size = receive(fd, answer, sizeof(answer), until_ns, &e->came);

		if (size < 0)
			break;
		why = why_no_answer(answer, size, question + TRANSMIT);
		if (!why)
			why = read_answer(answer, e);
		else if (refuse(why, refused))
			continue;
		return why ? refuse(why, refused) : 0;
	}
	printf("no answer\n");
	return -1;
}

/* At some moment between the two ticks the server received the question, and at a later one it sent the answer. */
static int feed(hpt_wall *w, const struct exchange *e)
{
	struct hpt_wall_sample sample;
	int err;

	memset(&sample, 0, sizeof(sample));
	sample.before = e->sent;
	sample.after = e->came;
	sample.earliest_ns = e->received.earliest_ns;
	sample.latest_ns = e->received.latest_ns;
	err = hpt_wall_feed(w, &sample, sizeof(sample));
	sample.earliest_ns = e->transmitted.earliest_ns;
	sample.latest_ns = e->transmitted.latest_ns;
	return err ? err : hpt_wall_feed(w, &sample, sizeof(sample));
}

static int print_interval(hpt_wall *w)
{
	struct hpt_wall_time t;
	int err = hpt_wall_now(w, &t);

	if (err < 0)
		return failed("no interval", strerror(-err));
	printf("UTC is from %" PRId64 ".%09" PRId64 " to %" PRId64 ".%09" PRId64 ": %.3f us wide, %s\n",
	       t.earliest_ns / SECOND_NS, t.earliest_ns % SECOND_NS, t.latest_ns / SECOND_NS, t.latest_ns % SECOND_NS,
	       (double)(t.latest_ns - t.earliest_ns) / 1e3, hpt_wall_state_name(t.state));
	fflush(stdout);
	return 0;
}

static int ask(int fd, long exchanges, int64_t pause_ns)
{
	struct hpt_wall_config config;
	struct exchange e;
	long fed = 0, refused = 0, contradicted = 0;
	hpt_wall *w;
	int err, rc = 1;

	memset(&config, 0, sizeof(config));
	config.sources = HPT_WALL_SOURCE_FEED;
	err = hpt_wall_open(NULL, &config, sizeof(config), 0, &w);
	if (err < 0)
		return failed("hpt_wall_open", strerror(-err));
	for (long i = 0; i < exchanges && !stop; i++) {
		if (i && hpt_waiter_sleep_ns(waiter, pause_ns) < 0)
			break;
		if (!ask_once(fd, &e, &refused)) {
			err = feed(w, &e);
			if (err < 0)
				fprintf(stderr, "ntp_feed: the wall refused an answer: %s\n", strerror(-err));
			contradicted += err < 0;
			fed += !err;
		}
		rc = print_interval(w);
	}
	printf("%ld answers fed, %ld refused\n", fed, refused + contradicted);
	hpt_wall_close(w);
	return rc || contradicted;
}

/* ---- Serve -------------------------------------------------------------------------------------------------- */

/* UTC by the wall; without one by the system's clock. */
static int read_clock(hpt_wall *w, int64_t error_ns, struct interval *ret)
{
	struct hpt_wall_time t;
	struct timespec now;
	int64_t ns;

	if (w) {
		int err = hpt_wall_now(w, &t);

		if (err < 0)
			return err;
		ret->earliest_ns = t.earliest_ns;
		ret->latest_ns = t.latest_ns;
		return 0;
	}
	clock_gettime(CLOCK_REALTIME, &now);
	ns = now.tv_sec * SECOND_NS + now.tv_nsec;
	ret->earliest_ns = ns - error_ns;
	ret->latest_ns = ns + error_ns;
	return 0;
}

static int64_t middle(const struct interval *i)
{
	return i->earliest_ns + (i->latest_ns - i->earliest_ns) / 2;
}

/* The dispersion covers both intervals from their middles, and the rounding of the middles. */
static int fill_in_times(uint8_t *p, const struct interval *received, const struct interval *transmitted)
{
	int64_t a = received->latest_ns - received->earliest_ns, b = transmitted->latest_ns - transmitted->earliest_ns;
	int64_t error_ns = (a > b ? a : b) / 2 + 2;

	if (error_ns > MOST_NS)
		return -1;
	put(p + ROOT_DISPERSION, 4, short_from_ns(error_ns));
	put(p + RECEIVE, 8, from_unix_ns(middle(received)));
	put(p + TRANSMIT, 8, from_unix_ns(middle(transmitted)));
	put(p + REFERENCE, 8, get(p + TRANSMIT, 8));
	return 0;
}

/* An answer is as long as a question, so nobody can use this server to multiply packets. */
static int answer_one(int fd, hpt_wall *w, int64_t error_ns)
{
	uint8_t question[512], answer[PACKET] = { 0 };
	struct sockaddr_storage from;
	socklen_t from_size = sizeof(from);
	struct interval received = { 0, 0 }, transmitted = { 0, 0 };
	ssize_t size = recvfrom(fd, question, sizeof(question), MSG_DONTWAIT, (struct sockaddr *)&from, &from_size);
	int version = question[MODE] >> 3 & 7, err = read_clock(w, error_ns, &received);

	if (size < PACKET || (question[MODE] & 7) != CLIENT || version < 3 || version > 4)
		return -1;
	answer[PRECISION] = (uint8_t)-30; /* a nanosecond */
	memcpy(answer + REFERENCE_ID, "HPT", 3);
	memcpy(answer + ORIGIN, question + TRANSMIT, 8);
	answer[STRATUM] = w ? 2 : 1;
	answer[MODE] = (uint8_t)(version << 3 | SERVER);
	if (!err)
		err = read_clock(w, error_ns, &transmitted);
	if (err || fill_in_times(answer, &received, &transmitted)) {
		answer[MODE] |= 3 << 6; /* not synchronised */
		answer[STRATUM] = 16;
	}
	return sendto(fd, answer, PACKET, 0, (struct sockaddr *)&from, from_size) == PACKET ? 0 : -1;
}

static void serve(int fd, hpt_wall *w, int64_t error_ns)
{
	int64_t update_ns = 0;
	long answered = 0, passed_over = 0;

	while (!stop) {
		struct pollfd ready = { fd, POLLIN, 0 };
		int64_t now_ns = hpt_now_ns(NULL);

		if (w && now_ns >= update_ns) {
			hpt_wall_update(w); /* its state is read_clock()'s result */
			update_ns = now_ns + SECOND_NS;
		}
		if (poll(&ready, 1, 1000) != 1)
			continue;
		if (answer_one(fd, w, error_ns))
			passed_over++;
		else
			answered++;
	}
	printf("%ld questions answered, %ld packets passed over\n", answered, passed_over);
}

/* ---- Set up ------------------------------------------------------------------------------------------------- */

static int open_socket(const char *address, const char *port, int to_serve)
{
	struct addrinfo hints, *list;
	int fd, err;

	memset(&hints, 0, sizeof(hints));
	hints.ai_socktype = SOCK_DGRAM;
	hints.ai_flags = AI_NUMERICSERV | (to_serve ? AI_PASSIVE : 0);
	err = getaddrinfo(address, port, &hints, &list);
	if (err)
		return failed(address, gai_strerror(err)), -1;
	fd = socket(list->ai_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	/* The kernel drops what comes to a connected socket from elsewhere. */
	if (fd < 0 || (to_serve ? bind(fd, list->ai_addr, list->ai_addrlen)
				: connect(fd, list->ai_addr, list->ai_addrlen))) {
		failed(address, strerror(errno));
		if (fd >= 0)
			close(fd);
		fd = -1;
	}
	freeaddrinfo(list);
	return fd;
}

static int print_port(int fd)
{
	struct sockaddr_storage own;
	socklen_t size = sizeof(own);
	char port[16];

	if (getsockname(fd, (struct sockaddr *)&own, &size) ||
	    getnameinfo((struct sockaddr *)&own, size, NULL, 0, port, sizeof(port), NI_NUMERICSERV))
		return failed("getsockname", strerror(errno));
	printf("serving on port %s\n", port);
	fflush(stdout);
	return 0;
}

static int start_serving(int fd, int64_t error_ns)
{
	hpt_wall *w = NULL;
	int err = error_ns < 0 ? hpt_wall_open(NULL, NULL, 0, 0, &w) : 0;

	if (err < 0)
		return failed("hpt_wall_open", strerror(-err));
	err = print_port(fd);
	if (!err)
		serve(fd, w, error_ns);
	hpt_wall_close(w);
	return err;
}

/* A whole number from least to most, or -1. */
static int64_t number(const char *text, int64_t least, int64_t most)
{
	char *rest;
	int64_t value;

	errno = 0;
	value = strtoll(text, &rest, 10);
	return *text && !*rest && !errno && value >= least && value <= most ? value : -1;
}

int main(int argc, char **argv)
{
	int to_serve = argc > 1 && !strcmp(argv[1], "serve"), to_ask = argc > 1 && !strcmp(argv[1], "ask"), fd, rc = 2;
	int64_t exchanges = argc > 4 && to_ask ? number(argv[4], 1, 1000000000) : 4;
	int64_t error_ns = argc > 4 && to_serve ? number(argv[4], 0, MOST_NS) : -1;
	int64_t pause_s = argc > 5 ? number(argv[5], 1, 1000000) : 1;
	struct sigaction action;

	if (argc < 4 || argc > (to_serve ? 5 : 6) || !(to_serve || to_ask) || exchanges < 0 || pause_s < 0 ||
	    (argc > 4 && to_serve && error_ns < 0) || number(argv[3], to_ask, 65535) < 0) {
		fprintf(stderr, "usage: ntp_feed ask ADDRESS PORT [EXCHANGES [SECONDS]]\n"
				"       ntp_feed serve ADDRESS PORT [ERROR_NS]\n"
				"PORT, EXCHANGES and SECONDS are whole numbers; NTP's port is 123.\n");
		return rc;
	}
	if (hpt_waiter_new(NULL, 0, &waiter) < 0)
		return failed("hpt_waiter_new", "no memory");
	memset(&action, 0, sizeof(action));
	action.sa_handler = on_signal;
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	fd = open_socket(argv[2], argv[3], to_serve);
	if (fd < 0)
		return 1;
	rc = to_serve ? start_serving(fd, error_ns) : ask(fd, (long)exchanges, pause_s * SECOND_NS);
	close(fd);
	return rc; /* the waiter stays: a signal may come still */
}
