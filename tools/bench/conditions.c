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
#include "cli/units.h"

#define N(list) (sizeof(list) / sizeof((list)[0]))

/* ---- Options ---------------------------------------------------------------------------------------------------- */

enum kind { FLAG, COUNT, CPU, DURATION, SOURCE };

#define AT(member) offsetof(struct hpt_request, member)

static const struct { int letter; const char *name; enum kind kind; size_t at; } options[] = {
	{ HPT_BENCH_LONG, "long", FLAG, 0 },
	{ HPT_BENCH_SHORT, "short", FLAG, 0 },
	{ HPT_BENCH_TABLE, "table", FLAG, 0 },
	{ HPT_BENCH_SOURCE, "source", SOURCE, AT(source) },
	{ HPT_BENCH_ROUNDS, "rounds", COUNT, AT(rounds) },
	{ HPT_BENCH_LONGEST, "longest", DURATION, AT(longest_ns) },
	{ HPT_BENCH_SHORTEST, "shortest", DURATION, AT(shortest_ns) },
	{ HPT_BENCH_STEP, "step", COUNT, AT(step) },
	{ HPT_BENCH_LOAD, "load", COUNT, AT(load) },
	{ HPT_BENCH_PERIOD, "period", DURATION, AT(period_ns) },
	{ HPT_BENCH_TICKER, "ticker", DURATION, AT(ticker_ns) },
	{ HPT_BENCH_CPU, "cpu", CPU, AT(cpu) },
	{ HPT_BENCH_SEED, "seed", COUNT, AT(seed) },
	{ HPT_BENCH_HOST_NAME, "host-name", FLAG, 0 },
};

_Static_assert(N(options) <= HPT_CONDITIONS_OPTIONS_MAX, "there is room for all options");

/* The value of an option as the command line takes it. */
static void value_of(const struct hpt_request *r, enum kind kind, size_t at, char *ret, size_t size)
{
	const void *member = (const char *)r + at;

	switch (kind) {
	case COUNT:
		snprintf(ret, size, "=%" PRIu32, *(const uint32_t *)member);
		break;
	case CPU:
		snprintf(ret, size, "=%d", *(const int *)member);
		break;
	case DURATION:
		snprintf(ret, size, "=%" PRId64 "ns", *(const int64_t *)member);
		break;
	case SOURCE:
		snprintf(ret, size, "=%s", hpt_source_name(*(const uint32_t *)member));
		break;
	default:
		*ret = '\0';
	}
}

static void get_options(const struct hpt_request *r, struct hpt_conditions *ret)
{
	for (size_t i = 0; i < N(options); i++) {
		char value[24];

		if (!(r->given & HPT_REQUEST_BIT(options[i].letter)))
			continue;
		value_of(r, options[i].kind, options[i].at, value, sizeof(value));
		snprintf(ret->options[ret->n_options++], sizeof(ret->options[0]), "--%s%s", options[i].name, value);
	}
}

/* ---- The machine's state ---------------------------------------------------------------------------------------- */

static void get_load(struct hpt_conditions *ret)
{
	double load[N(ret->load_ppm)];

	ret->has_load = getloadavg(load, (int)N(load)) == (int)N(load);
	for (size_t i = 0; ret->has_load && i < N(load); i++)
		ret->load_ppm[i] = llround(load[i] * PPM);
}

void hpt_conditions_get(const struct hpt_request *r, struct hpt_conditions *ret)
{
	long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
	struct hpt_cpus online = { 0 };
	struct utsname os;

	hpt_cpus_online(&online); /* musl's sysconf() counts those of this thread instead */
	*ret = (struct hpt_conditions){ .cpus = (unsigned)hpt_cpus_count(&online) };
	ret->memory_bytes = pages > 0 && page > 0 ? (int64_t)pages * page : -1;
	if (uname(&os) == 0)
		snprintf(ret->kernel, sizeof(ret->kernel), "%s %s %s", os.sysname, os.release, os.machine);
	if (r->has_host_name && gethostname(ret->host, sizeof(ret->host) - 1))
		*ret->host = '\0';
	get_load(ret);
	get_options(r, ret);
}

/* ---- Output ----------------------------------------------------------------------------------------------------- */

static json_t *load_json(const struct hpt_conditions *c)
{
	json_t *load = c->has_load ? json_array() : json_null();

	for (size_t i = 0; c->has_load && i < N(c->load_ppm); i++)
		json_array_append_new(load, json_integer(c->load_ppm[i]));
	return load;
}

json_t *hpt_conditions_json(const struct hpt_conditions *c)
{
	json_t *o = json_object(), *list = json_array();

	for (unsigned i = 0; i < c->n_options; i++)
		json_array_append_new(list, json_string(c->options[i]));
	hpt_json_text(o, "kernel", *c->kernel ? c->kernel : NULL);
	hpt_json_text(o, "host", *c->host ? c->host : NULL);
	hpt_json_add(o, "cpus", c->cpus ? json_integer(c->cpus) : json_null());
	hpt_json_add(o, "memory_bytes", c->memory_bytes < 0 ? json_null() : json_integer(c->memory_bytes));
	hpt_json_add(o, "load_ppm", load_json(c));
	hpt_json_add(o, "options", list);
	return o;
}

static void add_options(struct libscols_table *tb, const struct hpt_conditions *c)
{
	char text[sizeof(c->options)] = "";
	size_t used = 0;

	for (unsigned i = 0; i < c->n_options; i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%s", i ? " " : "", c->options[i]);
	hpt_table_fact(tb, "Options", "%s", c->n_options ? text : "the defaults");
}

void hpt_conditions_table(struct libscols_table *tb, const struct hpt_conditions *c)
{
	if (*c->host)
		hpt_table_fact(tb, "Host", "%s", c->host);
	if (*c->kernel)
		hpt_table_fact(tb, "Kernel release", "%s", c->kernel);
	if (c->memory_bytes >= 0)
		hpt_table_fact(tb, "Memory", "%.1f GiB", (double)c->memory_bytes / (1 << 30));
	if (c->has_load)
		hpt_table_fact(tb, "Load before", "%.2f, %.2f, %.2f runnable threads on %u CPUs, over 1, 5 and 15 min",
			       (double)c->load_ppm[0] / PPM, (double)c->load_ppm[1] / PPM,
			       (double)c->load_ppm[2] / PPM, c->cpus);
	add_options(tb, c);
}
