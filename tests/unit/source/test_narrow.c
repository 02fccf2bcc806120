// SPDX-License-Identifier: MIT
/* Counters of 16 and 32 bits: readers that are preempted anywhere, for many wraps, get the whole tick. */
#include "unit.h"

#include "source/narrow.h"

#define STEPS   400000
#define READERS 5
#define JIFFY   INT64_C(4000000)

/* A fake machine: time passes between any two steps of any reader. */
static struct {
	uint64_t hz;       /* stated */
	int64_t  ppm;      /* the true frequency less the stated one */
	uint64_t first;    /* ticks at time 0 */
	int64_t  now_ns;
	struct hpt_narrow n;
	uint64_t most;     /* the greatest tick that a read has returned */
	uint64_t reads, repeated;
	int64_t  newest_ns; /* when the newest value that was returned was read */
} w;

static uint64_t true_tick(void)
{
	return w.first + (uint64_t)((double)w.now_ns * (double)w.hz * (1e-9 + (double)w.ppm * 1e-15));
}

static int64_t clock_ns(void)
{
	return w.now_ns - w.now_ns % JIFFY;
}

static int64_t span_ns(void)
{
	return w.n.window_ns * 16;
}

/* A reader stops after each step, for as long as the machine likes. */
struct reader {
	uint32_t step;
	int64_t  clock_ns, value_ns;
	uint64_t base, value, tick, most;
};

static uint64_t load_base(void)
{
	return atomic_load(&w.n.base);
}

static void read_value(struct reader *r)
{
	r->tick = true_tick();
	r->value_ns = w.now_ns;
	r->value = hpt_narrow_value(&w.n, (uint32_t)(r->tick & (w.n.span - 1)) ^ w.n.flip);
}

/* As ticks are whole, exact but for the wraps before the first read, of which nothing is known. */
static void check_tick(const struct reader *r, uint64_t tick)
{
	static uint64_t wraps;

	if (!w.reads++)
		wraps = tick - r->tick;
	assert_int_equal(wraps % w.n.span, 0);
	assert_int_equal(tick - r->tick, wraps);
	assert_true(tick >= r->most);
	if (tick > w.most)
		w.most = tick;
	if (r->value_ns > w.newest_ns)
		w.newest_ns = r->value_ns;
}

static void again_if(struct reader *r, bool again)
{
	w.repeated += again;
	r->step = again ? 0 : r->step + 1;
}

static void step_by_clock(struct reader *r)
{
	switch (r->step) {
	case 0: r->most = w.most; r->clock_ns = clock_ns(); r->step++; break;
	case 1: r->base = load_base(); r->step++; break;
	case 2: read_value(r); r->step++; break;
	case 3: again_if(r, clock_ns() - r->clock_ns > w.n.window_ns); break;
	default:
		check_tick(r, hpt_narrow_by_clock(&w.n, r->base, r->clock_ns, r->value));
		r->step = 0;
	}
}

static void step_by_promise(struct reader *r)
{
	switch (r->step) {
	case 0: r->most = w.most; r->base = load_base(); r->step++; break;
	case 1: read_value(r); r->step++; break;
	case 2: again_if(r, load_base() != r->base); break;
	default:
		check_tick(r, hpt_narrow_by_promise(&w.n, r->base, r->value));
		r->step = 0;
	}
}

static void whole_read(void (*step)(struct reader *r))
{
	struct reader r = { 0 };

	do
		step(&r);
	while (r.step);
}

/* No read for longer than this is what the library rules out; then a thread that is not preempted reads. */
static void pass_time(int64_t ns, int64_t most_ns, void (*step)(struct reader *r))
{
	if (w.now_ns + ns - w.newest_ns > most_ns)
		whole_read(step);
	w.now_ns += ns < most_ns ? ns : most_ns;
}

/* Most steps follow each other closely; some come after a part of a wrap, or after several. */
static int64_t random_pause(void)
{
	switch (random_below(24)) {
	case 0:  return (int64_t)random_below((uint64_t)span_ns() * 3);
	case 1:  return (int64_t)random_below((uint64_t)span_ns() / 4);
	default: return (int64_t)random_below(1000);
	}
}

/* Reader 0 is scheduled seldom: it holds what it has read for thousands of wraps. */
static uint32_t random_reader(void)
{
	return random_below(2000) ? 1 + (uint32_t)random_below(READERS - 1) : 0;
}

static void run(void (*step)(struct reader *r), int64_t most_spans_x100)
{
	struct reader readers[READERS] = { { 0 } };

	w.most = 0;
	w.reads = w.repeated = 0;
	w.newest_ns = w.now_ns;
	whole_read(step); /* by the driver's open() */
	for (uint32_t i = 0; i < STEPS; i++) {
		step(&readers[random_reader()]);
		pass_time(random_pause(), span_ns() * most_spans_x100 / 100, step);
	}
	note("%llu reads, %llu steps again", (unsigned long long)w.reads, (unsigned long long)w.repeated);
	assert_true(w.reads > STEPS / 20 && w.repeated > 100);
}

static const struct {
	uint32_t bits;
	uint64_t hz;
	bool is_down;
} kinds[] = {
	{ 32, 24000000, false }, { 32, 1000000000, true }, { 16, 32768, true }, { 16, 1000000, false },
};

static void start(size_t kind, int64_t ppm)
{
	w.hz = kinds[kind].hz;
	w.ppm = ppm;
	w.first = random_u64() >> 20;
	w.now_ns = (int64_t)(random_u64() >> 10) % INT64_C(1000000000000);
	hpt_narrow_start(&w.n, kinds[kind].bits, w.hz, kinds[kind].is_down);
}

/* A base drifts by 2 % here, so that 15 wraps without a read are the limit of what the clock can settle. */
static void by_the_clock_no_wrap_is_lost(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(kinds); i++) {
		start(i, i % 2 ? 20000 : -20000);
		run(step_by_clock, 1000);
	}
}

/* A read in each half of a wrap, by any thread, while others are preempted for any time. */
static void by_the_promise_no_wrap_is_lost(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(kinds); i++) {
		start(i, 20000);
		run(step_by_promise, 50);
	}
}

static void first_ticks_are_not_negative(void **state)
{
	struct hpt_narrow n;

	(void)state;
	hpt_narrow_start(&n, 32, 24000000, false);
	assert_true(hpt_narrow_by_clock(&n, atomic_load(&n.base), 0, UINT32_MAX) < 1ull << 33);
	hpt_narrow_start(&n, 16, 24000000, false);
	assert_true(hpt_narrow_by_promise(&n, atomic_load(&n.base), UINT16_MAX) < 1 << 17);
}

/* An eighth of the range may be older than base: the processor may load the value before it. */
static void a_value_from_before_the_base_is_of_the_wrap_before(void **state)
{
	struct hpt_narrow n;

	(void)state;
	hpt_narrow_start(&n, 16, 1000000, false);
	assert_int_equal(hpt_narrow_by_promise(&n, 0x70000, 0xfff0), 0x6fff0);
	assert_int_equal(hpt_narrow_by_promise(&n, 0x70000, 0xe000), 0x6e000);
	assert_int_equal(hpt_narrow_by_promise(&n, 0x70000, 0xdfff), 0x7dfff);
}

/* Reads that come one after the other leave the word alone, so that threads do not fight for its cache line. */
static void close_reads_renew_nothing(void **state)
{
	struct hpt_narrow n;
	uint64_t base;

	(void)state;
	hpt_narrow_start(&n, 16, 1000000, false);
	hpt_narrow_by_promise(&n, n.span, 20000);
	base = atomic_load(&n.base);
	assert_int_equal(base, n.span + 20000);
	hpt_narrow_by_promise(&n, base, 28000);
	assert_int_equal(atomic_load(&n.base), base);
	hpt_narrow_by_promise(&n, base, 29000);
	assert_int_equal(atomic_load(&n.base), n.span + 29000);
	hpt_narrow_by_promise(&n, base, 35000); /* after another thread's, which is older */
	assert_int_equal(atomic_load(&n.base), n.span + 35000);
	hpt_narrow_by_promise(&n, base, 34000); /* comes too late */
	assert_int_equal(atomic_load(&n.base), n.span + 35000);

	hpt_narrow_start(&n, 16, 1000000, false);
	hpt_narrow_by_clock(&n, n.span, 1000000000, (1000000 + 4000) & 0xffff);
	assert_int_equal(atomic_load(&n.base), n.span);
	hpt_narrow_by_clock(&n, n.span, 1000000000, (1000000 + 5000) & 0xffff);
	assert_int_equal(atomic_load(&n.base), n.span + 5000);
	hpt_narrow_by_clock(&n, n.span + 5000, 1000000000, (1000000 + 500) & 0xffff);
	assert_int_equal(atomic_load(&n.base), n.span + 500);
}

static void window_is_a_sixteenth_of_a_wrap(void **state)
{
	struct hpt_narrow n;

	(void)state;
	hpt_narrow_start(&n, 16, 1000000, false);
	assert_int_equal(n.window_ns, 4096000);
	hpt_narrow_start(&n, 32, 24000000, true);
	assert_int_equal(n.window_ns, 11184810667); /* 2^28 / 24 MHz */
	assert_int_equal(hpt_narrow_value(&n, 0xfffffff0), 0xf);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(by_the_clock_no_wrap_is_lost),
		cmocka_unit_test(by_the_promise_no_wrap_is_lost),
		cmocka_unit_test(first_ticks_are_not_negative),
		cmocka_unit_test(a_value_from_before_the_base_is_of_the_wrap_before),
		cmocka_unit_test(close_reads_renew_nothing),
		cmocka_unit_test(window_is_a_sixteenth_of_a_wrap),
	};

	random_start();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
