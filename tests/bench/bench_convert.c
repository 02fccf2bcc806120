// SPDX-License-Identifier: MIT
/*
 * Cost of the conversions compared with the usual hand-written code, which is inlined and has its own constants: see
 * rows.h.
 *
 * usage: bench_convert [ROUNDS [CALLS]]
 */
#include <hpt/hpt.h>

#include "rows.h"

/* An hour of ticks and of nanoseconds: multiplied by 10^9 they do not fit 64 bits. */
static int64_t ticks, ns;

static hpt_clock *tsc;
static hpt_time_t now;

/* The constants of hand-written conversions. */
static double ns_per_tick;
static int64_t hz, epoch_ticks, epoch_unix_ns;

/* ---- Hand-written conversions ----------------------------------------------------------------------- */

#ifdef __SIZEOF_INT128__
static inline int64_t ns_by_division(int64_t t)
{
	return (int64_t)((__int128)t * 1000000000 / hz);
}

static inline int64_t ticks_by_division(int64_t t_ns)
{
	return (int64_t)((__int128)t_ns * hz / 1000000000);
}
#else
static inline int64_t ns_by_division(int64_t t)
{
	return t / hz * 1000000000 + t % hz * 1000000000 / hz;
}

static inline int64_t ticks_by_division(int64_t t_ns)
{
	return t_ns / 1000000000 * hz + t_ns % 1000000000 * hz / 1000000000;
}
#endif

static inline int64_t unix_by_double(hpt_time_t t)
{
	return epoch_unix_ns + (int64_t)((double)(t - epoch_ticks) * ns_per_tick);
}

static inline int64_t text_by_libc(void)
{
	char date[32], text[64];
	struct timespec ts;
	struct tm tm;

	clock_gettime(CLOCK_REALTIME, &ts);
	gmtime_r(&ts.tv_sec, &tm);
	strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%S", &tm);
	return snprintf(text, sizeof(text), "%s.%09ldZ", date, ts.tv_nsec);
}

/* ---- The library's conversions, as expressions -------------------------------------------------------- */

static inline int64_t to_unix_ns(hpt_time_t t)
{
	int64_t ret;

	return hpt_time_to_unix_ns(tsc, t, &ret) ? 0 : ret;
}

static inline int64_t to_ns(hpt_time_t t)
{
	int64_t ret;

	return hpt_time_to_ns(tsc, t, &ret) ? 0 : ret;
}

static inline int64_t text_of(hpt_time_t t)
{
	char text[HPT_TIME_FORMAT_SIZE];

	return hpt_time_format(tsc, t, text, sizeof(text));
}

static inline int64_t from_unix_ns(int64_t unix_ns)
{
	hpt_time_t ret;

	return hpt_time_from_unix_ns(tsc, unix_ns, &ret) ? 0 : ret;
}

static inline int64_t unix_ticks(hpt_time_t t)
{
	int64_t ret;

	return hpt_time_to_unix_ticks(tsc, t, &ret) ? 0 : ret;
}

static inline int64_t to_timespec(hpt_time_t t)
{
	struct hpt_timespec ret;

	return hpt_time_to_timespec(tsc, t, &ret) ? 0 : ret.sec + ret.nsec;
}

static inline int64_t add_ns(hpt_time_t t)
{
	hpt_time_t ret;

	return hpt_time_add_ns(tsc, t, 1000000, &ret) ? 0 : ret;
}

static inline int64_t parse(unsigned i)
{
	char text[] = "2026-11-20T10:47:59.123456789Z";
	hpt_time_t ret;

	text[28] = (char)('0' + i % 10);
	return hpt_time_parse(tsc, text, &ret) ? 0 : ret;
}

/* ---- In bulk: a call is one tick of an array ------------------------------------------------------------- */

#define BATCH 2048

/* The target for each tick of an array. */
#define BATCH_MOST_NS 1.0

static struct hpt_timebase first, last;
static int64_t batch[BATCH], converted[BATCH];

typedef int convert_fn(const struct hpt_timebase *, const struct hpt_timebase *, const int64_t *, int64_t *, size_t);

static inline void convert_batches(convert_fn *convert, const struct hpt_timebase *other, unsigned calls)
{
	for (unsigned done = 0, n; done < calls; done += n) {
		n = calls - done < BATCH ? calls - done : BATCH;
		convert(&first, other, batch, converted, n);
		BENCH_USE(converted[n - 1]);
	}
}

static void loop_BATCH_NS(unsigned calls)
{
	convert_batches(hpt_timebase_to_ns, &last, calls);
}

static void loop_BATCH_NS_1(unsigned calls)
{
	convert_batches(hpt_timebase_to_ns, NULL, calls);
}

static void loop_BATCH_UNIX(unsigned calls)
{
	convert_batches(hpt_timebase_to_unix_ns, &last, calls);
}

/* ---- The table ------------------------------------------------------------------------------------------ */

/*
 * One line per call: its id, text and expression; the row to compare with and the largest ratio wanted, 0 for no
 * target; another row to compare with. The target for text is libc's cost. The times to convert lie in the past. A
 * conversion reads the counter to see whether a sample is due.
 */
#define CALLS(X)                                                                                          \
	X(NS_DOUBLE, "ticks x double", (int64_t)((double)(ticks + i) * ns_per_tick), NONE, 0, NONE)       \
	X(NS_DIVISION, "ticks x 10^9 / hz in integers", ns_by_division(ticks + i), NONE, 0, NONE)         \
	X(NS_HPT, "hpt_ticks_to_ns", hpt_ticks_to_ns(tsc, ticks + i), NS_DOUBLE, 0, NS_DIVISION)          \
	X(TICKS_DOUBLE, "ns / double", (int64_t)((double)(ns + i) / ns_per_tick), NONE, 0, NONE)          \
	X(TICKS_DIVISION, "ns x hz / 10^9 in integers", ticks_by_division(ns + i), NONE, 0, NONE)         \
	X(TICKS_HPT, "hpt_ns_to_ticks", hpt_ns_to_ticks(tsc, ns + i), TICKS_DOUBLE, 0, TICKS_DIVISION)    \
	X(TO_NS, "hpt_time_to_ns", to_ns(now + i), NS_DOUBLE, 0, NS_DIVISION)                             \
	X(UNIX_DOUBLE, "epoch + ticks x double", unix_by_double(now + i), NONE, 0, NONE)                  \
	X(UNIX_LIBC, "clock_gettime(REALTIME)", bench_clock_ns(CLOCK_REALTIME), NONE, 0, NONE)            \
	X(UNIX_HPT, "hpt_time_to_unix_ns", to_unix_ns(now + i), UNIX_DOUBLE, 0, UNIX_LIBC)                \
	X(UNIX_FROM, "hpt_time_from_unix_ns", from_unix_ns(epoch_unix_ns + i), UNIX_DOUBLE, 0, UNIX_LIBC) \
	X(UNIX_TICKS, "hpt_time_to_unix_ticks", unix_ticks(now + i), UNIX_DOUBLE, 0, UNIX_LIBC)                   \
	X(TIMESPEC, "hpt_time_to_timespec", to_timespec(now + i), UNIX_LIBC, 0, NONE)                     \
	X(ADD_NS, "hpt_time_add_ns", add_ns(now + i), TICKS_DOUBLE, 0, TICKS_DIVISION)                    \
	X(PARSE, "hpt_time_parse", parse(i), NONE, 0, NONE)                                               \
	X(TEXT_LIBC, "gmtime_r, strftime, snprintf", text_by_libc(), NONE, 0, NONE)                       \
	X(TEXT_HPT, "hpt_time_format(hpt_now)", text_of(hpt_now(tsc)), TEXT_LIBC, 1.00, NONE)

#define LOOP(id, text, expression, base, target, base2) BENCH_LOOP(loop_##id, expression)
#define ID(id, text, expression, base, target, base2) id,
#define ROW(id, text, expression, base, target, base2) { text, loop_##id, base, target, base2, 0 },

enum { NONE = BENCH_NO_BASE, CALLS(ID) };

CALLS(LOOP)

static const struct bench_row rows[] = {
	CALLS(ROW)
	{ "hpt_timebase_to_ns, two, a tick", loop_BATCH_NS, TO_NS, 0, NS_DOUBLE, BATCH_MOST_NS },
	{ "hpt_timebase_to_ns, one, a tick", loop_BATCH_NS_1, TO_NS, 0, NS_DOUBLE, BATCH_MOST_NS },
	{ "hpt_timebase_to_unix_ns, a tick", loop_BATCH_UNIX, UNIX_HPT, 0, UNIX_DOUBLE, BATCH_MOST_NS },
};

static bool prepare(void)
{
	struct hpt_clock_info info;

	if (hpt_clock_get_info(tsc, &info, sizeof(info)))
		exit(1);
	now = hpt_now(tsc);
	hz = (int64_t)(info.frequency_uhz / 1000000);
	ns_per_tick = 1e9 / (double)hz;
	epoch_ticks = info.epoch_ticks;
	epoch_unix_ns = info.epoch_unix_ns;
	ticks = 3600 * hz;
	ns = 3600 * INT64_C(1000000000);
	if (hpt_clock_get_timebase(tsc, &first, sizeof(first)))
		return false;
	for (int i = 0; i < BATCH; i++)
		batch[i] = hpt_now(tsc);
	return !hpt_clock_get_timebase(tsc, &last, sizeof(last));
}

int main(int argc, char **argv)
{
	struct bench_effort effort = { .rounds = 500, .calls = 2000 };

	if (!bench_effort_of(argc, argv, &effort))
		return 2;
	if (hpt_clock_open(HPT_SOURCE_TSC, 0, &tsc)) {
		printf("no TSC here: nothing to compare\n");
		return 77;
	}
	if (!prepare())
		return 1;
	bench_rows(rows, sizeof(rows) / sizeof(rows[0]), effort);
	return 0;
}
