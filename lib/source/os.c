// SPDX-License-Identifier: MIT
/* clock_gettime(CLOCK_MONOTONIC): the source that always works. Ticks are nanoseconds, but for tests. */
#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include "hpt/hpt.h"

#include "arch/arch.h"
#include "math/scale.h"
#include "math/units.h"
#include "source/os.h"

/* If the TSC is forbidden the vDSO's read of it would raise SIGSEGV too. */
uint64_t hpt_os_read_syscall(const struct hpt_source *src)
{
	int saved = errno;
	uint64_t ns = (uint64_t)src->env->clock_ns_syscall(CLOCK_MONOTONIC);

	errno = saved;
	return ns;
}

/* ---- Another tick, for tests --------------------------------------------------------------------------- */

/* The range of hpt_clock_new_manual() from 1 MHz on: a slower tick is longer than what programs wait for. */
#define LEAST_HZ UINT64_C(1000000)
#define MOST_HZ  UINT64_C(10000000000)

/* The rate that HPT_OS_HZ asks for; 0: none, or not a number in the range. */
static COLD uint64_t asked_hz(const struct hpt_env *env)
{
	const char *text = env->getenv("HPT_OS_HZ");
	int saved = errno;
	uint64_t hz = 0;
	char *end;

	if (text && *text >= '1' && *text <= '9') {
		hz = strtoull(text, &end, 10);
		if (*end || hz < LEAST_HZ || hz > MOST_HZ)
			hz = 0;
	}
	errno = saved;
	return hz == NS_PER_S ? 0 : hz;
}

static uint64_t read_other_tick(const struct hpt_source *src)
{
	return hpt_scale_floor(src->u.os.read(src), src->u.os.ticks_per_ns.whole, src->u.os.ticks_per_ns.frac);
}

/* Then this is a counter like others, whose rate is measured: a program that takes its ticks for nanoseconds fails. */
static COLD void set_other_tick(struct hpt_source *src, uint64_t hz)
{
	src->u.os.read = src->read;
	src->u.os.ticks_per_ns = hpt_scale_of(hz, NS_PER_S);
	src->read = src->read_unordered = read_other_tick;
	src->rate = (struct hpt_rate){ .origin = HPT_ORIGIN_NONE };
}

/* ---- The source ---------------------------------------------------------------------------------------- */

static COLD int os_open(struct hpt_source *src, const struct hpt_env *env)
{
	uint64_t hz;

	src->read = src->tsc_forbidden ? hpt_os_read_syscall : env->read_os;
	src->read_unordered = src->read;
	src->rate = (struct hpt_rate){
		.num = 1, .den = 1, .frequency_uhz = HPT_UHZ_PER_GHZ, .origin = HPT_ORIGIN_EXACT,
	};
	src->bits = 64;
	hz = asked_hz(env);
	if (hz)
		set_other_tick(src, hz);
	return 0;
}

const struct hpt_source_ops hpt_source_os = {
	.name = "os",
	.id = HPT_SOURCE_OS,
	.open = os_open,
};
