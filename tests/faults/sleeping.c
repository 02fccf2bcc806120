// SPDX-License-Identifier: MIT
/*
 * Sleeps in a sandbox that denies the system calls they wait with: they do not end early, do not touch errno, and end.
 *
 * usage: sleeping prctl|futex|wait|clock|all EPERM|ENOSYS
 *        sleeping others KILL: any system call that hpt_sleep(7) does not name kills
 */
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <hpt/hpt.h>

#include "check.h"
#include "filter.h"
#include "process.h"

#define LIMIT_S 60

#ifdef SYS_futex_time64
#define FUTEX SYS_futex, SYS_futex_time64
#else
#define FUTEX SYS_futex
#endif

#ifdef SYS_clock_nanosleep_time64
#define NANOSLEEP SYS_clock_nanosleep, SYS_clock_nanosleep_time64
#else
#define NANOSLEEP SYS_clock_nanosleep
#endif

/* The calls that distinguish a process from its parent, and a thread from earlier ones. */
#ifdef SYS_mmap2
#define MMAP SYS_mmap, SYS_mmap2
#else
#define MMAP SYS_mmap
#endif
#define LEARNING MMAP, SYS_munmap, SYS_madvise, SYS_getpid, SYS_gettid, SYS_tgkill

static const struct fault {
	const char *name;
	size_t n;
	long calls[16];
} faults[] = {
#define CALLS(...) sizeof((long[]){ __VA_ARGS__ }) / sizeof(long), { __VA_ARGS__ }
	{ "prctl", CALLS(SYS_prctl) },
	{ "futex", CALLS(FUTEX) },
	{ "wait", CALLS(FUTEX, NANOSLEEP) },
	{ "clock", CALLS(FUTEX, CLOCK) },
	{ "learning", CALLS(LEARNING) },
	{ "all", CALLS(FUTEX, NANOSLEEP, SYS_prctl, CLOCK, LEARNING) },
};

/* This program itself needs the last two, to print and to exit. */
static const long needed[] = { FUTEX, SYS_prctl, CLOCK, LEARNING, SYS_write, SYS_exit_group };

static void check_until(int64_t ns)
{
	hpt_time_t deadline = hpt_now(NULL) + hpt_ns_to_ticks(NULL, ns);
	int r = hpt_sleep_until_ticks(NULL, deadline);
	hpt_time_t now = hpt_now(NULL);

	CHECK(!r && now >= deadline, "until a tick: %d, %lld ticks early", r, (long long)(deadline - now));
}

static void check_for(int64_t ns)
{
	int64_t before_ns = hpt_now_ns(NULL), took_ns;
	int r = hpt_sleep_ns(NULL, ns);

	took_ns = hpt_now_ns(NULL) - before_ns;
	CHECK(!r && took_ns >= ns, "for %lld ns: %d, took %lld", (long long)ns, r, (long long)took_ns);
}

/* A sleep ends early by more than a second only where the wall clock was set meanwhile, which is no fault. */
static void check_unix(int64_t ns)
{
	int64_t at_ns = hpt_now_unix_ns(NULL) + ns, early_ns;
	int r = hpt_sleep_until_unix_ns(NULL, at_ns);

	early_ns = at_ns - hpt_now_unix_ns(NULL);
	CHECK(!r && (early_ns <= 0 || early_ns > 1000000000), "until a Unix time: %d, %lld ns early", r,
	      (long long)early_ns);
}

static void check_sleeps(void)
{
	static const int64_t lengths_ns[] = { 1, 1000, 50000, 130000, 500000, 5000000, 60000000 };

	for (int i = 0; i < 10; i++)
		for (size_t k = 0; k < sizeof(lengths_ns) / sizeof(lengths_ns[0]); k++) {
			errno = EXDEV;
			check_until(lengths_ns[k]);
			check_for(lengths_ns[k]);
			check_unix(lengths_ns[k]);
			CHECK(errno == EXDEV, "errno became %d", errno);
		}
}

static void *interrupt_later(void *waiter)
{
	struct timespec ts = { .tv_nsec = 50000000 };

	nanosleep(&ts, NULL);
	hpt_waiter_interrupt(waiter);
	return NULL;
}

/* Where no system call can wake the sleeper, it polls for interrupts. The alarm ends a sleep that would not end. */
static void check_interrupt(void)
{
	hpt_waiter *waiter;
	pthread_t thread;

	if (hpt_waiter_new(NULL, 0, &waiter) || pthread_create(&thread, NULL, interrupt_later, waiter)) {
		CHECK(false, "no waiter or no thread");
		return;
	}
	CHECK(hpt_waiter_sleep_until_ticks(waiter, INT64_MAX) == -ECANCELED, "not interrupted");
}

static bool install(const char *name, const char *how)
{
	if (!strcmp(name, "others"))
		return filter_allow_only(needed, sizeof(needed) / sizeof(needed[0]));
	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++)
		if (!strcmp(faults[i].name, name))
			return filter_deny(faults[i].calls, faults[i].n, !strcmp(how, "EPERM") ? EPERM : ENOSYS);
	return false;
}

int main(int argc, char **argv)
{
	if (argc != 3)
		return 2;
	alarm(LIMIT_S);
	hpt_now_ns(NULL);
	if (!install(argv[1], argv[2])) {
		fputs("skipped: no seccomp here\n", stderr);
		return SKIP;
	}
	check_sleeps();
	if (!strcmp(argv[1], "clock"))
		check_interrupt();
	fflush(stderr);
	_exit(failures != 0);
}
