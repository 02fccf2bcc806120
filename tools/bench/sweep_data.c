// SPDX-License-Identifier: MIT
/* Prints a sweep as JSON and as CSV: tools/bench/sweep_data.h. */
#include "bench/sweep_data.h"

#include <inttypes.h>
#include <math.h>
#include <stdatomic.h>

#include "bench/candidates_sleep.h"
#include "bench/one_sleep.h"
#include "bench/published.h"
#include "bench/sweep.h"
#include "cli/out.h"
#include "cli/stats.h"
#include "cli/stopwatch.h"
#include "math/units.h"

static const char *const band_names[BANDS] = {
	[BAND_ALL] = "all", [BAND_LONG] = "long", [BAND_SHORT] = "short",
};

static int64_t ns_of(double ps)
{
	return (int64_t)llround(ps / PS_PER_NS);
}

/* ---- JSON ------------------------------------------------------------------------------------------------------ */

/* null without samples. */
static json_t *json_dist(const struct stats *d)
{
	return d->count ? stats_json(d, "ns", PS_PER_NS) : json_null();
}

static void json_misses(json_t *o, const struct sweep_stats *f)
{
	out_json_int(o, "sleeps", f->sleeps);
	out_json_int(o, "early", f->early);
	out_json_add(o, "miss", json_dist(&f->miss));
	out_json_add(o, "deadline_miss", json_dist(&f->deadline_miss));
}

static void json_split(json_t *o, const struct sweep_stats *f)
{
	out_json_add(o, "entry", json_dist(&f->entry));
	out_json_add(o, "exit", json_dist(&f->exit));
	out_json_bool(o, "entry_is_derived", f->entry_is_derived);
	out_json_bool(o, "exit_is_derived", f->exit_is_derived);
}

static void json_shares(json_t *o, const struct sweep_stats *f)
{
	out_json_sint(o, "cpu_ppm", f->cpu_ppm);
	out_json_sint(o, "user_ppm", f->user_ppm);
	out_json_sint(o, "system_ppm", f->system_ppm);
}

/* null: nothing was published, or of other lengths than the measured ones. */
static json_t *json_ratio(double here, int64_t published, bool is_comparable)
{
	return published && is_comparable ? json_integer(llround(here / (double)published * PPM)) : json_null();
}

/* What was published of this way in this band, and the ratio of the measured value; null where nothing was. */
static json_t *json_published(const struct sweep *s, unsigned way, enum hpt_band band)
{
	struct published_sleep p = published_sleep(way, band);
	const struct sweep_stats *f = &s->bands[way][band];
	bool is_comparable = published_is_sweep(&s->plan);
	json_t *o;

	if (!p.miss_ps && !p.cpu_ppm)
		return json_null();
	o = json_object();
	out_json_add(o, "miss_mean_ns", p.miss_ps ? json_integer(p.miss_ps / PS_PER_NS) : json_null());
	out_json_add(o, "miss_ratio_ppm", json_ratio(f->miss.mean, p.miss_ps, is_comparable));
	out_json_add(o, "cpu_ppm", p.cpu_ppm ? json_integer(p.cpu_ppm) : json_null());
	out_json_add(o, "cpu_ratio_ppm", json_ratio((double)f->cpu_ppm, p.cpu_ppm, is_comparable));
	return o;
}

static json_t *json_bands(const struct sweep *s, unsigned way)
{
	json_t *bands = json_array();

	for (unsigned band = 0; band < BANDS; band++) {
		const struct sweep_stats *f = &s->bands[way][band];
		json_t *o;

		if (!f->sleeps)
			continue;
		o = json_object();
		out_json_text(o, "band", band_names[band]);
		json_misses(o, f);
		json_split(o, f);
		json_shares(o, f);
		out_json_add(o, "published", json_published(s, way, band));
		json_array_append_new(bands, o);
	}
	return bands;
}

static int64_t miss_ticks(const struct sleep_times *times, int64_t ticks)
{
	return times->after - times->before - ticks;
}

static int64_t deadline_miss_ticks(const struct sleep_times *times, int64_t ticks)
{
	(void)ticks;
	return times->after - times->target;
}

static int64_t slept_ticks(const struct sleep_times *times, int64_t ticks)
{
	(void)ticks;
	return times->after - times->before;
}

/* One value for each round; @pick NULL: CPU time. */
static json_t *json_rounds(const struct sweep *s, unsigned way, unsigned length,
			   int64_t (*pick)(const struct sleep_times *times, int64_t ticks))
{
	uint32_t rounds = sweep_rounds(s, length);
	json_t *values = json_array();

	for (uint32_t round = 0; round < rounds; round++) {
		const struct sleep_times *times = sweep_times(s, way, round, length);
		int64_t ns = times->cpu_ns;

		if (pick)
			ns = ns_of((double)stopwatch_to_ps(s->watch.clk, pick(times, s->lengths_ticks[length])));
		json_array_append_new(values, json_integer(ns));
	}
	return values;
}

static json_t *json_length(const struct sweep *s, unsigned way, unsigned length)
{
	const struct sweep_stats *f = &s->lengths[way][length];
	json_t *o = json_object();

	out_json_sint(o, "length_ns", s->lengths_ns[length]);
	json_misses(o, f);
	json_split(o, f);
	json_shares(o, f);
	out_json_add(o, "miss_ns", json_rounds(s, way, length, miss_ticks));
	out_json_add(o, "deadline_miss_ns",
		     f->deadline_miss.count ? json_rounds(s, way, length, deadline_miss_ticks) : json_null());
	out_json_add(o, "cpu_ns", json_rounds(s, way, length, NULL));
	out_json_add(o, "slept_ns", json_rounds(s, way, length, slept_ticks));
	return o;
}

static json_t *json_way(const struct sweep *s, unsigned way)
{
	json_t *o = json_object(), *lengths = json_array();

	out_json_text(o, "name", sleep_candidates[way].name);
	out_json_int(o, "early", s->bands[way][BAND_ALL].early);
	out_json_add(o, "bands", json_bands(s, way));
	for (unsigned length = 0; length < s->n_lengths; length++)
		if (s->lengths[way][length].sleeps)
			json_array_append_new(lengths, json_length(s, way, length));
	out_json_add(o, "lengths", lengths);
	return o;
}

static void json_head(json_t *o, const struct sweep *s)
{
	out_json_text(o, "bench", "sleep");
	out_json_sint(o, "start_unix_ns", s->start_unix_ns);
	out_json_sint(o, "wall_ns", s->elapsed_ns);
	out_json_sint(o, "cpu", s->cpu);
	out_json_int(o, "rounds", s->plan.rounds);
	out_json_int(o, "rounds_done", atomic_load_explicit(&s->rounds_done, memory_order_acquire));
	out_json_int(o, "rounds_resumed", s->resumed_rounds);
	out_json_int(o, "seed", s->plan.seed);
	out_json_sint(o, "kernel_tick_ns", s->jiffy_ns);
	out_json_int(o, "diverged", s->disturbed);
	out_json_text(o, "filter", STATS_FILTER);
}

json_t *sweep_json(const void *sweep)
{
	const struct sweep *s = sweep;
	json_t *o = out_json_new(), *lengths = json_array(), *ways = json_array();

	json_head(o, s);
	for (unsigned i = 0; i < s->n_lengths; i++)
		json_array_append_new(lengths, json_integer(s->lengths_ns[i]));
	out_json_add(o, "lengths_ns", lengths);
	for (unsigned way = 0; way < s->n_ways; way++)
		if (s->bands[way][BAND_ALL].sleeps)
			json_array_append_new(ways, json_way(s, way));
	out_json_add(o, "ways", ways);
	return o;
}

/* ---- CSV ------------------------------------------------------------------------------------------------------- */

/* An empty field without samples. */
static void csv_median(FILE *to, const struct stats *d)
{
	if (d->count)
		fprintf(to, ",%" PRId64, ns_of((double)d->median));
	else
		putc(',', to);
}

static void csv_stats(FILE *to, const struct sweep_stats *f)
{
	const double misses[] = {
		f->miss.mean, f->miss.stddev, (double)f->miss.min, (double)f->miss.median, (double)f->miss.p90,
		(double)f->miss.p99, (double)f->miss.max,
	};

	fprintf(to, ",%zu,%zu", f->sleeps, f->early);
	for (size_t i = 0; i < sizeof(misses) / sizeof(misses[0]); i++)
		fprintf(to, ",%" PRId64, ns_of(misses[i]));
	csv_median(to, &f->deadline_miss);
	csv_median(to, &f->entry);
	csv_median(to, &f->exit);
	fprintf(to, ",%" PRId64 ",%" PRId64 ",%" PRId64 "\n", f->cpu_ppm, f->user_ppm, f->system_ppm);
}

static void csv_way(FILE *to, const struct sweep *s, unsigned way)
{
	for (unsigned length = 0; length < s->n_lengths; length++) {
		if (!s->lengths[way][length].sleeps)
			continue;
		fprintf(to, "\"%s\",,%" PRId64, sleep_candidates[way].name, s->lengths_ns[length]);
		csv_stats(to, &s->lengths[way][length]);
	}
	for (unsigned band = 0; band < BANDS; band++) {
		if (!s->bands[way][band].sleeps)
			continue;
		fprintf(to, "\"%s\",%s,", sleep_candidates[way].name, band_names[band]);
		csv_stats(to, &s->bands[way][band]);
	}
}

void sweep_csv(const void *sweep, FILE *to)
{
	const struct sweep *s = sweep;

	fputs("way,band,length_ns,sleeps,early,miss_mean_ns,miss_stddev_ns,miss_min_ns,miss_median_ns,miss_p90_ns,"
	      "miss_p99_ns,miss_max_ns,deadline_miss_median_ns,entry_median_ns,exit_median_ns,cpu_ppm,user_ppm,"
	      "system_ppm\n", to);
	for (unsigned way = 0; way < s->n_ways; way++)
		csv_way(to, s, way);
}

/* ---- Single sleeps --------------------------------------------------------------------------------------------- */

/* An empty field where the moment is not known, as for the system's sleeps. */
static void csv_since(FILE *to, const struct sweep *s, int64_t from, int64_t until)
{
	if (from && until)
		fprintf(to, ",%" PRId64, stopwatch_to_ps(s->watch.clk, until - from));
	else
		putc(',', to);
}

static void csv_sleep(FILE *to, const struct sweep *s, unsigned way, uint32_t round, unsigned length)
{
	const struct sleep_times *t = sweep_times(s, way, round, length);

	fprintf(to, "\"%s\",%" PRIu32 ",%" PRId64 ",%" PRId64, sleep_candidates[way].name, round,
		s->lengths_ns[length], stopwatch_to_ps(s->watch.clk, miss_ticks(t, s->lengths_ticks[length])));
	csv_since(to, s, t->target, t->after);
	csv_since(to, s, t->entered ? t->before : 0, t->entered);
	csv_since(to, s, t->left, t->after);
	fprintf(to, ",%" PRId64 ",%" PRId64 ",%" PRId64 "\n", t->cpu_ns, t->user_us, t->system_us);
}

void sweep_samples(const void *sweep, FILE *to)
{
	const struct sweep *s = sweep;

	fputs("way,round,length_ns,miss_ps,deadline_miss_ps,entry_ps,exit_ps,cpu_ns,user_us,system_us\n", to);
	for (unsigned way = 0; way < s->n_ways; way++)
		for (uint32_t round = 0; sweep_has(s, way) && round < sweep_rounds(s, 0); round++)
			for (unsigned i = 0; i < s->n_lengths && round < sweep_rounds(s, i); i++)
				csv_sleep(to, s, way, round, i);
}
