// SPDX-License-Identifier: MIT
/*
 * How accurate the rate of a new process is. Children convert for the first time at once or when their library is 1, 10
 * and 100 ms old, in random order and spread over the time in which this process measures the counter itself. An error
 * beyond the bound that the library reported to a child is a broken promise, and the benchmark fails.
 *
 * Where the kernel keeps time with a counter of known steps, 1000 children are 1 ms old, and of these 999 must have the
 * kernel's own rate.
 *
 * usage: bench_rate RATE_CHILD [SECONDS [CHILDREN]]
 */
#include <stdbool.h>
#include <string.h>

#include <hpt/hpt.h>

#include "bench.h"
#include "child.h"
#include "rate.h"

#define CHILDREN_MAX 1000
#define SECONDS_MAX  600

/* As in the library's staircase. */
#define STEP_MIN_NS 3

#define UHZ_PER_GHZ 1e15 /* a frequency in GHz is in ticks per nanosecond */

/* ---- The reference: ticks per nanosecond of CLOCK_MONOTONIC_RAW, by bounds over the whole run ---------- */

#define SAMPLES 500

/* The error is 1 ppb over the default 30 s; the targets leave room for 2. */
#define REFERENCE_TARGET_PPB 2

struct bracket {
	hpt_time_t before, after;
	int64_t    raw_ns;
};

struct reference {
	double ticks_per_ns, error_ppb;
};

/* An unordered read as the first makes the bracket narrower: the kernel's own read waits for it. */
static void take_samples(hpt_clock *clk, struct bracket *ret)
{
	for (unsigned i = 0; i < SAMPLES; i++) {
		ret[i].before = hpt_now_unordered(clk);
		ret[i].raw_ns = bench_ns();
		ret[i].after = hpt_now(clk);
	}
}

/* Both readings of the reference are truncated to whole nanoseconds, and each tick is up to a step old. */
static void bound(const struct bracket *a, const struct bracket *b, double step_ticks, double *lo, double *hi)
{
	double ns = (double)(b->raw_ns - a->raw_ns);
	double least = ((double)(b->before - a->after) - step_ticks) / (ns + 1);
	double most = ((double)(b->after - a->before) + step_ticks) / (ns - 1);

	*lo = least > *lo ? least : *lo;
	*hi = most < *hi ? most : *hi;
}

static struct reference between(const struct bracket *first, const struct bracket *last, double step_ticks)
{
	double lo = 0, hi = 1e3, middle;

	for (unsigned i = 0; i < SAMPLES; i++)
		for (unsigned j = 0; j < SAMPLES; j++)
			bound(&first[i], &last[j], step_ticks, &lo, &hi);
	middle = (lo + hi) / 2;
	return (struct reference){ .ticks_per_ns = middle, .error_ppb = (hi - lo) / 2 / middle * 1e9 };
}

/* ---- The children ----------------------------------------------------------------------------------------- */

/* Targets: DESIGN, "The numbers to reach". A conversion at once waits until the library is 1 ms old. */
static const struct {
	const char *name, *age_ns;
	double      target_ppm;
} ages[] = {
	{ "at once", "0", 0.5 },
	{ "1 ms", "1000000", 0.5 },
	{ "10 ms", "10000000", 0.05 },
	{ "100 ms", "100000000", 0.02 },
};
#define AGES (sizeof(ages) / sizeof(ages[0]))

/* The age at which the kernel's own rate is expected, and in how many of these children. */
#define KERNELS_AGE      1
#define KERNELS_CHILDREN 1000
#define KERNELS_TARGET   999

static struct rate_report reports[AGES][CHILDREN_MAX];
static unsigned children[AGES];

static unsigned count_children(void)
{
	unsigned n = 0;

	for (unsigned age = 0; age < AGES; age++)
		n += children[age];
	return n;
}

/* One child in each time slot, in random order, so that the machine's state affects all ages alike. */
static bool run_children(char *child, int64_t start_ns, int64_t slot_ns)
{
	unsigned n = count_children(), done[AGES] = { 0 }, *order = calloc(n, sizeof(*order));
	bool ok = true;

	for (unsigned age = 0, i = 0; age < AGES; age++)
		for (unsigned j = 0; j < children[age]; j++)
			order[i++] = age;
	bench_shuffle(order, n);
	for (unsigned i = 0; i < n && ok; i++) {
		unsigned age = order[i];
		struct rate_report *ret = &reports[age][done[age]++];

		ok = bench_child((char *[]){ child, (char *)ages[age].age_ns, NULL }, ret, sizeof(*ret)) >= 0;
		bench_sleep_until(start_ns + (i + 1) * slot_ns);
	}
	free(order);
	return ok;
}

/* ---- Results ------------------------------------------------------------------------------------------------ */

static double error_ppb(const struct rate_report *r, const struct reference *ref)
{
	return ((double)r->frequency_uhz / UHZ_PER_GHZ / ref->ticks_per_ns - 1) * 1e9;
}

static double magnitude(double x)
{
	return x < 0 ? -x : x;
}

/* The reference may be wrong by its own bound; any error beyond that is the child's. */
static bool is_broken(const char *age, const struct rate_report *r, const struct reference *ref)
{
	double error = error_ppb(r, ref);

	if (magnitude(error) - ref->error_ppb <= r->frequency_error_ppb)
		return false;
	printf("BROKEN (%s): the rate is wrong by %.1f ppb (+-%.1f), but the library reported a bound of %u ppb\n", age,
	       error, ref->error_ppb, r->frequency_error_ppb);
	return true;
}

static void print_origins(const struct rate_report *r, unsigned n)
{
	unsigned count[32] = { 0 };

	printf(", origin");
	for (unsigned i = 0; i < n; i++)
		count[r[i].frequency_origin % 32]++;
	for (unsigned origin = 0; origin < 32; origin++)
		if (count[origin])
			printf(" %u: %u", origin, count[origin]);
}

/* One result of every child. */
static double results[CHILDREN_MAX];

/* Where the kernel's own rate is expected, that is the target. */
static void print_rates(unsigned age, unsigned n, bool is_kernels, const struct reference *ref)
{
	const struct rate_report *r = reports[age];
	double worst;

	for (unsigned i = 0; i < n; i++)
		results[i] = magnitude(error_ppb(&r[i], ref)) / 1000;
	worst = bench_quantile(results, n, 1);
	printf("%-8s error %.4f ppm, p90 %.4f, worst %.4f", ages[age].name, bench_quantile(results, n, 0.5),
	       bench_quantile(results, n, 0.9), worst);
	if (!is_kernels)
		printf(", target %.2f %s", ages[age].target_ppm, bench_verdict(worst, ages[age].target_ppm));
	for (unsigned i = 0; i < n; i++)
		results[i] = r[i].frequency_error_ppb / 1000.0;
	printf("; bound %.3f ppm, worst %.3f", bench_quantile(results, n, 0.5), bench_quantile(results, n, 1));
}

static void print_times(const struct rate_report *r, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		results[i] = (double)r[i].first_ns / 1000;
	printf("%-8s first conversion %.1f us, worst %.1f", "", bench_quantile(results, n, 0.5),
	       bench_quantile(results, n, 1));
	for (unsigned i = 0; i < n; i++)
		results[i] = (double)r[i].age_ns / 1e6;
	printf(", at an age of %.3f ms, worst %.3f", bench_quantile(results, n, 0.5), bench_quantile(results, n, 1));
}

/* The rates that a kernel may have are much further apart than the reference's error. */
static void print_kernels(const struct rate_report *r, unsigned n, const struct reference *ref)
{
	unsigned exact = 0;

	for (unsigned i = 0; i < n; i++)
		exact += magnitude(error_ppb(&r[i], ref)) <= ref->error_ppb;
	printf("%-8s the kernel's own rate, error 0, in %u of %u, target %d of %d %s\n", "", exact, n, KERNELS_TARGET,
	       KERNELS_CHILDREN, (uint64_t)exact * KERNELS_CHILDREN >= (uint64_t)n * KERNELS_TARGET ? "met" : "MISSED");
}

static unsigned print_age(unsigned age, bool is_kernels, const struct reference *ref)
{
	unsigned broken = 0, n = children[age];

	is_kernels &= age == KERNELS_AGE;
	for (unsigned i = 0; i < n; i++)
		broken += is_broken(ages[age].name, &reports[age][i], ref);
	print_rates(age, n, is_kernels, ref);
	printf(", held in %u of %u\n", n - broken, n);
	if (is_kernels)
		print_kernels(reports[age], n, ref);
	print_times(reports[age], n);
	print_origins(reports[age], n);
	printf("\n");
	return broken;
}

static int print_all(bool is_kernels, double seconds, const struct reference *ref)
{
	unsigned broken = 0;

	printf("reference %.6f MHz +- %.2f ppb over %.1f s, target %d %s\n", ref->ticks_per_ns * 1000, ref->error_ppb,
	       seconds, REFERENCE_TARGET_PPB, bench_verdict(ref->error_ppb, REFERENCE_TARGET_PPB));
	printf("%u new processes in random order, of each age at least %u; medians\n", count_children(), children[0]);
	for (unsigned age = 0; age < AGES; age++)
		broken += print_age(age, is_kernels, ref);
	return broken ? 1 : 0;
}

static bool all_on_tsc(void)
{
	for (unsigned age = 0; age < AGES; age++)
		for (unsigned i = 0; i < children[age]; i++)
			if (reports[age][i].source != HPT_SOURCE_TSC)
				return false;
	return true;
}

/* Where the kernel uses this counter too, both see the same steps, and a bracket is exact to the tick. */
static double step_ticks(hpt_clock *clk)
{
	struct hpt_clock_info info;

	if (hpt_clock_get_info(clk, &info, sizeof(info)))
		return 0;
	if (!strcmp(info.kernel_clocksource, "tsc"))
		return 0;
	return info.granularity_ns * (double)info.frequency_uhz / UHZ_PER_GHZ;
}

/* The library finds the kernel's rate at once only by steps that it can tell from a tick. */
static bool has_kernels_rate(hpt_clock *clk)
{
	struct hpt_clock_info info;

	return !hpt_clock_get_info(clk, &info, sizeof(info)) && !strcmp(info.kernel_clocksource, "tsc") &&
	       info.granularity_ns >= STEP_MIN_NS;
}

static int measure(hpt_clock *clk, char *child, unsigned seconds, bool is_kernels)
{
	static struct bracket first[SAMPLES], last[SAMPLES];
	int64_t slot_ns = seconds * INT64_C(1000000000) / count_children();
	struct reference ref;

	take_samples(clk, first);
	if (!run_children(child, bench_ns(), slot_ns)) {
		fprintf(stderr, "bench_rate: %s failed\n", child);
		return 1;
	}
	take_samples(clk, last);
	ref = between(first, last, step_ticks(clk));
	if (!all_on_tsc()) {
		printf("nothing to measure: the library chooses another source than the TSC\n");
		return 77;
	}
	if (ref.error_ppb < 0) {
		printf("no reference: the counter jumped against CLOCK_MONOTONIC_RAW\n");
		return 77;
	}
	return print_all(is_kernels, (double)(last[0].raw_ns - first[0].raw_ns) / 1e9, &ref);
}

int main(int argc, char **argv)
{
	unsigned seconds = argc > 2 ? (unsigned)atoi(argv[2]) : 30, n = argc > 3 ? (unsigned)atoi(argv[3]) : 50;
	bool is_kernels;
	hpt_clock *clk;
	int r;

	if (argc < 2 || !seconds || seconds > SECONDS_MAX || !n || n > CHILDREN_MAX) {
		fprintf(stderr, "usage: bench_rate RATE_CHILD [SECONDS [CHILDREN]]\n");
		return 2;
	}
	if (hpt_clock_open(HPT_SOURCE_TSC, 0, &clk)) {
		printf("no TSC here: nothing to measure\n");
		return 77;
	}
	is_kernels = has_kernels_rate(clk);
	for (unsigned age = 0; age < AGES; age++)
		children[age] = is_kernels && age == KERNELS_AGE && n < KERNELS_CHILDREN ? KERNELS_CHILDREN : n;
	r = measure(clk, argv[1], seconds, is_kernels);
	hpt_clock_close(clk);
	return r;
}
