// SPDX-License-Identifier: MIT
/* Plans from requests, and samples by their names: engine.h. */
#include "bench/engine.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "bench/plot/plot.h"
#include "bench/reads.h"
#include "bench/sweep.h"
#include "bench/stopwatch.h"
#include "bench/wakes.h"
#include "util.h"

/* --short takes this part of what is taken by default. */
#define SHORT_SHARE 10

union any { struct hpt_reads read; struct hpt_sweep sweep; struct hpt_wakes wakes; };

/* Never given back, and for all that not lost: tools that look for leaks find it here. */
struct kept {
	union any any;
	struct kept *next;
};

static struct kept *volatile kept;

void *hpt_engine_new(void)
{
	struct kept *k = hpt_calloc(1, sizeof(*k));

	k->next = kept;
	kept = k;
	return &k->any;
}

static uint32_t rounds_of(const struct hpt_request *r, uint32_t by_default, uint32_t by_long)
{
	if (r->rounds)
		return r->rounds;
	if (r->is_short)
		return by_default < SHORT_SHARE ? 1 : by_default / SHORT_SHARE;
	return r->is_long ? by_long : by_default;
}

/* ---- read -------------------------------------------------------------------------------------------------------- */

static int read_prepare(const struct hpt_request *r, void *data, bool *ret_is_reported)
{
	struct hpt_reads_plan plan = {
		.source = r->source, .rounds = rounds_of(r, HPT_READS_ROUNDS, HPT_READS_ROUNDS_LONG), .seed = r->seed,
	};
	struct hpt_source_info info = { 0 };
	int err = hpt_reads_prepare(&plan, data);

	if (err && r->source && !hpt_source_get_info(r->source, &info, sizeof(info))) {
		hpt_err("%s: %s cannot be used: %s", r->cmd->name, hpt_source_name(r->source), hpt_reason_text(info.reason));
		*ret_is_reported = true;
	}
	return err;
}

static bool read_summarise(void *data)
{
	struct hpt_reads *r = data;

	if (!atomic_load_explicit(&r->rounds_done, memory_order_acquire))
		return false;
	hpt_reads_summarise(r);
	return true;
}

static void read_tell(const void *data, struct hpt_doc *doc)
{
	hpt_reads_print(data, doc);
}

static json_t *read_json(const void *data)
{
	return hpt_reads_json(data);
}

static void read_csv(const void *data, FILE *to)
{
	hpt_reads_csv(data, to);
}

static void read_plot(const void *data, FILE *to)
{
	hpt_plot_reads(data, to);
}

static bool read_series(const void *data, unsigned i, struct hpt_series *ret)
{
	static const char *const quantities[] = { "throughput", "isolated", "single" };
	const struct hpt_reads *r = data;
	const struct hpt_reads_row *row = &r->rows[i / 3];

	if (i >= r->n_rows * 3)
		return false;
	*ret = (struct hpt_series){ .n = atomic_load_explicit(&r->rounds_done, memory_order_acquire) };
	snprintf(ret->name, sizeof(ret->name), "%s %s", row->call->name, quantities[i % 3]);
	ret->ps = i % 3 == 0 ? row->throughput_ps : i % 3 == 1 ? row->isolated_ps : row->single_ps;
	if (i % 3 == 2)
		ret->n *= row->singles;
	return true;
}

const struct hpt_engine hpt_engine_read = {
	.name = "read", .what = "Reading clocks", .rounds_max = HPT_READS_ROUNDS_MAX,
	.prepare = read_prepare, .measure = hpt_reads_measure, .summarise = read_summarise,
	.tell = read_tell, .json = read_json, .csv = read_csv, .plot = read_plot, .series = read_series,
};

/* ---- sleep ------------------------------------------------------------------------------------------------------- */

static int sleep_prepare(const struct hpt_request *r, void *data, bool *ret_is_reported)
{
	uint32_t by_default = r->is_table ? HPT_SWEEP_TABLE_ROUNDS : HPT_SWEEP_ROUNDS;
	struct hpt_sweep_plan plan = {
		.longest_ns = r->is_table ? HPT_SWEEP_TABLE_LONGEST_NS : HPT_SWEEP_LONGEST_NS,
		.shortest_ns = r->shortest_ns ? r->shortest_ns : HPT_SWEEP_SHORTEST_NS,
		.step = r->is_table ? HPT_SWEEP_TABLE_STEP : HPT_SWEEP_STEP,
		.rounds = rounds_of(r, by_default, HPT_SWEEP_ROUNDS_LONG),
		.seed = r->seed, .is_loaded = r->is_loaded, .is_table = r->is_table,
	};

	(void)ret_is_reported;
	if (r->longest_ns)
		plan.longest_ns = r->longest_ns;
	if (r->step)
		plan.step = r->step;
	return hpt_sweep_prepare(&plan, data);
}

static bool sleep_summarise(void *data)
{
	struct hpt_sweep *s = data;

	if (!hpt_sweep_rounds(s, 0))
		return false;
	hpt_sweep_summarise(s);
	return true;
}

static void sleep_tell(const void *data, struct hpt_doc *doc)
{
	hpt_sweep_print(data, doc);
}

static json_t *sleep_json(const void *data)
{
	return hpt_sweep_json(data);
}

static void sleep_csv(const void *data, FILE *to)
{
	hpt_sweep_csv(data, to);
}

static void sleep_plot(const void *data, FILE *to)
{
	hpt_plot_sweep(data, to);
}

/* Of a way's sleeps of a band: their misses, or how far they ended behind a target of their own. */
static void collect(const struct hpt_sweep *s, unsigned way, bool is_long, bool is_deadline, struct hpt_series *ret)
{
	uint32_t rounds = hpt_sweep_rounds(s, 0);

	ret->ps = ret->own = hpt_calloc((size_t)rounds * s->n_lengths, sizeof(ret->own[0]));
	for (uint32_t round = 0; round < rounds; round++) {
		for (unsigned i = 0; i < s->n_lengths && round < hpt_sweep_rounds(s, i); i++) {
			const struct hpt_sleep_times *v = hpt_sweep_times(s, way, round, i);
			int64_t from = is_deadline ? v->target : v->before + s->lengths_ticks[i];

			if ((s->lengths_ns[i] >= s->jiffy_ns) == is_long && (!is_deadline || v->target))
				ret->own[ret->n++] = hpt_stopwatch_ps(s->clk, v->after - from);
		}
	}
}

static bool sleep_series(const void *data, unsigned i, struct hpt_series *ret)
{
	const struct hpt_sweep *s = data;
	bool is_long = i / 2 % 2 == 0, is_deadline = i % 2;

	if (i >= s->n_ways * 4)
		return false;
	*ret = (struct hpt_series){ 0 };
	snprintf(ret->name, sizeof(ret->name), "%s %s %s", hpt_sleep_candidates[i / 4].name, is_long ? "long" : "short",
		 is_deadline ? "deadline_miss" : "miss");
	collect(s, i / 4, is_long, is_deadline, ret);
	return true;
}

static int sleep_verdict(const void *data, const struct hpt_cmd *cmd)
{
	const struct hpt_sweep *s = data;
	size_t early = 0;

	for (unsigned way = 0; way < s->n_ways; way++)
		if (hpt_sleep_candidates[way].is_ours)
			early += s->bands[way][HPT_BAND_ALL].early;
	if (early)
		hpt_err("%s: %zu of libhpt's own sleeps ended early: please report this", cmd->name, early);
	if (s->disturbed)
		hpt_err("%s: the counter and the system's clock parted during %" PRIu32 " sleeps: see hpt_sleep(7)", cmd->name,
			s->disturbed);
	return early || s->disturbed ? HPT_EXIT_DEGRADED : EXIT_SUCCESS;
}

const struct hpt_engine hpt_engine_sleep = {
	.name = "sleep", .what = "Sleeping", .rounds_max = HPT_SWEEP_ROUNDS_MAX,
	.prepare = sleep_prepare, .measure = hpt_sweep_measure, .summarise = sleep_summarise,
	.tell = sleep_tell, .json = sleep_json, .csv = sleep_csv, .plot = sleep_plot, .series = sleep_series,
	.verdict = sleep_verdict,
};

/* ---- wake -------------------------------------------------------------------------------------------------------- */

static struct hpt_wakes_plan wake_plan(const struct hpt_request *r)
{
	struct hpt_wakes_plan plan = {
		.rounds = rounds_of(r, HPT_WAKES_ROUNDS, HPT_WAKES_ROUNDS_LONG),
		.period_ns = r->period_ns ? r->period_ns : HPT_WAKES_PERIOD_NS,
		.ticker_ns = r->is_long ? HPT_WAKES_TICKER_LONG_NS : HPT_WAKES_TICKER_NS,
		.seed = r->seed,
	};

	if (r->is_short)
		plan.ticker_ns = HPT_WAKES_TICKER_NS / SHORT_SHARE;
	if (r->ticker_ns >= 0)
		plan.ticker_ns = r->ticker_ns;
	return plan;
}

static int64_t wake_bytes(const struct hpt_request *r)
{
	struct hpt_wakes_plan plan = wake_plan(r);

	return plan.ticker_ns / plan.period_ns * HPT_WAKES_KEEPERS * (int64_t)sizeof(int64_t);
}

static int wake_prepare(const struct hpt_request *r, void *data, bool *ret_is_reported)
{
	struct hpt_wakes_plan plan = wake_plan(r);

	(void)ret_is_reported;
	return hpt_wakes_prepare(&plan, data);
}

static bool wake_summarise(void *data)
{
	return hpt_wakes_summarise(data);
}

static void wake_tell(const void *data, struct hpt_doc *doc)
{
	hpt_wakes_print(data, doc);
}

static json_t *wake_json(const void *data)
{
	return hpt_wakes_json(data);
}

static void wake_csv(const void *data, FILE *to)
{
	hpt_wakes_csv(data, to);
}

static void wake_plot(const void *data, FILE *to)
{
	hpt_plot_wakes(data, to);
}

/* Two quantities of each way; *i counts down to the one that is wanted. */
static bool phase_series(const struct hpt_wakes_phase *phase, unsigned *i, struct hpt_series *ret)
{
	const struct hpt_wakes_candidate *way;

	if (*i >= phase->n_ways * 2) {
		*i -= phase->n_ways * 2;
		return false;
	}
	way = &phase->ways[*i / 2];
	ret->ps = *i % 2 ? way->cost_ps : way->latency_ps;
	ret->n = atomic_load_explicit(&phase->rounds_done, memory_order_acquire);
	snprintf(ret->name, sizeof(ret->name), "%s %s %s", phase->name, way->name, *i % 2 ? "cost" : "latency");
	return true;
}

static bool wake_series(const void *data, unsigned i, struct hpt_series *ret)
{
	const struct hpt_wakes *s = data;

	*ret = (struct hpt_series){ 0 };
	for (unsigned k = 0; k < s->n_phases; k++)
		if (phase_series(&s->phases[k], &i, ret))
			return true;
	if (i >= s->n_keepers)
		return false;
	ret->ps = s->keepers[i].late_ps;
	ret->n = atomic_load_explicit(&s->keepers[i].done, memory_order_acquire);
	snprintf(ret->name, sizeof(ret->name), "%s late", s->keepers[i].name);
	return true;
}

const struct hpt_engine hpt_engine_wake = {
	.name = "wake", .what = "Waking sleepers", .rounds_max = HPT_WAKES_ROUNDS_MAX,
	.bytes = wake_bytes, .prepare = wake_prepare, .measure = hpt_wakes_measure, .summarise = wake_summarise,
	.tell = wake_tell, .json = wake_json, .csv = wake_csv, .plot = wake_plot, .series = wake_series,
};
