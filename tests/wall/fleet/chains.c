// SPDX-License-Identifier: MIT
/*
 * Transactions of a fleet: each takes a stamp, waits until UTC is surely after it, and is then committed. One that
 * begins after another one was committed, anywhere, must have the larger stamp.
 */
#include "chains.h"

#include <errno.h>
#include <stdlib.h>

#include "math/units.h"

/* The floor on disk is this much beyond a stamp, so that few stamps write it. */
#define FLOOR_NS (100 * NS_PER_MS)

#define NONE UINT32_MAX

/* A chain of machines of any network, for cases that are rare, which is not in the statistics. */
#define NOT_COUNTED NETWORKS

/* ---- Chains -------------------------------------------------------------------------------------------------- */

static void make_chains(struct fleet *f)
{
	uint32_t first = f->n_chains, n = first ? 2 * first : 256;

	f->chains = realloc(f->chains, n * sizeof(*f->chains));
	if (!f->chains)
		abort();
	f->n_chains = n;
	for (uint32_t i = first; i < n; i++)
		f->chains[i].next = i + 1 < n ? i + 1 : NONE;
	f->unused = first;
}

static void end_chain(struct fleet *f, uint32_t chain)
{
	f->chains[chain].next = f->unused;
	f->unused = chain;
}

/* A machine of the chain's network. */
static uint32_t choose_machine(struct fleet *f, uint32_t network)
{
	int64_t i = stream_below(&f->random, f->n);

	return (uint32_t)(network < DELAYS ? i / DELAYS * DELAYS + network : i);
}

static void put_hop(struct fleet *f, uint32_t machine, uint32_t chain, int64_t at_ns)
{
	queue_put(&f->queue, (struct event){ .at_ns = at_ns, .kind = HOP, .machine = machine, .chain = chain });
}

static void begin_chain(struct fleet *f, uint32_t network, uint32_t machine, int64_t at_ns)
{
	uint32_t chain;

	if (f->unused >= f->n_chains)
		make_chains(f);
	chain = f->unused;
	f->unused = f->chains[chain].next;
	f->chains[chain] = (struct chain){
		.network = network, .hops = (uint32_t)stream_between(&f->random, 1, HOPS_MAX),
		.has_messages = stream_one_in(&f->random, 2), .stamp = INT64_MIN,
	};
	put_hop(f, machine, chain, at_ns);
}

void fleet_chain_on(struct fleet *f, uint32_t machine, int64_t at_ns)
{
	begin_chain(f, NOT_COUNTED, machine, at_ns);
}

void fleet_chain(struct fleet *f)
{
	int64_t pause_ns = stream_between(&f->random, 1, 2 * f->chain_every_ns);
	uint32_t network = (uint32_t)stream_below(&f->random, NETWORKS), machine = choose_machine(f, network);

	begin_chain(f, network, machine, f->now_ns);
	if (stream_one_in(&f->random, 8))
		fleet_chain_on(f, machine, f->now_ns + stream_magnitude(&f->random, 1, NS_PER_S) - 1);
	queue_put(&f->queue, (struct event){ .at_ns = f->now_ns + pause_ns, .kind = CHAIN });
}

/* ---- Begin --------------------------------------------------------------------------------------------------- */

static bool take_stamp(struct fleet *f, struct machine *m, struct chain *c, int64_t *ret)
{
	bool is_received = c->has_messages && c->done;
	int r = is_received ? hpt_hlc_receive(m->hlc, c->stamp, ret) : hpt_hlc_now(m->hlc, ret);

	f->sum.messages += is_received;
	f->sum.again += r == -EAGAIN;
	f->sum.bad_messages += r == -EBADMSG;
	if (r && r != -EAGAIN && r != -EBADMSG)
		abort();
	return !r;
}

static void check_order(struct fleet *f, const struct machine *m, struct chain *c, int64_t stamp)
{
	int64_t above_ns = stamp - f->committed;
	bool is_after_message = !c->has_messages || !c->done || stamp > c->stamp;

	f->sum.repeated += stamp <= m->latest_stamp || !is_after_message;
	if (m->has_false) {
		f->sum.false_violations += stamp <= f->committed_any;
		return;
	}
	f->sum.violations += above_ns <= 0;
	f->sum.false_violations += above_ns > 0 && stamp <= f->committed_any;
	if (above_ns < f->sum.closest_ns)
		f->sum.closest_ns = above_ns;
}

static void note_stamp(struct machine *m, struct chain *c, int64_t stamp)
{
	c->stamp = m->latest_stamp = stamp;
	if (stamp > m->floor_ns)
		m->floor_ns = stamp + FLOOR_NS;
}

/* Most of what is left, so that the last look comes at the first nanosecond at which UTC is surely after the stamp. */
static void put_look(struct fleet *f, const struct machine *m, uint32_t chain, int64_t left_ns)
{
	int64_t pause_ns = left_ns - left_ns / 4096;

	queue_put(&f->queue, (struct event){ .at_ns = f->now_ns + (pause_ns > 0 ? pause_ns : 1), .kind = LOOK,
		.machine = (uint32_t)(m - f->machines), .life = m->life, .chain = chain });
}

void fleet_hop(struct fleet *f, const struct event *e)
{
	struct machine *m = &f->machines[e->machine];
	struct chain *c = &f->chains[e->chain];
	struct hpt_wall_time t;
	int64_t stamp;

	if (!m->wall || !machine_read(m, f->now_ns, &t)) {
		f->sum.unavailable++;
		end_chain(f, e->chain);
		return;
	}
	if (c->network != NOT_COUNTED)
		spread_add(&f->width[m->poll][m->delay], t.latest_ns - t.earliest_ns);
	if (!take_stamp(f, m, c, &stamp)) {
		end_chain(f, e->chain);
		return;
	}
	f->sum.begun++;
	check_order(f, m, c, stamp);
	note_stamp(m, c, stamp);
	c->has_false = m->has_false;
	c->began_ns = f->now_ns;
	/* Once somewhere in the wait, where UTC is not surely after the stamp yet. */
	put_look(f, m, e->chain, stream_between(&f->random, 0, stamp - t.earliest_ns));
}

/* ---- Commit -------------------------------------------------------------------------------------------------- */

static void go_on(struct fleet *f, const struct machine *m, uint32_t chain)
{
	struct chain *c = &f->chains[chain];
	int64_t delay_ns = c->has_messages ? stream_between(&f->random, 0, m->rtt_ns / 2) : 0;

	if (c->done == c->hops)
		end_chain(f, chain);
	else
		put_hop(f, choose_machine(f, c->network), chain, f->now_ns + delay_ns);
}

static void commit(struct fleet *f, const struct machine *m, struct chain *c)
{
	int64_t waited_ns = f->now_ns - c->began_ns;

	f->sum.committed++;
	f->sum.early += !m->has_false && f->now_ns <= c->stamp;
	c->has_false |= m->has_false;
	if (!c->has_false && c->stamp > f->committed)
		f->committed = c->stamp;
	if (c->stamp > f->committed_any)
		f->committed_any = c->stamp;
	c->waited_ns += waited_ns;
	c->done++;
	if (c->network == NOT_COUNTED)
		return;
	spread_add(&f->wait[m->poll][m->delay], waited_ns);
	spread_add(&f->chain[c->network][c->done - 1], c->waited_ns);
}

void fleet_look(struct fleet *f, const struct event *e)
{
	struct machine *m = &f->machines[e->machine];
	struct chain *c = &f->chains[e->chain];
	struct hpt_wall_time t;
	bool is_lost = !m->wall || m->life != e->life || !machine_read(m, f->now_ns, &t);

	if (is_lost) {
		f->sum.waits_lost++;
		end_chain(f, e->chain);
	} else if (hpt_wall_after(m->wall, c->stamp) > 0) {
		commit(f, m, c);
		go_on(f, m, e->chain);
	} else {
		put_look(f, m, e->chain, c->stamp - t.earliest_ns);
	}
}
