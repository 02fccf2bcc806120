/* SPDX-License-Identifier: MIT */
/*
 * The counter of a manual clock: a number that the program advances, and the threads that wait for it. Its time
 * is a definition (source/own_time.h): ns = ticks * 10^9 / frequency, exactly.
 */
#ifndef HPT_MANUAL_H
#define HPT_MANUAL_H

#include "arch/arch.h"
#include "machine/eventcount.h"
#include "source/source.h"

/*
 * Memory that is never freed, only used again by a later clock. A thread that interrupts a sleeper first notifies the
 * sleeper's own eventcount. The sleeper may then close the clock at once, before that thread comes to notify the
 * clock's. So the latter notifies, at worst, an eventcount that no thread waits for or that another clock has now;
 * there it makes sleepers look at their deadline once more.
 */
struct hpt_manual {
	struct hpt_eventcount eventcount; /* notified by advances, and by interrupts of objects on the clock */
	_Atomic uint64_t tick;
	_Atomic uint64_t waiting; /* the eventcount's value, and below it the sleepers that wait for its change */
	_Atomic uint32_t process; /* hpt_process() of the sleepers */
	_Atomic uint32_t is_used; /* by a clock */
	struct hpt_manual *next;
};

extern const struct hpt_source_ops hpt_source_manual;

/*
 * Makes *src a counter that stands at `start`. 0; -EINVAL: a frequency below 1 Hz or above 10 GHz; -ERANGE: start is
 * INT64_MAX, which no clock reaches, or its ns exceed int64; -ENOMEM. Released by hpt_source_close().
 */
int hpt_manual_open(struct hpt_source *src, const struct hpt_env *env, uint64_t frequency_hz, int64_t start);

/* The counter of a manual clock; NULL: the source is another one. */
static inline struct hpt_manual *hpt_manual_of(const struct hpt_source *src)
{
	return unlikely(src->ops == &hpt_source_manual) ? src->u.manual : NULL;
}

/* As own_time->ns(). */
struct hpt_wide hpt_manual_ns(const struct hpt_source *src, int64_t t);

/* Advances the counter and wakes its sleepers. 0, or -ERANGE, as hpt_clock_advance(). Safe as that. */
int hpt_manual_advance(const struct hpt_source *src, int64_t ticks);

/*
 * Counts a sleeper that loaded this value of the eventcount, then looked at its deadline, and is going to wait. False:
 * the value has changed, and the sleeper has to look again. Each true needs a hpt_manual_leave().
 */
bool hpt_manual_enter(struct hpt_manual *m, uint32_t value, const struct hpt_env *env);
void hpt_manual_leave(struct hpt_manual *m, uint32_t value);

/* The sleepers that wait and have looked since the latest notification. */
uint32_t hpt_manual_sleepers(struct hpt_manual *m, const struct hpt_env *env);

#endif
