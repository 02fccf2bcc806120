/* SPDX-License-Identifier: MIT */
/* A machine of the fake architecture, in the fake world: for tests that link the library built for it. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "unit.h"

#include "hpt/hpt.h"
#include "clock/choose.h"
#include "clock/timekeeper.h"
#include "fake_counter.h"
#include "fake_env.h"
#include "fake_source.h"

#define MACHINE_HZ 62500000
#define RAW_CALL_PS 300000

static struct hpt_boot booted_now;

/* The raw call takes this much longer than libc's clock. */
static uint64_t raw_call_ps;

static inline int64_t raw_call(clockid_t id)
{
	world.now_ps += raw_call_ps;
	return fake_world_clock(id);
}

static inline bool kernel_answers(clockid_t id, int64_t *ret)
{
	*ret = fake_world_clock(id) + fake.kernel_ahead_ns;
	return !fake.kernel_silent;
}

/* A counter of 62.5 MHz that the kernel keeps time with; a read takes 20 ns, clock_gettime() 30. */
static inline int setup_arch(void **state)
{
	(void)state;
	fake_env_reset();
	fake_env_kernel("fake_counter\n");
	fake.hwcap = ARCH_COUNTER_HWCAP;
	fake_env.clock_ns = fake_world_clock;
	fake_env.clock_ns_syscall = raw_call;
	fake_env.kernel_ns = kernel_answers;
	raw_call_ps = RAW_CALL_PS;
	fake_counter = (struct fake_counter){ .hz = MACHINE_HZ };
	world = (struct fake_world){
		.now_ps = UINT64_C(5000000000000), .tick_ps = 16000, .read_ps = 20000, .clock_ps = 30000,
		.realtime_offset_ns = INT64_C(1700000000000000000),
	};
	return 0;
}

static inline struct hpt_boot *boot(void)
{
	memset(&booted_now, 0, sizeof(booted_now));
	hpt_choose(&booted_now, &fake_env);
	return &booted_now;
}
