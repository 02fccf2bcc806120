/* SPDX-License-Identifier: MIT */
/* A fake machine on which load makes its choice: for the tests of choose and judge. */
#include <errno.h>
#include <string.h>

#include "unit.h"

#include "hpt/hpt.h"
#include "clock/choose.h"
#include "fake_env.h"
#include "machine/live.h"

/* Elsewhere no driver but the OS is built, so that there is no choice. */
#ifdef HPT_ARCH_X86

static struct hpt_boot booted_now;

/* A read of it costs many TSC reads, so that the TSC is always cheaper. */
static inline int64_t slow_clock(clockid_t id)
{
	for (int i = 0; i < 16; i++)
		arch_rdtscp();
	return hpt_env_live.clock_ns(id);
}

static hpt_clock_ns_fn *plain_clock;

static inline struct hpt_boot *boot(void)
{
	memset(&booted_now, 0, sizeof(booted_now));
	hpt_choose(&booted_now, &fake_env);
	assert_non_null(booted_now.clk.src.read);
	assert_int_equal(booted_now.clk.holders, 0); /* never freed */
	return &booted_now;
}

static inline int setup(void **state)
{
	(void)state;
	if (!plain_clock)
		plain_clock = fake_env.clock_ns;
	fake_env_reset();
	fake_env.clock_ns = slow_clock;
	fake_env_kernel("tsc\n");
	return 0;
}

static inline int finish(void **state)
{
	(void)state;
	fake_env.clock_ns = plain_clock;
	return 0;
}

/* The fake CPUs describe the TSC of the real machine, which must exist. */
static inline bool has_tsc(void)
{
	struct hpt_cpu cpu;

	hpt_cpu_read(hpt_env_live.cpuid, hpt_env_live.cpuid_ctx, &cpu);
	return cpu.tsc && cpu.rdtscp && cpu.sse2 && !hpt_env_live.tsc_forbidden();
}

#endif
