// SPDX-License-Identifier: MIT
/*
 * Calls about time, and the clocks of the live environment, where libc's functions and system calls are refused by any
 * error. Both are replaced here; what is not refused asks the kernel.
 */
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
#include <unistd.h>

#include "unit.h"

#include "fake_env.h"
#include "hpt/hpt.h"
#include "hpt/system.h"
#include "machine/live.h"
#include "machine/sys_clock.h"
#include "machine/time_calls.h"
#include "machine/timerfd.h"
#include "machine/timex.h"
#include "rate/sample.h"

#define NS_PER_S  INT64_C(1000000000)
#define NS_PER_MS INT64_C(1000000)

#ifdef SYS_timerfd_settime64
#define NEW_TIMERFD_SETTIME SYS_timerfd_settime64
#define NEW_CLOCK_GETTIME   SYS_clock_gettime64
#define NEW_CLOCK_GETRES    SYS_clock_getres_time64
#define NEW_CLOCK_NANOSLEEP SYS_clock_nanosleep_time64
#else
#define NEW_TIMERFD_SETTIME SYS_timerfd_settime
#define NEW_CLOCK_GETTIME   SYS_clock_gettime
#define NEW_CLOCK_GETRES    SYS_clock_getres
#define NEW_CLOCK_NANOSLEEP SYS_clock_nanosleep
#endif

static const int errors[] = { ENOSYS, EPERM, EACCES, EINVAL, ENODEV, EIO };

static int libc_error;          /* of libc's functions; 0: they work */
static long refused[4];         /* system calls that syscall() refuses by call_error */
static int call_error;
static uint32_t refused_clocks; /* clocks whose system call it refuses: a bit for each */

static long ask(long number, long a, long b, long c, long d)
{
	static long (*real)(long number, ...);
	void *found;

	if (!real) {
		found = dlsym(RTLD_NEXT, "syscall");
		memcpy(&real, &found, sizeof(real));
	}
	return real(number, a, b, c, d, 0L, 0L);
}

static bool is_clock(long number)
{
	return number == SYS_clock_gettime || number == NEW_CLOCK_GETTIME;
}

long syscall(long number, ...)
{
	va_list args;
	long a, b, c, d;

	va_start(args, number);
	a = va_arg(args, long);
	b = va_arg(args, long);
	c = va_arg(args, long);
	d = va_arg(args, long);
	va_end(args);
	for (size_t i = 0; i < COUNT(refused); i++)
		if (refused[i] == number && call_error) {
			errno = call_error;
			return -1;
		}
	if (is_clock(number) && refused_clocks >> a & 1) {
		errno = call_error;
		return -1;
	}
	return ask(number, a, b, c, d);
}

static int refuse(void)
{
	errno = libc_error;
	return -1;
}

/* Not asked: libfaketime replaces it. */
int timerfd_settime(int fd, int flags, const struct itimerspec *its, struct itimerspec *old)
{
	(void)fd, (void)flags, (void)its, (void)old;
	fail_msg("libc's function sets the timer");
	return -1;
}

int clock_gettime(clockid_t id, struct timespec *ret)
{
	struct { long s, ns; } ts;

	if (libc_error)
		return refuse();
	if (ask(SYS_clock_gettime, id, (long)&ts, 0, 0))
		return -1;
	*ret = (struct timespec){ .tv_sec = ts.s, .tv_nsec = ts.ns };
	return 0;
}

int adjtimex(struct timex *ret)
{
	if (libc_error)
		return refuse();
	*ret = (struct timex){ .offset = 11, .freq = 12, .maxerror = 13, .esterror = 14, .status = 15, .tick = 16 };
	ret->tai = 17;
	return TIME_INS;
}

static int nothing_is_refused(void **state)
{
	(void)state;
	libc_error = call_error = 0;
	refused_clocks = 0;
	memset(refused, 0, sizeof(refused));
	return 0;
}

static void refuse_calls(long a, long b, int error)
{
	refused[0] = a;
	refused[1] = b;
	call_error = error;
}

/* ---- Time calls --------------------------------------------------------------------------------------------- */

static bool is_readable(int fd, int timeout_ms)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	return poll(&p, 1, timeout_ms) == 1;
}

static void check_timer(int fd)
{
	int64_t now_ns = 0;

	assert_true(hpt_sys_clock_ns(CLOCK_MONOTONIC, &now_ns));
	assert_int_equal(hpt_timerfd_set(fd, 0, NS_PER_MS), 0);
	assert_true(is_readable(fd, -1));
	assert_int_equal(hpt_timerfd_set(fd, 0, 3600 * NS_PER_S), 0);
	assert_false(is_readable(fd, 0));
	assert_int_equal(hpt_timerfd_set(fd, TFD_TIMER_ABSTIME, now_ns + NS_PER_MS), 0);
	assert_true(is_readable(fd, -1));
	assert_int_equal(hpt_timerfd_set(fd, TFD_TIMER_ABSTIME, INT64_MAX), 0);
	assert_false(is_readable(fd, 0));
}

static void timers_are_set_by_the_call_that_is_allowed(void **state)
{
	int fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);

	nothing_is_refused(state);
	assert_true(fd >= 0);
	check_timer(fd);
	for (size_t i = 0; i < COUNT(errors); i++) {
		refuse_calls(NEW_TIMERFD_SETTIME, 0, errors[i]);
		if (NEW_TIMERFD_SETTIME != SYS_timerfd_settime)
			check_timer(fd);
		else
			assert_int_equal(hpt_timerfd_set(fd, 0, NS_PER_MS), -errors[i]);
	}
	refuse_calls(NEW_TIMERFD_SETTIME, SYS_timerfd_settime, EACCES);
	assert_int_equal(hpt_timerfd_set(fd, 0, NS_PER_MS), -EACCES);
	close(fd);
}

static void steps_are_those_of_the_call_that_is_allowed(void **state)
{
	int64_t step_ns;

	nothing_is_refused(state);
	step_ns = hpt_clock_step_ns(CLOCK_MONOTONIC_COARSE);
	assert_in_range(step_ns, 1, 10 * NS_PER_MS);
	for (size_t i = 0; i < COUNT(errors) && NEW_CLOCK_GETRES != SYS_clock_getres; i++) {
		refuse_calls(NEW_CLOCK_GETRES, 0, errors[i]);
		assert_true(hpt_clock_step_ns(CLOCK_MONOTONIC_COARSE) == step_ns);
		assert_true(hpt_env_live.coarse_step_ns() == step_ns);
		assert_int_equal(hpt_kernel_hz(), (NS_PER_S + step_ns / 2) / step_ns);
	}
	refuse_calls(NEW_CLOCK_GETRES, SYS_clock_getres, EPERM);
	assert_true(hpt_clock_step_ns(CLOCK_MONOTONIC_COARSE) == INT64_MAX);
	assert_int_equal(hpt_kernel_hz(), 0);
	nothing_is_refused(state);
	assert_true(hpt_clock_step_ns(12345) == INT64_MAX);
}

/* The kernel's own state, which the old call gives: compared with the raw one around it. */
static void kernels_clock_is_asked_by_the_call_that_is_allowed(void **state)
{
	struct timex tx = { 0 }, untouched;

	nothing_is_refused(state);
	assert_int_equal(hpt_env_live.adjtimex(&tx), TIME_INS);
	assert_int_equal(tx.offset, 11);
	assert_int_equal(tx.tai, 17);
	for (size_t i = 0; i < COUNT(errors); i++) {
		libc_error = errors[i];
		memset(&tx, 0x55, sizeof(tx));
		assert_in_range(hpt_env_live.adjtimex(&tx), TIME_OK, TIME_ERROR);
		assert_in_range(tx.tick, 9000, 11000);
		assert_in_range(tx.maxerror, 0, 16000000);
		assert_in_range(tx.esterror, 0, 16000000);
		assert_in_range(labs(tx.tai), 0, 1000);
		assert_in_range(llabs((long long)tx.freq), 0, 32768000); /* 500 ppm */
		assert_in_range(llabs((long long)tx.offset), 0, 1000000000);
		assert_true(!(tx.status & ~0xffff));
	}
	refuse_calls(SYS_adjtimex, 0, EPERM);
	memset(&tx, 0x55, sizeof(tx));
	untouched = tx;
	assert_int_equal(hpt_env_live.adjtimex(&tx), -EPERM);
	assert_memory_equal(&tx, &untouched, sizeof(tx));
}

static void naps_last_by_the_call_that_is_allowed(void **state)
{
	int64_t before_ns = 0, after_ns = 0;

	nothing_is_refused(state);
	for (size_t i = 0; i < 3 * COUNT(errors); i++) {
		libc_error = errors[i / 3];
		refuse_calls(i % 3 ? NEW_CLOCK_NANOSLEEP : 0, i % 3 > 1 ? SYS_clock_nanosleep : 0, libc_error);
		assert_true(hpt_sys_clock_ns(CLOCK_MONOTONIC, &before_ns));
		hpt_nap_ns(2 * NS_PER_MS);
		assert_true(hpt_sys_clock_ns(CLOCK_MONOTONIC, &after_ns));
		assert_true(after_ns - before_ns >= 2 * NS_PER_MS);
	}
}

/* ---- Clocks --------------------------------------------------------------------------------------------------- */

static const clockid_t ids[] = { CLOCK_REALTIME, CLOCK_MONOTONIC, CLOCK_MONOTONIC_RAW };

static int64_t kernels_ns(clockid_t id)
{
	struct { long s, ns; } ts = { 0, 0 };

	assert_int_equal(ask(SYS_clock_gettime, id, (long)&ts, 0, 0), 0);
	return ts.s * NS_PER_S + ts.ns;
}

/* A clock that was set back meanwhile is no fault. */
static bool is_between(clockid_t id, int64_t before_ns, int64_t ns)
{
	return id == CLOCK_REALTIME ? llabs(ns - before_ns) < 3600 * NS_PER_S :
				      before_ns <= ns && ns <= kernels_ns(id);
}

static void check_clocks(void)
{
	for (size_t i = 0; i < COUNT(ids); i++) {
		int64_t before_ns = kernels_ns(ids[i]), ns = 0;

		assert_true(is_between(ids[i], before_ns, hpt_env_live.clock_ns(ids[i])));
		assert_true(is_between(ids[i], before_ns, hpt_env_live.clock_ns_syscall(ids[i])));
		for (int by_syscall = 0; by_syscall < 2; by_syscall++) {
			assert_int_equal(hpt_env_live.try_clock(ids[i], by_syscall, &ns), 0);
			assert_true(is_between(ids[i], before_ns, ns));
		}
		assert_true(hpt_env_live.kernel_ns(ids[i], &ns) && is_between(ids[i], before_ns, ns));
	}
}

static void clocks_are_read_by_the_call_that_is_allowed(void **state)
{
	nothing_is_refused(state);
	check_clocks();
	for (size_t i = 0; i < COUNT(errors); i++) {
		libc_error = errors[i];
		check_clocks();
#ifdef SYS_clock_gettime64
		for (size_t k = 0; k < COUNT(errors); k++) {
			refuse_calls(SYS_clock_gettime64, 0, errors[k]);
			check_clocks();
		}
		nothing_is_refused(state);
#endif
	}
}

static void coarse_clocks_stand_for_those_that_are_refused(void **state)
{
	int64_t coarse_ns, ns = -1;

	nothing_is_refused(state);
	libc_error = call_error = EPERM;
	for (size_t i = 0; i < COUNT(ids); i++) {
		refused_clocks |= UINT32_C(1) << ids[i];
		coarse_ns = kernels_ns(ids[i] == CLOCK_REALTIME ? CLOCK_REALTIME_COARSE : CLOCK_MONOTONIC_COARSE);
		assert_in_range(hpt_env_live.clock_ns(ids[i]) - coarse_ns, 0, 3600 * NS_PER_S);
		assert_in_range(hpt_env_live.clock_ns_syscall(ids[i]) - coarse_ns, 0, 3600 * NS_PER_S);
		assert_int_equal(hpt_env_live.try_clock(ids[i], false, &ns), -EPERM);
		assert_int_equal(hpt_env_live.try_clock(ids[i], true, &ns), -EPERM);
		assert_false(hpt_env_live.kernel_ns(ids[i], &ns));
		assert_int_equal(ns, -1);
	}
}

static void source_is_blind_if_a_clock_it_needs_has_no_stand_in(void **state)
{
	static const struct {
		uint32_t clocks;
		bool is_blind, is_os_blind;
	} cases[] = {
		{ 0, false, false },
		{ 1 << CLOCK_REALTIME | 1 << CLOCK_REALTIME_COARSE, false, false },
		{ 1 << CLOCK_MONOTONIC | 1 << CLOCK_MONOTONIC_RAW, false, false },
		{ 1 << CLOCK_MONOTONIC_RAW | 1 << CLOCK_MONOTONIC_COARSE, true, false },
		{ 1 << CLOCK_MONOTONIC | 1 << CLOCK_MONOTONIC_COARSE, true, true },
		{ UINT32_MAX, true, true },
	};
	struct hpt_source src = { .env = &hpt_env_live, .clock_ns = hpt_env_live.clock_ns };

	nothing_is_refused(state);
	libc_error = call_error = EPERM;
	for (size_t i = 0; i < COUNT(cases); i++) {
		refused_clocks = cases[i].clocks;
		errno = EXDEV;
		src.rate.origin = HPT_ORIGIN_NONE;
		assert_int_equal(hpt_sample_is_blind(&src), cases[i].is_blind);
		src.rate.origin = HPT_ORIGIN_EXACT;
		assert_int_equal(hpt_sample_is_blind(&src), cases[i].is_os_blind);
		assert_int_equal(errno, EXDEV);
	}
}

static int64_t zero(clockid_t id)
{
	(void)id;
	return 0;
}

static void clock_that_is_at_0_can_be_read(void **state)
{
	struct hpt_source src = { .env = &hpt_env_live, .clock_ns = zero };

	nothing_is_refused(state);
	assert_false(hpt_sample_is_blind(&src));
}

#ifdef SYS_clock_gettime64
/* A kernel without the old calls: an unknown clock is none that was refused. */
static void answer_of_the_only_call_is_kept(void **state)
{
	int64_t ns;

	nothing_is_refused(state);
	refuse_calls(SYS_clock_gettime, 0, ENOSYS);
	assert_false(hpt_sys_clock_ns(12345, &ns));
	assert_int_equal(errno, EINVAL);
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(timers_are_set_by_the_call_that_is_allowed),
		cmocka_unit_test(steps_are_those_of_the_call_that_is_allowed),
		cmocka_unit_test(kernels_clock_is_asked_by_the_call_that_is_allowed),
		cmocka_unit_test(naps_last_by_the_call_that_is_allowed),
		cmocka_unit_test(clocks_are_read_by_the_call_that_is_allowed),
		cmocka_unit_test(coarse_clocks_stand_for_those_that_are_refused),
		cmocka_unit_test(source_is_blind_if_a_clock_it_needs_has_no_stand_in),
		cmocka_unit_test(clock_that_is_at_0_can_be_read),
#ifdef SYS_clock_gettime64
		cmocka_unit_test(answer_of_the_only_call_is_kept),
#endif
	};

	return cmocka_run_group_tests_name("calls about time", tests, NULL, nothing_is_refused);
}
