// SPDX-License-Identifier: MIT
/* Waits in the fake world. Every call overwrites errno, as a system call may do. */
#include "fake_kernel.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "fake_env.h"
#include "fake_source.h"

/* No test sleeps this long, except a sleep that only a wake ends. */
#define FOR_EVER_NS INT64_C(10000000000000000)

/* A look at descriptors. */
#define LOOK_PS 300000

struct fake_kernel kernel;

/* A timer's end by the slack: the latest moment that the kernel may choose, and the one that it does choose. */
static int64_t end_ns(clockid_t id, int64_t until_ns)
{
	bool is_used = kernel.slack_ns > 0 && !kernel.ignores_slack &&
		       until_ns - fake_world_true_ns(id) < FOR_EVER_NS;

	return is_used ? until_ns + kernel.slack_ns : until_ns;
}

static void note_wait(uint32_t word, uint32_t value, clockid_t id, int64_t until_ns)
{
	if (kernel.waits < FAKE_WAITS_KEPT)
		kernel.wait[kernel.waits] = (struct fake_wait){ id, until_ns, kernel.slack_ns, kernel.slice_ns,
								world.now_ps, value, word };
	kernel.waits++;
}

/* Passes nine tenths of the remaining time, so as not to overshoot on a slewed clock. Clocks may step meanwhile. */
static void pass_some(int64_t left_ns)
{
	uint64_t ps = (uint64_t)(left_ns < FOR_EVER_NS ? left_ns : FOR_EVER_NS) * 900 + 1000;

	if (world.event && world.now_ps + ps >= world.event_at_ps) {
		if (world.now_ps < world.event_at_ps)
			world.now_ps = world.event_at_ps;
		fake_world_event();
		return;
	}
	if (left_ns >= FOR_EVER_NS) {
		fprintf(stderr, "a wait for ever that nothing ends\n");
		abort();
	}
	world.now_ps += ps;
}

static int64_t lateness_ns(uint64_t waited_ps)
{
	if (kernel.lateness_ns)
		return kernel.lateness_ns();
	if (kernel.late_ns < 0 && kernel.slack_ns <= 1)
		return 0; /* another timer ends a wait within its slack */
	return kernel.late_ns + (waited_ps > 2300000000 ? kernel.late_long_ns : 0);
}

static int wait_until(const _Atomic uint32_t *word, uint32_t value, clockid_t id, int64_t until_ns)
{
	int64_t left_ns;

	if (atomic_load(word) != value)
		return 0;
	while ((left_ns = until_ns - fake_world_true_ns(id)) > 0) {
		kernel.ends = FAKE_GOES_ON;
		pass_some(left_ns);
		if (kernel.ends == FAKE_SIGNAL)
			return -EINTR;
		if (kernel.ends == FAKE_SPURIOUS || atomic_load(word) != value)
			return 0;
	}
	return -ETIMEDOUT;
}

static int fake_wait(const _Atomic uint32_t *word, uint32_t value, clockid_t id, int64_t until_ns)
{
	uint64_t since_ps = world.now_ps;
	int r;

	note_wait(atomic_load(word), value, id, id == HPT_DURATION ? until_ns : end_ns(id, until_ns));
	if (id == HPT_DURATION) {
		id = CLOCK_MONOTONIC;
		until_ns += fake_world_true_ns(id);
	}
	until_ns = end_ns(id, until_ns);
	errno = EBADMSG;
	world.now_ps += kernel.wait_ps;
	if (kernel.refusal)
		return kernel.refusal;
	r = wait_until(word, value, id, until_ns);
	world.now_ps += (uint64_t)lateness_ns(world.now_ps - since_ps) * 1000;
	return r;
}

/* Descriptors without events, which no sandbox refuses. */
static int fake_poll(const struct hpt_fds *f, int64_t ns)
{
	static const _Atomic uint32_t nothing;
	int saved = errno, refusal = kernel.refusal, r = -ETIMEDOUT;

	(void)f;
	kernel.refusal = 0;
	if (ns)
		r = fake_wait(&nothing, 0, HPT_DURATION, ns);
	else
		world.now_ps += LOOK_PS;
	kernel.refusal = refusal;
	errno = saved;
	return r == -ETIMEDOUT ? 0 : r;
}

static void fake_wake(const _Atomic uint32_t *word)
{
	(void)word;
	kernel.wakes++;
}

static int64_t fake_slack_ns(void)
{
	kernel.slack_gets++;
	errno = EBADMSG;
	return kernel.slack_ns;
}

static void fake_set_slack_ns(int64_t ns)
{
	kernel.slack_sets++;
	errno = EBADMSG;
	kernel.slack_ns = ns;
}

static bool fake_kernel_ns(clockid_t id, int64_t *ret_ns)
{
	errno = EBADMSG;
	*ret_ns = fake_world_clock(id);
	return !fake.kernel_silent;
}

static bool fake_is_filtered(void)
{
	errno = EBADMSG;
	return kernel.is_filtered;
}

static int fake_scheduler(void)
{
	kernel.limit_gets++;
	errno = EBADMSG;
	return kernel.scheduler;
}

static int64_t fake_rttime_ns(void)
{
	kernel.limit_gets++;
	errno = EBADMSG;
	return kernel.rttime_ns;
}

static uint32_t fake_cpus(void)
{
	kernel.limit_gets++;
	errno = EBADMSG;
	return kernel.cpus;
}

static bool fake_is_pinned(void)
{
	errno = EBADMSG;
	return kernel.is_pinned;
}

static int64_t fake_slice_ns(void)
{
	kernel.slice_gets++;
	errno = EBADMSG;
	return kernel.slice_ns;
}

static int64_t fake_change_slice_ns(int64_t was_ns, int64_t ns)
{
	int64_t before_ns = kernel.slice_ns;

	kernel.slice_sets++;
	errno = EBADMSG;
	if (before_ns && (!was_ns || was_ns == before_ns)) {
		kernel.slice_set_ns = ns;
		kernel.slice_ns = ns ? ns : kernel.kernels_slice_ns;
	}
	return before_ns;
}

void fake_kernel_reset(void)
{
	kernel = (struct fake_kernel){ .slack_ns = 50000, .rttime_ns = INT64_MAX, .cpus = 2 };
	fake_env.is_filtered = fake_is_filtered;
	fake_env.scheduler = fake_scheduler;
	fake_env.rttime_ns = fake_rttime_ns;
	fake_env.cpus = fake_cpus;
	fake_env.is_pinned = fake_is_pinned;
	fake_env.slice_ns = fake_slice_ns;
	fake_env.change_slice_ns = fake_change_slice_ns;
	fake_env.wait = fake_wait;
	fake_env.wake = fake_wake;
	fake_env.poll = fake_poll;
	fake_env.slack_ns = fake_slack_ns;
	fake_env.set_slack_ns = fake_set_slack_ns;
	fake_env.kernel_ns = fake_kernel_ns;
}
