// SPDX-License-Identifier: MIT
/* Scripted counters and the fake world. */
#include "fake_source.h"

#include <errno.h>
#include <string.h>

#include "hpt/hpt.h"

#include "fake_env.h"
#include "wide.h"

struct fake_script *fake_script_next;

static uint64_t script_read(const struct hpt_source *src)
{
	struct fake_script *s = src->u.priv;

	s->reads++;
	s->last = s->at < s->n ? s->values[s->at++] : s->last + s->step;
	return s->mask ? s->last & s->mask : s->last;
}

static int script_open(struct hpt_source *src, const struct hpt_env *env)
{
	(void)env;
	if (!fake_script_next)
		return hpt_source_stop(src, HPT_STAGE_CPU, HPT_REASON_NOT_BUILT, -ENXIO);
	src->u.priv = fake_script_next;
	src->read = src->read_unordered = script_read;
	src->bits = 64;
	if (!hpt_source_is_counting(src))
		return hpt_source_stop(src, HPT_STAGE_COUNTING, HPT_REASON_TSC_NOT_COUNTING, -EIO);
	return 0;
}

const struct hpt_source_ops fake_script_ops = {
	.name = "script",
	.id = HPT_SOURCE_MMIO,
	.open = script_open,
};

struct fake_world world;

void fake_world_event(void)
{
	void (*event)(void) = world.event;

	if (!event || world.now_ps < world.event_at_ps)
		return;
	world.event = NULL;
	event();
}

/* Ticks of the counter in its unit of time. */
static uint64_t ticks_passed(uint64_t now_ps)
{
	if (world.tick_fs)
		return wide_ratio(now_ps, 1000, world.tick_fs);
	return now_ps / world.tick_ps;
}

/* What the counter shows, less its offset. */
static uint64_t ticks_now(void)
{
	uint64_t step = world.staircase ? world.staircase : 1, pause_ps = world.pause_ps ? world.pause_ps : 1;

	return ticks_passed(world.now_ps / pause_ps * pause_ps) / step * step;
}

static uint64_t world_read(const struct hpt_source *src)
{
	uint64_t tick;

	(void)src;
	world.now_ps += world.read_ps / 2;
	fake_world_event();
	tick = ticks_now() + world.tick_offset;
	world.now_ps += world.read_ps - world.read_ps / 2;
	return tick;
}

static int64_t slew_ns(const struct fake_slew *slew)
{
	if (!slew->ppb)
		return slew->gained_ns;
	return slew->gained_ns + wide_ratio_signed(slew->ppb, world.now_ps - slew->from_ps, UINT64_C(1000000000000));
}

void fake_world_slew(struct fake_slew *slew, int64_t ppb)
{
	*slew = (struct fake_slew){ .ppb = ppb, .gained_ns = slew_ns(slew), .from_ps = world.now_ps };
}

static int64_t base_ns(void)
{
	if (world.kernel_mult)
		return (int64_t)wide_shifted(ticks_now(), world.kernel_mult, world.kernel_shift);
	return (int64_t)(world.now_ps / 1000);
}

int64_t fake_world_true_ns(clockid_t id)
{
	int64_t step = world.clock_step_ns ? world.clock_step_ns : 1, ns = base_ns() + slew_ns(&world.all);

	if (id == CLOCK_MONOTONIC_COARSE)
		step = FAKE_JIFFY_NS;
	if (id != CLOCK_MONOTONIC_RAW)
		ns += slew_ns(&world.wall);
	ns = ns / step * step + world.clock_offset_ns;
	if (id == CLOCK_BOOTTIME)
		return ns + world.boottime_offset_ns;
	if (id == CLOCK_REALTIME || id == CLOCK_TAI)
		ns += world.realtime_offset_ns;
	return id == CLOCK_TAI ? ns + world.tai_offset_ns : ns;
}

int64_t fake_world_clock(clockid_t id)
{
	int64_t ns;

	errno = EBADMSG; /* as a failing system call would set it; callers must not see it */
	world.clock_reads++;
	world.now_ps += world.clock_ps / 2;
	if (world.jitter_ps)
		world.now_ps += world.jitter_ps();
	fake_world_event();
	ns = fake_world_true_ns(id);
	if (world.jitter_ps)
		world.now_ps += world.jitter_ps();
	world.now_ps += world.clock_ps - world.clock_ps / 2;
	return world.are_clocks_lost ? 0 : ns;
}

void fake_world_lose_clocks(void)
{
	world.are_clocks_lost = true;
	fake.kernel_silent = true;
	fake.refused_clocks = UINT32_MAX;
}

static const struct hpt_source_ops world_ops = {
	.name = "world",
	.id = HPT_SOURCE_MMIO,
	.clocksource = "tsc",
	.kernel_unit_hz = HPT_KERNEL_KHZ,
};

void fake_world_source(struct hpt_source *src, const struct hpt_env *env)
{
	memset(src, 0, sizeof(*src));
	src->read = src->read_unordered = world_read;
	src->ops = &world_ops;
	src->env = env;
	src->clock_ns = fake_world_clock;
	if (env == &fake_env)
		fake_env.clock_ns = fake_world_clock; /* for try_clock() */
	src->bits = 64;
	src->stage = HPT_STAGE_USABLE;
}
