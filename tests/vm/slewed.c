// SPDX-License-Identifier: MIT
/*
 * Runs inside the emulated machine, whose clocks it slews by adjtimex(2) as chrony does: compares the four lines with
 * the kernel's clocks after slews that begin and end between two looks, and while they last.
 *
 * usage: slewed SOURCE
 * Prints an object for each slew. Nobody else may keep the machine's time.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <sys/timex.h>

#include "guest.h"

#define NS_PER_MS INT64_C(1000000)
#define TICK_US   10000

/* Looks are a second apart by then, after any slew. */
#define SETTLE_NS (3600 * NS_PER_MS)

/* Lines that are in force for less ended with 2^32 ticks. */
#define SEGMENT_NS (950 * NS_PER_MS)

/* The library is not used meanwhile. */
#define UNSEEN_NS (700 * NS_PER_MS)

/* Reads after that, as the lines make up for what they are off, and while a second slew goes on and ends. */
#define WATCH_NS (400 * NS_PER_MS)

static const struct line {
	clockid_t id;
	int64_t (*now_ns)(hpt_clock *clk);
} lines[] = {
	{ CLOCK_REALTIME, hpt_now_unix_ns }, { CLOCK_MONOTONIC, hpt_now_monotonic_ns },
	{ CLOCK_BOOTTIME, hpt_now_boottime_ns }, { CLOCK_TAI, hpt_now_tai_ns },
};
enum { LINES = sizeof(lines) / sizeof(lines[0]) };

/* How far the lines were from their clocks in one slew, and what was stated then. */
struct seen {
	uint64_t reads, outside, back;
	int64_t worst_ns, stated_ns; /* the largest distance, and the statement for it */
	int64_t margin_ns;           /* the least that a statement was above its distance */
	int64_t last_ns[LINES];
};

/* By frequency alone up to 500 ppm, as ntpd does; above that by the tick too. */
static void slew(int ppm)
{
	struct timex t = { .modes = ADJ_TICK | ADJ_FREQUENCY };

	t.tick = TICK_US + (ppm > 500 || ppm < -500 ? ppm / 100 : 0);
	t.freq = (long)(ppm - (t.tick - TICK_US) * 100) * 65536;
	if (adjtimex(&t) >= 0)
		return;
	perror("adjtimex");
	exit(FAILED);
}

static void nap_ns(int64_t ns)
{
	struct timespec ts = { .tv_sec = ns / 1000000000, .tv_nsec = (long)(ns % 1000000000) };

	nanosleep(&ts, NULL);
}

static struct hpt_clock_info info_of(hpt_clock *clk)
{
	struct hpt_clock_info info;

	if (hpt_clock_get_info(clk, &info, sizeof(info)))
		exit(FAILED);
	return info;
}

/*
 * Until the record is a new one, whose lines are in force for a second. A fast counter's end sooner where 2^32 ticks
 * end; the next ones are whole.
 */
static void await_look(hpt_clock *clk)
{
	int64_t epoch_ns = info_of(clk).epoch_ns, last_ns = 0;

	for (int looks = 0; looks < 4 && (!last_ns || epoch_ns - last_ns > SEGMENT_NS); looks++) {
		last_ns = epoch_ns;
		while (info_of(clk).epoch_ns == epoch_ns)
			nap_ns(NS_PER_MS);
		epoch_ns = info_of(clk).epoch_ns;
	}
}

/* The statement is of a moment ago: meanwhile a slew may have gone on. */
static void compare(hpt_clock *clk, int i, struct seen *s)
{
	int64_t start = clock_ns(CLOCK_MONOTONIC_RAW), stated = info_of(clk).os_error_ns;
	int64_t before = clock_ns(lines[i].id), ns = lines[i].now_ns(clk), after = clock_ns(lines[i].id);
	int64_t off = ns < before ? before - ns : ns > after ? ns - after : 0, margin;

	stated += (clock_ns(CLOCK_MONOTONIC_RAW) - start) / 1000 * 101;
	margin = stated - off;
	s->reads++;
	s->outside += margin < 0;
	if (margin < s->margin_ns)
		s->margin_ns = margin;
	if (off > s->worst_ns) {
		s->worst_ns = off;
		s->stated_ns = stated;
	}
	s->back += (lines[i].id == CLOCK_MONOTONIC || lines[i].id == CLOCK_BOOTTIME) && ns < s->last_ns[i];
	s->last_ns[i] = ns;
}

static void watch(hpt_clock *clk, int64_t for_ns, struct seen *s)
{
	int64_t end = clock_ns(CLOCK_MONOTONIC_RAW) + for_ns;

	while (clock_ns(CLOCK_MONOTONIC_RAW) < end) {
		for (int i = 0; i < LINES; i++)
			compare(clk, i, s);
		nap_ns(NS_PER_MS);
	}
}

/* Once unseen from begin to end, and once more while it is watched. */
static void try_slew(hpt_clock *clk, int ppm)
{
	struct seen s = { .margin_ns = INT64_MAX };
	int64_t unseen_ns;

	watch(clk, SETTLE_NS, &s);
	await_look(clk);
	slew(ppm);
	nap_ns(UNSEEN_NS);
	slew(0);
	watch(clk, WATCH_NS, &s);
	unseen_ns = s.worst_ns;
	slew(ppm);
	watch(clk, WATCH_NS, &s);
	slew(0);
	watch(clk, WATCH_NS, &s);
	printf("{\"ppm\": %d, \"reads\": %" PRIu64 ", \"outside\": %" PRIu64 ", \"back\": %" PRIu64
	       ", \"unseen_ns\": %" PRId64 ", \"worst_ns\": %" PRId64 ", \"stated_ns\": %" PRId64
	       ", \"margin_ns\": %" PRId64 ", \"generation\": %" PRIu64 "}\n", ppm, s.reads, s.outside, s.back,
	       unseen_ns, s.worst_ns, s.stated_ns, s.margin_ns, hpt_clock_generation(clk));
}

int main(int argc, char **argv)
{
	static const int slews_ppm[] = { 500, -500, 83333, -83333 };
	hpt_clock *clk;

	if (argc != 2)
		return FAILED;
	clk = open_clock(argv[1]);
	for (size_t i = 0; i < sizeof(slews_ppm) / sizeof(slews_ppm[0]); i++)
		try_slew(clk, slews_ppm[i]);
	hpt_clock_close(clk);
	return 0;
}
