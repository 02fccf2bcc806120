// SPDX-License-Identifier: MIT
/*
 * One of several hosts that keep an order of events by commit wait: it takes a timestamp, waits until UTC is surely
 * after it, and only then sends it to the others. A host that learns of it, by a message or in any other way, must get
 * a larger timestamp from its own clock.
 *
 * usage: host TRUTH BOARD NUMBER [KEY=VALUE...]       prints "ready" and waits for a line; then a JSON object
 *
 * server, own, peers: addresses; peers are separated by commas. messages=N: ends when all hosts together have received
 * as many. tokens=N: how many messages host 0 starts with. feed_ms: how often it asks the server. ppb=N: its counter is
 * a clock of its own, faster than CLOCK_MONOTONIC_RAW by this; without it, the library's default clock.
 * half=1: it believes that its bounds are half as wide as they are. Then the order must break.
 * moments=N: instead of messages, the hosts sleep until the same N moments of UTC, PERIOD_NS apart. "ends" has for each
 * its number, CLOCK_MONOTONIC_RAW and UTC's distance from the moment after it, and the error that the sleep stated.
 *
 * The server's time goes into the wall as the program's own samples.
 */
#include <hpt/hpt.h>
#include <hpt/wall.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>

#include "arguments.h"
#include "ntp_packet.h"
#include "truth.h"

#define PEERS 4
#define BATCH 64

/* How often a clock of its own is moved on for the threads that sleep on it. */
#define ADVANCE_NS 50000

/* After this time without any message one is taken for lost, and host 0 sends another. */
#define LOST_MS 1000

/* From one moment to the next. */
#define PERIOD_NS INT64_C(5000000)

/* From the return of a sleep until the clocks have been read. */
#define READ_NS 2000

/* Memory that all hosts share: besides messages, a way to communicate that takes no time. */
struct board {
	_Atomic int64_t committed_ns;   /* the largest timestamp that is surely past */
	_Atomic uint64_t received;
	_Atomic int64_t first_ns;       /* the moment number 0; 0: no host has set it yet */
};

struct end {
	int64_t number, raw_ns, off_ns, error_ns;
};

static struct {
	struct truth *truth;
	struct board *board;
	int number, socket;
	struct sockaddr_in server, peers[PEERS];
	size_t n_peers;
	uint64_t messages, tokens;
	bool is_half;
	int64_t feed_ns;

	hpt_clock *clk;                 /* NULL: the default */
	int64_t ppb, raw_ns;            /* of a clock of its own, and RAW at its tick 0 */
	pthread_mutex_t advancing;
	hpt_wall *wall;
	hpt_hlc *hlc;
	int64_t latest_half_ns;
	_Atomic bool is_over;

	uint64_t sent, received, lost_bounds, lost_messages;
	uint64_t not_after_committed, not_after_received, waits_early, outside;
	_Atomic uint64_t fed, refused;
	size_t moments, n_ends;
	uint64_t disturbed;
	struct end *ends;
	int64_t width_sum_ns;
	uint64_t widths;
} host;

/* ---- The counter ----------------------------------------------------------------------------------------- */

static void advance(void)
{
	int64_t passed_ns, target;

	if (!host.clk)
		return;
	pthread_mutex_lock(&host.advancing);
	passed_ns = read_clock_ns(CLOCK_MONOTONIC_RAW) - host.raw_ns;
	target = passed_ns + passed_ns / NS_PER_S * host.ppb + passed_ns % NS_PER_S * host.ppb / NS_PER_S;
	if (target > hpt_now(host.clk) && hpt_clock_advance(host.clk, target - hpt_now(host.clk)))
		abort();
	pthread_mutex_unlock(&host.advancing);
}

static void *keep_advancing(void *unused)
{
	const struct timespec pause = { .tv_nsec = ADVANCE_NS };

	while (!host.is_over) {
		advance();
		nanosleep(&pause, NULL);
	}
	return unused;
}

static hpt_time_t present(void)
{
	advance();
	return hpt_now(host.clk);
}

/* ---- The server's time ----------------------------------------------------------------------------------- */

static void feed(hpt_time_t before, hpt_time_t after, int64_t unix_ns)
{
	/* The timestamp is rounded down. */
	struct hpt_wall_sample sample = { .before = before, .after = after, .earliest_ns = unix_ns,
					  .latest_ns = unix_ns + 1 };

	if (hpt_wall_feed(host.wall, &sample, sizeof(sample)))
		host.refused++;
	else
		host.fed++;
}

/*
 * At some moment between sending and receiving the server read its clock, twice: the first reading bounds from above,
 * the second from below. No assumption is made of how the delay is shared between the ways.
 */
static void exchange(int s)
{
	uint8_t packet[NTP_SIZE] = { 4 << 3 | 3 }; /* version 4, mode 3: client */
	struct pollfd fd = { .fd = s, .events = POLLIN };
	hpt_time_t before, after;

	before = present();
	put32(packet + NTP_TRANSMIT + 4, (uint32_t)before);
	send(s, packet, sizeof(packet), 0);
	/* An answer to an earlier question is passed over. */
	do {
		if (poll(&fd, 1, LOST_MS) != 1)
			return;
		if (recv(s, packet, sizeof(packet), 0) != sizeof(packet))
			return;
	} while (get32(packet + NTP_ORIGIN + 4) != (uint32_t)before);
	after = present();
	feed(before, after, get_time(packet + NTP_RECEIVE));
	feed(before, after, get_time(packet + NTP_TRANSMIT));
}

static void *keep_feeding(void *unused)
{
	const struct timespec pause = { .tv_sec = host.feed_ns / NS_PER_S, .tv_nsec = host.feed_ns % NS_PER_S };
	int s = datagrams(NULL);

	if (connect(s, (struct sockaddr *)&host.server, sizeof(host.server)))
		abort();
	while (!host.is_over) {
		exchange(s);
		nanosleep(&pause, NULL);
	}
	return unused;
}

/* ---- Timestamps ------------------------------------------------------------------------------------------ */

/* The interval now, as the host believes it. False: no bound. */
static bool interval(struct hpt_wall_time *ret)
{
	int64_t before_ns, after_ns, quarter_ns;

	before_ns = truth_now(host.truth);
	advance();
	if (hpt_wall_now(host.wall, ret))
		return false;
	after_ns = truth_now(host.truth);
	host.outside += before_ns > ret->latest_ns || after_ns < ret->earliest_ns;
	host.width_sum_ns += ret->latest_ns - ret->earliest_ns;
	host.widths++;
	if (host.is_half) {
		quarter_ns = (ret->latest_ns - ret->earliest_ns) / 4;
		ret->earliest_ns += quarter_ns;
		ret->latest_ns -= quarter_ns;
	}
	return true;
}

static bool stamp(int64_t *ret)
{
	struct hpt_wall_time now;

	if (!host.is_half) {
		advance();
		return !hpt_hlc_now(host.hlc, ret);
	}
	if (!interval(&now))
		return false;
	*ret = host.latest_half_ns = now.latest_ns > host.latest_half_ns ? now.latest_ns : host.latest_half_ns + 1;
	return true;
}

static bool commit(int64_t ts_ns)
{
	const struct timespec pause = { .tv_nsec = 10000 };
	struct hpt_wall_time now;

	if (!host.is_half)
		return !hpt_wall_wait_after(host.wall, ts_ns, INT64_MAX);
	for (;;) {
		if (!interval(&now))
			return false;
		if (now.earliest_ns > ts_ns)
			return true;
		nanosleep(&pause, NULL);
	}
}

static void publish(int64_t ts_ns)
{
	int64_t known = host.board->committed_ns;

	while (known < ts_ns && !atomic_compare_exchange_weak(&host.board->committed_ns, &known, ts_ns))
		;
}

/* Takes n timestamps and waits for them. False: the bound was lost, and none of them counts. */
static bool events(int64_t *ts_ns, size_t n)
{
	int64_t committed_ns = host.board->committed_ns;

	for (size_t i = 0; i < n; i++) {
		if (!stamp(&ts_ns[i]))
			return false;
		host.not_after_committed += ts_ns[i] <= committed_ns;
	}
	if (!commit(ts_ns[n - 1]))
		return false;
	host.waits_early += truth_now(host.truth) <= ts_ns[n - 1];
	publish(ts_ns[n - 1]);
	return true;
}

/* ---- Messages -------------------------------------------------------------------------------------------- */

/* One that comes from another host: the present is after its timestamp. */
static void hear(int64_t ts_ns)
{
	struct hpt_wall_time now;

	host.received++;
	host.board->received++;
	if (interval(&now))
		host.not_after_received += now.latest_ns <= ts_ns;
}

static void tell(size_t n)
{
	int64_t ts_ns[BATCH];

	while (!events(ts_ns, n)) {
		host.lost_bounds++;
		if (host.is_over)
			return;
		/* A time-out is as good: this looks again. */
		if (hpt_wall_wait_ready(host.wall, 0, LOST_MS * INT64_C(1000000)) == -EINVAL)
			return;
	}
	for (size_t i = 0; i < n; i++) {
		struct sockaddr_in *to = &host.peers[(size_t)rand() % host.n_peers];

		host.sent += sendto(host.socket, &ts_ns[i], sizeof(ts_ns[i]), 0, (struct sockaddr *)to, sizeof(*to)) ==
			     sizeof(ts_ns[i]);
	}
}

/* All that have come, or the first one that comes. */
static size_t listen_once(void)
{
	struct pollfd fd = { .fd = host.socket, .events = POLLIN };
	int64_t ts_ns;
	size_t n = 0;

	if (poll(&fd, 1, LOST_MS) != 1)
		return 0;
	while (n < BATCH && recv(host.socket, &ts_ns, sizeof(ts_ns), MSG_DONTWAIT) == sizeof(ts_ns)) {
		hear(ts_ns);
		n++;
	}
	return n;
}

static void exchange_messages(void)
{
	if (!host.number)
		tell(host.tokens);
	while (host.board->received < host.messages) {
		size_t n = listen_once();

		if (!n && !host.number)
			host.lost_messages++;
		if (n || !host.number)
			tell(n ? n : 1);
	}
}

/* ---- Moments --------------------------------------------------------------------------------------------- */

/* How often the thread has lost its CPU. */
static long preemptions(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return usage.ru_nivcsw;
}

/* The farthest that UTC can be from the time now. INT64_MAX: not known. */
static int64_t farthest_ns(int64_t unix_ns)
{
	struct hpt_wall_time now;
	int64_t before_ns, after_ns;

	if (hpt_wall_now(host.wall, &now))
		return INT64_MAX;
	before_ns = unix_ns - now.earliest_ns;
	after_ns = now.latest_ns - unix_ns;
	return before_ns > after_ns ? before_ns : after_ns;
}

/* The same for all hosts: a second after the first one asks. */
static int64_t first_moment(void)
{
	int64_t none = 0;

	atomic_compare_exchange_strong(&host.board->first_ns, &none, truth_now(host.truth) + NS_PER_S);
	return host.board->first_ns;
}

/*
 * What is read after an end says nothing if the thread lost its CPU before it read, or the machine lost its own: no
 * counter of the kernel shows that, but the wall is then later than the sleep's error says.
 */
static void sleep_until_moment(int64_t number, int64_t unix_ns)
{
	long before = preemptions();
	struct end end = { .number = number };
	int r = hpt_wall_sleep_until_ns(host.wall, unix_ns, 0, &end.error_ns);

	end.raw_ns = read_clock_ns(CLOCK_MONOTONIC_RAW);
	end.off_ns = truth_now(host.truth) - unix_ns;
	if (r)
		host.lost_bounds++;
	else if (farthest_ns(unix_ns) > end.error_ns + READ_NS || preemptions() != before)
		host.disturbed++;
	else
		host.ends[host.n_ends++] = end;
}

static void sleep_until_moments(void)
{
	int64_t first_ns = first_moment();

	for (size_t i = 0; i < host.moments; i++)
		sleep_until_moment((int64_t)i, first_ns + (int64_t)i * PERIOD_NS);
}

static void print_ends(void)
{
	printf(", \"ends\": [");
	for (size_t i = 0; i < host.n_ends; i++)
		printf("%s[%" PRId64 ", %" PRId64 ", %" PRId64 ", %" PRId64 "]", i ? ", " : "", host.ends[i].number,
		       host.ends[i].raw_ns, host.ends[i].off_ns, host.ends[i].error_ns);
	printf("]");
}

/* ---- Run ------------------------------------------------------------------------------------------------- */

static void open_clock(const char *ppb)
{
	struct hpt_wall_config config = { .sources = HPT_WALL_SOURCE_FEED };

	pthread_mutex_init(&host.advancing, NULL);
	if (ppb) {
		host.ppb = strtoll(ppb, NULL, 0);
		host.raw_ns = read_clock_ns(CLOCK_MONOTONIC_RAW);
		/* A tick is a nanosecond. */
		if (hpt_clock_new_manual(1000000000, 1, 0, &host.clk))
			exit(2);
	}
	if (hpt_wall_open(host.clk, &config, sizeof(config), 0, &host.wall) ||
	    hpt_hlc_new(host.wall, NS_PER_S, 0, &host.hlc))
		exit(2);
}

static void set_up(char **argv)
{
	char **words = argv + 4, *peers = strdup(text_of(words, "peers", ""));
	struct sockaddr_in own = address_of(text_of(words, "own", ""));

	host.truth = truth_open(argv[1]);
	host.board = map_shared(argv[2], O_CREAT, sizeof(*host.board));
	host.number = atoi(argv[3]);
	host.messages = (uint64_t)number_of(words, "messages", 1000);
	host.tokens = (uint64_t)number_of(words, "tokens", 48);
	host.moments = (size_t)number_of(words, "moments", 0);
	host.ends = calloc(host.moments + 1, sizeof(host.ends[0]));
	host.is_half = number_of(words, "half", 0);
	host.feed_ns = number_of(words, "feed_ms", 100) * 1000000;
	host.server = address_of(text_of(words, "server", ""));
	srand((unsigned)host.number + 1);
	for (char *p = strtok(peers, ","); p && host.n_peers < PEERS; p = strtok(NULL, ","))
		host.peers[host.n_peers++] = address_of(p);
	free(peers);
	puts("ready");
	fflush(stdout);
	/* The network is there after this line. */
	if (getchar() == EOF)
		exit(2);
	host.socket = datagrams(&own);
	open_clock(text_of(words, "ppb", NULL));
}

#define NUMBER(name) printf(", \"" #name "\": %" PRIu64, (uint64_t)host.name)

static void print_result(void)
{
	printf("{\"host\": %d", host.number);
	NUMBER(sent);
	NUMBER(received);
	NUMBER(fed);
	NUMBER(refused);
	NUMBER(not_after_committed);
	NUMBER(not_after_received);
	NUMBER(waits_early);
	NUMBER(outside);
	NUMBER(lost_bounds);
	NUMBER(lost_messages);
	NUMBER(disturbed);
	print_ends();
	printf(", \"width_mean_ns\": %" PRId64 "}\n", host.widths ? host.width_sum_ns / (int64_t)host.widths : -1);
}

int main(int argc, char **argv)
{
	pthread_t feeding, advancing;

	if (argc < 4)
		return 2;
	set_up(argv);
	if (pthread_create(&feeding, NULL, keep_feeding, NULL) ||
	    (host.clk && pthread_create(&advancing, NULL, keep_advancing, NULL)))
		return 2;
	if (!hpt_wall_wait_ready(host.wall, 0, 10 * NS_PER_S))
		(host.moments ? sleep_until_moments : exchange_messages)();
	host.is_over = true;
	pthread_join(feeding, NULL);
	if (host.clk)
		pthread_join(advancing, NULL);
	print_result();
	hpt_hlc_free(host.hlc);
	hpt_wall_close(host.wall);
	hpt_clock_close(host.clk);
	free(host.ends);
	return 0;
}
