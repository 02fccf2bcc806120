// SPDX-License-Identifier: MIT
/* Gathers kernel, memory, load and options, and prints them: tools/bench/conditions.h. */
#include "bench/conditions.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "hpt/hpt.h"

#include "cli/cpus.h"
#include "cli/out.h"
#include "cli/util.h"
#include "math/units.h"

#define N(list) (sizeof(list) / sizeof((list)[0]))

/* ---- Options ---------------------------------------------------------------------------------------------------- */

enum value_kind { FLAG, COUNT, CPU, DURATION, SOURCE, TEXT };

#define AT(member) offsetof(struct request, member)

static const struct { int letter; const char *name; enum value_kind kind; size_t at; } options[] = {
	{ BENCH_LONG, "long", FLAG, 0 },
	{ BENCH_SHORT, "short", FLAG, 0 },
	{ BENCH_TABLE, "table", FLAG, 0 },
	{ BENCH_FRONTIER, "frontier", FLAG, 0 },
	{ BENCH_SOURCE, "source", SOURCE, AT(source) },
	{ BENCH_ONLY, "only", TEXT, AT(only) },
	{ BENCH_ROUNDS, "rounds", COUNT, AT(rounds) },
	{ BENCH_READS, "reads", COUNT, AT(reads) },
	{ BENCH_LONGEST, "longest", DURATION, AT(longest_ns) },
	{ BENCH_SHORTEST, "shortest", DURATION, AT(shortest_ns) },
	{ BENCH_STEP, "step", COUNT, AT(step) },
	{ BENCH_LOAD, "load", COUNT, AT(load) },
	{ BENCH_THREADS, "threads", COUNT, AT(threads) },
	{ BENCH_QUOTA, "quota", COUNT, AT(quota_percent) },
	{ BENCH_PERIOD, "period", DURATION, AT(period_ns) },
	{ BENCH_TICKER, "ticker", DURATION, AT(ticker_ns) },
	{ BENCH_CPU, "cpu", CPU, AT(cpu) },
	{ BENCH_SEED, "seed", COUNT, AT(seed) },
	{ BENCH_HOST_NAME, "host-name", FLAG, 0 },
};

_Static_assert(N(options) <= CONDITIONS_OPTIONS_MAX, "there is room for all options");

/* The value of an option as the command line takes it. */
static void get_value(const struct request *r, enum value_kind kind, size_t at, struct condition_option *ret)
{
	const void *member = (const char *)r + at;

	switch (kind) {
	case COUNT:
		snprintf(ret->number, sizeof(ret->number), "=%" PRIu32, *(const uint32_t *)member);
		break;
	case CPU:
		snprintf(ret->number, sizeof(ret->number), "=%d", *(const int *)member);
		break;
	case DURATION:
		snprintf(ret->number, sizeof(ret->number), "=%" PRId64 "ns", *(const int64_t *)member);
		break;
	case TEXT:
		ret->text = *(const char *const *)member;
		break;
	case SOURCE:
		ret->text = hpt_source_name(*(const uint32_t *)member);
		break;
	case FLAG:
		break;
	}
}

static void get_options(const struct request *r, struct conditions *ret)
{
	for (size_t i = 0; i < N(options); i++) {
		struct condition_option *o = &ret->options[ret->n_options];

		if (!(r->given & REQUEST_BIT(options[i].letter)))
			continue;
		o->name = options[i].name;
		get_value(r, options[i].kind, options[i].at, o);
		ret->n_options++;
	}
}

/* ---- The machine's state ---------------------------------------------------------------------------------------- */

static void get_load(struct conditions *ret)
{
	double load[N(ret->load_ppm)];

	ret->has_load = getloadavg(load, (int)N(load)) == (int)N(load);
	for (size_t i = 0; ret->has_load && i < N(load); i++)
		ret->load_ppm[i] = llround(load[i] * PPM);
}

void conditions_get(const struct request *r, struct conditions *ret)
{
	long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
	struct cpus online = { 0 };
	struct utsname os;

	cpus_online(&online); /* musl's sysconf() counts those of this thread instead */
	*ret = (struct conditions){ .cpus = (unsigned)cpus_count(&online) };
	ret->memory_bytes = pages > 0 && page > 0 ? (int64_t)pages * page : -1;
	if (uname(&os) == 0)
		snprintf(ret->kernel, sizeof(ret->kernel), "%s %s %s", os.sysname, os.release, os.machine);
	if (r->has_host_name && gethostname(ret->host, sizeof(ret->host) - 1))
		*ret->host = '\0';
	get_load(ret);
	get_options(r, ret);
}

/* ---- Output ----------------------------------------------------------------------------------------------------- */

static json_t *load_json(const struct conditions *c)
{
	json_t *load = c->has_load ? json_array() : json_null();

	for (size_t i = 0; c->has_load && i < N(c->load_ppm); i++)
		json_array_append_new(load, json_integer(c->load_ppm[i]));
	return load;
}

/* An option as it can be written again; free() it. */
static char *option_text(const struct condition_option *o)
{
	return o->text ? xasprintf("--%s=%s", o->name, o->text) : xasprintf("--%s%s", o->name, o->number);
}

static json_t *options_json(const struct conditions *c)
{
	json_t *list = json_array();

	for (unsigned i = 0; i < c->n_options; i++) {
		char *text = option_text(&c->options[i]);

		json_array_append_new(list, json_string(text));
		free(text);
	}
	return list;
}

json_t *conditions_json(const struct conditions *c)
{
	json_t *o = json_object();

	out_json_text(o, "kernel", *c->kernel ? c->kernel : NULL);
	out_json_text(o, "host", *c->host ? c->host : NULL);
	out_json_add(o, "cpus", c->cpus ? json_integer(c->cpus) : json_null());
	out_json_add(o, "memory_bytes", c->memory_bytes < 0 ? json_null() : json_integer(c->memory_bytes));
	out_json_add(o, "load_ppm", load_json(c));
	out_json_add(o, "options", options_json(c));
	return o;
}

static void add_options(struct libscols_table *tb, const struct conditions *c)
{
	char *all = c->n_options ? option_text(&c->options[0]) : xasprintf("the defaults");

	for (unsigned i = 1; i < c->n_options; i++) {
		char *before = all, *next = option_text(&c->options[i]);

		all = xasprintf("%s %s", before, next);
		free(before);
		free(next);
	}
	out_table_fact(tb, "Options", "%s", all);
	free(all);
}

void conditions_table(struct libscols_table *tb, const struct conditions *c)
{
	if (*c->host)
		out_table_fact(tb, "Host", "%s", c->host);
	if (*c->kernel)
		out_table_fact(tb, "Kernel release", "%s", c->kernel);
	if (c->memory_bytes >= 0)
		out_table_fact(tb, "Memory", "%.1f GiB", (double)c->memory_bytes / (1 << 30));
	if (c->has_load)
		out_table_fact(tb, "Load before", "%.2f, %.2f, %.2f runnable threads on %u CPUs, over 1, 5 and 15 min",
			       (double)c->load_ppm[0] / PPM, (double)c->load_ppm[1] / PPM,
			       (double)c->load_ppm[2] / PPM, c->cpus);
	add_options(tb, c);
}
