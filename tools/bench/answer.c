// SPDX-License-Identifier: MIT
/* Writes the tiles and the line on the run's quality: tools/bench/answer.h. */
#include "bench/answer.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "bench/candidates_sleep.h"
#include "bench/reads.h"
#include "bench/sweep.h"
#include "cli/amount.h"
#include "cli/disturbance.h"
#include "cli/doc.h"
#include "math/units.h"
#include "cli/util.h"

__attribute__((format(printf, 2, 3)))
static void put(FILE *to, const char *fmt, ...)
{
	char *text;
	va_list ap;

	va_start(ap, fmt);
	text = xvasprintf(fmt, ap);
	va_end(ap);
	doc_escape(to, text);
	free(text);
}

/* ---- Tiles ------------------------------------------------------------------------------------------------------ */

static void begin_tile(FILE *to, const char *heading, const char *value)
{
	fputs("<li><h2>", to);
	put(to, "%s", heading);
	fputs("</h2><strong>", to);
	put(to, "%s", value);
	fputs("</strong><p>", to);
}

static void end_tile(FILE *to)
{
	fputs("</p></li>\n", to);
}

/* hpt_now() as programs call it: by the default clock. Without that, by the first source. */
static const struct reads_row *find_read(const struct reads *r)
{
	const struct reads_row *first = NULL;

	for (unsigned i = 0; i < r->n_rows; i++) {
		const struct reads_row *row = &r->rows[i];

		if (strncmp(row->call->name, "hpt_now(", strlen("hpt_now(")) != 0 || !row->throughput.count)
			continue;
		if (row->call->is_default)
			return row;
		if (!first)
			first = row;
	}
	return first;
}

static void put_read(const struct reads *r, FILE *to)
{
	const struct reads_row *row = find_read(r);

	if (!row)
		return;
	begin_tile(to, "One read of the time", amount_time((double)row->throughput.median).s);
	put(to, "by hpt_now");
	if (r->base && r->base->throughput.count)
		put(to, "; clock_gettime takes %s", amount_time((double)r->base->throughput.median).s);
	if (row->ratio.count)
		put(to, ", and the ratio is %.2f", (double)row->ratio.median / PPM);
	end_tile(to);
}

static const struct sweep_stats *all_of(const struct sweep *s, unsigned way)
{
	return way < s->n_ways && s->bands[way][BAND_ALL].sleeps ? &s->bands[way][BAND_ALL] : NULL;
}

/* Of those that take a duration, as most programs sleep. */
static void put_miss(const struct sweep *s, FILE *to)
{
	const struct sweep_stats *own = all_of(s, CANDIDATE_FOR), *system = all_of(s, CANDIDATE_NANO);

	if (!own)
		return;
	begin_tile(to, "A sleep ends late by", amount_time((double)own->miss.median).s);
	put(to, "by hpt_sleep_ns");
	if (system)
		put(to, "; nanosleep by %s", amount_time((double)system->miss.median).s);
	put(to, " (medians of %s sleeps of %s to %s)", amount_count(own->sleeps).s,
	    amount_length((double)s->lengths_ns[s->n_lengths - 1] * PS_PER_NS).s,
	    amount_length((double)s->lengths_ns[0] * PS_PER_NS).s);
	end_tile(to);
}

static void put_cpu(const struct sweep *s, FILE *to)
{
	const struct sweep_stats *own = all_of(s, CANDIDATE_FOR), *system = all_of(s, CANDIDATE_NANO);
	const struct sweep_stats *busy = all_of(s, CANDIDATE_BUSY);

	if (!own)
		return;
	begin_tile(to, "CPU time of these sleeps", amount_share((double)own->cpu_ppm).s);
	put(to, "of the time slept, by hpt_sleep_ns");
	if (system)
		put(to, "; nanosleep %s", amount_share((double)system->cpu_ppm).s);
	if (busy)
		put(to, "; a busy wait %s", amount_share((double)busy->cpu_ppm).s);
	end_tile(to);
}

void answer_tiles(const struct reads *reads, const struct sweep *sweep, FILE *to)
{
	if (!reads && !sweep)
		return;
	fputs("<ul class=\"tiles\">\n", to);
	if (reads)
		put_read(reads, to);
	if (sweep) {
		put_miss(sweep, to);
		put_cpu(sweep, to);
	}
	fputs("</ul>\n", to);
}

/* ---- Quality ---------------------------------------------------------------------------------------------------- */

static const char *const parts[ANSWER_PARTS] = { "Reads", "Sleeps", "Wakes" };

static bool is_disturbed(const struct disturbance *const *disturbances)
{
	for (int i = 0; i < ANSWER_PARTS; i++)
		if (disturbances[i] && disturbances[i]->is_disturbed)
			return true;
	return false;
}

/* Is it known of every part that was measured? */
static bool is_known(const struct disturbance *const *disturbances)
{
	for (int i = 0; i < ANSWER_PARTS; i++)
		if (disturbances[i] && disturbances[i]->is_known && disturbances[i]->others_ppm < 0)
			return false;
	return true;
}

static void put_disturbance(const char *part, const struct disturbance *d, FILE *to)
{
	const char *comma = " ";

	put(to, "%s:", part);
	if (d->others_ppm > OTHERS_MAX_PPM) {
		put(to, "%sother processes used %.2f CPUs", comma, (double)d->others_ppm / PPM);
		comma = ", ";
	}
	if (d->steal_ppm > STEAL_MAX_PPM) {
		put(to, "%sthe host took %s of the CPUs' time", comma, amount_share((double)d->steal_ppm).s);
		comma = ", ";
	}
	if (d->is_preempted)
		put(to, "%sthe thread was preempted %s times", comma, amount_count(d->preemptions).s);
	put(to, ". ");
}

static void put_disturbances(const struct disturbance *const *disturbances, FILE *to)
{
	for (int i = 0; i < ANSWER_PARTS; i++)
		if (disturbances[i] && disturbances[i]->is_disturbed)
			put_disturbance(parts[i], disturbances[i], to);
	put(to, "The CPU was shared: tails are not the library's. ");
}

static uint32_t rounds_of(const struct sweep *s)
{
	return atomic_load_explicit(&s->rounds_done, memory_order_acquire);
}

void answer_quality(const struct disturbance *const disturbances[ANSWER_PARTS], bool is_interrupted,
			const struct sweep *sweep, FILE *to)
{
	bool is_bad = is_disturbed(disturbances);

	fprintf(to, "<p class=\"quality%s\">", is_bad || is_interrupted ? " bad" : "");
	if (is_interrupted)
		fputs("<strong>Interrupted:</strong> results of the complete rounds until then. ", to);
	if (is_bad) {
		fputs("<strong>A disturbed run.</strong> ", to);
		put_disturbances(disturbances, to);
	} else if (is_known(disturbances)) {
		fputs("<strong>A quiet run.</strong> The host and other processes took next to nothing. ", to);
	} else {
		fputs("<strong>Perhaps disturbed:</strong> the kernel does not show what others used. ", to);
	}
	if (sweep && rounds_of(sweep) < SWEEP_ROUNDS)
		put(to, "A short run: %" PRIu32 " sleep%s of each length and way.", rounds_of(sweep),
		    rounds_of(sweep) == 1 ? "" : "s");
	fputs("</p>\n", to);
}
