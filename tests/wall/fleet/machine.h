/* SPDX-License-Identifier: MIT */
/*
 * A machine of a fleet: a counter, a wall and a hybrid logical clock of the library's on a manual clock that shows it,
 * and exchanges with servers. Each interval that is read is compared with the truth.
 */
#ifndef HPT_FLEET_MACHINE_H
#define HPT_FLEET_MACHINE_H

#include <hpt/hpt.h>
#include <hpt/wall.h>

#include "oscillator.h"
#include "server.h"
#include "stream.h"

#define PATHS_MAX 5

/* More than any interval is wide. */
#define MAX_AHEAD_NS INT64_C(2000000000)

/* What machines claim, and what is true. */
struct terms {
	int64_t  claim_percent;         /* of the true bounds of statements and rates; 100: claims are true */
	int64_t  rates_percent;         /* of the claimed rates: what the true ones may be */
	uint32_t trusted;               /* sources, for hpt_wall_config */
};

/* The way to a server. */
struct path {
	const struct server *server;
	int64_t there_ns, back_ns;      /* the least that it takes */
	uint32_t source;                /* for which the wall takes its answers */
};

/* An exchange under way. */
struct exchange {
	const struct path *path;
	int64_t before, stated_ns;
	bool is_false;
};

/* What machines have seen. */
struct tally {
	uint64_t asked, unanswered, fed, refused, read, no_bound;
	uint64_t false_of_true;         /* intervals without the truth, of walls that have true statements alone */
	uint64_t false_of_false;        /* the same where the bound has a false statement */
	uint64_t of_false;              /* all intervals of the latter kind */
	uint64_t fell;                  /* earliest_ns fell in a generation */
	uint64_t starts, reboots, silences;
	int64_t  worst_ns;              /* how far the truth was outside, of true statements */
};

struct machine {
	const struct terms *terms;
	struct tally *tally;
	struct stream random;
	struct oscillator oscillator;
	hpt_clock *clock;
	hpt_wall *wall;                 /* NULL: the program does not run */
	hpt_hlc *hlc;
	int64_t tick;                   /* what the clock shows */
	uint32_t life;                  /* counts the program's starts */
	uint32_t poll, delay;           /* its classes */
	int64_t poll_ns, rtt_ns;
	struct path paths[PATHS_MAX];
	uint32_t n_paths, next_path;
	struct exchange exchange;
	int64_t silent_until_ns;        /* nothing is heard of servers until then */
	bool is_fresh;                  /* nothing was fed since its program's start */
	bool has_false;                 /* a false statement is in the bound */
	uint64_t generation;            /* of the latest interval */
	int64_t earliest_ns;
	int64_t latest_stamp, floor_ns; /* the latter is on disk */
};

/* Gives it a counter and its paths, at this moment. rtt_ns, poll_ns and terms are set. */
void machine_boot(struct machine *m, int64_t at_ns);
void machine_connect(struct machine *m, const struct server *server, uint32_t source);

/* Its program starts: no bound, and a floor for stamps. */
void machine_start(struct machine *m, int64_t at_ns);
void machine_stop(struct machine *m);
void machine_free(struct machine *m);

/* Lets its clock show this moment. */
void machine_pass(struct machine *m, int64_t at_ns);

/* Begins an exchange. Returns the moment at which the answer comes; 0: it is lost. */
int64_t machine_ask(struct machine *m, const struct path *path, int64_t at_ns);

/* Feeds the answer. Returns as hpt_wall_feed(). */
int machine_answer(struct machine *m, int64_t at_ns);

/* An interval, which is checked. False: there is no bound. */
bool machine_read(struct machine *m, int64_t at_ns, struct hpt_wall_time *ret);

#endif
