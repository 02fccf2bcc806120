// SPDX-License-Identifier: MIT
/* Reads a CPU's caches, speed and governor from sysfs and /proc/cpuinfo: tools/info/core.h. */
#include "info/core.h"

#include <math.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/amount.h"
#include "cli/cpus.h"
#include "cli/format.h"
#include "cli/util.h"

#define CPU     "/sys/devices/system/cpu/cpu"
#define CPUINFO "/proc/cpuinfo"

/* No cache or clock is larger: a number beyond this is no such number. */
#define MOST INT64_C(1000000000000)

#define KHZ_TO_HZ  1000
#define KHZ_TO_UHZ UINT64_C(1000000000)

/* ---- Texts of the kernel ----------------------------------------------------------------------------------------- */

/* A whole number from 0 to MOST; *ret_end is after it. -1: no such number. */
static int64_t parse_whole(const char *text, char **ret_end)
{
	long long v = *text >= '0' && *text <= '9' ? strtoll(text, ret_end, 10) : -1;

	return v > MOST ? -1 : v;
}

int64_t core_parse_size(const char *text)
{
	static const struct { const char *unit; int64_t bytes; } units[] = {
		{ "", 1 }, { "K", 1 << 10 }, { "M", 1 << 20 }, { "G", 1 << 30 },
	};
	char *end;
	int64_t v = parse_whole(text, &end);

	for (size_t i = 0; v >= 0 && i < sizeof(units) / sizeof(units[0]); i++)
		if (!strcmp(end, units[i].unit) && v <= MOST / units[i].bytes)
			return v * units[i].bytes;
	return 0;
}

int64_t core_parse_mhz(const char *line)
{
	static const char key[] = "cpu MHz";
	const char *colon = strchr(line, ':');
	double mhz;

	if (strncmp(line, key, strlen(key)) != 0 || !colon || strspn(line + strlen(key), " \t") !=
	    (size_t)(colon - line) - strlen(key))
		return 0;
	mhz = strtod(colon + 1, NULL);
	return mhz > 0 && mhz < MOST / 1e3 ? llround(mhz * 1e3) : 0;
}

/* ---- Files ------------------------------------------------------------------------------------------------------- */

struct place {
	const char *root;
	int cpu;
};

static void read_of(const struct place *at, const char *name, char *ret, size_t size)
{
	char path[320];

	snprintf(path, sizeof(path), "%s" CPU "%d/%s", at->root, at->cpu, name);
	read_first_line(path, ret, size);
}

static int64_t read_khz(const struct place *at, const char *name)
{
	char text[32], *end;
	int64_t khz;

	read_of(at, name, text, sizeof(text));
	khz = parse_whole(text, &end);
	return khz > 0 && !*end ? khz : 0;
}

static int count_sharers(const char *list)
{
	struct cpus cpus = { 0 };

	return cpus_parse(list, &cpus) ? 0 : cpus_count(&cpus);
}

static bool read_cache(const struct place *at, unsigned index, struct core_cache *ret)
{
	char name[48], level[8], size[16], shared[256], *end;
	int64_t n;

	snprintf(name, sizeof(name), "cache/index%u/level", index);
	read_of(at, name, level, sizeof(level));
	snprintf(name, sizeof(name), "cache/index%u/type", index);
	read_of(at, name, ret->type, sizeof(ret->type));
	snprintf(name, sizeof(name), "cache/index%u/size", index);
	read_of(at, name, size, sizeof(size));
	snprintf(name, sizeof(name), "cache/index%u/shared_cpu_list", index);
	read_of(at, name, shared, sizeof(shared));
	n = parse_whole(level, &end);
	ret->level = n > 0 && n < 10 && !*end ? (int)n : 0;
	ret->bytes = core_parse_size(size);
	ret->cpus = count_sharers(shared);
	return ret->level && ret->bytes && *ret->type;
}

/* The block of this CPU begins with "processor : N". */
static int64_t cpuinfo_khz(const struct place *at)
{
	char path[320], line[512];
	int64_t khz = 0;
	int fd, block = -1;
	FILE *from;

	snprintf(path, sizeof(path), "%s" CPUINFO, at->root);
	fd = open_input(path);
	from = fd >= 0 ? fdopen(fd, "r") : NULL;
	if (!from) {
		if (fd >= 0)
			close(fd);
		return 0;
	}
	while (!khz && fgets(line, sizeof(line), from)) {
		sscanf(line, "processor : %d", &block);
		khz = block == at->cpu ? core_parse_mhz(line) : 0;
	}
	fclose(from);
	return khz;
}

void core_find(const char *root, int cpu, struct core *ret)
{
	const struct place at = { root, cpu };

	*ret = (struct core){ .least_khz = read_khz(&at, "cpufreq/scaling_min_freq"),
			      .most_khz = read_khz(&at, "cpufreq/scaling_max_freq"),
			      .khz = read_khz(&at, "cpufreq/scaling_cur_freq") };
	for (unsigned i = 0; i < CORE_CACHES_MAX; i++)
		ret->n_caches += read_cache(&at, i, &ret->caches[ret->n_caches]);
	read_of(&at, "cpufreq/scaling_governor", ret->governor, sizeof(ret->governor));
	if (!ret->khz)
		ret->khz = cpuinfo_khz(&at);
}

void core_get(struct core *ret)
{
	int cpu = sched_getcpu();

	core_find("", cpu < 0 ? 0 : cpu, ret);
}

/* ---- Output ------------------------------------------------------------------------------------------------------ */

static void json_hz(json_t *o, const char *key, int64_t khz)
{
	out_json_add(o, key, khz ? json_integer(khz * KHZ_TO_HZ) : json_null());
}

json_t *core_json(const struct core *c)
{
	json_t *o = json_object(), *caches = json_array();

	for (unsigned i = 0; i < c->n_caches; i++) {
		json_t *cache = json_object();

		out_json_sint(cache, "level", c->caches[i].level);
		out_json_text(cache, "type", c->caches[i].type);
		out_json_sint(cache, "size_bytes", c->caches[i].bytes);
		out_json_add(cache, "cpus", c->caches[i].cpus ? json_integer(c->caches[i].cpus) : json_null());
		json_array_append_new(caches, cache);
	}
	out_json_add(o, "caches", caches);
	json_hz(o, "speed_hz", c->khz);
	json_hz(o, "speed_min_hz", c->least_khz);
	json_hz(o, "speed_max_hz", c->most_khz);
	out_json_text(o, "governor", *c->governor ? c->governor : NULL);
	return o;
}

static void table_cache(struct libscols_table *tb, const struct core_cache *c, bool is_first)
{
	bool is_mib = c->bytes >= 1 << 20 && c->bytes % (1 << 20) == 0;
	char shared[32] = "";

	if (c->cpus > 1)
		snprintf(shared, sizeof(shared), ", shared by %d CPUs", c->cpus);
	out_table_fact(tb, is_first ? "Caches" : "", "L%d %s, %s %s%s", c->level, c->type,
		       amount_count((size_t)(is_mib ? c->bytes >> 20 : c->bytes >> 10)).s, is_mib ? "MiB" : "KiB",
		       shared);
}

void core_table(struct libscols_table *tb, const struct core *c)
{
	for (unsigned i = 0; i < c->n_caches; i++)
		table_cache(tb, &c->caches[i], !i);
	if (c->khz)
		out_table_fact(tb, "Speed", "%s", format_frequency((uint64_t)c->khz * KHZ_TO_UHZ).s);
	if (*c->governor && c->least_khz && c->most_khz)
		out_table_fact(tb, c->khz ? "" : "Speed", "governor %s, from %s to %s", c->governor,
			       format_frequency((uint64_t)c->least_khz * KHZ_TO_UHZ).s,
			       format_frequency((uint64_t)c->most_khz * KHZ_TO_UHZ).s);
	else if (*c->governor)
		out_table_fact(tb, c->khz ? "" : "Speed", "governor %s", c->governor);
}
