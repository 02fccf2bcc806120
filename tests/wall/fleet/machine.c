// SPDX-License-Identifier: MIT
/* A simulated machine with a real wall: machine.h. */
#include "machine.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "math/units.h"
#include "wall/wall_keeper.h"

/* The default claims of walls, which are not known by the header alone. */
#define RATE_PPB   50000
#define WANDER_PPB 15000

/* An hour without servers is survived. */
#define MAX_AGE_NS NS_PER_H

static void must(int r, const char *what)
{
	if (r < 0) {
		fprintf(stderr, "%s: %s\n", what, strerror(-r));
		exit(2);
	}
}

/* ---- Life ---------------------------------------------------------------------------------------------------- */

void machine_boot(struct machine *m, int64_t at_ns)
{
	const struct terms *t = m->terms;

	hpt_clock_close(m->clock);
	oscillator_start(&m->oscillator, &m->random, RATE_PPB * t->rates_percent / 100,
			 WANDER_PPB * t->rates_percent / 100, at_ns);
	must(hpt_clock_new_manual(m->oscillator.hz, 0, 0, &m->clock), "hpt_clock_new_manual");
	m->tick = 0;
}

/* A path's delay is often in one direction alone: the truth is then at an end of what an exchange proves. */
void machine_connect(struct machine *m, const struct server *server, uint32_t source)
{
	struct path *p = &m->paths[m->n_paths++];
	int64_t there_ns = stream_between(&m->random, 0, m->rtt_ns);

	if (stream_one_in(&m->random, 4))
		there_ns = stream_one_in(&m->random, 2) ? 0 : m->rtt_ns;
	*p = (struct path){ server, there_ns, m->rtt_ns - there_ns, source };
}

void machine_start(struct machine *m, int64_t at_ns)
{
	const struct hpt_wall_config config = {
		.sources = HPT_WALL_SOURCE_FEED | m->terms->trusted, .trusted = m->terms->trusted,
		.rate_ppb = (uint32_t)(RATE_PPB * m->terms->claim_percent / 100),
		.wander_ppb = (uint32_t)(WANDER_PPB * m->terms->claim_percent / 100), .max_age_ns = MAX_AGE_NS,
	};

	machine_pass(m, at_ns);
	must(hpt_wall_open(m->clock, &config, sizeof(config), 0, &m->wall), "hpt_wall_open");
	must(hpt_hlc_new(m->wall, MAX_AHEAD_NS, 0, &m->hlc), "hpt_hlc_new");
	if (m->floor_ns)
		must(hpt_hlc_set_floor(m->hlc, m->floor_ns), "hpt_hlc_set_floor");
	m->is_fresh = true;
	m->has_false = false;
	m->generation = 0;
	m->life++;
	m->tally->starts++;
}

void machine_stop(struct machine *m)
{
	hpt_hlc_free(m->hlc);
	hpt_wall_close(m->wall);
	m->hlc = NULL;
	m->wall = NULL;
}

void machine_free(struct machine *m)
{
	machine_stop(m);
	hpt_clock_close(m->clock);
}

void machine_pass(struct machine *m, int64_t at_ns)
{
	int64_t tick = oscillator_tick(&m->oscillator, at_ns);

	must(hpt_clock_advance(m->clock, tick - m->tick), "hpt_clock_advance");
	m->tick = tick;
}

/* ---- Exchanges ----------------------------------------------------------------------------------------------- */

/* On top of the least delay: up to a quarter, and seldom four times it. */
static int64_t jitter_ns(struct machine *m)
{
	return stream_below(&m->random, stream_one_in(&m->random, 32) ? 4 * m->rtt_ns : m->rtt_ns / 4);
}

int64_t machine_ask(struct machine *m, const struct path *path, int64_t at_ns)
{
	int64_t there_ns = path->there_ns + jitter_ns(m), back_ns = path->back_ns + jitter_ns(m);
	int64_t stated_at_ns = at_ns + there_ns;

	oscillator_drift(&m->oscillator, &m->random, at_ns);
	m->tally->asked++;
	if (at_ns < m->silent_until_ns || stream_one_in(&m->random, 50)) {
		m->tally->unanswered++;
		return 0;
	}
	m->exchange = (struct exchange){
		.path = path, .before = oscillator_tick(&m->oscillator, at_ns),
		.stated_ns = stated_at_ns + server_ahead_ns(path->server, stated_at_ns),
		.is_false = server_is_false(path->server, stated_at_ns),
	};
	return stated_at_ns + back_ns;
}

/* The exchange proves: between the two ticks UTC was within the server's bound of what it stated. */
static struct hpt_wall_sample sample_of(const struct machine *m)
{
	const struct exchange *x = &m->exchange;
	int64_t bound_ns = x->path->server->bound_ns * m->terms->claim_percent / 100;
	int64_t cut = (m->tick - x->before) * (100 - m->terms->claim_percent) / 200;

	return (struct hpt_wall_sample){
		.before = x->before + cut, .after = m->tick - cut, .source = x->path->source,
		.earliest_ns = x->stated_ns - bound_ns, .latest_ns = x->stated_ns + bound_ns,
	};
}

/* Another source than FEED takes samples by its own protocol; here the library's part after it is called. */
static int feed(struct machine *m, const struct hpt_wall_sample *s)
{
	struct hpt_wall_reading reading = { .sample = *s, .leap = HPT_WALL_LEAP_UNKNOWN };

	if (s->source == HPT_WALL_SOURCE_FEED)
		return hpt_wall_feed(m->wall, s, sizeof(*s));
	return hpt_wall_add(m->wall, &reading);
}

/* A contradiction drops what was stated before. A bound that goes on keeps what was false in it. */
static void note_false(struct machine *m, int r)
{
	struct hpt_wall_info info;

	if (!m->has_false && !m->exchange.is_false && r != -EAGAIN)
		return;
	must(hpt_wall_get_info(m->wall, &info, sizeof(info)), "hpt_wall_get_info");
	if (info.generation != m->generation)
		m->has_false = false;
	m->generation = info.generation;
	m->earliest_ns = INT64_MIN;
	if (!r && m->exchange.is_false)
		m->has_false = true;
}

int machine_answer(struct machine *m, int64_t at_ns)
{
	struct hpt_wall_sample s;
	int r;

	machine_pass(m, at_ns);
	s = sample_of(m);
	r = feed(m, &s);
	m->tally->fed += !r;
	m->tally->refused += r != 0;
	note_false(m, r);
	return r;
}

/* ---- Intervals ----------------------------------------------------------------------------------------------- */

static int64_t outside_ns(const struct hpt_wall_time *t, int64_t at_ns)
{
	int64_t low_ns = t->earliest_ns - at_ns, high_ns = at_ns - t->latest_ns;

	return low_ns > high_ns ? low_ns : high_ns;
}

static void check(struct machine *m, const struct hpt_wall_time *t, int64_t at_ns)
{
	struct tally *tally = m->tally;
	int64_t ns = outside_ns(t, at_ns);

	tally->of_false += m->has_false;
	if (ns > 0 && m->has_false)
		tally->false_of_false++;
	if (ns > 0 && !m->has_false) {
		tally->false_of_true++;
		if (ns > tally->worst_ns)
			tally->worst_ns = ns;
	}
	tally->fell += t->generation == m->generation && t->earliest_ns < m->earliest_ns;
	m->generation = t->generation;
	m->earliest_ns = t->earliest_ns;
}

bool machine_read(struct machine *m, int64_t at_ns, struct hpt_wall_time *ret)
{
	int r;

	machine_pass(m, at_ns);
	r = hpt_wall_now(m->wall, ret);
	if (r && r != -EAGAIN)
		must(r, "hpt_wall_now");
	m->tally->read++;
	m->tally->no_bound += r != 0;
	if (!r)
		check(m, ret, at_ns);
	return !r;
}
