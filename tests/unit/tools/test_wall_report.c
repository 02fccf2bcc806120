// SPDX-License-Identifier: MIT
/* What hpt wall prints of invented looks: bounds of each kind, and each reason to have none. */
#include <string.h>

#include "json_at.h"
#include "markup.h"

#include "wall/wall_report.h"

/* 2026-11-24T14:30:12Z */
#define NOON_NS INT64_C(1795530612000000000)

/* The midnight after 2026-12-31. */
#define MIDNIGHT_NS INT64_C(1798761600000000000)

/* chrony and a PHC agree; the other sources give nothing. */
static struct wall_view good(void)
{
	struct wall_view v = {
		.at_ns = 1500000000, .realtime_ns = NOON_NS + 8129000, .has_bound = true,
		.time = { .earliest_ns = NOON_NS + 5, .latest_ns = NOON_NS + 20005, .tick = 777, .generation = 3,
			  .state = HPT_WALL_STATE_SYNCED, .flags = HPT_WALL_FLAG_ASSUMED_RATE },
		.ahead_min_ns = -12000, .ahead_max_ns = 8000,
		.wall = { .state = HPT_WALL_STATE_HOLDOVER, .generation = 4,
			  .live = HPT_WALL_SOURCE_CHRONY | HPT_WALL_SOURCE_PHC, .samples = 5, .refused = 6,
			  .contradictions = 7, .disruptions = 8, .gained = 9, .lost = 10,
			  .width_ns = 20001, .age_ns = 123456,
			  .rate_lo_ppb = -1500, .rate_hi_ppb = 2500, .rate_ppb = 50000, .wander_ppb = 15000 },
	};

	for (uint32_t i = 0; i < WALL_VIEW_SOURCES; i++) {
		struct hpt_wall_source_info *s = &v.sources[i];

		s->source = WALL_VIEW_FIRST << i;
		s->reason = HPT_WALL_REASON_ABSENT;
		s->error = 2; /* ENOENT */
		s->width_ns = s->age_ns = -1;
		strcpy(s->name, hpt_wall_source_name(s->source));
		snprintf(s->path, sizeof(s->path), "/nonexistent/%u", i + 2);
	}
	return v;
}

static struct hpt_wall_source_info *source_of(struct wall_view *v, uint32_t id)
{
	return &v->sources[__builtin_ctz(id / WALL_VIEW_FIRST)];
}

static struct wall_view with_chrony(void)
{
	struct wall_view v = good();
	struct hpt_wall_source_info *s = source_of(&v, HPT_WALL_SOURCE_CHRONY);

	s->usable = 1;
	s->reason = s->error = 0;
	s->samples = 9;
	s->refused = 1;
	s->width_ns = 20001;
	s->age_ns = 123456;
	s->flags = HPT_WALL_FLAG_SMEARED;
	strcpy(s->path, "127.0.0.1:323");
	return v;
}

static struct wall_view without_bound(uint32_t state)
{
	struct wall_view v = good();

	v.has_bound = false;
	v.wall.state = state;
	v.wall.age_ns = v.wall.width_ns = -1;
	return v;
}

static char *tables_of(const struct wall_view *v, int64_t max_width_ns)
{
	struct markup m;

	markup_open(&m);
	wall_report_tables(v, HPT_SOURCE_TSC, max_width_ns, m.to);
	fclose(m.to);
	return m.text;
}

static char *line_of(const struct wall_view *v, int64_t max_width_ns)
{
	struct markup m;

	markup_open(&m);
	wall_report_line(v, max_width_ns, m.to);
	fclose(m.to);
	return m.text;
}

static void assert_text(const json_t *o, const char *key, const char *text)
{
	assert_string_equal(json_string_value(json_object_get(o, key)), text);
}

static void assert_is_null(const json_t *o, const char *key)
{
	if (!json_is_null(json_object_get(o, key)))
		fail_msg("%s is not null", key);
}

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

static void json_has_the_interval(void **state)
{
	struct wall_view v = with_chrony();
	json_t *o = wall_report_json(&v, HPT_SOURCE_TSC, 20000);

	(void)state;
	assert_int_equal(at(o, "hpt_json"), 1);
	assert_text(o, "source", "tsc");
	assert_int_equal(at(o, "at_ns"), 1500000000);
	/* The interval's own state, not the one that the wall has a moment later. */
	assert_text(o, "state", "synced");
	assert_int_equal(at(o, "generation"), 3);
	assert_true(json_is_true(json_object_get(o, "has_bound")));
	assert_int_equal(at(o, "earliest_ns"), NOON_NS + 5);
	assert_int_equal(at(o, "latest_ns"), NOON_NS + 20005);
	assert_text(o, "earliest", "2026-11-24T14:30:12.000000005Z");
	assert_text(o, "latest", "2026-11-24T14:30:12.000020005Z");
	assert_int_equal(at(o, "width_ns"), 20000);
	assert_int_equal(at(o, "tick"), 777);
	assert_int_equal(at(o, "realtime_ahead_min_ns"), -12000);
	assert_int_equal(at(o, "realtime_ahead_max_ns"), 8000);
	assert_int_equal(at(o, "age_ns"), 123456);
	assert_int_equal(at(o, "rate_min_ppb"), -1500);
	assert_int_equal(at(o, "rate_max_ppb"), 2500);
	assert_int_equal(at(o, "rate_ppb"), 50000);
	assert_int_equal(at(o, "wander_ppb"), 15000);
	assert_int_equal(at(o, "samples"), 5);
	assert_int_equal(at(o, "refused"), 6);
	assert_int_equal(at(o, "contradictions"), 7);
	assert_int_equal(at(o, "disruptions"), 8);
	assert_int_equal(at(o, "gained"), 9);
	assert_int_equal(at(o, "lost"), 10);
	json_decref(o);
}

static void a_width_is_too_wide_beyond_the_limit(void **state)
{
	static const struct { int64_t max_ns; bool is_wide; } rows[] = {
		{ 0, false }, { 1, true }, { 19999, true }, { 20000, false }, { 20001, false }, { INT64_MAX, false },
	};
	struct wall_view v = good();

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		json_t *o = wall_report_json(&v, HPT_SOURCE_TSC, rows[i].max_ns);

		assert_int_equal(json_is_true(json_object_get(o, "too_wide")), rows[i].is_wide);
		assert_int_equal(json_is_null(json_object_get(o, "max_width_ns")), !rows[i].max_ns);
		json_decref(o);
	}
	v.has_bound = false;
	assert_false(wall_view_is_wide(&v, 1));
}

static void json_of_no_bound_has_no_numbers(void **state)
{
	static const char *const unknown[] = {
		"earliest_ns", "latest_ns", "earliest", "latest", "width_ns", "max_width_ns", "tick",
		"realtime_ahead_min_ns", "realtime_ahead_max_ns", "age_ns", "tai_offset_s", "leap_at_ns", "leap_at",
	};
	struct wall_view v = without_bound(HPT_WALL_STATE_UNSYNCED);
	json_t *o = wall_report_json(&v, HPT_SOURCE_OS, 0);

	(void)state;
	assert_text(o, "state", "unsynced");
	assert_text(o, "source", "os");
	assert_true(json_is_false(json_object_get(o, "has_bound")));
	assert_int_equal(at(o, "generation"), 4);
	assert_int_equal(at(o, "leap"), 0);
	for (size_t i = 0; i < COUNT(unknown); i++)
		assert_is_null(o, unknown[i]);
	json_decref(o);
}

static void json_has_leap_and_tai(void **state)
{
	struct wall_view v = good();
	json_t *o;

	(void)state;
	v.wall.leap = -1;
	v.wall.leap_at_ns = MIDNIGHT_NS;
	v.wall.tai_offset_s = 37;
	o = wall_report_json(&v, HPT_SOURCE_TSC, 0);
	assert_int_equal(at(o, "leap"), -1);
	assert_int_equal(at(o, "leap_at_ns"), MIDNIGHT_NS);
	assert_text(o, "leap_at", "2027-01-01T00:00:00.000000000Z");
	assert_int_equal(at(o, "tai_offset_s"), 37);
	json_decref(o);
}

static const json_t *json_source_of(const json_t *o, const char *name)
{
	const json_t *list = json_object_get(o, "sources");

	assert_int_equal(json_array_size(list), WALL_VIEW_SOURCES);
	for (size_t i = 0; i < json_array_size(list); i++)
		if (!strcmp(json_string_value(json_object_get(json_array_get(list, i), "name")), name))
			return json_array_get(list, i);
	fail_msg("no source %s", name);
	return NULL;
}

static bool has_flag(const json_t *o, const char *name)
{
	const json_t *list = json_object_get(o, "flags");

	assert_true(json_is_array(list));
	for (size_t i = 0; i < json_array_size(list); i++)
		if (!strcmp(json_string_value(json_array_get(list, i)), name))
			return true;
	return false;
}

static void json_has_each_source(void **state)
{
	struct wall_view v = with_chrony();
	json_t *o = wall_report_json(&v, HPT_SOURCE_TSC, 0);
	const json_t *chrony = json_source_of(o, "chrony"), *phc = json_source_of(o, "phc");

	(void)state;
	assert_true(json_is_true(json_object_get(chrony, "usable")));
	assert_true(json_is_true(json_object_get(chrony, "live")));
	assert_is_null(chrony, "reason");
	assert_is_null(chrony, "advice");
	assert_is_null(chrony, "errno_name");
	assert_text(chrony, "path", "127.0.0.1:323");
	assert_int_equal(at(chrony, "reason_code"), 0);
	assert_int_equal(at(chrony, "width_ns"), 20001);
	assert_int_equal(at(chrony, "age_ns"), 123456);
	assert_int_equal(at(chrony, "samples"), 9);
	assert_int_equal(at(chrony, "refused"), 1);
	assert_true(has_flag(chrony, "smeared"));
	assert_false(has_flag(chrony, "assumed-rate"));
	assert_true(has_flag(o, "assumed-rate"));
	assert_true(json_is_false(json_object_get(phc, "usable")));
	assert_true(json_is_true(json_object_get(phc, "live"))); /* its earlier sample is still in the bound */
	assert_text(phc, "reason", hpt_wall_reason_text(HPT_WALL_REASON_ABSENT));
	assert_int_equal(at(phc, "reason_code"), HPT_WALL_REASON_ABSENT);
	assert_int_equal(at(phc, "errno"), 2);
	assert_text(phc, "errno_name", "ENOENT");
	assert_is_null(phc, "width_ns");
	assert_is_null(phc, "age_ns");
	json_decref(o);
}

static void a_source_that_is_not_asked(void **state)
{
	struct wall_view v = good();
	struct hpt_wall_source_info *s = source_of(&v, HPT_WALL_SOURCE_KERNEL);
	json_t *o;

	(void)state;
	s->reason = HPT_WALL_REASON_NOT_USED;
	s->error = 0;
	s->path[0] = '\0';
	o = wall_report_json(&v, HPT_SOURCE_TSC, 0);
	assert_true(json_is_false(json_object_get(json_source_of(o, "kernel"), "used")));
	assert_true(json_is_true(json_object_get(json_source_of(o, "phc"), "used")));
	assert_is_null(json_source_of(o, "kernel"), "path");
	json_decref(o);
}

static void every_flag_has_a_name(void **state)
{
	static const char *const names[] = { "assumed-rate", "claimed", "smeared", "no-disruption-signal" };

	(void)state;
	for (size_t i = 0; i < COUNT(names); i++) {
		struct wall_view v = good();
		char *text;
		json_t *o;

		v.time.flags = 1u << i;
		o = wall_report_json(&v, HPT_SOURCE_TSC, 0);
		text = tables_of(&v, 0);
		for (size_t k = 0; k < COUNT(names); k++) {
			assert_int_equal(has_flag(o, names[k]), i == k);
			assert_int_equal(count_of(text, names[k]), i == k);
		}
		json_decref(o);
		free(text);
	}
}

/* Without a bound the wall's own flags count. */
static void flags_of_no_bound(void **state)
{
	struct wall_view v = without_bound(HPT_WALL_STATE_NONE);
	json_t *o;

	(void)state;
	v.wall.flags = HPT_WALL_FLAG_CLAIMED;
	o = wall_report_json(&v, HPT_SOURCE_TSC, 0);
	assert_true(has_flag(o, "claimed"));
	assert_false(has_flag(o, "assumed-rate"));
	json_decref(o);
}

/* ---- Tables ------------------------------------------------------------------------------------------------------ */

static void tables_say_the_interval(void **state)
{
	struct wall_view v = with_chrony();
	char *text = tables_of(&v, 0);

	(void)state;
	assert_says(text, "State           synced, generation 3\n");
	assert_says(text, "Earliest        2026-11-24T14:30:12.000000005Z\n");
	assert_says(text, "Latest          2026-11-24T14:30:12.000020005Z\n");
	assert_says(text, "Width           20.0 us\n");
	assert_says(text, "CLOCK_REALTIME  is ahead of UTC by -12.0 us to 8.0 us\n");
	assert_says(text, "TAI             not known");
	assert_says(text, "Leap second     none is announced\n");
	assert_says(text, " -1.500 to 2.500 ppm, and may wander by 15.000 ppm\n");
	assert_says(text, "5 accepted, 6 refused; 7 contradictions, 8 disruptions\n");
	assert_never_says(text, "Bound");
	free(text);
	text = tables_of(&v, 10000);
	assert_says(text, "Width           20.0 us: WIDER than 10.0 us\n");
	free(text);
}

static void advice_comes_last(void **state)
{
	struct wall_view v = with_chrony();
	char *text = tables_of(&v, 0);
	json_t *o = wall_report_json(&v, HPT_SOURCE_TSC, 0);

	(void)state;
	assert_never_says(text, "Advice");
	assert_string_not_equal(text + strlen(text) - 2, "\n\n");
	assert_int_equal(json_array_size(json_object_get(o, "advice")), 0);
	assert_true(json_is_array(json_object_get(o, "advice")));
	free(text);
	json_decref(o);
	v.advice.n = 2;
	strcpy(v.advice.texts[0], "remove 'x'");
	strcpy(v.advice.texts[1], "add 'y'");
	text = tables_of(&v, 0);
	assert_says(text, "\n\nAdvice  remove 'x'\n        add 'y'\n");
	free(text);
	o = wall_report_json(&v, HPT_SOURCE_TSC, 0);
	assert_int_equal(json_array_size(json_object_get(o, "advice")), 2);
	assert_string_equal(json_string_value(json_array_get(json_object_get(o, "advice"), 1)), "add 'y'");
	json_decref(o);
}

static void tables_say_leap_and_tai(void **state)
{
	struct wall_view v = good();
	char *text;

	(void)state;
	v.wall.leap_at_ns = MIDNIGHT_NS;
	v.wall.tai_offset_s = 37;
	v.wall.leap = 1;
	text = tables_of(&v, 0);
	assert_says(text, "is ahead of UTC by 37 s\n");
	assert_says(text, "one is inserted before 2027-01-01T00:00:00.000000000Z\n");
	free(text);
	v.wall.leap = -1;
	text = tables_of(&v, 0);
	assert_says(text, "one is left out before 2027-");
	free(text);
}

static void tables_say_why_there_is_no_bound(void **state)
{
	static const struct { uint32_t state; const char *text; } rows[] = {
		{ HPT_WALL_STATE_NONE, "NONE: no source has stated one\n" },
		{ HPT_WALL_STATE_UNSYNCED, "NONE: a source answers, and says that it has none\n" },
		{ HPT_WALL_STATE_STALE, "NONE: the latest statement is too old\n" },
		{ HPT_WALL_STATE_DISRUPTED, "NONE: the counter jumped, " },
		{ HPT_WALL_STATE_CONTRADICTED, "NONE: what the sources state has nothing in common" },
		{ HPT_WALL_STATE_LEAP, "NONE: a leap second is near\n" },
		{ HPT_WALL_STATE_SYNCED, "NONE: it has just changed" },
		{ 99, "NONE: it has just changed" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct wall_view v = without_bound(rows[i].state);
		char *text = tables_of(&v, 1);

		assert_says(text, rows[i].text);
		assert_never_says(text, "Earliest");
		assert_never_says(text, "WIDER");
		free(text);
	}
}

static void tables_say_what_each_source_gives_or_why_not(void **state)
{
	struct wall_view v = with_chrony();
	char *text = tables_of(&v, 0), phc[256];

	(void)state;
	assert_says(text, "chrony     yes    yes  20.0 us 123.5 us 127.0.0.1:323\n");
	snprintf(phc, sizeof(phc), "phc        no     yes        -        - /nonexistent/6: %s (ENOENT); ",
		 hpt_wall_reason_text(HPT_WALL_REASON_ABSENT));
	assert_says(text, phc);
	assert_says(text, "(ENOENT); start fbclock's daemon\n");
	free(text);
}

static void tables_name_errors_of_system_calls_alone(void **state)
{
	static const struct { uint32_t reason; bool is_named; } rows[] = {
		{ HPT_WALL_REASON_ABSENT, true }, { HPT_WALL_REASON_DENIED, true }, { HPT_WALL_REASON_FAILED, true },
		{ HPT_WALL_REASON_UNSYNCED, false }, { HPT_WALL_REASON_FORMAT, false },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct wall_view v = good();
		char *text;

		source_of(&v, HPT_WALL_SOURCE_PHC)->reason = rows[i].reason;
		source_of(&v, HPT_WALL_SOURCE_PHC)->error = 11; /* EAGAIN */
		text = tables_of(&v, 0);
		assert_int_equal(count_of(text, " (EAGAIN)"), rows[i].is_named);
		free(text);
	}
}

/* ---- Lines of a list --------------------------------------------------------------------------------------------- */

static void lines_have_the_heading_s_columns(void **state)
{
	struct wall_view v = with_chrony();
	char *text = line_of(&v, 0);

	(void)state;
	assert_string_equal(text, "14:30:12.008    20.0 us    -12.0 us      8.0 us   3  synced    chrony,phc\n");
	free(text);
	text = line_of(&v, 19999);
	assert_says(text, "  TOO WIDE  ");
	free(text);
	v = without_bound(HPT_WALL_STATE_STALE);
	text = line_of(&v, 1);
	assert_string_equal(text, "14:30:12.008          -           -           -   4  stale     -\n");
	free(text);
}

static void two_sources_fit_80_columns(void **state)
{
	struct wall_view v = good();
	char *text;

	(void)state;
	v.wall.live = HPT_WALL_SOURCE_CLOCKBOUND | HPT_WALL_SOURCE_CHRONY;
	v.wall.generation = v.time.generation = 999;
	v.time.state = HPT_WALL_STATE_HOLDOVER;
	v.time.latest_ns = v.time.earliest_ns + 199999000;
	v.ahead_min_ns = -99999000;
	v.ahead_max_ns = 100000000;
	text = line_of(&v, 0);
	assert_string_equal(text, "14:30:12.008 199.999 ms  -99.999 ms  100.000 ms 999  holdover  clockbound,chrony\n");
	assert_int_equal(strlen(text), 80 + 1);
	free(text);
}

static void all_sources_fit_a_line(void **state)
{
	struct wall_view v = good();
	char *text;

	(void)state;
	v.wall.live = UINT32_MAX;
	text = line_of(&v, 0);
	assert_says(text, "  clockbound,chrony,kernel,vmclock,phc,fbclock\n");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(json_has_the_interval),
		cmocka_unit_test(a_width_is_too_wide_beyond_the_limit),
		cmocka_unit_test(json_of_no_bound_has_no_numbers),
		cmocka_unit_test(json_has_leap_and_tai),
		cmocka_unit_test(json_has_each_source),
		cmocka_unit_test(a_source_that_is_not_asked),
		cmocka_unit_test(every_flag_has_a_name),
		cmocka_unit_test(flags_of_no_bound),
		cmocka_unit_test(tables_say_the_interval),
		cmocka_unit_test(advice_comes_last),
		cmocka_unit_test(tables_say_leap_and_tai),
		cmocka_unit_test(tables_say_why_there_is_no_bound),
		cmocka_unit_test(tables_say_what_each_source_gives_or_why_not),
		cmocka_unit_test(tables_name_errors_of_system_calls_alone),
		cmocka_unit_test(lines_have_the_heading_s_columns),
		cmocka_unit_test(two_sources_fit_80_columns),
		cmocka_unit_test(all_sources_fit_a_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
