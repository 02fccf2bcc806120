// SPDX-License-Identifier: MIT
/* Converts runs of stamps that have the same pair of time bases: tools/trace/placer.h. */
#include "trace/placer.h"

#include <stdlib.h>
#include <string.h>

#include "cli/util.h"
#include "trace/event_batch.h"

/* ---- Time bases by a clock of the kernel in place of ticks -------------------------------------------------- */

/* Above it no double is an int64_t for sure: 2^62. */
#define LONGEST_NS 4611686018427387904.0

static double as_double(struct hpt_scale slope)
{
	return (double)slope.whole + (double)slope.frac / 18446744073709551616.0;
}

static struct hpt_scale scale_of(double value)
{
	double whole = (double)(uint64_t)value;

	return (struct hpt_scale){ (uint64_t)value, (uint64_t)((value - whole) * 18446744073709551616.0) };
}

static uint32_t sum(uint32_t a, uint32_t b)
{
	return a > UINT32_MAX - b ? UINT32_MAX : a + b;
}

/* What the clock showed at the time base's tick. */
static struct hpt_timebase_line line_of(const struct hpt_timebase_fields *f, enum event_clock clock)
{
	bool is_os = f->source == HPT_SOURCE_OS;
	struct hpt_timebase_line line = f->lines[HPT_TIMEBASE_UNIX];

	if (clock == (is_os ? EVENT_MONOTONIC : EVENT_RAW))
		return f->lines[HPT_TIMEBASE_NS];
	if (__builtin_sub_overflow(line.ns, f->offset_ns, &line.ns)) /* MONOTONIC runs as REALTIME does */
		line.ns = INT64_MIN;
	line.error_ns = sum(line.error_ns, f->offset_error_ns);
	return line;
}

/* The same time base with the clock's nanoseconds for ticks; the errors of reading that clock are added. */
static void translate(struct hpt_timebase_fields *f, enum event_clock clock)
{
	struct hpt_timebase_line line = line_of(f, clock), *ns = &f->lines[HPT_TIMEBASE_NS];
	struct hpt_timebase_line *unix_line = &f->lines[HPT_TIMEBASE_UNIX];
	double slope = as_double(line.slope), since_start = ((double)f->tick - (double)f->start) * slope;

	unix_line->slope = scale_of(as_double(unix_line->slope) / slope);
	unix_line->error_ns = sum(unix_line->error_ns, line.error_ns);
	*ns = (struct hpt_timebase_line){ .ns = line.ns, .error_ns = line.error_ns, .slope = { 1, 0 } };
	f->tick = line.ns;
	if (since_start >= LONGEST_NS || __builtin_sub_overflow(line.ns, (int64_t)since_start, &f->start))
		f->start = INT64_MIN;
}

static bool has_line(const struct timebases *t, enum event_clock clock)
{
	return clock == EVENT_MONOTONIC || (clock == EVENT_RAW && t->fields[0].source != HPT_SOURCE_OS);
}

/* False: a time base of values that a clock never has cannot be written so. */
static bool translate_all(const struct timebases *from, enum event_clock clock, struct timebases *ret)
{
	ret->n = from->n;
	ret->n_generations = from->n_generations;
	ret->bases = xcalloc(from->n, sizeof(*ret->bases));
	ret->fields = xcalloc(from->n, sizeof(*ret->fields));
	ret->starts = xcalloc(from->n_generations + 1, sizeof(*ret->starts));
	memcpy(ret->starts, from->starts, (from->n_generations + 1) * sizeof(*ret->starts));
	for (size_t i = 0; i < from->n; i++) {
		ret->fields[i] = from->fields[i];
		translate(&ret->fields[i], clock);
		if (hpt_timebase_encode(&ret->fields[i], &ret->bases[i]))
			return false;
	}
	return true;
}

/* ---- Events ------------------------------------------------------------------------------------------------- */

bool placer_init(struct placer *p, enum event_clock stamps, const struct timebases *bases)
{
	*p = (struct placer){ .stamps = stamps, .clock = stamps, .bases = bases };
	p->has_unix = bases || stamps == EVENT_REALTIME;
	if (stamps == EVENT_TICKS)
		p->clock = bases->fields[0].source == HPT_SOURCE_OS ? EVENT_MONOTONIC : EVENT_RAW;
	if (stamps == EVENT_REALTIME)
		p->bases = NULL;
	if (stamps == EVENT_TICKS || !p->bases)
		return true;
	if (!has_line(bases, stamps))
		return false;
	if (translate_all(bases, stamps, &p->own)) {
		p->bases = &p->own;
		return true;
	}
	placer_free(p);
	return false;
}

void placer_free(struct placer *p)
{
	timebases_free(&p->own);
}

static void place_without_bases(const struct placer *p, struct event *e)
{
	e->ns = e->stamp;
	e->unix_ns = p->has_unix ? e->stamp : 0;
	e->error_ns = e->unix_error_ns = EVENT_ERROR_UNKNOWN;
	e->is_placed = true;
}

static void set_errors(const struct placer *p, struct event *e)
{
	const struct timebases_pair *pair = &p->pair;

	e->error_ns = p->stamps != EVENT_TICKS ? EVENT_ERROR_UNKNOWN :
		      hpt_timebase_error_ns(pair->first_fields, pair->last_fields, HPT_TIMEBASE_NS, e->stamp);
	e->unix_error_ns = hpt_timebase_error_ns(pair->first_fields, pair->last_fields, HPT_TIMEBASE_UNIX, e->stamp);
}

/* The number of the pair's generation among those of the time bases. */
static uint64_t generation_of(const struct placer *p)
{
	size_t base = (size_t)(p->pair.first - p->bases->bases), low = 0, high = p->bases->n_generations;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (p->bases->starts[middle] <= base)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* All are of the same pair; at least one. */
static void place_run(const struct placer *p, struct event *events, size_t n)
{
	int64_t stamps[BATCH_EVENTS], ns[BATCH_EVENTS], unix_ns[BATCH_EVENTS];
	uint64_t generation = generation_of(p);
	int r;

	stamps[0] = events[0].stamp;
	for (size_t i = 1; i < n; i++)
		stamps[i] = events[i].stamp;
	r = hpt_timebase_to_ns(p->pair.first, p->pair.last, stamps, ns, n);
	if (!r)
		r = hpt_timebase_to_unix_ns(p->pair.first, p->pair.last, stamps, unix_ns, n);
	for (size_t i = 0; i < n; i++) {
		events[i].is_placed = !r; /* translated time bases may be too near each other */
		if (r)
			continue;
		events[i].ns = ns[i];
		events[i].unix_ns = unix_ns[i];
		events[i].generation = generation;
		set_errors(p, &events[i]);
	}
}

/* Between the two of a pair no search is needed, if no other generation can have the tick. */
static bool is_in_pair(const struct placer *p, int64_t stamp)
{
	return p->bases->n_generations == 1 && p->pair.last && stamp >= p->pair.first_fields->tick &&
	       stamp < p->pair.last_fields->tick;
}

/* The number of events from the first on that have its pair, which becomes the placer's; at least 1. */
static size_t find_run(struct placer *p, struct event *events, size_t n)
{
	size_t i;

	events[0].is_placed = is_in_pair(p, events[0].stamp) || timebases_find(p->bases, events[0].stamp, &p->pair);
	for (i = 1; i < n && i < BATCH_EVENTS && events[0].is_placed; i++) {
		struct timebases_pair pair = p->pair;

		if (!is_in_pair(p, events[i].stamp) &&
		    (!timebases_find(p->bases, events[i].stamp, &pair) || pair.first != p->pair.first))
			break;
		events[i].is_placed = true;
	}
	return i;
}

void placer_place(struct placer *p, struct event *events, size_t n)
{
	for (size_t i = 0; !p->bases && i < n; i++)
		place_without_bases(p, &events[i]);
	for (size_t i = 0; p->bases && i < n;) {
		size_t run = find_run(p, events + i, n - i);

		if (events[i].is_placed)
			place_run(p, events + i, run);
		i += run;
	}
}
