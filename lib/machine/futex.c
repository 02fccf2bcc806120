// SPDX-License-Identifier: MIT
/* Waits in the kernel: futex and timer slack by raw system call, so that no function here is a cancellation point. */
#include "machine/futex.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "arch/arch.h"
#include "math/units.h"
#include "machine/env.h"
#include "machine/sys_clock.h"

/* If futexes are denied nothing can end a wait early; it is then cut into pieces of this length. */
#define PIECE_NS 1000000

/* True for what a wait itself answers. Else the call is not there, or a sandbox answers in its place. */
static bool is_answer_of_wait(int r)
{
	return r == 0 || r == -ETIMEDOUT || r == -EINTR || r == -EAGAIN;
}

/* Of the 64-bit call, Linux 5.1, and the old one the first that answers: see sys_clock.h. */
static int futex_until(const _Atomic uint32_t *word, int op, uint32_t value, int64_t until_ns)
{
	struct hpt_timespec64 ts = { until_ns / NS_PER_S, until_ns % NS_PER_S };

#ifdef SYS_futex_time64
	int r = syscall(SYS_futex_time64, word, op, value, &ts, NULL, FUTEX_BITSET_MATCH_ANY) ? -errno : 0;

	if (is_answer_of_wait(r))
		return r;
#endif
	struct hpt_timespec_long ts_long = { (long)(ts.tv_sec < LONG_MAX ? ts.tv_sec : LONG_MAX), (long)ts.tv_nsec };

	return syscall(SYS_futex, word, op, value, &ts_long, NULL, FUTEX_BITSET_MATCH_ANY) ? -errno : 0;
}

/* flags: TIMER_ABSTIME, or 0 where ns is a duration. */
static int nanosleep_ns(clockid_t id, int flags, int64_t ns)
{
	struct hpt_timespec64 ts = { ns / NS_PER_S, ns % NS_PER_S };

#ifdef SYS_clock_nanosleep_time64
	int r = syscall(SYS_clock_nanosleep_time64, id, flags, &ts, NULL) ? -errno : -ETIMEDOUT;

	if (is_answer_of_wait(r))
		return r;
#endif
	struct hpt_timespec_long ts_long = { (long)(ts.tv_sec < LONG_MAX ? ts.tv_sec : LONG_MAX), (long)ts.tv_nsec };

	return syscall(SYS_clock_nanosleep, id, flags, &ts_long, NULL) ? -errno : -ETIMEDOUT;
}

/* A sandbox that denies futexes may allow plain sleeps. The caller has to check how long the sleep was. */
static int sleep_piece(clockid_t id, int64_t until_ns)
{
	int64_t now_ns;
	int r;

	if (hpt_sys_clock_ns(id, &now_ns) && until_ns <= now_ns + PIECE_NS)
		return nanosleep_ns(id, TIMER_ABSTIME, until_ns);
	r = nanosleep_ns(id, 0, PIECE_NS);
	return r == -ETIMEDOUT ? 0 : r;
}

/* The same for a duration. */
static COLD int sleep_for(const _Atomic uint32_t *word, uint32_t value, int64_t ns)
{
	int r = -ETIMEDOUT;

	for (; ns > 0 && r == -ETIMEDOUT; ns -= PIECE_NS) {
		if (atomic_load(word) != value)
			return 0;
		r = nanosleep_ns(CLOCK_MONOTONIC, 0, ns < PIECE_NS ? ns : PIECE_NS);
	}
	return r;
}

static int op_of(clockid_t id)
{
	if (unlikely(id == HPT_DURATION))
		return FUTEX_WAIT_PRIVATE;
	return FUTEX_WAIT_BITSET_PRIVATE | (id == CLOCK_REALTIME ? FUTEX_CLOCK_REALTIME : 0);
}

HOT int hpt_futex_wait(const _Atomic uint32_t *word, uint32_t value, clockid_t id, int64_t until_ns)
{
	int r;

	if (until_ns < 0) /* before 1970 */
		until_ns = 0;
	r = futex_until(word, op_of(id), value, until_ns);
	if (!is_answer_of_wait(r))
		return id == HPT_DURATION ? sleep_for(word, value, until_ns) : sleep_piece(id, until_ns);
	return r == -EAGAIN ? 0 : r; /* the word was not value */
}

void hpt_futex_wake(const _Atomic uint32_t *word)
{
	int saved = errno;

	syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
	errno = saved;
}

int64_t hpt_timer_slack_ns(void)
{
	return syscall(SYS_prctl, PR_GET_TIMERSLACK, 0, 0, 0, 0); /* prctl() returns an int, which ends at 2 s */
}

void hpt_timer_slack_set_ns(int64_t ns)
{
	syscall(SYS_prctl, PR_SET_TIMERSLACK, (unsigned long)ns, 0, 0, 0);
}
