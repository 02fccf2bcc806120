// SPDX-License-Identifier: MIT
/* clock_gettime(CLOCK_MONOTONIC): the source that always works. Ticks are nanoseconds. */
#include <errno.h>
#include <time.h>

#include "hpt/hpt.h"

#include "arch/arch.h"
#include "source/os.h"

/* If the TSC is forbidden the vDSO's read of it would raise SIGSEGV too. */
uint64_t hpt_os_read_syscall(const struct hpt_source *src)
{
	int saved = errno;
	uint64_t ns = (uint64_t)src->env->clock_ns_syscall(CLOCK_MONOTONIC);

	errno = saved;
	return ns;
}

static COLD int os_open(struct hpt_source *src, const struct hpt_env *env)
{
	src->read = src->tsc_forbidden ? hpt_os_read_syscall : env->read_os;
	src->read_unordered = src->read;
	src->rate = (struct hpt_rate){
		.num = 1, .den = 1, .frequency_uhz = HPT_UHZ_PER_GHZ, .origin = HPT_ORIGIN_EXACT,
	};
	src->bits = 64;
	return 0;
}

const struct hpt_source_ops hpt_source_os = {
	.name = "os",
	.id = HPT_SOURCE_OS,
	.open = os_open,
};
