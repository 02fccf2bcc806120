// SPDX-License-Identifier: MIT
/* Prints what a wall says, for programs and for people: tools/wall/wall_report.h. */
#include "wall/wall_report.h"

#include <inttypes.h>
#include <string.h>

#include "hpt/hpt.h"
#include "hpt/wall.h"

#include "math/civil.h"
#include "cli/format.h"
#include "wall/wall_advice.h"

/* ---- Words ------------------------------------------------------------------------------------------------------- */

static const struct { uint32_t flag; const char *name, *words; } flags[] = {
	{ HPT_WALL_FLAG_ASSUMED_RATE, "assumed-rate", "how wrong the counter's rate may be is assumed" },
	{ HPT_WALL_FLAG_CLAIMED, "claimed", "a source's claim is statistical, or of unknown worth" },
	{ HPT_WALL_FLAG_SMEARED, "smeared", "a source spreads leap seconds over hours" },
	{ HPT_WALL_FLAG_NO_DISRUPTION_SIGNAL, "no-disruption-signal",
	  "the hypervisor reports no move of this machine: one can be missed" },
};

#define N_FLAGS (sizeof(flags) / sizeof(flags[0]))

static const char *const without_bound[] = {
	[HPT_WALL_STATE_NONE] = "no source has stated one",
	[HPT_WALL_STATE_UNSYNCED] = "a source answers, and says that it has none",
	[HPT_WALL_STATE_STALE] = "the latest statement is too old",
	[HPT_WALL_STATE_DISRUPTED] = "the counter jumped, or the machine slept or was moved",
	[HPT_WALL_STATE_CONTRADICTED] = "what the sources state has nothing in common: one of them is wrong",
	[HPT_WALL_STATE_LEAP] = "a leap second is near",
};

/* SYNCED and HOLDOVER: the bound was lost, or came back, between two questions. */
static const char *why_no_bound(uint32_t state)
{
	const char *text = state < sizeof(without_bound) / sizeof(without_bound[0]) ? without_bound[state] : NULL;

	return text ? text : "it has just changed: ask again";
}

static bool is_used(const struct hpt_wall_source_info *s)
{
	return s->reason != HPT_WALL_REASON_NOT_USED;
}

static bool is_live(const struct wall_view *v, const struct hpt_wall_source_info *s)
{
	return v->has_bound && v->wall.live & s->source;
}

static const char *utc(int64_t unix_ns, char text[HPT_TIME_FORMAT_SIZE])
{
	hpt_civil_format(unix_ns, text);
	return text;
}

/* ---- JSON -------------------------------------------------------------------------------------------------------- */

static void json_known(json_t *o, const char *key, int64_t value, bool is_known)
{
	out_json_add(o, key, is_known ? json_integer(value) : json_null());
}

static void json_flags(json_t *o, uint32_t set)
{
	json_t *list = json_array();

	for (size_t i = 0; i < N_FLAGS; i++)
		if (set & flags[i].flag)
			json_array_append_new(list, json_string(flags[i].name));
	out_json_add(o, "flags", list);
}

static json_t *json_source(const struct wall_view *v, const struct hpt_wall_source_info *s)
{
	json_t *o = json_object();

	out_json_text(o, "name", s->name);
	out_json_text(o, "path", *s->path ? s->path : NULL);
	out_json_bool(o, "used", is_used(s));
	out_json_bool(o, "usable", s->usable);
	out_json_bool(o, "live", is_live(v, s));
	out_json_text(o, "reason", s->usable ? NULL : hpt_wall_reason_text(s->reason));
	out_json_int(o, "reason_code", s->reason);
	out_json_int(o, "errno", s->error);
	out_json_text(o, "errno_name", format_errno(s->error));
	out_json_text(o, "advice", s->usable ? NULL : wall_advice(s->source, s->reason));
	json_known(o, "width_ns", s->width_ns, s->width_ns >= 0);
	json_known(o, "age_ns", s->age_ns, s->age_ns >= 0);
	json_flags(o, s->flags);
	out_json_int(o, "samples", s->samples);
	out_json_int(o, "refused", s->refused);
	return o;
}

static void json_interval(json_t *o, const struct wall_view *v, int64_t max_width_ns)
{
	char earliest[HPT_TIME_FORMAT_SIZE], latest[HPT_TIME_FORMAT_SIZE];
	bool is_known = v->has_bound;

	out_json_bool(o, "has_bound", is_known);
	json_known(o, "earliest_ns", v->time.earliest_ns, is_known);
	json_known(o, "latest_ns", v->time.latest_ns, is_known);
	out_json_text(o, "earliest", is_known ? utc(v->time.earliest_ns, earliest) : NULL);
	out_json_text(o, "latest", is_known ? utc(v->time.latest_ns, latest) : NULL);
	json_known(o, "width_ns", wall_view_width_ns(v), is_known);
	json_known(o, "max_width_ns", max_width_ns, max_width_ns);
	out_json_bool(o, "too_wide", wall_view_is_wide(v, max_width_ns));
	json_known(o, "tick", v->time.tick, is_known);
	json_known(o, "realtime_ahead_min_ns", v->ahead_min_ns, is_known);
	json_known(o, "realtime_ahead_max_ns", v->ahead_max_ns, is_known);
}

static void json_wall(json_t *o, const struct hpt_wall_info *wall)
{
	char midnight[HPT_TIME_FORMAT_SIZE];

	json_known(o, "age_ns", wall->age_ns, wall->age_ns >= 0);
	json_known(o, "tai_offset_s", wall->tai_offset_s, wall->tai_offset_s);
	out_json_sint(o, "leap", wall->leap);
	json_known(o, "leap_at_ns", wall->leap_at_ns, wall->leap);
	out_json_text(o, "leap_at", wall->leap ? utc(wall->leap_at_ns, midnight) : NULL);
	out_json_sint(o, "rate_min_ppb", wall->rate_lo_ppb);
	out_json_sint(o, "rate_max_ppb", wall->rate_hi_ppb);
	out_json_int(o, "rate_ppb", wall->rate_ppb);
	out_json_int(o, "wander_ppb", wall->wander_ppb);
	out_json_int(o, "samples", wall->samples);
	out_json_int(o, "refused", wall->refused);
	out_json_int(o, "contradictions", wall->contradictions);
	out_json_int(o, "disruptions", wall->disruptions);
	out_json_int(o, "gained", wall->gained);
	out_json_int(o, "lost", wall->lost);
}

static void json_advice(json_t *o, const struct chrony_advice *advice)
{
	json_t *list = json_array();

	for (uint32_t i = 0; i < advice->n; i++)
		json_array_append_new(list, json_string(advice->texts[i]));
	out_json_add(o, "advice", list);
}

json_t *wall_report_json(const struct wall_view *v, uint32_t counter, int64_t max_width_ns)
{
	json_t *o = out_json_new(), *list = json_array();

	out_json_text(o, "source", hpt_source_name(counter));
	out_json_sint(o, "at_ns", v->at_ns);
	out_json_text(o, "state", hpt_wall_state_name(wall_view_state(v)));
	out_json_int(o, "generation", wall_view_generation(v));
	json_interval(o, v, max_width_ns);
	json_flags(o, wall_view_flags(v));
	json_wall(o, &v->wall);
	for (size_t i = 0; i < WALL_VIEW_SOURCES; i++)
		json_array_append_new(list, json_source(v, &v->sources[i]));
	out_json_add(o, "sources", list);
	json_advice(o, &v->advice);
	return o;
}

/* ---- Tables ------------------------------------------------------------------------------------------------------ */

static void print(struct libscols_table *tb, FILE *to)
{
	scols_table_set_stream(tb, to);
	out_table_print(tb);
}

static void text_interval(struct libscols_table *tb, const struct wall_view *v, int64_t max_width_ns)
{
	char text[HPT_TIME_FORMAT_SIZE];
	bool is_wide = wall_view_is_wide(v, max_width_ns);

	out_table_fact(tb, "Earliest", "%s", utc(v->time.earliest_ns, text));
	out_table_fact(tb, "Latest", "%s", utc(v->time.latest_ns, text));
	out_table_fact(tb, "Width", "%s%s%s", format_span(wall_view_width_ns(v)).s,
		       is_wide ? ": WIDER than " : "", is_wide ? format_span(max_width_ns).s : "");
	out_table_fact(tb, "CLOCK_REALTIME", "is ahead of UTC by %s to %s", format_span(v->ahead_min_ns).s,
		       format_span(v->ahead_max_ns).s);
}

static void text_flags(struct libscols_table *tb, uint32_t set)
{
	const char *label = "Flags";

	for (size_t i = 0; i < N_FLAGS; i++)
		if (set & flags[i].flag) {
			out_table_fact(tb, label, "%s: %s", flags[i].name, flags[i].words);
			label = "";
		}
}

static void text_leap(struct libscols_table *tb, const struct hpt_wall_info *wall)
{
	char text[HPT_TIME_FORMAT_SIZE];

	if (wall->tai_offset_s)
		out_table_fact(tb, "TAI", "is ahead of UTC by %" PRId32 " s", wall->tai_offset_s);
	else
		out_table_fact(tb, "TAI", "not known: no source states its offset");
	if (wall->leap)
		out_table_fact(tb, "Leap second", "one is %s before %s", wall->leap > 0 ? "inserted" : "left out",
			       utc(wall->leap_at_ns, text));
	else
		out_table_fact(tb, "Leap second", "none is announced");
}

static void text_wall(struct libscols_table *tb, const struct hpt_wall_info *wall)
{
	text_leap(tb, wall);
	out_table_fact(tb, "Rate",
		       "the counter's seconds are longer than UTC's by %s to %s ppm, and may wander by %s ppm",
		       format_ppm(wall->rate_lo_ppb).s, format_ppm(wall->rate_hi_ppb).s,
		       format_ppm(wall->wander_ppb).s);
	out_table_fact(tb, "Samples", "%" PRIu64 " accepted, %" PRIu64 " refused; %" PRIu64 " contradictions, %" PRIu64
		       " disruptions", wall->samples, wall->refused, wall->contradictions, wall->disruptions);
}

static void print_facts(const struct wall_view *v, uint32_t counter, int64_t max_width_ns, FILE *to)
{
	struct libscols_table *tb = out_table_new_facts();
	uint32_t state = wall_view_state(v);

	out_table_fact(tb, "Source", "%s", hpt_source_name(counter));
	out_table_fact(tb, "State", "%s, generation %" PRIu64, hpt_wall_state_name(state),
		       wall_view_generation(v));
	if (v->has_bound)
		text_interval(tb, v, max_width_ns);
	else
		out_table_fact(tb, "Bound", "NONE: %s", why_no_bound(state));
	text_flags(tb, wall_view_flags(v));
	text_wall(tb, &v->wall);
	print(tb, to);
}

/* The error of a system call, if it says more than the reason does; otherwise NULL. */
static const char *telling_error(const struct hpt_wall_source_info *s)
{
	bool is_of_call = s->reason == HPT_WALL_REASON_ABSENT || s->reason == HPT_WALL_REASON_DENIED ||
			  s->reason == HPT_WALL_REASON_FAILED;

	return is_of_call ? format_errno(s->error) : NULL;
}

/* "/dev/ptp0: permission is denied (EACCES); let this user read it": what is not known is left out. */
static void why_cell(struct libscols_line *ln, size_t column, const struct hpt_wall_source_info *s)
{
	const char *error = telling_error(s), *advice = wall_advice(s->source, s->reason);
	const char *colon = *s->path ? ": " : "";

	if (s->usable)
		out_table_cell(ln, column, "%s", s->path);
	else
		out_table_cell(ln, column, "%s%s%s%s%s%s%s%s", s->path, colon, hpt_wall_reason_text(s->reason),
			       error ? " (" : "", error ? error : "", error ? ")" : "", advice ? "; " : "",
			       advice ? advice : "");
}

static void add_row(struct libscols_table *tb, const struct wall_view *v, const struct hpt_wall_source_info *s)
{
	struct libscols_line *ln = out_table_line(tb);

	out_table_cell(ln, 0, "%s", s->name);
	out_table_cell(ln, 1, "%s", format_yes(s->usable));
	out_table_cell(ln, 2, "%s", format_yes(is_live(v, s)));
	out_table_cell(ln, 3, "%s", s->width_ns < 0 ? "-" : format_span(s->width_ns).s);
	out_table_cell(ln, 4, "%s", s->age_ns < 0 ? "-" : format_span(s->age_ns).s);
	why_cell(ln, 5, s);
}

static void print_advice(const struct chrony_advice *advice, FILE *to)
{
	struct libscols_table *tb = out_table_new_facts();

	for (uint32_t i = 0; i < advice->n; i++)
		out_table_fact(tb, i ? "" : "Advice", "%s", advice->texts[i]);
	print(tb, to);
}

void wall_report_tables(const struct wall_view *v, uint32_t counter, int64_t max_width_ns, FILE *to)
{
	static const struct out_column columns[] = {
		{ "NAME", 0 }, { "USABLE", 0 }, { "LIVE", 0 }, { "WIDTH", SCOLS_FL_RIGHT }, { "AGE", SCOLS_FL_RIGHT },
		{ "WHERE, OR WHY NOT", SCOLS_FL_WRAP }, { 0 },
	};
	struct libscols_table *tb = out_table_new(columns);

	print_facts(v, counter, max_width_ns, to);
	putc('\n', to);
	for (size_t i = 0; i < WALL_VIEW_SOURCES; i++)
		add_row(tb, v, &v->sources[i]);
	print(tb, to);
	if (v->advice.n) {
		putc('\n', to);
		print_advice(&v->advice, to);
	}
}

/* ---- A list ------------------------------------------------------------------------------------------------------ */

/* 80 columns with two live sources. A state of more than 8 letters has no bound, so that little comes after it. */
#define LINE "%-12s %10s  %10s  %10s %3s  %-8s  %s\n"

void wall_report_heading(FILE *to)
{
	fprintf(to, LINE, "TIME", "WIDTH", "AHEAD FROM", "TO", "GEN", "STATE", "SOURCES");
}

/* "chrony,phc": the live ones. */
static const char *live_names(const struct wall_view *v, char *text, size_t size)
{
	size_t used = 0;

	*text = '\0';
	for (size_t i = 0; i < WALL_VIEW_SOURCES && used < size; i++)
		if (is_live(v, &v->sources[i]))
			used += (size_t)snprintf(text + used, size - used, "%s%s", used ? "," : "", v->sources[i].name);
	return *text ? text : "-";
}

/* "14:30:12.123": without the date. */
static const char *time_of_day(int64_t unix_ns, char text[HPT_TIME_FORMAT_SIZE])
{
	char *dot = strchr(utc(unix_ns, text), '.');

	dot[4] = '\0';
	return strchr(text, 'T') + 1;
}

void wall_report_line(const struct wall_view *v, int64_t max_width_ns, FILE *to)
{
	char names[WALL_VIEW_SOURCES * (sizeof(v->sources[0].name) + 1)], time[HPT_TIME_FORMAT_SIZE];
	const char *state = hpt_wall_state_name(wall_view_state(v));
	bool is_known = v->has_bound;
	char generation[24];

	snprintf(generation, sizeof(generation), "%" PRIu64, wall_view_generation(v));
	fprintf(to, LINE, time_of_day(v->realtime_ns, time),
		is_known ? format_span(wall_view_width_ns(v)).s : "-",
		is_known ? format_span(v->ahead_min_ns).s : "-",
		is_known ? format_span(v->ahead_max_ns).s : "-", generation,
		wall_view_is_wide(v, max_width_ns) ? "TOO WIDE" : state, live_names(v, names, sizeof(names)));
}
