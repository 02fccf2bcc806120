// SPDX-License-Identifier: MIT
/*
 * Watches a wall beside a truth that it knows: each interval must contain the truth at some moment between two reads of
 * it around the call.
 *
 * usage: umpire TRUTH [KEY=VALUE...]
 *
 * sources, trusted: masks. chrony: an address. rate_ppb, wander_ppb, max_age_ms, max_width_ns: as in struct
 * hpt_wall_config. leap_cover=1. seconds=N: ends then, otherwise by SIGTERM. update_ms, line_ms, read_us: how often
 * sources are asked, a line is printed, the wall is read. second_update_ms: a second wall on the same clock, that is
 * updated as often; both must hold the truth. second_sources: its mask, if it is another.
 *
 * clockbound=FOLDER: with the libraries that tests/clockbound/build makes. ClockBound's own is then read between the
 * walls. Its intervals, by the statements of its daemon, must hold the truth too, and overlap those of the walls. They
 * have a line like that of one more wall, with the states that mean the same. clockbound_path: the file that it and the
 * walls read; clockbound_version: 2 or 3 of the library, 2 by default.
 *
 * Each line is a JSON object of what was seen since the line before. The exit status is 1 if a check failed in any.
 */
#include <hpt/hpt.h>
#include <hpt/wall.h>

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <time.h>

#include "../clockbound/clockbound.h"
#include "arguments.h"
#include "truth.h"

#define KEPT 256

/* An earlier tick, and the truth around it. */
struct moment {
	hpt_time_t tick;
	uint64_t generation;
	int64_t before_ns, after_ns;
};

/* What was seen since the latest line. */
struct seen {
	uint64_t reads, intervals, again, too_wide, other_errors;
	uint64_t outside;               /* intervals without the truth */
	uint64_t outside_half;          /* whose middle half does not hold it: what bounds half as wide would miss */
	uint64_t fell;                  /* earliest_ns fell within a generation */
	uint64_t past, past_outside;    /* the same for ticks kept */
	uint64_t sure, surely_wrong;    /* by hpt_wall_after() and hpt_wall_before() */
	uint64_t waits, waits_early;
	uint64_t compared, apart;       /* intervals beside ClockBound's own, and those that do not overlap it */
	uint64_t states;                /* mask of the states of intervals */
	uint64_t updated;               /* mask of the states that updates returned */
	int64_t width_min_ns, width_max_ns;
};

struct watched {
	hpt_wall *wall;
	int64_t update_ns, updated_ns;
	struct hpt_wall_time latest;
	bool has_latest;
	struct moment kept[KEPT];
	uint64_t n_kept;
	struct seen seen;
};

/* ClockBound's own library; its version is 0 if it does not take part. */
static struct {
	struct clockbound reader;
	struct watched watched;
	uint32_t state;
} theirs;

static volatile sig_atomic_t is_over;

static void end(int number)
{
	(void)number;
	is_over = 1;
}

/* ---- Checks ---------------------------------------------------------------------------------------------- */

/* True if the truth was in [earliest, latest] at some moment. Across a leap second nothing is said. */
static bool holds(int64_t earliest_ns, int64_t latest_ns, int64_t before_ns, int64_t after_ns)
{
	return after_ns < before_ns || (before_ns <= latest_ns && after_ns >= earliest_ns);
}

static void note_interval(struct watched *w, const struct hpt_wall_time *t, int64_t before_ns, int64_t after_ns)
{
	struct seen *seen = &w->seen;
	int64_t width_ns = t->latest_ns - t->earliest_ns, quarter_ns = width_ns / 4;

	seen->intervals++;
	seen->states |= UINT64_C(1) << t->state;
	seen->outside += width_ns < 0 || !holds(t->earliest_ns, t->latest_ns, before_ns, after_ns);
	seen->outside_half += !holds(t->earliest_ns + quarter_ns, t->latest_ns - quarter_ns, before_ns, after_ns);
	seen->fell += w->has_latest && w->latest.generation == t->generation && t->earliest_ns < w->latest.earliest_ns;
	if (seen->intervals == 1 || width_ns < seen->width_min_ns)
		seen->width_min_ns = width_ns;
	if (seen->intervals == 1 || width_ns > seen->width_max_ns)
		seen->width_max_ns = width_ns;
	w->latest = *t;
	w->has_latest = true;
	w->kept[w->n_kept++ % KEPT] = (struct moment){ t->tick, t->generation, before_ns, after_ns };
}

/* False: the wall has no interval. */
static bool check_now(struct watched *w, struct truth *truth)
{
	struct hpt_wall_time t;
	int64_t before_ns = truth_now(truth);
	int r = hpt_wall_now(w->wall, &t);
	int64_t after_ns = truth_now(truth);

	w->seen.reads++;
	w->seen.again += r == -EAGAIN;
	w->seen.too_wide += r == -ERANGE;
	w->seen.other_errors += r && r != -EAGAIN && r != -ERANGE;
	if (!r)
		note_interval(w, &t, before_ns, after_ns);
	return !r;
}

/* Of a generation that has ended, ticks may be refused, or have an interval that is right. */
static void check_past(struct watched *w)
{
	const struct moment *m;
	struct hpt_wall_time t;

	if (!w->n_kept)
		return;
	m = &w->kept[(uint64_t)rand() % (w->n_kept < KEPT ? w->n_kept : KEPT)];
	if (hpt_wall_at(w->wall, m->tick, &t))
		return;
	w->seen.past++;
	w->seen.past_outside += !holds(t.earliest_ns, t.latest_ns, m->before_ns, m->after_ns);
}

/* Asks about a time that is near the bounds. */
static void check_sure(struct watched *w, struct truth *truth)
{
	int64_t width_ns = w->seen.width_max_ns + 1, before_ns = truth_now(truth);
	int64_t asked_ns = before_ns - width_ns + (int64_t)((double)rand() / RAND_MAX * 2 * (double)width_ns);
	int is_before = hpt_wall_before(w->wall, asked_ns), is_after = hpt_wall_after(w->wall, asked_ns);
	int64_t after_ns = truth_now(truth);

	if (after_ns < before_ns)
		return;
	w->seen.sure += (is_before == 1) + (is_after == 1);
	w->seen.surely_wrong += (is_before == 1 && before_ns >= asked_ns) + (is_after == 1 && after_ns <= asked_ns);
}

/* A commit wait, which is as long as the interval is wide. */
static void check_wait(struct watched *w, struct truth *truth)
{
	const int64_t longest_ns = 20000000;
	struct hpt_wall_time t;

	if (hpt_wall_now(w->wall, &t) || t.latest_ns - t.earliest_ns > longest_ns / 2 ||
	    hpt_wall_wait_after(w->wall, t.latest_ns, longest_ns))
		return;
	w->seen.waits++;
	w->seen.waits_early += truth_now(truth) <= t.latest_ns;
}

static bool has_failed(const struct seen *seen)
{
	return seen->other_errors || seen->outside || seen->fell || seen->past_outside || seen->surely_wrong ||
	       seen->waits_early || seen->apart;
}

/* ---- ClockBound's own library ---------------------------------------------------------------------------- */

/* There is nothing to open before the daemon's first statement. */
static void open_theirs(void)
{
	struct clockbound *cb = &theirs.reader;

	if (cb->version && !cb->reader)
		cb->reader = cb->open(cb->path, "/nonexistent", NULL);
}

/* False: it has no bound. The numbers that it then gives with its status are none. */
static bool read_theirs(struct truth *truth, struct hpt_wall_time *ret)
{
	static const uint32_t states[] = { [UNKNOWN] = HPT_WALL_STATE_UNSYNCED, [SYNCHRONIZED] = HPT_WALL_STATE_SYNCED,
					   [FREE_RUNNING] = HPT_WALL_STATE_HOLDOVER,
					   [DISRUPTED] = HPT_WALL_STATE_DISRUPTED };
	struct seen *seen = &theirs.watched.seen;
	struct clockbound_now_result r;
	int64_t before_ns = truth_now(truth);
	bool answered = clockbound_now(&theirs.reader, &r);
	int64_t after_ns = truth_now(truth);

	seen->reads++;
	seen->other_errors += !answered;
	if (!answered)
		return false;
	theirs.state = states[r.clock_status & 3];
	if (theirs.state != HPT_WALL_STATE_SYNCED && theirs.state != HPT_WALL_STATE_HOLDOVER) {
		seen->again++;
		return false;
	}
	/* Its earliest may fall: each of them is of a generation of its own. */
	*ret = (struct hpt_wall_time){ ns_of(r.earliest), ns_of(r.latest), 0, theirs.watched.n_kept, theirs.state, 0 };
	note_interval(&theirs.watched, ret, before_ns, after_ns);
	return true;
}

/* Theirs is of a moment between two intervals of each wall: the truth was in all. */
static void check_theirs(struct watched *walls, int n, struct truth *truth)
{
	struct hpt_wall_time t;

	if (!theirs.reader.reader || !read_theirs(truth, &t))
		return;
	for (int i = 0; i < n; i++) {
		struct watched *w = &walls[i];
		struct hpt_wall_time earlier = w->latest;

		if (!w->has_latest || !check_now(w, truth))
			continue;
		w->seen.compared++;
		w->seen.apart += t.latest_ns < earlier.earliest_ns || t.earliest_ns > w->latest.latest_ns;
	}
}

/* ---- Lines ----------------------------------------------------------------------------------------------- */

static void print_states(const char *key, uint64_t mask)
{
	const char *separator = "";

	printf(", \"%s\": [", key);
	for (uint32_t state = 0; mask >> state; state++) {
		if (mask >> state & 1) {
			printf("%s\"%s\"", separator, hpt_wall_state_name(state));
			separator = ", ";
		}
	}
	printf("]");
}

static void print_sources(hpt_wall *wall, uint32_t mask)
{
	struct hpt_wall_source_info s;
	const char *separator = "";

	printf(", \"sources\": {");
	for (uint32_t source = 1; source && source <= mask; source <<= 1) {
		if (!(mask & source) || hpt_wall_source_get_info(wall, source, &s, sizeof(s)))
			continue;
		printf("%s\"%s\": {\"usable\": %s, \"reason\": %u, \"error\": %u, \"samples\": %" PRIu64
		       ", \"refused\": %" PRIu64 ", \"width_ns\": %" PRId64 ", \"age_ns\": %" PRId64 "}", separator,
		       s.name, s.usable ? "true" : "false", s.reason, s.error, s.samples, s.refused, s.width_ns,
		       s.age_ns);
		separator = ", ";
	}
	printf("}");
}

#define NUMBER(name) printf(", \"" #name "\": %" PRIu64, seen->name)

static void print_counts(const struct seen *seen)
{
	NUMBER(reads);
	NUMBER(intervals);
	NUMBER(again);
	NUMBER(too_wide);
	NUMBER(other_errors);
	NUMBER(outside);
	NUMBER(outside_half);
	NUMBER(fell);
	NUMBER(past);
	NUMBER(past_outside);
	NUMBER(sure);
	NUMBER(surely_wrong);
	NUMBER(waits);
	NUMBER(waits_early);
	NUMBER(compared);
	NUMBER(apart);
	printf(", \"width_min_ns\": %" PRId64 ", \"width_max_ns\": %" PRId64, seen->width_min_ns, seen->width_max_ns);
}

static void print_line(struct watched *w, int number)
{
	struct hpt_wall_info info;

	if (hpt_wall_get_info(w->wall, &info, sizeof(info)))
		exit(2);
	printf("{\"at_ns\": %" PRId64 ", \"wall\": %d, \"state\": \"%s\", \"generation\": %" PRIu64
	       ", \"disruptions\": %" PRIu64 ", \"contradictions\": %" PRIu64 ", \"age_ns\": %" PRId64
	       ", \"leap\": %d, \"tai_offset_s\": %d, \"flags\": %u",
	       read_clock_ns(CLOCK_MONOTONIC_RAW), number, hpt_wall_state_name(info.state), info.generation,
	       info.disruptions, info.contradictions, info.age_ns, info.leap, info.tai_offset_s, info.flags);
	print_states("states", w->seen.states);
	print_states("updated", w->seen.updated);
	print_counts(&w->seen);
	print_sources(w->wall, info.sources);
	puts("}");
	fflush(stdout);
	w->seen = (struct seen){ .reads = 0 };
}

static void print_theirs(int number)
{
	printf("{\"at_ns\": %" PRId64 ", \"wall\": %d, \"state\": \"%s\"", read_clock_ns(CLOCK_MONOTONIC_RAW), number,
	       hpt_wall_state_name(theirs.state));
	print_states("states", theirs.watched.seen.states);
	print_counts(&theirs.watched.seen);
	puts("}");
	fflush(stdout);
	theirs.watched.seen = (struct seen){ .reads = 0 };
}

/* ---- Run ------------------------------------------------------------------------------------------------- */

static void copy(char *to, size_t size, const char *text)
{
	if (strlen(text) >= size) {
		fprintf(stderr, "%s: too long\n", text);
		exit(2);
	}
	memcpy(to, text, strlen(text) + 1);
}

static void open_wall(struct watched *w, char **words, int64_t sources, int64_t update_ms)
{
	struct hpt_wall_config config = {
		.sources = (uint32_t)sources,
		.trusted = (uint32_t)number_of(words, "trusted", 0),
		.rate_ppb = (uint32_t)number_of(words, "rate_ppb", 0),
		.wander_ppb = (uint32_t)number_of(words, "wander_ppb", 0),
		.max_width_ns = number_of(words, "max_width_ns", 0),
		.max_age_ns = number_of(words, "max_age_ms", 0) * 1000000,
	};
	uint32_t flags = number_of(words, "leap_cover", 0) ? HPT_WALL_OPEN_LEAP_COVER : 0;
	int r;

	copy(config.chrony_address, sizeof(config.chrony_address), text_of(words, "chrony", ""));
	copy(config.clockbound_path, sizeof(config.clockbound_path), text_of(words, "clockbound_path", ""));
	r = hpt_wall_open(NULL, &config, sizeof(config), flags, &w->wall);
	if (r) {
		fprintf(stderr, "hpt_wall_open: %s\n", strerror(-r));
		exit(2);
	}
	w->update_ns = update_ms * 1000000;
	w->updated_ns = INT64_MIN / 2;
}

static void update_if_due(struct watched *w, int64_t now_ns)
{
	int state;

	if (now_ns - w->updated_ns < w->update_ns)
		return;
	w->updated_ns = now_ns;
	state = hpt_wall_update(w->wall);
	if (state < 0)
		w->seen.other_errors++;
	else
		w->seen.updated |= UINT64_C(1) << state;
}

static void watch_once(struct watched *w, struct truth *truth)
{
	update_if_due(w, read_clock_ns(CLOCK_MONOTONIC_RAW));
	check_now(w, truth);
	check_past(w);
	check_sure(w, truth);
	check_now(w, truth);
}

/* True if a check failed. */
static bool end_line(struct watched *walls, int n, struct truth *truth)
{
	bool failed = false;

	for (int i = 0; i < n; i++) {
		check_wait(&walls[i], truth);
		failed |= has_failed(&walls[i].seen);
		print_line(&walls[i], i);
	}
	if (theirs.reader.version) {
		failed |= has_failed(&theirs.watched.seen);
		print_theirs(n);
		open_theirs();
	}
	return failed;
}

static bool watch(struct watched *walls, int n, struct truth *truth, char **words)
{
	int64_t now_ns = read_clock_ns(CLOCK_MONOTONIC_RAW), line_ns = number_of(words, "line_ms", 500) * 1000000;
	int64_t end_ns = now_ns + number_of(words, "seconds", 1000000) * NS_PER_S, line_at_ns = now_ns + line_ns;
	struct timespec pause = { .tv_nsec = number_of(words, "read_us", 1000) * 1000 };
	bool failed = false;

	while (!is_over && now_ns < end_ns) {
		for (int i = 0; i < n; i++)
			watch_once(&walls[i], truth);
		check_theirs(walls, n, truth);
		now_ns = read_clock_ns(CLOCK_MONOTONIC_RAW);
		if (now_ns >= line_at_ns) {
			failed |= end_line(walls, n, truth);
			line_at_ns += line_ns;
		}
		nanosleep(&pause, NULL);
	}
	return end_line(walls, n, truth) || failed;
}

/* Returns how many walls there are. */
static int open_all(struct watched walls[2], char **words)
{
	int64_t sources = number_of(words, "sources", 0);
	const char *folder = text_of(words, "clockbound", NULL);
	int n = 1;

	open_wall(&walls[0], words, sources, number_of(words, "update_ms", 500));
	if (text_of(words, "second_update_ms", NULL))
		open_wall(&walls[n++], words, number_of(words, "second_sources", sources),
			  number_of(words, "second_update_ms", 0));
	if (folder) {
		clockbound_load(&theirs.reader, folder, (int)number_of(words, "clockbound_version", 2));
		copy(theirs.reader.path, sizeof(theirs.reader.path),
		     text_of(words, "clockbound_path", "/var/run/clockbound/shm0"));
		open_theirs();
	}
	return n;
}

int main(int argc, char **argv)
{
	static struct watched walls[2];
	struct truth *truth;
	bool failed;
	int n;

	if (argc < 2)
		return 2;
	truth = truth_open(argv[1]);
	n = open_all(walls, argv + 2);
	signal(SIGTERM, end);
	failed = watch(walls, n, truth, argv + 2);
	while (n)
		hpt_wall_close(walls[--n].wall);
	return failed;
}
