// SPDX-License-Identifier: MIT
/* Leap seconds, and TAI: lib/wall/leap.h. */
#include "wall/leap.h"

#include <errno.h>

#include "arch/arch.h"
#include "math/civil.h"
#include "math/units.h"

#define DAY_NS (86400 * NS_PER_S)

/* Leap seconds come at the end of a month. A source may repeat for a while what it said of one that is past. */
#define APART_NS (27 * DAY_NS)

/* ---- Announcements ------------------------------------------------------------------------------------------- */

/* True for what a source says of a leap second that it has passed itself, or that this wall has passed. */
static bool is_leap_over(const struct hpt_leap *leap, const struct hpt_wall_sample *s, int64_t at_ns)
{
	int64_t since_ns = at_ns - leap->passed_ns;

	if (at_ns + HPT_LEAP_NEAR_NS <= s->earliest_ns || !leap->passed_ns)
		return at_ns + HPT_LEAP_NEAR_NS <= s->earliest_ns;
	return since_ns <= 0 ? s->latest_ns >= at_ns : since_ns < APART_NS;
}

/* While a leap second is near, sources say different things of it: what was known before counts. */
COLD bool hpt_leap_note(struct hpt_leap *leap, const struct hpt_wall_reading *reading, int64_t bound_latest_ns)
{
	const struct hpt_wall_sample *s = &reading->sample;
	int64_t at_ns = reading->leap_at_ns ? reading->leap_at_ns : (s->earliest_ns / DAY_NS + 1) * DAY_NS;
	bool is_new = leap->at_ns != at_ns;

	if (reading->leap == HPT_WALL_LEAP_UNKNOWN)
		return false;
	if (leap->at_ns && s->latest_ns >= leap->at_ns - HPT_LEAP_NEAR_NS)
		return false;
	if (reading->leap == HPT_WALL_LEAP_ABSENT) {
		if (leap->source == s->source)
			leap->at_ns = leap->sign = 0;
		return false;
	}
	if (is_leap_over(leap, s, at_ns))
		return false;
	leap->sign = reading->leap == HPT_WALL_LEAP_INSERTED ? 1 : -1;
	leap->at_ns = at_ns;
	leap->source = s->source;
	return is_new && bound_latest_ns >= at_ns - HPT_LEAP_NEAR_NS;
}

COLD void hpt_leap_pass(struct hpt_leap *leap)
{
	if (leap->tai_offset_s) {
		leap->tai_offset_s += leap->sign;
		leap->tai_at_ns = leap->at_ns;
	}
	leap->passed_ns = leap->at_ns;
	leap->at_ns = leap->sign = 0;
}

COLD bool hpt_leap_is_past(const struct hpt_leap *leap, struct hpt_utc utc)
{
	return leap->at_ns && utc.lo_ns >= leap->at_ns + HPT_LEAP_NEAR_NS;
}

COLD bool hpt_leap_is_near(const struct hpt_leap *leap, struct hpt_utc utc)
{
	return leap->at_ns && utc.hi_ns >= leap->at_ns - HPT_LEAP_NEAR_NS &&
	       utc.lo_ns <= leap->at_ns + HPT_LEAP_NEAR_NS;
}

/* ---- The second itself --------------------------------------------------------------------------------------- */

COLD void hpt_leap_cover(struct hpt_leap *leap, struct hpt_bound_lines *bound)
{
	leap->is_covered = leap->sign > 0 ? 1 : 2;
	if (leap->is_covered == 1)
		bound->lo.ns -= (uint64_t)NS_PER_S;
	else
		bound->hi.ns += (uint64_t)NS_PER_S;
}

COLD bool hpt_leap_uncover(struct hpt_leap *leap, struct hpt_bound_lines *bound)
{
	uint64_t covered = leap->is_covered;

	if (covered == 1)
		bound->lo.ns += (uint64_t)NS_PER_S;
	else if (covered == 2)
		bound->hi.ns -= (uint64_t)NS_PER_S;
	leap->is_covered = 0;
	return covered;
}

/* ---- TAI ----------------------------------------------------------------------------------------------------- */

COLD int64_t hpt_leap_month_ns(int64_t unix_ns, uint32_t months)
{
	uint32_t month, day;
	int32_t year;

	hpt_civil_date(unix_ns / DAY_NS, &year, &month, &day);
	month += months;
	return hpt_civil_days(year + (int32_t)(month - 1) / 12, (month - 1) % 12 + 1, 1) * DAY_NS;
}

/*
 * The offset is valid in the month in which it was stated, because leap seconds come at the end of months. Sources
 * announce one on its own day only (NTP), so that one that announces none knows nothing of the next month. The second
 * itself has no offset: two seconds of TAI have one reading of Unix time.
 */
COLD int hpt_leap_tai_offset(const struct hpt_leap *leap, int64_t unix_ns, int64_t *ret_s)
{
	int64_t end_ns = hpt_leap_month_ns(leap->tai_at_ns, 1);
	bool has_leap = leap->at_ns && leap->at_ns <= end_ns;

	if (has_leap)
		end_ns = hpt_leap_month_ns(leap->at_ns, 1);
	if (!leap->tai_offset_s || unix_ns < hpt_leap_month_ns(leap->tai_at_ns, 0) || unix_ns >= end_ns)
		return -ENODATA;
	*ret_s = leap->tai_offset_s;
	if (!has_leap || unix_ns < leap->at_ns - NS_PER_S)
		return 0;
	*ret_s += leap->sign;
	return unix_ns < leap->at_ns + NS_PER_S ? -ENODATA : 0;
}
