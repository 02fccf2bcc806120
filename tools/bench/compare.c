// SPDX-License-Identifier: MIT
/* Compares the results of two runs: which differ by more than chance and the threshold? */
#include "bench/compare.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/results.h"
#include "cli/cmd.h"
#include "cli/err.h"
#include "cli/format.h"
#include "cli/out.h"
#include "math/units.h"
#include "cli/util.h"

/* Larger ratios are written as this one, which in millionths is far below INT64_MAX. */
#define RATIO_MAX 1e9

enum verdict { SAME, SLOWER, FASTER, UNJUDGED, VERDICTS };

static const char *const verdict_names[VERDICTS] = { "same", "slower", "faster", "unjudged" };

struct pair {
	const struct result *a, *b;
	bool has_ratio, has_band;
	double ratio, low, high;        /* b to a, and its bounds by the uncertainty of both */
	enum verdict verdict;
};

struct comparison {
	struct results a, b;
	double threshold;
	struct pair *pairs;
	size_t n, counts[VERDICTS];
	json_t *notes;                  /* strings */
};

/* ---- Judging ----------------------------------------------------------------------------------------------------- */

/*
 * The errors of the two runs are independent, so that their relative sizes add up as squares. The band is not
 * symmetric: the opposite of twice as slow is half as slow.
 */
static struct pair judge(const struct result *a, const struct result *b, double threshold)
{
	struct pair p = { .a = a, .b = b, .verdict = UNJUDGED };

	p.has_ratio = a->value > 0 && b->value > 0;
	p.has_band = p.has_ratio && a->has_band && b->has_band;
	if (p.has_ratio)
		p.ratio = (double)b->value / (double)a->value;
	if (p.has_band) {
		double doubt = hypot(a->doubt, b->doubt);

		p.low = p.ratio / (1 + doubt);
		p.high = p.ratio * (1 + doubt);
		p.verdict = p.low > 1 + threshold ? SLOWER : p.high < 1 / (1 + threshold) ? FASTER : SAME;
	}
	return p;
}

static const struct result *find(const struct results *in, const struct result *like)
{
	for (size_t i = 0; i < in->n; i++)
		if (!strcmp(in->v[i].name, like->name) && !strcmp(in->v[i].unit, like->unit))
			return &in->v[i];
	return NULL;
}

/* ---- Notes ------------------------------------------------------------------------------------------------------- */

__attribute__((format(printf, 2, 3)))
static void note(struct comparison *c, const char *fmt, ...)
{
	json_t *holder = json_object();
	char *text;
	va_list ap;

	va_start(ap, fmt);
	text = xvasprintf(fmt, ap);
	va_end(ap);
	out_json_text(holder, "note", text); /* a path may contain any bytes */
	json_array_append(c->notes, json_object_get(holder, "note"));
	json_decref(holder);
	free(text);
}

static void note_missing(struct comparison *c, const struct results *in, const struct results *other,
			 const char *path)
{
	for (size_t i = 0; i < in->n; i++)
		if (!find(other, &in->v[i]))
			note(c, "Only in %s: %s", path, in->v[i].name);
}

static int compare_ratios(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Only the machine can have changed results that are not libhpt's. */
static void note_yardsticks(struct comparison *c)
{
	double *ratios = xcalloc(c->n, sizeof(ratios[0])), middle;
	size_t n = 0;

	for (size_t i = 0; i < c->n; i++)
		if (c->pairs[i].has_ratio && c->pairs[i].a->is_yardstick)
			ratios[n++] = c->pairs[i].ratio;
	qsort(ratios, n, sizeof(ratios[0]), compare_ratios);
	middle = n ? ratios[n / 2] : 1;
	free(ratios);
	if (middle > 1 + c->threshold || middle < 1 / (1 + c->threshold))
		note(c, "The yardsticks, which are not libhpt's, changed too, by a factor of %.3f: "
		     "the speed of the machine", middle);
}

/* Of a stopwatch its source: why that was chosen is no setting. */
static const json_t *setting(const json_t *run, const char *key)
{
	const json_t *value = json_object_get(run, key);

	return json_is_object(value) ? json_object_get(value, "source") : value;
}

/* Settings that make two runs hard to compare if they differ. */
static void note_settings(struct comparison *c, const json_t *a, const json_t *b)
{
	static const char *const keys[] = { "cpu", "load", "threads", "lengths_ns", "kernel_tick_ns", "stopwatch" };

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		const json_t *of_a = setting(a, keys[i]), *of_b = setting(b, keys[i]);

		if (of_a && of_b && !json_equal(of_a, of_b))
			note(c, "Measured differently: %s of bench %s is not the same in both", keys[i],
			     json_string_value(json_object_get(a, "bench")));
	}
}

static void note_parts(struct comparison *c)
{
	static const char *const parts[] = { "read", "sleep", "wake" };

	note_settings(c, c->a.root, c->b.root);
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		note_settings(c, json_object_get(c->a.root, parts[i]), json_object_get(c->b.root, parts[i]));
}

static void note_all(struct comparison *c, const char *path_a, const char *path_b)
{
	const char *a = c->a.machine ? c->a.machine : "unknown", *b = c->b.machine ? c->b.machine : "unknown";

	if (strcmp(a, b) != 0)
		note(c, "Of different machines: %s and %s", a, b);
	if (c->a.interrupted)
		note(c, "Interrupted: %s", path_a);
	if (c->b.interrupted)
		note(c, "Interrupted: %s", path_b);
	if (c->a.disturbed)
		note(c, "Disturbed by other programs: %s", path_a);
	if (c->b.disturbed)
		note(c, "Disturbed by other programs: %s", path_b);
	note_parts(c);
	note_yardsticks(c);
	note_missing(c, &c->a, &c->b, path_a);
	note_missing(c, &c->b, &c->a, path_b);
}

/* ---- For people -------------------------------------------------------------------------------------------------- */

static struct formatted value_text(const struct result *f)
{
	struct formatted t;

	if (!strcmp(f->unit, "ppm"))
		snprintf(t.s, sizeof(t.s), "%.3f %%", (double)f->value / 1e4);
	else if (!strcmp(f->unit, "ps"))
		snprintf(t.s, sizeof(t.s), "%.2f ns", (double)f->value / 1e3);
	else
		t = format_span(f->value);
	return t;
}

static void add_line(struct libscols_table *tb, const struct pair *p)
{
	struct libscols_line *ln = out_table_line(tb);

	out_table_cell(ln, 0, "%s", p->a->name);
	out_table_cell(ln, 1, "%s", value_text(p->a).s);
	out_table_cell(ln, 2, "%s", value_text(p->b).s);
	if (p->has_ratio)
		out_table_cell(ln, 3, "%.3f", p->ratio);
	if (p->has_band)
		out_table_cell(ln, 4, "%.3f to %.3f", p->low, p->high);
	out_table_cell(ln, 5, "%s", p->verdict == UNJUDGED ? "-" : verdict_names[p->verdict]);
}

static void print_table(const struct comparison *c)
{
	static const struct out_column columns[] = {
		{ "RESULT", 0 }, { "A", SCOLS_FL_RIGHT }, { "B", SCOLS_FL_RIGHT }, { "B/A", SCOLS_FL_RIGHT },
		{ "NOISE BAND", SCOLS_FL_RIGHT }, { "B IS", 0 }, { 0 },
	};
	struct libscols_table *tb = out_table_new(columns);
	const json_t *text;
	size_t i;

	for (i = 0; i < c->n; i++)
		add_line(tb, &c->pairs[i]);
	out_table_print(tb);
	printf("\n%zu slower, %zu faster, %zu the same within %g %% and noise, %zu not judged\n", c->counts[SLOWER],
	       c->counts[FASTER], c->counts[SAME], c->threshold * 100, c->counts[UNJUDGED]);
	json_array_foreach(c->notes, i, text) {
		printf("%s\n", json_string_value(text));
	}
}

/* ---- For programs ------------------------------------------------------------------------------------------------ */

static void add_ppm(json_t *o, const char *key, bool is_known, double ratio)
{
	if (is_known)
		out_json_sint(o, key, llround(fmin(ratio, RATIO_MAX) * PPM));
	else
		out_json_add(o, key, json_null());
}

static json_t *pair_json(const struct pair *p)
{
	json_t *o = json_object();

	out_json_text(o, "name", p->a->name);
	out_json_sint(o, "a", p->a->value);
	out_json_sint(o, "b", p->b->value);
	out_json_text(o, "unit", p->a->unit);
	add_ppm(o, "ratio_ppm", p->has_ratio, p->ratio);
	add_ppm(o, "low_ppm", p->has_band, p->low);
	add_ppm(o, "high_ppm", p->has_band, p->high);
	out_json_text(o, "verdict", verdict_names[p->verdict]);
	return o;
}

static void print_json(const struct comparison *c)
{
	json_t *o = out_json_new(), *list = json_array();

	for (size_t i = 0; i < c->n; i++)
		json_array_append_new(list, pair_json(&c->pairs[i]));
	out_json_text(o, "compare", c->a.bench);
	out_json_sint(o, "threshold_ppm", llround(c->threshold * PPM));
	out_json_add(o, "results", list);
	out_json_int(o, "slower", c->counts[SLOWER]);
	out_json_int(o, "faster", c->counts[FASTER]);
	out_json_add(o, "notes", json_incref(c->notes));
	out_json_print(o);
}

/* ---- The command ------------------------------------------------------------------------------------------------- */

static void match(struct comparison *c)
{
	c->pairs = xcalloc(c->a.n, sizeof(c->pairs[0]));
	for (size_t i = 0; i < c->a.n; i++) {
		const struct result *b = find(&c->b, &c->a.v[i]);

		if (!b)
			continue;
		c->pairs[c->n] = judge(&c->a.v[i], b, c->threshold);
		c->counts[c->pairs[c->n++].verdict]++;
	}
}

static int compare(struct comparison *c, const char *path_a, const char *path_b, bool json)
{
	if (strcmp(c->a.bench, c->b.bench) != 0) {
		err_print("bench: %s is of '%s' and %s of '%s'", path_a, c->a.bench, path_b, c->b.bench);
		return EXIT_FAILURE;
	}
	match(c);
	if (!c->n) {
		err_print("bench: %s and %s have no result in common", path_a, path_b);
		return EXIT_FAILURE;
	}
	note_all(c, path_a, path_b);
	(json ? print_json : print_table)(c);
	return c->counts[SLOWER] ? EXIT_DEGRADED : EXIT_SUCCESS;
}

int compare_files(const char *path_a, const char *path_b, double threshold, bool json)
{
	struct comparison c = { .threshold = threshold };
	int status = EXIT_FAILURE;

	if (results_load(path_a, &c.a))
		return status;
	if (!results_load(path_b, &c.b)) {
		c.notes = json_array();
		status = compare(&c, path_a, path_b, json);
		json_decref(c.notes);
	}
	free(c.pairs);
	results_free(&c.a);
	results_free(&c.b);
	return status;
}
