// SPDX-License-Identifier: MIT
/*
 * After PR_TSC_SIGSEGV, RDTSC and with it the vDSO's clocks raise SIGSEGV. A library loaded after that must keep time
 * by system calls and report the reason. (A dynamic program cannot even start in that state, hence dlopen.)
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <hpt/hpt.h>

#include "process.h"

static void *library;

static void *function(const char *name)
{
	void *f = dlsym(library, name);

	if (!f) {
		fprintf(stderr, "%s\n", dlerror());
		exit(1);
	}
	return f;
}

#define CALL(name) ((__typeof__(&name))function(#name))

/* Not by clock_gettime(): that would raise SIGSEGV. */
static int64_t realtime_ns(void)
{
	struct timespec ts;

	syscall(SYS_clock_gettime, CLOCK_REALTIME, &ts);
	return (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

static void check_source(void)
{
	struct hpt_source_info info = { 0 };
	hpt_clock *clk = NULL;

	CHECK(!CALL(hpt_source_get_info)(HPT_SOURCE_TSC, &info, sizeof(info)), "no info");
	CHECK(info.reason == HPT_REASON_TSC_FORBIDDEN, "reason %u", info.reason);
	CHECK(info.error == EPERM && !info.usable && !info.chosen, "error %u", info.error);
	CHECK(CALL(hpt_clock_open)(HPT_SOURCE_TSC, 0, &clk) == -EPERM && !clk, "the TSC was opened");
	CHECK(CALL(hpt_clock_set_default_source)(HPT_SOURCE_TSC, 0) == -EPERM, "the TSC became the default");
}

static void check_reads(void)
{
	struct hpt_clock_info info;
	int64_t before, unix_ns, last = 0, last_ns = 0;
	char text[HPT_TIME_FORMAT_SIZE];

	CHECK(!CALL(hpt_clock_get_info)(NULL, &info, sizeof(info)) && info.source == HPT_SOURCE_OS, "source %u",
	      info.source);
	for (int i = 0; i < 10000; i++) {
		int64_t now = CALL(hpt_now)(NULL), now_ns = CALL(hpt_now_ns)(NULL);

		CHECK(now >= last && now > 0 && now_ns >= last_ns && now_ns >= now, "went back to %lld",
		      (long long)now);
		last = now;
		last_ns = now_ns;
	}
	before = realtime_ns();
	unix_ns = CALL(hpt_now_unix_ns)(NULL);
	CHECK(unix_ns >= before && unix_ns <= realtime_ns(), "not between two system calls");
	CHECK(!CALL(hpt_time_to_unix_ns)(NULL, CALL(hpt_now)(NULL), &unix_ns) && unix_ns >= before, "conversion");
	CHECK(CALL(hpt_time_format)(NULL, last, text, sizeof(text)) == 30, "format");
	CHECK(CALL(hpt_now_unordered)(NULL) >= last, "unordered");
}

/* The first tick of a duration is read before the clock is known. */
static void check_sleeps(void)
{
	int64_t start = CALL(hpt_now)(NULL);
	hpt_waiter *w;

	CHECK(!CALL(hpt_sleep_ns)(NULL, 1000) && !CALL(hpt_sleep_until_ticks)(NULL, start + 2000), "a sleep failed");
	CHECK(!CALL(hpt_waiter_new)(NULL, 0, &w) && !CALL(hpt_waiter_sleep_ns)(w, 1000), "a waiter's sleep failed");
	CHECK(CALL(hpt_now)(NULL) - start >= 3000, "early");
	CALL(hpt_waiter_free)(w);
}

int main(int argc, char **argv)
{
	if (argc != 2)
		return 2;
	if (prctl(PR_SET_TSC, PR_TSC_SIGSEGV, 0, 0, 0))
		return skip("no PR_SET_TSC here");
	unsetenv("HPT_SOURCE"); /* the test is of the library's own choice */
	library = dlopen(argv[1], RTLD_NOW);
	if (!library) {
		fprintf(stderr, "%s\n", dlerror());
		return 1;
	}
	check_source();
	check_reads();
	check_sleeps();
	return failures != 0;
}
