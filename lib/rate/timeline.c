// SPDX-License-Identifier: MIT
/* Nanoseconds on hpt_now_ns()'s timeline, by a record: lib/rate/timeline.h. */
#include "rate/timeline.h"

/* A segment whose line is known. */
struct segment {
	const struct hpt_line *line;
	uint64_t start, end;
};

static struct segment present_segment(const struct hpt_record *rec)
{
	return (struct segment){ &rec->read.ns, rec->read.start, rec->read.start + rec->convert.span };
}

/* Empty if nothing is known of it. */
static struct segment past(const struct hpt_record *rec)
{
	return (struct segment){ &rec->past.ns, rec->past.start, rec->past.start + rec->past.span };
}

static int64_t ns_at(const struct segment *s, uint64_t tick)
{
	return (int64_t)hpt_line_at(s->line, s->start, tick).ns;
}

static struct hpt_ray ray_from(const struct hpt_record *rec, const struct segment *s, uint64_t tick)
{
	return (struct hpt_ray){ .tick = (int64_t)tick, .ns = ns_at(s, tick), .slope = rec->convert.ns_per_tick };
}

static bool has(const struct segment *s, int64_t t)
{
	return (uint64_t)t - s->start < s->end - s->start;
}

static bool precedes(struct hpt_wide a, struct hpt_wide b)
{
	return hpt_wide_is_negative(hpt_wide_subtract(a, b));
}

/* By the rate, from the nearer end of the known segments. */
static struct hpt_wide ns_beyond(const struct hpt_record *rec, int64_t t)
{
	struct segment now = present_segment(rec), before = past(rec);
	bool is_later = t > (int64_t)now.start, is_between = !is_later && rec->past.span && t >= (int64_t)before.end;
	struct hpt_ray ray = is_later ? ray_from(rec, &now, now.end) :
			     is_between || !rec->past.span ? ray_from(rec, &now, now.start) :
			     ray_from(rec, &before, before.start);
	struct hpt_wide ns = hpt_ray_ns(&ray, t), least;

	if (!is_between)
		return ns;
	/* After a long pause the line continues higher than the rate would have it. */
	least = hpt_wide_of(ns_at(&before, before.end));
	return precedes(ns, least) ? least : ns;
}

bool hpt_timeline_has(const struct hpt_record *rec, int64_t t)
{
	struct segment now = present_segment(rec), before = past(rec);

	return has(&now, t) || has(&before, t);
}

struct hpt_wide hpt_timeline_ns(const struct hpt_record *rec, int64_t t)
{
	struct segment now = present_segment(rec), before = past(rec);

	if (has(&now, t))
		return hpt_wide_of(ns_at(&now, (uint64_t)t));
	if (has(&before, t))
		return hpt_wide_of(ns_at(&before, (uint64_t)t));
	return ns_beyond(rec, t);
}

static int tick_by(struct hpt_ray ray, int64_t ns, int64_t *ret)
{
	return hpt_ray_tick(&ray, hpt_wide_of(ns), ret);
}

/* The tick within a segment that contains ns. */
static int64_t tick_in(const struct segment *s, int64_t ns)
{
	uint64_t tick = hpt_line_tick(s->line, s->start, ns);

	return (int64_t)(tick < s->start ? s->start : tick);
}

/* Ticks between the segments: not before the end of the earlier. */
static int tick_between(const struct hpt_record *rec, int64_t ns, int64_t *ret)
{
	struct segment now = present_segment(rec), before = past(rec);
	int64_t tick;
	int r = tick_by(ray_from(rec, &now, now.start), ns, &tick);

	if (!r)
		*ret = tick > (int64_t)before.end ? tick : (int64_t)before.end;
	return r;
}

int hpt_timeline_tick(const struct hpt_record *rec, int64_t ns, int64_t *ret)
{
	struct segment now = present_segment(rec), before = past(rec);

	if (ns >= ns_at(&now, now.end))
		return tick_by(ray_from(rec, &now, now.end), ns, ret);
	if (ns < ns_at(&now, now.start)) {
		if (!rec->past.span)
			return tick_by(ray_from(rec, &now, now.start), ns, ret);
		if (ns >= ns_at(&before, before.end))
			return tick_between(rec, ns, ret);
		if (ns < ns_at(&before, before.start))
			return tick_by(ray_from(rec, &before, before.start), ns, ret);
		now = before;
	}
	*ret = tick_in(&now, ns);
	return 0;
}
