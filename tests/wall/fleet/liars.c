// SPDX-License-Identifier: MIT
/*
 * One server of n lies: how many intervals of a wall that is fed by exchanges with all of them are false, how many
 * reads have no bound, and how long it takes until the wall has noticed a contradiction. Prints a JSON array.
 *
 * usage: liars [machines=N] [seed=N]       machines: for each cell of the table
 */
#include <inttypes.h>
#include <stdio.h>

#include "../arguments.h"
#include "fleet.h"
#include "math/units.h"

#define POLL_NS     (64 * NS_PER_S)
#define RTT_NS      (10 * NS_PER_MS)
#define BOUND_NS    NS_PER_MS
#define HONEST_NS   NS_PER_H           /* until it begins to lie */
#define LYING_NS    (2 * NS_PER_H)
#define READS       4                  /* in a poll */

/* The trusted one is not FEED: its answers come by another source. */
enum { AT_ONCE, IN_TURNS, FEED_TRUSTED, ONE_TRUSTED, MODES };

static const char *const mode_names[MODES] = { "at once", "in turns", "feed trusted", "one trusted" };

static const uint32_t trusted_in[MODES] = {
	[FEED_TRUSTED] = HPT_WALL_SOURCE_FEED, [ONE_TRUSTED] = HPT_WALL_SOURCE_CHRONY,
};

/* An exchange proves some 12 ms: the first lie is inside of that, the others are beyond. */
static const int64_t lies_ns[] = { 4 * NS_PER_MS, 40 * NS_PER_MS, 4 * NS_PER_S };

struct cell {
	uint32_t n, mode;
	int64_t lie_ns;
	struct terms terms;
	struct tally honest, lying;     /* before and since */
	uint64_t noticed;
	struct spread noticed_ms;
};

/* ---- A machine ----------------------------------------------------------------------------------------------- */

struct life {
	struct cell *cell;
	struct server servers[PATHS_MAX];
	struct machine m;
	int64_t now_ns, lie_at_ns;
	bool has_noticed;
};

static void note_contradiction(struct life *l)
{
	struct hpt_wall_info info;

	if (l->has_noticed || l->now_ns < l->lie_at_ns || hpt_wall_get_info(l->m.wall, &info, sizeof(info)) ||
	    !info.contradictions)
		return;
	l->has_noticed = true;
	l->cell->noticed++;
	spread_add(&l->cell->noticed_ms, (l->now_ns - l->lie_at_ns) / NS_PER_MS);
}

static void exchange(struct life *l, uint32_t path)
{
	int64_t answer_ns = machine_ask(&l->m, &l->m.paths[path], l->now_ns);

	if (!answer_ns)
		return;
	l->now_ns = answer_ns;
	(void)machine_answer(&l->m, answer_ns);
	note_contradiction(l);
}

static void read_until(struct life *l, int64_t end_ns, int64_t reads)
{
	struct hpt_wall_time t;

	for (; reads; reads--) {
		l->now_ns += stream_between(&l->m.random, 0, (end_ns - l->now_ns) / reads);
		l->m.tally = l->now_ns < l->lie_at_ns ? &l->cell->honest : &l->cell->lying;
		(void)machine_read(&l->m, l->now_ns, &t);
	}
	l->now_ns = end_ns;
}

static void shuffle(struct stream *random, uint32_t *order, uint32_t n)
{
	for (uint32_t i = n - 1, k, other; i; i--) {
		k = (uint32_t)stream_below(random, i + 1);
		other = order[i];
		order[i] = order[k];
		order[k] = other;
	}
}

/* All servers, one right after another and each time in another order; or each at its own part of the poll. */
static void poll_once(struct life *l, uint32_t *order)
{
	uint32_t n = l->cell->n;
	bool takes_turns = l->cell->mode == IN_TURNS;
	int64_t start_ns = l->now_ns;

	if (!takes_turns)
		shuffle(&l->m.random, order, n);
	for (uint32_t i = 0; i < n; i++) {
		exchange(l, order[i]);
		if (takes_turns)
			read_until(l, start_ns + POLL_NS / n * (i + 1), READS);
	}
	if (!takes_turns)
		read_until(l, start_ns + POLL_NS, READS);
}

static void make_servers(struct life *l, struct stream *random)
{
	struct cell *c = l->cell;
	/* The first one is the trusted one, where there is one. */
	uint32_t liar = (uint32_t)stream_between(random, c->mode == ONE_TRUSTED, c->n - 1);

	for (uint32_t i = 0; i < c->n; i++) {
		l->servers[i] = (struct server){ .key = stream_u64(random), .bound_ns = BOUND_NS };
		machine_connect(&l->m, &l->servers[i], c->mode == ONE_TRUSTED && !i ? HPT_WALL_SOURCE_CHRONY :
										      HPT_WALL_SOURCE_FEED);
	}
	l->servers[liar].lie_ns = stream_one_in(random, 2) ? c->lie_ns : -c->lie_ns;
	l->servers[liar].lie_from_ns = l->lie_at_ns;
	l->servers[liar].lie_to_ns = INT64_MAX;
}

static void live(struct cell *c, struct stream *random)
{
	struct life l = { .cell = c, .now_ns = FIRST_NS, .m = { .terms = &c->terms, .tally = &c->honest,
		.random.state = stream_u64(random), .poll_ns = POLL_NS, .rtt_ns = RTT_NS } };
	uint32_t order[PATHS_MAX] = { 0, 1, 2, 3, 4 };

	l.lie_at_ns = FIRST_NS + HONEST_NS + stream_below(random, POLL_NS);
	make_servers(&l, random);
	shuffle(random, order, c->n);
	machine_boot(&l.m, l.now_ns);
	machine_start(&l.m, l.now_ns);
	while (l.now_ns < FIRST_NS + HONEST_NS + LYING_NS)
		poll_once(&l, order);
	machine_free(&l.m);
}

/* ---- The table ----------------------------------------------------------------------------------------------- */

static void print_cell(const struct cell *c, int64_t machines)
{
	static const char *separator = "[";

	printf("%s{\"servers\": %u, \"mode\": \"%s\", \"lie_ns\": %" PRId64 ", \"machines\": %" PRId64
	       ", \"honest_read\": %" PRIu64 ", \"honest_false\": %" PRIu64 ", \"honest_no_bound\": %" PRIu64
	       ", \"read\": %" PRIu64 ", \"no_bound\": %" PRIu64 ", \"false\": %" PRIu64 ", \"false_of_true\": %" PRIu64
	       ", \"noticed\": %" PRIu64 ", \"noticed_median_ms\": %" PRId64 "}", separator, c->n, mode_names[c->mode],
	       c->lie_ns, machines, c->honest.read, c->honest.false_of_true + c->honest.false_of_false,
	       c->honest.no_bound, c->lying.read, c->lying.no_bound,
	       c->lying.false_of_false + c->lying.false_of_true, c->lying.false_of_true, c->noticed,
	       spread_at(&c->noticed_ms, 0.5));
	separator = ",\n";
}

static void run_cell(struct cell *c, int64_t machines, struct stream *random)
{
	c->terms = (struct terms){ .claim_percent = 100, .rates_percent = 100, .trusted = trusted_in[c->mode] };
	for (int64_t i = 0; i < machines; i++)
		live(c, random);
	print_cell(c, machines);
}

int main(int argc, char **argv)
{
	static struct cell cell;
	int64_t machines = number_of(argv + 1, "machines", 10);
	struct stream random = { (uint64_t)number_of(argv + 1, "seed", 1) };

	(void)argc;
	for (uint32_t mode = 0; mode < MODES; mode++) {
		for (size_t i = 0; i < sizeof(lies_ns) / sizeof(lies_ns[0]); i++) {
			for (uint32_t n = 1 + (mode == ONE_TRUSTED); n <= PATHS_MAX; n++) {
				cell = (struct cell){ .n = n, .mode = mode, .lie_ns = lies_ns[i] };
				run_cell(&cell, machines, &random);
			}
		}
	}
	puts("]");
	return 0;
}
