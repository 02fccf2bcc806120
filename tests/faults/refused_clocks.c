// SPDX-License-Identifier: MIT
/*
 * A sandbox that refuses the calls by which clocks are read, or those of 64 bits that a 32-bit program uses. All that
 * waits ends, without a CPU, and time goes on. Run by novdso, nothing reads a clock in their place.
 *
 * usage: refused_clocks time64|clock|waits EPERM|ENOSYS|EACCES|EINVAL early|late
 *        early: in force before the library's constructor; late: after the first conversion
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <hpt/hpt.h>
#include <hpt/wall.h>

#include "check.h"
#include "filter.h"
#include "process.h"

#define LIMIT_S   60
#define NS_PER_MS INT64_C(1000000)
#define SLEEP_NS  (400 * NS_PER_MS)

/* A sleep that waits uses less than a millisecond of CPU time, and one that spins all of it. */
#define CPU_MOST_NS (SLEEP_NS / 4)

static const struct fault {
	const char *name;
	bool no_clock, no_waits;
	size_t n;
	long calls[24];
} faults[] = {
#define CALLS(...) sizeof((long[]){ __VA_ARGS__ }) / sizeof(long), { __VA_ARGS__ }
#ifdef SYS_futex_time64
	/* All that Linux 5.1 added, as libseccomp before 2.4.2 knows none of them. */
	{ "time64", false, false, CALLS(403, 404, 405, 406, 407, 408, 409, 410, 411, 412, 413, 414, 416, 417, 418, 419,
					 420, 421, 422, 423) },
	{ "waits", true, true, CALLS(CLOCK, SYS_futex, SYS_futex_time64, SYS_clock_nanosleep,
				      SYS_clock_nanosleep_time64) },
#else
	{ "waits", true, true, CALLS(CLOCK, SYS_futex, SYS_clock_nanosleep) },
#endif
	{ "clock", true, false, CALLS(CLOCK) },
};

static const struct fault *fault;
static bool is_installed;

static int error_of(const char *name)
{
	return !strcmp(name, "EPERM") ? EPERM : !strcmp(name, "ENOSYS") ? ENOSYS : !strcmp(name, "EACCES") ? EACCES :
	       EINVAL;
}

static void preinit(int argc, char **argv, char **envp)
{
	(void)envp;
	for (size_t i = 0; argc == 4 && i < sizeof(faults) / sizeof(faults[0]); i++)
		if (!strcmp(faults[i].name, argv[1]))
			fault = &faults[i];
	if (fault && !strcmp(argv[3], "early"))
		is_installed = filter_deny(fault->calls, fault->n, error_of(argv[2]));
}

AT_PREINIT(preinit);

/* No clock is left: the sleeps say so. */
static bool is_blind(void)
{
	return fault->no_clock && !getauxval(AT_SYSINFO_EHDR);
}

static int64_t cpu_ns(void)
{
	struct rusage r = { 0 };

	getrusage(RUSAGE_SELF, &r);
	return (r.ru_utime.tv_sec + r.ru_stime.tv_sec) * 1000 * NS_PER_MS +
	       (int64_t)(r.ru_utime.tv_usec + r.ru_stime.tv_usec) * 1000;
}

static bool is_os(void)
{
	struct hpt_clock_info info = { 0 };

	CHECK(!hpt_clock_get_info(NULL, &info, sizeof(info)), "no info");
	return info.source == HPT_SOURCE_OS;
}

static void check_result(const char *what, int r)
{
	CHECK(r == (is_blind() ? (int)HPT_STATE_DISRUPTED : 0), "%s: %d", what, r);
}

static void check_cpu(const char *what, int64_t since_ns)
{
	int64_t used_ns = cpu_ns() - since_ns;

	CHECK(fault->no_waits || used_ns < CPU_MOST_NS, "%s used %lld ns of CPU time", what, (long long)used_ns);
}

static void check_sleeps(void)
{
	int64_t used_ns = cpu_ns(), before_ns = hpt_now_ns(NULL);

	check_result("a duration", hpt_sleep_ns(NULL, SLEEP_NS));
	CHECK((is_blind() && is_os()) || hpt_now_ns(NULL) > before_ns, "time stands still at %lld",
	      (long long)before_ns);
	CHECK(is_blind() || hpt_now_ns(NULL) - before_ns >= SLEEP_NS, "early");
	check_cpu("a duration", used_ns);
	used_ns = cpu_ns();
	check_result("a time", hpt_sleep_until_ns(NULL, hpt_now_ns(NULL) + SLEEP_NS));
	check_result("a tick", hpt_sleep_until_ticks(NULL, hpt_now(NULL) + 100000000));
	check_result("Unix time", hpt_sleep_until_unix_ns(NULL, hpt_now_unix_ns(NULL) + SLEEP_NS / 4));
	check_cpu("three sleeps", used_ns);
}

static void check_ticker(void)
{
	struct pollfd p = { .events = POLLIN };
	int64_t used_ns = cpu_ns();
	hpt_ticker *t;

	if (hpt_ticker_new(NULL, 50 * NS_PER_MS, 0, &t)) {
		CHECK(false, "no ticker");
		return;
	}
	for (int i = 0; i < 5; i++)
		check_result("a tick of a ticker", hpt_ticker_wait(t, NULL));
	p.fd = hpt_ticker_fd(t);
	CHECK(p.fd >= 0 && poll(&p, 1, -1) == 1, "the ticker's descriptor: %d", p.fd);
	check_cpu("a ticker", used_ns);
	hpt_ticker_free(t);
}

static void *interrupt_later(void *waiter)
{
	poll(NULL, 0, 50);
	hpt_waiter_interrupt(waiter);
	return NULL;
}

static void check_interrupt(void)
{
	pthread_t thread;
	hpt_waiter *w;

	if (hpt_waiter_new(NULL, 0, &w) || pthread_create(&thread, NULL, interrupt_later, w)) {
		CHECK(false, "no waiter or no thread");
		return;
	}
	CHECK(hpt_waiter_sleep_ns(w, 3600 * 1000 * NS_PER_MS) == -ECANCELED, "not interrupted");
}

static void check_wall(void)
{
	hpt_wall *w;

	if (hpt_wall_open(NULL, NULL, 0, 0, &w))
		return; /* by this counter there is none */
	CHECK(hpt_wall_wait_ready(w, 0, 50 * NS_PER_MS) < 0, "a bound without a source");
	hpt_wall_close(w);
}

int main(int argc, char **argv)
{
	if (argc != 4 || !fault)
		return 2;
	alarm(LIMIT_S);
	if (!strcmp(argv[3], "late")) {
		hpt_now_ns(NULL);
		hpt_sleep_ns(NULL, NS_PER_MS);
		is_installed = filter_deny(fault->calls, fault->n, error_of(argv[2]));
	}
	if (!is_installed)
		return skip("no seccomp here");
	check_sleeps();
	check_ticker();
	check_wall();
	if (!fault->no_waits) /* libc's threads wait too */
		check_interrupt();
	fflush(stderr);
	_exit(failures != 0);
}
