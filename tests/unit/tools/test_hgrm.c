// SPDX-License-Identifier: MIT
/* Percentiles for HdrHistogram's plotters, read back. */
#include <math.h>
#include <string.h>

#include "unit.h"
#include "captured_err.h"

#include "bench/hgrm.h"
#include "cli/stats.h"

#define LINES_MAX 400

struct line { double ns, level, inverse; size_t count; };

struct read_back {
	struct line lines[LINES_MAX];
	size_t n;
	double mean, deviation, max;
	size_t total;
};

static char *written(const int64_t *ps, size_t n)
{
	char *text;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	assert_non_null(to);
	hgrm_write(ps, n, to);
	assert_int_equal(fclose(to), 0);
	return text;
}

/* Parses as the plotters do: four columns are a point, and the last line has no inverse. */
static void parse(const char *text, struct read_back *ret)
{
	static const char head[] = "       Value     Percentile TotalCount 1/(1-Percentile)\n\n";

	memset(ret, 0, sizeof(*ret));
	assert_true(!strncmp(text, head, strlen(head)));
	for (const char *at = text + strlen(head); *at; at = strchr(at, '\n') + 1) {
		struct line *l = &ret->lines[ret->n];
		int columns = *at == '#' ? 0 : sscanf(at, "%lf %lf %zu%*1[ ]%lf", &l->ns, &l->level, &l->count,
						      &l->inverse);

		if (columns >= 3) {
			l->inverse = columns == 4 ? l->inverse : INFINITY;
			assert_true(++ret->n < LINES_MAX);
		} else if (sscanf(at, "#[Mean    = %lf, StdDeviation   = %lf]", &ret->mean, &ret->deviation) != 2 &&
			   sscanf(at, "#[Max     = %lf, Total count    = %zu]", &ret->max, &ret->total) != 2 &&
			   strncmp(at, "#[Buckets = ", 12) != 0) {
			fail_msg("unexpected line: %.60s", at);
		}
	}
}

static void check_line(const struct line *l, const int64_t *sorted, size_t n)
{
	/* Levels have twelve digits. */
	double value = (double)stats_quantile(sorted, n, l->level - 1e-12) / 1000;
	size_t not_above = 0;

	while (not_above < n && (double)sorted[not_above] / 1000 <= l->ns + 0.0001)
		not_above++;
	if (fabs(l->ns - value) > 0.0006)
		fail_msg("%.12f: %f, not %f", l->level, l->ns, value);
	assert_int_equal(l->count, not_above);
	if (l->level < 1 && fabs(l->inverse * (1 - l->level) - 1) > 0.01)
		fail_msg("1/(1 - %.12f) is not %f", l->level, l->inverse);
}

static void check(int64_t *ps, size_t n)
{
	char *text = written(ps, n);
	struct read_back back;
	struct stats d;

	parse(text, &back);
	stats_of(ps, n, &d);
	stats_sort(ps, n);
	assert_true(back.n >= 2 && back.lines[0].level == 0 && back.lines[0].ns == (double)ps[0] / 1000);
	for (size_t i = 0; i < back.n; i++) {
		check_line(&back.lines[i], ps, n);
		assert_true(!i || back.lines[i].level > back.lines[i - 1].level);
	}
	assert_true(back.lines[back.n - 1].level == 1 && isinf(back.lines[back.n - 1].inverse));
	assert_int_equal(back.lines[back.n - 1].count, n);
	assert_float_equal(back.lines[back.n - 1].ns, (double)ps[n - 1] / 1000, 0.0006);
	assert_int_equal(back.total, n);
	assert_float_equal(back.max, (double)d.max / 1000, 0.0006);
	assert_float_equal(back.mean, d.mean / 1000, 0.0006);
	assert_float_equal(back.deviation, d.stddev / 1000 * sqrt((double)(n - 1) / (double)n), 0.0006);
	free(text);
}

static void percentiles_are_those_of_the_samples(void **state)
{
	static const size_t counts[] = { 1, 2, 3, 7, 100, 1000, 200000 };

	(void)state;
	for (size_t i = 0; i < COUNT(counts); i++) {
		int64_t *ps = calloc(counts[i], sizeof(ps[0]));

		for (size_t k = 0; k < counts[i]; k++)
			ps[k] = (int64_t)random_below(10) * 1000 +
				(int64_t)random_below(random_below(100) ? 4000 : 4000000);
		check(ps, counts[i]);
		free(ps);
	}
}

static void values_below_0_and_all_the_same(void **state)
{
	int64_t same[] = { 7500, 7500, 7500, 7500 }, below[] = { -4000, 0, 3000, -1 };

	(void)state;
	check(same, COUNT(same));
	check(below, COUNT(below));
}

/* Five levels from 0 to 50 %, five from there to 75 %, and so on: the first twelve. */
static void levels_halve_what_is_left(void **state)
{
	static const double levels[] = { 0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.775 };
	int64_t ps[1000];
	struct read_back back;
	char *text;

	(void)state;
	for (int i = 0; i < 1000; i++)
		ps[i] = (i + 1) * 1000;
	text = written(ps, COUNT(ps));
	parse(text, &back);
	for (size_t i = 0; i < COUNT(levels); i++)
		assert_float_equal(back.lines[i].level, levels[i], 1e-12);
	assert_non_null(strstr(text, "\n     500.000 0.500000000000        500           2.00\n"));
	assert_non_null(strstr(text, "\n    1000.000 1.000000000000       1000\n"
				     "#[Mean    =      500.500, StdDeviation   =      288.675]\n"
				     "#[Max     =     1000.000, Total count    =         1000]\n"));
	free(text);
}

static void no_samples(void **state)
{
	struct read_back back;
	char *text = written(NULL, 0);

	(void)state;
	parse(text, &back);
	assert_int_equal(back.n, 0);
	assert_int_equal(back.total, 0);
	assert_null(strstr(text, "nan"));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(percentiles_are_those_of_the_samples),
		cmocka_unit_test(values_below_0_and_all_the_same),
		cmocka_unit_test(levels_halve_what_is_left),
		cmocka_unit_test(no_samples),
	};

	random_start();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
