// SPDX-License-Identifier: MIT
/*
 * The environment of libhpt-preload.so, which is given to it as its world: the OS clock by the C library's own
 * function, waits by the program's, and nothing else of the machine. No source but the OS clock is ever opened.
 */
#include <errno.h>
#include <string.h>
#include <sys/prctl.h>

#include "arch/arch.h"
#include "clock/world.h"
#include "machine/time_calls.h"

#include "preload/load.h"
#include "preload/nap.h"
#include "preload/next.h"
#include "preload/times.h"
#include "preload/wait.h"

static void no_cpuid(uint32_t leaf, uint32_t subleaf, uint32_t regs[4], void *ctx)
{
	(void)leaf, (void)subleaf, (void)ctx;
	memset(regs, 0, 4 * sizeof(regs[0]));
}

/* Then the C library's clock faults as well as ours. Asked for while the object is loaded. */
static bool tsc_forbidden(void)
{
	int mode = PR_TSC_ENABLE;

	return !prctl(PR_GET_TSC, &mode, 0, 0, 0) && mode == PR_TSC_SIGSEGV;
}

static uint64_t read_os(const struct hpt_source *src)
{
	(void)src;
	return (uint64_t)hpt_next_clock_ns(CLOCK_MONOTONIC);
}

static bool kernel_ns(clockid_t id, int64_t *ret_ns)
{
	*ret_ns = hpt_next_clock_ns(id);
	return *ret_ns;
}

static int try_clock(clockid_t id, bool by_syscall, int64_t *ret_ns)
{
	(void)by_syscall;
	*ret_ns = hpt_next_clock_ns(id);
	return *ret_ns ? 0 : -EPERM;
}

static int no_file(const char *path)
{
	(void)path;
	errno = ENOENT;
	return -1;
}

static int64_t coarse_step_ns(void)
{
	return hpt_clock_step_ns(CLOCK_MONOTONIC_COARSE);
}

/* No object that a thread could wait on exists here. */
static void wake(const _Atomic uint32_t *word)
{
	(void)word;
}

/* A larger one is not small, and would be set to 1 ns for each sleep. */
#define SLACK_SMALL_NS 100000

static int64_t slack_ns(void)
{
	return hpt_loaded.slack_ns < SLACK_SMALL_NS ? hpt_loaded.slack_ns : SLACK_SMALL_NS;
}

/* "hpt run --slice" has set it before the program began. A filter may kill a thread that sets one itself. */
static int64_t slice_ns(void)
{
	return hpt_loaded.slice_ns;
}

static void keep_slack(int64_t ns)
{
	(void)ns;
}

/* Those of the library are not for other programs. */
static const char *no_variable(const char *name)
{
	(void)name;
	return NULL;
}

/* Nothing is asked for then: the object's constructor has done so. */
static bool is_filtered(void)
{
	return true;
}

static const struct hpt_env preload_env = {
	.cpuid = no_cpuid,
	.tsc_forbidden = tsc_forbidden,
	.clock_ns = hpt_next_clock_ns,
	.clock_ns_syscall = hpt_next_clock_ns,
	.read_os = read_os,
	.kernel_ns = kernel_ns,
	.try_clock = try_clock,
	.getenv = no_variable,
	.open = no_file,
	.coarse_step_ns = coarse_step_ns,
	.wait = hpt_nap_wait,
	.wake = wake,
	.poll = hpt_wait_poll,
	.slack_ns = slack_ns,
	.set_slack_ns = keep_slack,
	.slice_ns = slice_ns,
	.is_filtered = is_filtered,
};

const struct hpt_world hpt_world = { .env = &preload_env, .choose = hpt_choose_os };
