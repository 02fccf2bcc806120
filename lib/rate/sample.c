// SPDX-License-Identifier: MIT
/* Takes samples of the counter and the clocks: lib/rate/sample.h. */
#include "rate/sample.h"

#include <errno.h>
#include <string.h>

#include "hpt/hpt.h"

#include "arch/arch.h"

/* A sample of the offset that took longer than this was interrupted between its reads, and is taken again. */
#define OFFSET_NS    2000
#define OFFSET_TRIES 3

#define SAMPLE_TRIES 3

/* Limits the time that brackets take at load if each read is trapped (10 us). */
#define TAKE_LIMIT_NS 200000

COLD uint32_t hpt_brackets_take(const struct hpt_source *src, clockid_t id, struct hpt_bracket *ret, uint32_t n)
{
	uint64_t tick = src->read(src);

	for (uint32_t i = 0; i < n; i++) {
		ret[i].before = tick;
		ret[i].ref_ns = src->clock_ns(id);
		tick = src->read(src);
		ret[i].after = tick;
		if (i >= 1 && ret[i].ref_ns - ret[0].ref_ns > TAKE_LIMIT_NS)
			return i + 1;
	}
	return n;
}

COLD int hpt_sample_clock(const struct hpt_source *src, clockid_t id, int64_t *ret_ns)
{
	int saved = errno, r = src->env->try_clock(id, src->tsc_forbidden, ret_ns);

	errno = saved;
	return r;
}

int64_t hpt_sample_os_ns(const struct hpt_source *src, clockid_t id)
{
	int64_t ns;

	if (id != CLOCK_BOOTTIME && id != CLOCK_TAI)
		return src->clock_ns(id);
	if (!hpt_sample_clock(src, id, &ns))
		return ns;
	return src->clock_ns(id == CLOCK_TAI ? CLOCK_REALTIME : CLOCK_MONOTONIC);
}

/* A clock that reads 0 may be at 0: one that does not even fall back to a coarse clock is refused as well. */
static bool is_lost(const struct hpt_source *src, clockid_t id)
{
	int saved = errno;
	int64_t ns = src->clock_ns(id);

	errno = saved;
	return !ns && hpt_sample_clock(src, id, &ns);
}

bool hpt_sample_is_blind(const struct hpt_source *src)
{
	return is_lost(src, CLOCK_MONOTONIC) ||
	       (src->rate.origin != HPT_ORIGIN_EXACT && is_lost(src, CLOCK_MONOTONIC_RAW));
}

COLD const struct hpt_bracket *hpt_brackets_narrowest(const struct hpt_bracket *b, uint32_t n)
{
	const struct hpt_bracket *best = b;

	for (uint32_t i = 1; i < n; i++)
		if (hpt_bracket_width(&b[i]) < hpt_bracket_width(best))
			best = &b[i];
	return best;
}

/*
 * Of a read of one clock between two of another. Widened by 1 ns, because all reads round down. A kernel's or a
 * sandbox's clock that stepped back in between makes the range wider, and not empty.
 */
static struct hpt_unix_offset offset_between(int64_t before_ns, int64_t ns, int64_t after_ns)
{
	int64_t first_ns = before_ns < after_ns ? before_ns : after_ns;
	int64_t last_ns = before_ns < after_ns ? after_ns : before_ns;

	return (struct hpt_unix_offset){ ns - last_ns - 1, ns - first_ns + 1 };
}

static struct hpt_unix_offset offset_once(const struct hpt_source *src)
{
	int64_t before_ns = src->clock_ns(CLOCK_MONOTONIC), unix_ns = src->clock_ns(CLOCK_REALTIME);

	return offset_between(before_ns, unix_ns, src->clock_ns(CLOCK_MONOTONIC));
}

COLD struct hpt_unix_offset hpt_unix_offset_take(const struct hpt_source *src)
{
	struct hpt_unix_offset best = offset_once(src);

	for (int tries = 1; tries < OFFSET_TRIES && best.hi_ns - best.lo_ns > OFFSET_NS; tries++) {
		struct hpt_unix_offset o = offset_once(src);

		if (o.hi_ns - o.lo_ns < best.hi_ns - best.lo_ns)
			best = o;
	}
	return best;
}

/* By one function for all three, so that the middle of the range is near the truth. Once: later samples narrow it. */
static COLD struct hpt_unix_offset take_other(const struct hpt_source *src, clockid_t id, clockid_t from)
{
	int64_t before_ns, ns, after_ns;

	if (hpt_sample_clock(src, from, &before_ns) || hpt_sample_clock(src, id, &ns) ||
	    hpt_sample_clock(src, from, &after_ns))
		return hpt_unix_offset_none;
	return offset_between(before_ns, ns, after_ns);
}

/* Takes the brackets. Returns the offset of CLOCK_REALTIME while they were taken, without the last. */
static struct hpt_unix_offset take_brackets(const struct hpt_source *src, struct hpt_samples *ret)
{
	struct hpt_unix_offset offset;
	int64_t before_ns, unix_ns;

	if (src->rate.origin != HPT_ORIGIN_EXACT)
		ret->n_raw = hpt_brackets_take(src, CLOCK_MONOTONIC_RAW, ret->raw, HPT_SAMPLE_RAW_BRACKETS);
	before_ns = src->clock_ns(CLOCK_MONOTONIC);
	ret->n_unix = hpt_brackets_take(src, CLOCK_REALTIME, ret->unix_ns, HPT_SAMPLE_UNIX_BRACKETS);
	unix_ns = ret->unix_ns[ret->n_unix - 1].ref_ns;
	offset = offset_between(before_ns, unix_ns, src->clock_ns(CLOCK_MONOTONIC));
	if (ret->n_raw)
		hpt_brackets_take(src, CLOCK_MONOTONIC_RAW, &ret->end, 1);
	return offset;
}

/* Repeats all if the offset changed: a step of CLOCK_REALTIME between offset and brackets would look like a rate. */
COLD void hpt_samples_take(const struct hpt_source *src, struct hpt_samples *ret)
{
	struct hpt_unix_offset offset;

	memset(ret, 0, sizeof(*ret));
	for (int tries = 0; tries < SAMPLE_TRIES; tries++) {
		offset = hpt_unix_offset_take(src);
		ret->offset_lo_ns = offset.lo_ns;
		ret->offset_hi_ns = offset.hi_ns;
		if (!hpt_unix_offset_differs(take_brackets(src, ret), offset))
			break;
	}
	ret->boot = take_other(src, CLOCK_BOOTTIME, CLOCK_MONOTONIC);
	ret->tai = take_other(src, CLOCK_TAI, CLOCK_REALTIME);
}
