/* SPDX-License-Identifier: MIT */
/* A fleet of machines over a simulated day, and the transactions between them. */
#ifndef HPT_FLEET_FLEET_H
#define HPT_FLEET_FLEET_H

#include "machine.h"
#include "queue.h"
#include "spread.h"

#define POLLS    7              /* 16, 32 ... 1024 s */
#define DELAYS   4              /* round trips: 0.1, 1, 10, 100 ms */
#define NETWORKS (DELAYS + 1)   /* of chains: machines of one delay, or of any */
#define HOPS_MAX 8
#define SERVERS  40

#define FIRST_NS INT64_C(1790000000000000000)

enum { ASK, ANSWER, FAIL, CRASH, RESTART, CHAIN, HOP, LOOK };

/*
 * Transactions one after another: the next one begins on another machine at the moment at which one is committed, or
 * when a message that has its stamp arrives.
 */
struct chain {
	uint32_t network, hops, done;
	bool has_messages;
	bool has_false;                 /* of the present one: its machine had a false statement in its bound */
	int64_t stamp, began_ns;
	int64_t waited_ns;              /* in all */
	uint32_t next;                  /* in the list of unused ones */
};

struct transactions {
	uint64_t begun, committed, messages;
	uint64_t violations;            /* stamps not above that of one that was committed before; of true statements */
	uint64_t false_violations;      /* the same where a false statement is in the bound of either machine */
	uint64_t repeated;              /* stamps not above the machine's own latest, and that of the message */
	uint64_t early;                 /* commit waits that ended before UTC had reached the stamp */
	uint64_t unavailable, again, bad_messages, waits_lost;
	int64_t  closest_ns;            /* the least that a stamp was above those committed before */
};

struct fleet {
	struct machine *machines;
	uint32_t n;
	struct server servers[SERVERS];
	struct stream random;
	struct queue queue;
	struct chain *chains;
	uint32_t n_chains, unused;
	int64_t now_ns, end_ns, chain_every_ns;
	int64_t committed, committed_any; /* the largest stamp: where all statements were true, and of all */
	uint64_t events;
	struct tally tally;
	struct transactions sum;
	struct spread width[POLLS][DELAYS], wait[POLLS][DELAYS], chain[NETWORKS][HOPS_MAX];
};

/* Makes machines and servers, and lets the time pass. lies: one server in eight lies for a part of it. */
void fleet_make(struct fleet *f, const struct terms *terms, uint32_t machines, uint64_t seed, int64_t length_ns,
		bool lies);
void fleet_run(struct fleet *f);
void fleet_free(struct fleet *f);

#endif
