// SPDX-License-Identifier: MIT
/* The events of a fleet - polls, answers, failures - and how it is made: fleet.h. */
#include "fleet.h"

#include <stdlib.h>

#include "chains.h"
#include "math/units.h"

#define SERVER_BOUND_NS (50 * NS_PER_US)
#define FIRST_POLL_NS   (16 * NS_PER_S)
#define FIRST_RTT_NS    (100 * NS_PER_US)
#define PATHS           4       /* of a machine, at most */

/* In 100 machines: those that ask often make most of the events. */
static const int64_t polls_of_100[POLLS] = { 2, 4, 18, 19, 19, 19, 19 };

/* ---- Events -------------------------------------------------------------------------------------------------- */

static uint32_t number_of_machine(const struct fleet *f, const struct machine *m)
{
	return (uint32_t)(m - f->machines);
}

static void put(struct fleet *f, const struct machine *m, uint32_t kind, int64_t at_ns)
{
	queue_put(&f->queue, (struct event){ .at_ns = at_ns, .kind = kind,
		.machine = number_of_machine(f, m), .life = m->life });
}

static void ask(struct fleet *f, struct machine *m)
{
	int64_t answer_ns = machine_ask(m, &m->paths[m->next_path++ % m->n_paths], f->now_ns);

	if (answer_ns)
		put(f, m, ANSWER, answer_ns);
	put(f, m, ASK, f->now_ns + m->poll_ns + stream_below(&m->random, m->poll_ns / 16));
}

/* The first bound after a start serves a transaction at once, whose stamp must be above those of before. */
static void answer(struct fleet *f, struct machine *m)
{
	if (machine_answer(m, f->now_ns) || !m->is_fresh)
		return;
	m->is_fresh = false;
	fleet_chain_on(f, number_of_machine(f, m), f->now_ns);
}

static void start(struct fleet *f, struct machine *m)
{
	machine_start(m, f->now_ns);
	put(f, m, ASK, f->now_ns + stream_magnitude(&m->random, 1, NS_PER_S));
}

static void fall_silent(struct fleet *f, struct machine *m)
{
	m->silent_until_ns = f->now_ns + stream_magnitude(&m->random, 60 * NS_PER_S, 2 * NS_PER_H);
	m->tally->silences++;
}

static void crash(struct fleet *f, struct machine *m)
{
	machine_stop(m);
	put(f, m, RESTART, f->now_ns + stream_magnitude(&m->random, NS_PER_MS, 600 * NS_PER_S));
}

/* Of the program; or of the machine, so that the counter starts again. */
static void restart(struct fleet *f, struct machine *m)
{
	if (stream_one_in(&m->random, 2)) {
		machine_boot(m, f->now_ns);
		m->tally->reboots++;
	}
	start(f, m);
}

/* A crash comes in the commit wait of a transaction, or soon after. */
static void fail(struct fleet *f, struct machine *m)
{
	if (stream_one_in(&m->random, 2)) {
		fall_silent(f, m);
	} else {
		fleet_chain_on(f, number_of_machine(f, m), f->now_ns);
		put(f, m, CRASH, f->now_ns + stream_magnitude(&m->random, 1, NS_PER_S));
	}
	put(f, m, FAIL, f->now_ns + stream_below(&m->random, 12 * NS_PER_H));
}

/* Asks, answers and crashes are those of a program that runs; failures go on for ever. */
static void happen(struct fleet *f, const struct event *e)
{
	struct machine *m = &f->machines[e->machine];
	bool is_alive = m->wall && m->life == e->life;

	f->events++;
	switch (e->kind) {
	case ASK:
		if (is_alive)
			ask(f, m);
		break;
	case ANSWER:
		if (is_alive)
			answer(f, m);
		break;
	case FAIL:
		fail(f, m);
		break;
	case CRASH:
		if (is_alive)
			crash(f, m);
		break;
	case RESTART:
		restart(f, m);
		break;
	case CHAIN:
		fleet_chain(f);
		break;
	case HOP:
		fleet_hop(f, e);
		break;
	default:
		fleet_look(f, e);
	}
}

void fleet_run(struct fleet *f)
{
	struct event e;

	while (queue_take(&f->queue, &e) && e.at_ns < f->end_ns) {
		f->now_ns = e.at_ns;
		happen(f, &e);
	}
}

/* ---- Make ---------------------------------------------------------------------------------------------------- */

static void make_server(struct fleet *f, struct server *s, bool lies)
{
	int64_t length_ns = f->end_ns - f->now_ns;

	*s = (struct server){ .key = stream_u64(&f->random), .bound_ns = SERVER_BOUND_NS };
	if (!lies)
		return;
	s->lie_ns = stream_magnitude(&f->random, SERVER_BOUND_NS, 30 * NS_PER_S);
	if (stream_one_in(&f->random, 2))
		s->lie_ns = -s->lie_ns;
	s->lie_from_ns = f->now_ns + stream_below(&f->random, length_ns / 2);
	s->lie_to_ns = s->lie_from_ns + stream_between(&f->random, length_ns / 8, length_ns / 2);
}

static uint32_t choose_poll(struct stream *random)
{
	int64_t left = stream_below(random, 100);
	uint32_t poll = 0;

	while (left >= polls_of_100[poll])
		left -= polls_of_100[poll++];
	return poll;
}

static void make_machine(struct fleet *f, struct machine *m, const struct terms *terms)
{
	int64_t n_paths = stream_between(&f->random, 1, PATHS);

	*m = (struct machine){ .terms = terms, .tally = &f->tally, .random.state = stream_u64(&f->random),
		.delay = (uint32_t)(m - f->machines) % DELAYS, .poll = choose_poll(&f->random),
		.rtt_ns = FIRST_RTT_NS, .latest_stamp = INT64_MIN };
	m->poll_ns = FIRST_POLL_NS << m->poll;
	for (uint32_t i = 0; i < m->delay; i++)
		m->rtt_ns *= 10;
	for (int64_t i = 0; i < n_paths; i++)
		machine_connect(m, &f->servers[stream_below(&f->random, SERVERS)], HPT_WALL_SOURCE_FEED);
	machine_boot(m, f->now_ns);
	start(f, m);
	put(f, m, FAIL, f->now_ns + stream_below(&m->random, 12 * NS_PER_H));
}

void fleet_make(struct fleet *f, const struct terms *terms, uint32_t machines, uint64_t seed, int64_t length_ns,
		bool lies)
{
	*f = (struct fleet){ .n = machines, .random.state = seed, .now_ns = FIRST_NS,
		.end_ns = FIRST_NS + length_ns, .committed = FIRST_NS - NS_PER_S, .committed_any = FIRST_NS - NS_PER_S,
		.sum.closest_ns = INT64_MAX };
	/* In a day each machine takes part in 200 transactions. */
	f->chain_every_ns = 24 * NS_PER_H / machines * (1 + HOPS_MAX) / 2 / 200;
	f->machines = calloc(machines, sizeof(*f->machines));
	if (!f->machines)
		abort();
	for (uint32_t i = 0; i < SERVERS; i++)
		make_server(f, &f->servers[i], lies && i % 8 == 0);
	for (uint32_t i = 0; i < machines; i++)
		make_machine(f, &f->machines[i], terms);
	queue_put(&f->queue, (struct event){ .at_ns = f->now_ns, .kind = CHAIN });
}

void fleet_free(struct fleet *f)
{
	for (uint32_t i = 0; i < f->n; i++)
		machine_free(&f->machines[i]);
	free(f->machines);
	free(f->chains);
	queue_free(&f->queue);
}
