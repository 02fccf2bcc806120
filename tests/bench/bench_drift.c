// SPDX-License-Identifier: MIT
/*
 * How closely a clock follows the kernel's clocks over a minute: hpt_now_ns() CLOCK_MONOTONIC_RAW, and
 * hpt_now_unix_ns() CLOCK_REALTIME.
 *
 * usage: bench_drift [SECONDS [busy|idle]]
 * busy: one clock is read all the time, another only for samples. idle: the process sleeps between the samples.
 */
#include <stdbool.h>
#include <string.h>

#include <hpt/hpt.h>

#include "bench.h"

#define NS_PER_S    INT64_C(1000000000)
#define SECONDS_MIN 3
#define SECONDS_MAX 3600

/* Brackets in a sample: they take 100 us. */
#define BRACKETS 1000

/* DESIGN, "The numbers to reach". For Unix time: several times this is still less than NTP's own uncertainty. */
#define DRIFT_TARGET_NS 20
#define UNIX_TARGET_NS  100

typedef int64_t read_fn(hpt_clock *clk);

/* A clock's offset from the kernel's clock: it lies in ns +- error_ns. */
struct offset {
	double ns, error_ns;
};

struct track {
	const char   *name;
	hpt_clock    *clk;
	struct offset raw_1s, raw_2s, raw_end; /* hpt_now_ns() less CLOCK_MONOTONIC_RAW */
	double        raw_change_ns;           /* the largest change since 1 s */
	double        unix_early_ns;           /* hpt_now_unix_ns() less CLOCK_REALTIME: the largest until 1 s */
	double        unix_largest_ns, unix_end_ns; /* the largest after that, and the last */
	uint32_t      ppb_1s, ppb_10s, ppb_end;
};

/*
 * Every bracket bounds the offset, and all bounds hold: a preempted one is only wider. The remaining uncertainty is the
 * same in every sample while the reads cost the same, so changes are known better than the offset itself.
 */
static struct offset offset_of(hpt_clock *clk, read_fn *read, clockid_t id)
{
	double least = -1e18, most = 1e18;

	for (unsigned i = 0; i < BRACKETS; i++) {
		int64_t before = read(clk), kernel = bench_clock_ns(id), after = read(clk);
		double lo = (double)(before - kernel - 1), hi = (double)(after + 1 - kernel);

		least = lo > least ? lo : least;
		most = hi < most ? hi : most;
	}
	return (struct offset){ .ns = (least + most) / 2, .error_ns = (most - least) / 2 };
}

static double larger_of(double largest, double x)
{
	double magnitude = x < 0 ? -x : x;

	return magnitude > largest ? magnitude : largest;
}

static uint32_t published_ppb(hpt_clock *clk)
{
	struct hpt_clock_info info;

	return hpt_clock_get_info(clk, &info, sizeof(info)) ? UINT32_MAX : info.frequency_error_ppb;
}

static void take_sample(struct track *t, bool early)
{
	t->raw_end = offset_of(t->clk, hpt_now_ns, CLOCK_MONOTONIC_RAW);
	t->unix_end_ns = offset_of(t->clk, hpt_now_unix_ns, CLOCK_REALTIME).ns;
	if (early) {
		t->unix_early_ns = larger_of(t->unix_early_ns, t->unix_end_ns);
		return;
	}
	t->unix_largest_ns = larger_of(t->unix_largest_ns, t->unix_end_ns);
	t->raw_change_ns = larger_of(t->raw_change_ns, t->raw_end.ns - t->raw_1s.ns);
}

/* Samples on the second; keeps those that are printed. */
static void sample_second(struct track *t, unsigned second)
{
	take_sample(t, second == 1);
	t->ppb_end = published_ppb(t->clk);
	if (second == 1) {
		t->raw_1s = t->raw_end;
		t->ppb_1s = t->ppb_end;
	}
	if (second == 2)
		t->raw_2s = t->raw_end;
	if (second == 10)
		t->ppb_10s = t->ppb_end;
}

static void pass_until(hpt_clock *read_meanwhile, int64_t raw_ns)
{
	if (!read_meanwhile)
		bench_sleep_until(raw_ns);
	while (bench_ns() < raw_ns)
		for (unsigned i = 0; i < 1000; i++) {
			BENCH_USE(hpt_now_ns(read_meanwhile));
			BENCH_USE(hpt_now_unix_ns(read_meanwhile));
		}
}

/*
 * Samples twice a second: on the second, and at a random moment within it. The library itself samples once a second;
 * samples on the second alone would always come at the same distance from the library's latest one.
 */
static void run(struct track *tracks, unsigned n, hpt_clock *read_meanwhile, unsigned seconds)
{
	int64_t start_ns = bench_ns();

	for (unsigned second = 1; second <= seconds; second++) {
		pass_until(read_meanwhile, start_ns + (second - 1) * NS_PER_S + NS_PER_S / 10 * (random() % 10));
		for (unsigned i = 0; i < n; i++)
			take_sample(&tracks[i], second == 1);
		pass_until(read_meanwhile, start_ns + second * NS_PER_S);
		for (unsigned i = 0; i < n; i++)
			sample_second(&tracks[i], second);
	}
}

static void print_track(const struct track *t, unsigned seconds, bool kernel_on_tsc)
{
	double drift_ns = t->raw_end.ns - t->raw_1s.ns, target_ns = kernel_on_tsc ? DRIFT_TARGET_NS : 0;

	printf("%s\n", t->name);
	printf("  to MONOTONIC_RAW: %+.1f ns after 1 s, %+.1f after 2 s, %+.1f after %u s, each +- %.0f", t->raw_1s.ns,
	       t->raw_2s.ns, t->raw_end.ns, seconds, t->raw_end.error_ns);
	printf("; largest change %.1f\n", t->raw_change_ns);
	printf("  drift since 1 s %+.1f ns, since 2 s %+.1f", drift_ns, t->raw_end.ns - t->raw_2s.ns);
	if (target_ns > 0)
		printf(", target %.0f %s", target_ns, bench_verdict(larger_of(0, drift_ns), target_ns));
	printf("\n  to REALTIME: largest %.1f ns in the first second, then %.1f, target %d %s; at the end %+.1f\n",
	       t->unix_early_ns, t->unix_largest_ns, UNIX_TARGET_NS, bench_verdict(t->unix_largest_ns, UNIX_TARGET_NS),
	       t->unix_end_ns);
	printf("  published bound of the rate: %u ppb after 1 s", t->ppb_1s);
	if (seconds >= 10)
		printf(", %u after 10 s", t->ppb_10s);
	printf(", %u after %u s\n", t->ppb_end, seconds);
}

static bool kernel_is_on_tsc(hpt_clock *clk)
{
	struct hpt_clock_info info;

	return !hpt_clock_get_info(clk, &info, sizeof(info)) && !strcmp(info.kernel_clocksource, "tsc");
}

static bool open_clocks(struct track *tracks, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (hpt_clock_open(HPT_SOURCE_TSC, 0, &tracks[i].clk))
			return false;
	return true;
}

static int measure(struct track *tracks, unsigned n, bool idle, unsigned seconds)
{
	bool kernel_on_tsc;

	if (!open_clocks(tracks, n)) {
		printf("no TSC here: nothing to measure\n");
		return 77;
	}
	kernel_on_tsc = kernel_is_on_tsc(tracks[0].clk);
	run(tracks, n, idle ? NULL : tracks[1].clk, seconds);
	printf("%s between the samples, two a second; the kernel's clocksource %s tsc\n", idle ? "asleep" : "busy",
	       kernel_on_tsc ? "is" : "is not");
	for (unsigned i = 0; i < n; i++) {
		print_track(&tracks[i], seconds, kernel_on_tsc);
		hpt_clock_close(tracks[i].clk);
	}
	return 0;
}

int main(int argc, char **argv)
{
	struct track tracks[] = { { .name = "read only for samples" }, { .name = "read all the time" } };
	unsigned seconds = argc > 1 ? (unsigned)atoi(argv[1]) : 60;
	bool idle = argc > 2 && !strcmp(argv[2], "idle");

	if (seconds < SECONDS_MIN || seconds > SECONDS_MAX || (argc > 2 && !idle && strcmp(argv[2], "busy"))) {
		fprintf(stderr, "usage: bench_drift [SECONDS [busy|idle]], at least %d s\n", SECONDS_MIN);
		return 2;
	}
	return measure(tracks, idle ? 1 : 2, idle, seconds);
}
