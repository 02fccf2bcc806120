// SPDX-License-Identifier: MIT
/* Ticks to Unix time and back, with 128 bits in between: only a result that does not fit is refused. */
#include "math/unix_time.h"

#include "arch/arch.h"

#include <stdbool.h>

static struct hpt_wide difference(int64_t a, int64_t b)
{
	return hpt_wide_subtract(hpt_wide_of(a), hpt_wide_of(b));
}

struct hpt_unix_time hpt_unix_time_for(const struct hpt_unix_segment *e, int64_t t)
{
	struct hpt_unix_time epoch = { e->start, e->unix_ns, e->within, e->tick_per_ns };

	if ((uint64_t)t - (uint64_t)e->start < e->span)
		return epoch;
	epoch.ns_per_tick = e->beyond;
	if (t > e->start) {
		epoch.tick = (int64_t)((uint64_t)e->start + e->span);
		epoch.unix_ns = e->end_unix_ns;
	}
	return epoch;
}

struct hpt_wide hpt_unix_time_ns(const struct hpt_unix_time *e, int64_t t)
{
	struct hpt_wide age_ns = hpt_scale_wide(difference(t, e->tick), e->ns_per_tick);

	return hpt_wide_add(age_ns, hpt_wide_of(e->unix_ns));
}

int hpt_unix_time_tick(const struct hpt_unix_time *e, struct hpt_wide unix_ns, int64_t *ret)
{
	struct hpt_wide age_ns = hpt_wide_subtract(unix_ns, hpt_wide_of(e->unix_ns));

	/* By division, not by the inverse factor: so it is the inverse of the above to the last tick. */
	return hpt_wide_narrow(hpt_wide_add(hpt_scale_divide(age_ns, e->ns_per_tick), hpt_wide_of(e->tick)), ret);
}

int hpt_unix_time_ticks(const struct hpt_unix_time *e, int64_t t, int64_t *ret)
{
	struct hpt_wide at_epoch = hpt_scale_wide(hpt_wide_of(e->unix_ns), e->tick_per_ns);

	return hpt_wide_narrow(hpt_wide_add(at_epoch, difference(t, e->tick)), ret);
}

static COLD bool converts(const struct hpt_unix_time *e, int64_t t)
{
	int64_t unix_ns;

	return !hpt_wide_narrow(hpt_unix_time_ns(e, t), &unix_ns);
}

static COLD int64_t middle(int64_t a, int64_t b)
{
	return a / 2 + b / 2 + (a % 2 + b % 2) / 2;
}

COLD int64_t hpt_unix_time_furthest(const struct hpt_unix_time *e, int64_t end)
{
	int64_t inside = e->tick, outside = end;

	if (converts(e, end))
		return end;
	/* By halves: Unix time never falls as ticks rise, and the epoch itself converts. */
	for (int64_t m = middle(inside, outside); m != inside && m != outside; m = middle(inside, outside)) {
		if (converts(e, m))
			inside = m;
		else
			outside = m;
	}
	return inside;
}
