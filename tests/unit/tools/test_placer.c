// SPDX-License-Identifier: MIT
/* Times of events: those of the library, tick by tick, and of the kernel's clocks by time bases. */
#include <string.h>

#include "unit.h"

#include "trace/placer.h"

#define BASES 12
#define UNIX_NS INT64_C(1795171679000000000)

static struct hpt_timebase_fields fields[BASES];
static struct hpt_timebase bases[BASES];
static size_t starts[BASES + 1];
static struct timebases all = { .bases = bases, .fields = fields, .starts = starts };

static void add(uint64_t generation, int64_t start, int64_t tick, int64_t ns, int64_t unix_ns, uint32_t source)
{
	struct hpt_timebase_fields *f = &fields[all.n];

	*f = (struct hpt_timebase_fields){
		.boot_id = { 1 }, .source = source, .generation = generation, .start = start, .tick = tick,
		.lines = { { ns, 20, { 0, UINT64_C(1) << 63 } }, { unix_ns, 30, { 0, UINT64_C(1) << 63 } } },
		.offset_ns = unix_ns - ns - 1000, .offset_error_ns = UINT32_MAX / 2, .error_ppb = 1000,
	};
	assert_int_equal(hpt_timebase_encode(f, &bases[all.n++]), 0);
}

static void set_starts(void)
{
	all.n_generations = 0;
	for (size_t i = 0; i < all.n; i++)
		if (!i || fields[i].generation != fields[i - 1].generation)
			starts[all.n_generations++] = i;
	starts[all.n_generations] = all.n;
}

/* A counter of 2 GHz that drifts, and from the fourth base on another generation, after a suspend. */
static void set_bases(uint32_t source)
{
	all.n = 0;
	for (int64_t i = 0; i < 8; i++)
		add(i < 4 ? 1 : 2, i < 4 ? 0 : 3500, i * 1000, 7000 + i * 500 + i * i * (source == HPT_SOURCE_TSC),
		    UNIX_NS + i * 500 - 3 * i * i + (i < 4 ? 0 : 1000000000), source);
	set_starts();
}

static void assert_as_library(struct placer *p, const struct event *e)
{
	struct timebases_pair pair;
	int64_t ns, unix_ns;

	assert_int_equal(e->is_placed, timebases_find(p->bases, e->stamp, &pair));
	if (!e->is_placed)
		return;
	assert_int_equal(hpt_timebase_to_ns(pair.first, pair.last, &e->stamp, &ns, 1), 0);
	assert_int_equal(hpt_timebase_to_unix_ns(pair.first, pair.last, &e->stamp, &unix_ns, 1), 0);
	assert_true(e->ns == ns && e->unix_ns == unix_ns);
	assert_int_equal(e->error_ns, hpt_timebase_error_ns(pair.first_fields, pair.last_fields, HPT_TIMEBASE_NS,
							    e->stamp));
	assert_int_equal(e->unix_error_ns, hpt_timebase_error_ns(pair.first_fields, pair.last_fields,
								 HPT_TIMEBASE_UNIX, e->stamp));
	assert_int_equal(e->generation, e->stamp >= 3500);
}

static void ticks_are_placed_as_the_library_does(void **state)
{
	static struct event events[3000];
	struct placer p;

	(void)state;
	set_bases(HPT_SOURCE_TSC);
	for (int run = 0; run < 20; run++) {
		assert_true(placer_init(&p, EVENT_TICKS, &all));
		assert_int_equal(p.clock, EVENT_RAW);
		for (size_t i = 0; i < COUNT(events); i++)
			/* In order in every other run; some are before the first generation. */
			events[i].stamp = run % 2 ? (int64_t)i * 3 - 500 : (int64_t)random_below(9000) - 500;
		placer_place(&p, events, COUNT(events));
		for (size_t i = 0; i < COUNT(events); i++)
			assert_as_library(&p, &events[i]);
		placer_free(&p);
	}
}

/* One generation has a short way to the pair. */
static void one_generation(void **state)
{
	static struct event events[2000];
	struct placer p;

	(void)state;
	set_bases(HPT_SOURCE_TSC);
	all.n = 4;
	set_starts();
	assert_true(placer_init(&p, EVENT_TICKS, &all));
	for (size_t i = 0; i < COUNT(events); i++)
		events[i].stamp = (int64_t)random_below(3400);
	placer_place(&p, events, COUNT(events));
	for (size_t i = 0; i < COUNT(events); i++)
		assert_as_library(&p, &events[i]);
	/* More of one pair than are converted at a time. */
	for (size_t i = 0; i < COUNT(events); i++)
		events[i].stamp = (int64_t)i % 900;
	placer_place(&p, events, COUNT(events));
	for (size_t i = 0; i < COUNT(events); i++)
		assert_as_library(&p, &events[i]);
	placer_free(&p);
}

/* Where the counter began again a tick may be of either generation, even between two time bases of one. */
static void a_tick_of_two_generations_has_no_time(void **state)
{
	struct event events[] = { { .stamp = 100 }, { .stamp = 700 }, { .stamp = 200 } };
	struct placer p;

	(void)state;
	all.n = 0;
	add(1, 0, 0, 0, UNIX_NS, HPT_SOURCE_TSC);
	add(1, 0, 1000, 500, UNIX_NS + 500, HPT_SOURCE_TSC);
	add(2, 500, 600, 9000, UNIX_NS + 9000, HPT_SOURCE_TSC);
	set_starts();
	assert_true(placer_init(&p, EVENT_TICKS, &all));
	placer_place(&p, events, COUNT(events));
	assert_true(events[0].is_placed && events[2].is_placed);
	assert_false(events[1].is_placed);
	placer_free(&p);
}

static struct event place(struct placer *p, int64_t stamp)
{
	struct event e = { .stamp = stamp };

	placer_place(p, &e, 1);
	return e;
}

/* At each base and between two the Unix time is that of the tick at which the clock showed this. */
static void clocks_of_the_kernel_by_time_bases(void **state)
{
	static const struct { enum event_clock clock; uint32_t source; } rows[] = {
		{ EVENT_RAW, HPT_SOURCE_TSC }, { EVENT_MONOTONIC, HPT_SOURCE_TSC }, { EVENT_MONOTONIC, HPT_SOURCE_OS },
	};

	(void)state;
	for (size_t k = 0; k < COUNT(rows); k++) {
		struct placer p;

		set_bases(rows[k].source);
		assert_true(placer_init(&p, rows[k].clock, &all));
		assert_int_equal(p.clock, rows[k].clock);
		for (size_t i = 0; i < 3; i++) {
			bool is_ns = k != 1;
			int64_t a = is_ns ? fields[i].lines[0].ns : fields[i].lines[1].ns - fields[i].offset_ns;
			int64_t b = is_ns ? fields[i + 1].lines[0].ns :
					    fields[i + 1].lines[1].ns - fields[i + 1].offset_ns;
			int64_t middle = fields[i].lines[1].ns / 2 + fields[i + 1].lines[1].ns / 2;
			struct event e = place(&p, a);

			assert_true(e.is_placed && e.ns == a && e.error_ns == EVENT_ERROR_UNKNOWN);
			assert_true(e.unix_ns == fields[i].lines[1].ns);
			assert_true(e.unix_error_ns > 30);
			assert_true(llabs(place(&p, a + (b - a) / 2).unix_ns - middle) <= 2);
		}
		placer_free(&p);
	}
}

static void without_time_bases(void **state)
{
	struct placer p;
	struct event e;

	(void)state;
	assert_true(placer_init(&p, EVENT_REALTIME, NULL));
	e = place(&p, 77);
	assert_true(p.has_unix && e.is_placed && e.ns == 77 && e.unix_ns == 77 && e.error_ns == EVENT_ERROR_UNKNOWN);
	assert_true(placer_init(&p, EVENT_BOOTTIME, NULL));
	e = place(&p, 78);
	assert_true(!p.has_unix && e.is_placed && e.ns == 78);
}

static void clocks_that_time_bases_do_not_have(void **state)
{
	struct placer p;

	(void)state;
	set_bases(HPT_SOURCE_TSC);
	assert_false(placer_init(&p, EVENT_BOOTTIME, &all));
	assert_false(placer_init(&p, EVENT_TAI, &all));
	set_bases(HPT_SOURCE_OS);
	assert_false(placer_init(&p, EVENT_RAW, &all));
	assert_true(placer_init(&p, EVENT_TICKS, &all));
	assert_int_equal(p.clock, EVENT_MONOTONIC);
	assert_true(placer_init(&p, EVENT_REALTIME, &all));
	assert_true(place(&p, 5).unix_ns == 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ticks_are_placed_as_the_library_does),
		cmocka_unit_test(one_generation),
		cmocka_unit_test(a_tick_of_two_generations_has_no_time),
		cmocka_unit_test(clocks_of_the_kernel_by_time_bases),
		cmocka_unit_test(without_time_bases),
		cmocka_unit_test(clocks_that_time_bases_do_not_have),
	};

	random_start();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
