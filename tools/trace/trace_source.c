// SPDX-License-Identifier: MIT
/* Reads, places and counts: tools/trace/trace_source.h. */
#include "trace/trace_source.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/err.h"
#include "cli/util.h"

struct source *source_new(int fd, const struct reader *reader, struct placer *placer, uint32_t process)
{
	struct source *s = xcalloc(1, sizeof(*s));
	struct stat st;

	lines_open(&s->lines, fd);
	s->reader = reader;
	s->placer = placer;
	s->process = process;
	s->takes_whole = true;
	s->last_ns = s->last_own_ns = INT64_MIN;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode))
		s->size = (uint64_t)st.st_size;
	return s;
}

static void note(struct source_fault *f, uintmax_t line, uintmax_t n)
{
	if (!f->n)
		f->first = line;
	f->n += n;
}

/* Whole numbers are ticks or nanoseconds, seconds are of a clock of the kernel. NULL: the time is of the clock. */
static struct source_fault *fault_of_clock(struct source *s, const struct reading *r)
{
	if (r->is_ticks)
		return s->takes_whole ? NULL : &s->whole;
	return s->placer->stamps == EVENT_TICKS ? &s->seconds : NULL;
}

static void take_line(struct source *s, char *text, size_t n)
{
	struct reading r = { 0 };
	struct source_fault *fault;

	switch (s->reader->read(text, n, &r)) {
	case READER_EVENT:
		fault = fault_of_clock(s, &r);
		if (fault) {
			note(fault, s->lines.number, 1);
			break;
		}
		s->numbers[s->batch.n] = s->lines.number;
		r.event.process = s->process;
		batch_add(&s->batch, &r.event);
		break;
	case READER_LOST:
		note(&s->lost, s->lines.number, (uintmax_t)r.event.stamp);
		break;
	case READER_WRONG:
		note(&s->wrong, s->lines.number, 1);
		break;
	case READER_NOTHING:
	case READER_WALL:
		break;
	}
}

static void read_batch(struct source *s)
{
	s->batch.n = s->batch.used = 0;
	while (!s->is_ended && !batch_is_full(&s->batch)) {
		char *text;
		size_t n;
		enum lines_state state = lines_next(&s->lines, &text, &n);

		if (state == LINES_WHOLE)
			take_line(s, text, n);
		else if (state == LINES_CUT)
			s->cut = s->lines.number;
		else if (state == LINES_LONG)
			note(&s->oversized, s->lines.number, 1);
		s->is_endless |= state == LINES_ENDLESS;
		s->is_ended = state != LINES_WHOLE && state != LINES_LONG;
	}
}

/* In the middle, but where the rounding of intervals would put it before an event that it came after. */
static void place_within(struct source *s, const struct walls_point *at, int64_t own_ns, struct event *e)
{
	e->unix_ns = at->earliest_ns + (at->latest_ns - at->earliest_ns) / 2;
	if (own_ns >= s->last_own_ns && e->unix_ns < s->last_ns && s->last_ns <= at->latest_ns)
		e->unix_ns = s->last_ns;
	e->error_ns = at->latest_ns - e->unix_ns;
	if (e->unix_ns - at->earliest_ns > e->error_ns)
		e->error_ns = e->unix_ns - at->earliest_ns;
	s->last_own_ns = own_ns;
}

/* Without an interval it keeps CLOCK_REALTIME's time, of which nobody states the error. */
static void place_by_walls(struct source *s, struct event *e, uintmax_t line)
{
	struct walls_point at = { .generation = e->generation, .ns = e->ns, .error_ns = e->error_ns };

	e->error_ns = EVENT_ERROR_UNKNOWN;
	if (walls_at(s->walls, &at))
		place_within(s, &at, e->ns, e);
	else
		note(&s->unbounded, line, 1);
	e->ns = e->unix_ns;
	e->unix_error_ns = e->error_ns;
}

/* Formats have times from 0 on, and the last number is where a conversion ends that would go beyond. */
static bool is_within(const struct source *s, const struct event *e)
{
	return e->ns >= 0 && e->ns < INT64_MAX &&
	       (!s->placer->has_unix || (e->unix_ns >= 0 && e->unix_ns < INT64_MAX));
}

/* Keeps those that are placed. */
static void sift(struct source *s)
{
	size_t kept = 0;

	for (size_t i = 0; i < s->batch.n; i++) {
		struct event *e = &s->batch.events[i];

		if (!e->is_placed) {
			note(&s->stale, s->numbers[i], 1);
			continue;
		}
		if (s->walls)
			place_by_walls(s, e, s->numbers[i]);
		if (!is_within(s, e)) {
			note(&s->beyond, s->numbers[i], 1);
			continue;
		}
		if (e->ns < s->last_ns)
			note(&s->early, s->numbers[i], 1);
		s->last_ns = e->ns;
		s->batch.events[kept++] = *e;
	}
	s->batch.n = kept;
	s->events += kept;
}

bool source_fill(struct source *s)
{
	do {
		read_batch(s);
		placer_place(s->placer, s->batch.events, s->batch.n);
		sift(s);
	} while (!s->batch.n && !s->is_ended);
	return s->batch.n > 0;
}

/* ---- What was wrong ----------------------------------------------------------------------------------------- */

static bool report(const struct source_fault *f, const char *what, const char *name, const char *fault)
{
	if (!f->n)
		return true;
	err_print("%s: %s: line %ju %s; %ju in all", what, name, f->first, fault, f->n);
	return false;
}

static bool report_stale(const struct source *s, const char *what, const char *name, const char *bases)
{
	if (!s->stale.n)
		return true;
	err_print("%s: %s: line %ju has a time in no generation of %s, or in two; %ju of %ju are left out", what, name,
		  s->stale.first, bases, s->stale.n, s->stale.n + s->events);
	return false;
}

static bool report_end(const struct source *s, const char *what, const char *name)
{
	if (s->lines.error)
		err_print("%s: %s: after line %ju: %s", what, name, s->lines.number, strerror(s->lines.error));
	else if (s->cut)
		err_print("%s: %s: line %ju has no end, and is left out: the trace may be cut there", what, name,
			  s->cut);
	else if (s->is_endless)
		err_print("%s: %s: line %ju does not end within %u MiB: it and what follows are left out", what, name,
			  s->lines.number, LINES_SKIPPED >> 20);
	return !s->lines.error && !s->cut && !s->is_endless;
}

bool source_report(const struct source *s, const char *what, const char *name, const char *bases)
{
	bool is_good = report(&s->wrong, what, name, "is no event of this form, and is left out");

	is_good &= report_stale(s, what, name, bases);
	is_good &= report(&s->oversized, what, name, "is longer than any line may be, and is left out");
	is_good &= report(&s->seconds, what, name, "has seconds for a time, which are no ticks, and is left out");
	is_good &= report(&s->whole, what, name, "has a whole number for a time, which needs --clock, and is left out");
	is_good &= report(&s->beyond, what, name, "has a time before 1970 or after 2262, and is left out");
	is_good &= report(&s->torn, what, name, "has nothing in common with what the wall stated before");
	is_good &= report(&s->unbounded, what, name, "has a time without a bound, as no wall stated one near it");
	is_good &= report(&s->lost, what, name, "says that the tracer lost events");
	is_good &= report_end(s, what, name);
	report(&s->early, what, name, "is earlier than the one before it");
	return is_good;
}
