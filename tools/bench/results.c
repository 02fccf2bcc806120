// SPDX-License-Identifier: MIT
/* Reads the output of --json, and checks everything in it. */
#include "bench/results.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/err.h"
#include "cli/out.h"
#include "cli/stats.h"
#include "math/units.h"
#include "cli/util.h"

/* The file of the longest run is smaller. */
#define FILE_MAX (64 << 20)

/* With fewer samples not even the least and the greatest bound the true median with 95 % confidence: 1 - 2 / 2^n. */
#define SAMPLES_MIN 6

/* All, long, short; and many times the results of a run, but few enough for a linear search. */
#define BANDS_MAX   3
#define RESULTS_MAX 4096

/* ---- The bytes --------------------------------------------------------------------------------------------------- */

static int refuse(const char *path, int error, const char *why)
{
	err_print("bench: %s: %s", path, why);
	return error;
}

/* Reads the whole file. Returns 0 or a negative errno. */
static int read_all(int fd, char *to, size_t size, size_t *ret_n)
{
	for (*ret_n = 0; *ret_n < size;) {
		ssize_t n = read(fd, to + *ret_n, size - *ret_n);

		if (n < 0)
			return -errno;
		if (!n)
			return 0;
		*ret_n += (size_t)n;
	}
	return 0;
}

static int parse(const char *path, const char *text, size_t n, json_t **ret)
{
	json_error_t error;

	*ret = json_loadb(text, n, 0, &error);
	if (*ret)
		return 0;
	err_print("bench: %s: line %d: not JSON: %s", path, error.line, error.text);
	return -EINVAL;
}

static int load_file(const char *path, int fd, json_t **ret)
{
	struct stat st;
	char *text;
	size_t n;
	int r;

	if (fstat(fd, &st))
		return refuse(path, -errno, strerror(errno));
	if (!S_ISREG(st.st_mode))
		return refuse(path, -EINVAL, "not a regular file");
	if (st.st_size > FILE_MAX)
		return refuse(path, -EINVAL, "larger than 64 MiB: not written by hpt bench");
	text = xcalloc((size_t)st.st_size, 1);
	r = read_all(fd, text, (size_t)st.st_size, &n);
	r = r ? refuse(path, r, strerror(-r)) : parse(path, text, n, ret);
	free(text);
	return r;
}

/* Does not wait for a pipe, and does not acquire a controlling terminal. */
static int load(const char *path, json_t **ret)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC), r;

	if (fd < 0)
		return refuse(path, -errno, strerror(errno));
	r = load_file(path, fd, ret);
	close(fd);
	return r;
}

/* ---- Members: one of a wrong type shows that hpt bench did not write the file ------------------------------------ */

struct reader {
	struct results *to;
	size_t room;
	char wrong[96];                 /* the first invalid member; "": all are valid */
};

static void spoil(struct reader *r, const char *key)
{
	if (!*r->wrong)
		snprintf(r->wrong, sizeof(r->wrong), "%s", key);
}

static const json_t *member(struct reader *r, const json_t *object, const char *key, json_type type)
{
	const json_t *value = json_object_get(object, key);

	if (value && json_typeof(value) == type)
		return value;
	spoil(r, key);
	return NULL;
}

static const char *text(struct reader *r, const json_t *object, const char *key)
{
	const json_t *value = member(r, object, key, JSON_STRING);

	return value ? json_string_value(value) : "";
}

static int64_t integer(struct reader *r, const json_t *object, const char *key)
{
	const json_t *value = member(r, object, key, JSON_INTEGER);

	return value ? json_integer_value(value) : 0;
}

static const json_t *list(struct reader *r, const json_t *object, const char *key)
{
	return member(r, object, key, JSON_ARRAY);
}

static bool is_text(const json_t *object, const char *key, const char *value)
{
	const char *is = json_string_value(json_object_get(object, key));

	return is && !strcmp(is, value);
}

static bool is_null(const json_t *object, const char *key)
{
	return json_is_null(json_object_get(object, key));
}

/* ---- Results ----------------------------------------------------------------------------------------------------- */

__attribute__((format(printf, 4, 5)))
static struct result *add(struct reader *r, const char *unit, int64_t value, const char *fmt, ...)
{
	struct results *to = r->to;
	struct result *f;
	va_list ap;

	if (to->n == r->room) {
		struct result *more = xcalloc(2 * r->room + 16, sizeof(more[0]));

		if (to->n)
			memcpy(more, to->v, to->n * sizeof(more[0]));
		free(to->v);
		to->v = more;
		r->room = 2 * r->room + 16;
	}
	f = &to->v[to->n++];
	*f = (struct result){ .unit = unit, .value = value };
	va_start(ap, fmt);
	vsnprintf(f->name, sizeof(f->name), fmt, ap);
	va_end(ap);
	return f;
}

static void set_band(struct result *f, int64_t count, double low, double high)
{
	double middle = (double)f->value;

	f->has_band = count >= SAMPLES_MIN && middle > 0 && low <= high;
	f->doubt = f->has_band ? (high - low) / 2 / middle : 0;
}

/* The uncertainty of a median: keys of stats_json() without the unit. */
struct bounds {
	const char *low, *high;
};

/* Sleeps are far enough apart to be independent: the 95 % confidence interval of the median. */
static const struct bounds confidence = { "low", "high" };

/*
 * Rounds of reads are not independent: a core keeps its frequency for seconds, so that the confidence interval of
 * thousands of rounds is far too narrow. The range of eight of ten rounds covers the frequencies of the run.
 */
static const struct bounds rounds = { "p10", "p90" };

/* Adds the median of an object of stats_json(). Returns NULL if nothing was measured. */
static struct result *add_median(struct reader *r, const json_t *object, const char *key, const char *unit,
				     const char *row, const struct bounds *bounds)
{
	const json_t *dist = member(r, object, key, JSON_OBJECT);
	int64_t count = integer(r, dist, "count");
	char median[16], low[16], high[16];
	struct result *f;

	snprintf(median, sizeof(median), "median_%s", unit);
	snprintf(low, sizeof(low), "%s_%s", bounds->low, unit);
	snprintf(high, sizeof(high), "%s_%s", bounds->high, unit);
	if (count <= 0)
		return NULL;
	f = add(r, unit, integer(r, dist, median), "%s %s", row, key);
	set_band(f, count, (double)integer(r, dist, low), (double)integer(r, dist, high));
	return f;
}

static void take_read_row(struct reader *r, const json_t *row)
{
	struct result *f = add_median(r, row, "throughput", "ps", text(r, row, "name"), &rounds);

	if (f)
		f->is_yardstick = is_text(row, "kind", "yardstick");
	add_median(r, row, "isolated", "ps", text(r, row, "name"), &rounds);
}

static void take_read(struct reader *r, const json_t *o)
{
	const json_t *rows = list(r, o, "rows"), *row;
	size_t i;

	json_array_foreach(rows, i, row)
		take_read_row(r, row);
}

/* The CPU time of a round's sleeps of all lengths, as a share of the time slept. False: a length lacks the round. */
static bool round_ppm(const json_t *lengths, size_t round, int64_t *ret_ppm)
{
	double cpu_ns = 0, slept_ns = 0;
	const json_t *length;
	size_t i;

	json_array_foreach(lengths, i, length) {
		const json_t *cpu = json_array_get(json_object_get(length, "cpu_ns"), round);
		const json_t *slept = json_array_get(json_object_get(length, "slept_ns"), round);

		if (!json_is_integer(cpu) || !json_is_integer(slept))
			return false;
		cpu_ns += (double)json_integer_value(cpu);
		slept_ns += (double)json_integer_value(slept);
	}
	/* A sleep never takes a thousand times its length of CPU time: hpt bench did not write such a value. */
	if (slept_ns <= 0 || cpu_ns < 0 || cpu_ns / slept_ns > 1000)
		return false;
	*ret_ppm = (int64_t)(cpu_ns / slept_ns * PPM);
	return true;
}

/* The share has no band of its own: it gets the relative width of the band of its median over rounds. */
static void set_cpu_band(struct result *f, const json_t *lengths)
{
	size_t n = json_array_size(json_object_get(json_array_get(lengths, 0), "cpu_ns")), done = 0;
	int64_t *ppm = xcalloc(n, sizeof(ppm[0]));
	struct stats dist = { 0 };

	while (done < n && round_ppm(lengths, done, &ppm[done]))
		done++;
	if (n >= SAMPLES_MIN && done == n)
		stats_of(ppm, n, &dist);
	free(ppm);
	if (dist.median > 0 && f->value > 0) {
		f->has_band = true;
		f->doubt = (double)(dist.high - dist.low) / 2 / (double)dist.median;
	}
}

static void take_band(struct reader *r, const json_t *way, const json_t *band)
{
	const char *name = text(r, way, "name"), *which = text(r, band, "band");
	char row[120];

	if (!strcmp(which, "all")) {
		set_cpu_band(add(r, "ppm", integer(r, band, "cpu_ppm"), "%s cpu", name), list(r, way, "lengths"));
		return;
	}
	snprintf(row, sizeof(row), "%s %s", name, which);
	add_median(r, band, "miss", "ns", row, &confidence);
	if (!is_null(band, "deadline_miss"))
		add_median(r, band, "deadline_miss", "ns", row, &confidence);
}

static void take_sleep(struct reader *r, const json_t *o)
{
	const json_t *ways = list(r, o, "ways"), *way, *band;
	size_t i, k;

	json_array_foreach(ways, i, way) {
		const json_t *bands = list(r, way, "bands");

		if (json_array_size(bands) > BANDS_MAX)
			spoil(r, "bands");
		else
			json_array_foreach(bands, k, band)
				take_band(r, way, band);
	}
}

/* The lateness and the CPU time of a sleep. The CPU time has no band: its rounds depend on what the load does. */
static void take_rate(struct reader *r, const json_t *rate)
{
	const json_t *ways = list(r, rate, "ways"), *way;
	char row[120];
	size_t i;

	json_array_foreach(ways, i, way) {
		snprintf(row, sizeof(row), "%s %s", text(r, rate, "name"), text(r, way, "name"));
		add_median(r, way, "late", "ns", row, &confidence);
		add(r, "ns", integer(r, way, "cpu_ns"), "%s cpu", row);
	}
}

static void take_load(struct reader *r, const json_t *o)
{
	const json_t *rates = list(r, o, "rates"), *rate;
	size_t i;

	json_array_foreach(rates, i, rate)
		take_rate(r, rate);
}

static void take_frontier(struct reader *r, const json_t *o)
{
	const json_t *regimes = list(r, o, "regimes"), *regime, *way;
	size_t i, k;

	json_array_foreach(regimes, i, regime) {
		const json_t *ways = list(r, regime, "ways");

		json_array_foreach(ways, k, way) {
			char row[120];

			snprintf(row, sizeof(row), "%s, %s", text(r, regime, "name"), text(r, way, "name"));
			add_median(r, way, "lateness", "ns", row, &confidence);
			add(r, "ns", integer(r, way, "cpu_ns"), "%s cpu", row);
		}
	}
}

static void take_ticker(struct reader *r, const json_t *ticker)
{
	const json_t *keepers = list(r, ticker, "keepers"), *keeper;
	char row[120];
	size_t i;

	json_array_foreach(keepers, i, keeper) {
		snprintf(row, sizeof(row), "ticker %s", text(r, keeper, "name"));
		add_median(r, keeper, "late", "ns", row, &confidence);
		add(r, "ppm", integer(r, keeper, "cpu_ppm"), "%s cpu", row);
	}
}

static void take_wake(struct reader *r, const json_t *o)
{
	const json_t *phases = list(r, o, "phases"), *phase, *way;
	char row[120];
	size_t i, k;

	json_array_foreach(phases, i, phase) {
		const json_t *ways = list(r, phase, "ways");

		json_array_foreach(ways, k, way) {
			snprintf(row, sizeof(row), "%s %s", text(r, phase, "name"), text(r, way, "name"));
			add_median(r, way, "latency", "ns", row, &confidence);
		}
	}
	if (!is_null(o, "ticker"))
		take_ticker(r, member(r, o, "ticker", JSON_OBJECT));
}

/* ---- The file ---------------------------------------------------------------------------------------------------- */

static const struct { const char *bench; void (*take)(struct reader *r, const json_t *o); } parts[] = {
	{ "read", take_read }, { "sleep", take_sleep }, { "wake", take_wake }, { "load", take_load },
	{ "frontier", take_frontier },
};

#define N_PARTS (sizeof(parts) / sizeof(parts[0]))

/* The first of them; a load and a frontier are not in a report. */
#define N_IN_REPORT 3

static void take_machine(struct reader *r, const json_t *o)
{
	const json_t *cpu = json_object_get(json_object_get(o, "machine"), "cpu");
	const char *brand = json_string_value(json_object_get(cpu, "brand"));

	r->to->interrupted |= json_is_true(json_object_get(o, "interrupted"));
	r->to->disturbed |= json_is_true(json_object_get(json_object_get(o, "disturbance"), "is_disturbed"));
	if (brand && !r->to->machine)
		r->to->machine = strdup(brand);
}

static void take_part(struct reader *r, const json_t *o, const char *bench)
{
	for (size_t i = 0; i < N_PARTS; i++) {
		if (!strcmp(bench, parts[i].bench)) {
			take_machine(r, o);
			parts[i].take(r, o);
			return;
		}
	}
	spoil(r, "bench");
}

static void take_report(struct reader *r, const json_t *o)
{
	r->to->interrupted |= json_is_true(json_object_get(o, "interrupted"));
	for (size_t i = 0; i < N_IN_REPORT; i++)
		if (!is_null(o, parts[i].bench))
			take_part(r, member(r, o, parts[i].bench, JSON_OBJECT), parts[i].bench);
}

static int take(const char *path, struct results *f)
{
	struct reader r = { .to = f };
	const json_t *version = json_object_get(f->root, "hpt_json"), *bench = json_object_get(f->root, "bench");

	if (!json_is_integer(version) || !json_is_string(bench))
		return refuse(path, -EINVAL, "not written by hpt bench: \"hpt_json\" and \"bench\" are missing");
	if (json_integer_value(version) != 1) {
		err_print("bench: %s: format %" JSON_INTEGER_FORMAT ", but this command knows format 1 only", path,
			json_integer_value(version));
		return -EINVAL;
	}
	f->bench = json_string_value(bench);
	if (!strcmp(f->bench, "report"))
		take_report(&r, f->root);
	else
		take_part(&r, f->root, f->bench);
	if (f->n > RESULTS_MAX)
		return refuse(path, -EINVAL, "not written by hpt bench: it has too many results");
	if (!*r.wrong)
		return 0;
	err_print("bench: %s: not written by hpt bench: '%s' is missing or invalid", path, r.wrong);
	return -EINVAL;
}

int results_load(const char *path, struct results *ret)
{
	int r;

	*ret = (struct results){ 0 };
	r = load(path, &ret->root);
	if (!r)
		r = take(path, ret);
	if (r)
		results_free(ret);
	return r;
}

void results_free(struct results *f)
{
	json_decref(f->root);
	free(f->machine);
	free(f->v);
	*f = (struct results){ 0 };
}
