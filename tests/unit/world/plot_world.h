/* SPDX-License-Identifier: MIT */
/* Invented results of benches, to be drawn. */
#ifndef HPT_TEST_PLOT_WORLD_H
#define HPT_TEST_PLOT_WORLD_H

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "unit.h"

#include "bench/reads.h"
#include "bench/sweep.h"
#include "bench/wakes_run.h"

/* As on real machines: most costs are near a floor, a few are far above. */
static inline int64_t random_cost(double typical_ps)
{
	double u = ((double)random_below(1000000) + 1) / 1000000, v = typical_ps * (0.97 + 0.06 * u);

	if (!random_below(50))
		v *= 1.2 + u;
	if (!random_below(4000))
		v += 2e6 / (u + 0.02);
	return (int64_t)v;
}

struct world_call { const char *name; uint32_t source; double ps; };

/* The calls of a machine that has every source. */
static const struct world_call world_calls[] = {
	{ "hpt_now(tsc)", HPT_SOURCE_TSC, 8200 }, { "hpt_now(os)", HPT_SOURCE_OS, 23400 },
	{ "hpt_now(hpet)", HPT_SOURCE_HPET, 612000 },
	{ "hpt_now(NULL)", 0, 9100 }, { "hpt_now_ns(tsc)", HPT_SOURCE_TSC, 11800 }, { "rdtsc", 0, 800 },
	{ "rdtscp", 0, 11200 }, { "lfence; rdtsc", 0, 13900 }, { "clock_gettime(MONOTONIC)", 0, 21500 },
	{ "clock_gettime(REALTIME)", 0, 21700 }, { "clock_gettime(MONOTONIC_RAW)", 0, 21600 },
	{ "clock_gettime(MONOTONIC_COARSE)", 0, 4100 }, { "clock_gettime(REALTIME_COARSE)", 0, 4000 },
	{ "clock_gettime(BOOTTIME)", 0, 21900 }, { "gettimeofday", 0, 22800 }, { "syscall(clock_gettime)", 0, 151000 },
	{ "clock_gettime(PROCESS_CPUTIME_ID)", 0, 284000 }, { "clock_gettime(THREAD_CPUTIME_ID)", 0, 175000 },
	{ "time", 0, 1900 }, { "std <chrono> & \"friends\"", 0, 22400 },
};

static inline void world_read(struct reads *r, unsigned n_rows, uint32_t rounds, uint32_t singles)
{
	struct read_candidate *calls = calloc(n_rows + 1, sizeof(*calls));

	*r = (struct reads){ .n_rows = n_rows, .rows = calloc(n_rows + 1, sizeof(r->rows[0])),
				.stopwatch_ps = 10434, .cpu = 1, .start_unix_ns = INT64_C(1795171679123456789) };
	r->rows[0].call = calls;
	r->plan.rounds = rounds;
	atomic_store(&r->rounds_done, rounds);
	for (unsigned i = 0; i < n_rows; i++) {
		struct reads_row *row = &r->rows[i];

		calls[i].name = world_calls[i].name;
		calls[i].source = world_calls[i].source;
		calls[i].is_default = strstr(world_calls[i].name, "NULL");
		row->call = &calls[i];
		row->singles = singles;
		row->single_ps = calloc((size_t)rounds * singles + 1, sizeof(int64_t));
		row->begun_ns = calloc((size_t)rounds + 1, sizeof(int64_t));
		for (size_t k = 0; k < (size_t)rounds * singles; k++)
			row->single_ps[k] = random_cost(world_calls[i].ps);
		for (size_t k = 0; k < rounds; k++)
			row->begun_ns[k] = (int64_t)(k * 14000000 + i * 600000);
		stats_of(row->single_ps, (size_t)rounds * singles, &row->single);
		row->throughput = row->isolated = row->single;
		if (!strcmp(row->call->name, "clock_gettime(MONOTONIC)"))
			r->base = row;
	}
}

static inline void world_read_free(struct reads *r)
{
	for (unsigned i = 0; i < r->n_rows; i++) {
		free(r->rows[i].single_ps);
		free(r->rows[i].begun_ns);
	}
	free((void *)r->rows[0].call);
	free(r->rows);
}

/* The miss and the CPU time of a way at a length. */
static inline double world_miss_ps(unsigned way, double ns)
{
	switch (way) {
	case CANDIDATE_UNTIL: return 62000 + (ns > 4e6 ? 60000 : 0);
	case CANDIDATE_FOR: return 81000 + (ns > 4e6 ? 90000 : 0);
	case CANDIDATE_PAPERS: return 102000 + (ns > 4e6 ? 150000 : 0);
	case CANDIDATE_NANO: return 5.4e7 + ns * 0.4;
	case CANDIDATE_ABSOLUTE: return 3.9e6 + ns * 0.3;
	default: return 45000;
	}
}

static inline double world_cpu_ppm(unsigned way, double ns)
{
	switch (way) {
	case CANDIDATE_UNTIL:
	case CANDIDATE_FOR: return fmin(990000, 6e9 / ns * (way == CANDIDATE_FOR ? 1.05 : 1));
	case CANDIDATE_PAPERS: return fmin(996000, 4e12 / ns);
	case CANDIDATE_NANO: return fmin(200000, 3e9 / ns);
	case CANDIDATE_ABSOLUTE: return fmin(400000, 2.6e9 / ns);
	default: return 998000;
	}
}

static inline void world_sweep(struct sweep *s, unsigned n_lengths, unsigned n_ways)
{
	*s = (struct sweep){ .n_lengths = n_lengths, .n_ways = n_ways, .jiffy_ns = 4000000, .cpu = 1 };
	s->lengths = calloc(CANDIDATES, sizeof(s->lengths[0]));
	s->bands = calloc(CANDIDATES, sizeof(s->bands[0]));
	atomic_store(&s->rounds_done, 7);
	for (unsigned i = 0; i < n_lengths; i++)
		s->lengths_ns[i] = SWEEP_LONGEST_NS >> i;
	for (unsigned way = 0; way < n_ways; way++) {
		struct sweep_stats *all = &s->bands[way][BAND_ALL];

		all->sleeps = all->miss.count = 7 * n_lengths;
		all->miss.median = (int64_t)world_miss_ps(way, 1e5);
		all->cpu_ppm = (int64_t)world_cpu_ppm(way, 1e7);
	}
	for (unsigned way = 0; way < n_ways; way++)
		for (unsigned i = 0; i < n_lengths; i++) {
			struct sweep_stats *f = &s->lengths[way][i];
			double ns = (double)s->lengths_ns[i];

			f->sleeps = 7;
			f->miss.count = 7;
			f->miss.median = random_cost(world_miss_ps(way, ns));
			f->miss.min = f->miss.median * 9 / 10;
			f->miss.max = f->miss.median * (int64_t)(2 + random_below(5));
			f->cpu_ppm = (int64_t)world_cpu_ppm(way, ns);
		}
}

static inline void world_sweep_free(struct sweep *s)
{
	free(s->lengths);
	free(s->bands);
}

static inline int64_t *world_costs(size_t n, double typical_ps, struct stats *ret)
{
	int64_t *ps = calloc(n + 1, sizeof(ps[0]));

	for (size_t i = 0; i < n; i++)
		ps[i] = random_cost(typical_ps * (1 + 0.2 * (double)random_below(100) / 100));
	stats_of(ps, n, ret);
	return ps;
}

static inline void world_wakes(struct wakes *s, uint32_t rounds, size_t ticks)
{
	static const struct { const char *name; const char *ways[3]; double ps[3]; unsigned n; } phases[] = {
		{ "spin", { "hpt_waiter_interrupt", "bare flag" }, { 210000, 130000 }, 2 },
		{ "kernel 0.3 ms", { "hpt_waiter_interrupt", "eventfd and ppoll", "bare futex" },
		  { 6.1e6, 7.2e6, 5.4e6 }, 3 },
		{ "kernel 10 ms", { "hpt_waiter_interrupt", "eventfd and ppoll", "bare futex" },
		  { 2.3e7, 2.9e7, 2.2e7 }, 3 },
		{ "kernel 10 ms cold", { "hpt_waiter_interrupt", "eventfd and ppoll", "bare futex" },
		  { 4.3e7, 4.9e7, 4.1e7 }, 3 },
	};
	static const struct { const char *name; double ps; } keepers[] = {
		{ "hpt_ticker_wait", 58000 }, { "clock_nanosleep", 5.6e7 }, { "clock_nanosleep, slack 1", 4.4e6 },
	};

	*s = (struct wakes){ .n_phases = WAKES_PHASES, .n_keepers = WAKES_KEEPERS, .cpu = 0,
				 .sleeper_cpu = 1 };
	s->plan.period_ns = WAKES_PERIOD_NS;
	for (unsigned i = 0; i < s->n_phases; i++) {
		s->phases[i].name = phases[i].name;
		s->phases[i].n_ways = phases[i].n;
		atomic_store(&s->phases[i].rounds_done, rounds);
		for (unsigned k = 0; k < phases[i].n; k++) {
			struct wakes_candidate *way = &s->phases[i].ways[k];

			way->name = phases[i].ways[k];
			way->latency_ps = world_costs(rounds, phases[i].ps[k], &way->latency);
		}
	}
	for (unsigned i = 0; i < s->n_keepers; i++) {
		s->keepers[i].name = keepers[i].name;
		s->keepers[i].n = ticks;
		atomic_store(&s->keepers[i].done, ticks);
		s->keepers[i].elapsed_ns = (int64_t)ticks * s->plan.period_ns;
		s->keepers[i].late_ps = world_costs(ticks, keepers[i].ps, &s->keepers[i].late);
	}
}

static inline void world_wakes_free(struct wakes *s)
{
	for (unsigned i = 0; i < s->n_phases; i++)
		for (unsigned k = 0; k < s->phases[i].n_ways; k++)
			free(s->phases[i].ways[k].latency_ps);
	for (unsigned i = 0; i < s->n_keepers; i++)
		free(s->keepers[i].late_ps);
}

#endif
