// SPDX-License-Identifier: MIT
/*
 * A process in a time namespace: its nanoseconds follow the namespace's own clocks.
 * started: the process starts there. forked: it is forked into the namespace after load and before its first
 * conversion, so the constructor's anchor belongs to the old clocks. checked, used: it has already converted, and must
 * notice the change: at once by a check, within about a second by use alone.
 *
 * usage: time_namespace started|forked|checked|used [back]
 */
#include <sched.h>
#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "namespaces.h"
#include "process.h"

#ifndef CLONE_NEWTIME
#define CLONE_NEWTIME 0x80
#endif

#define NS_PER_S INT64_C(1000000000)

/* About 32 years: longer than any machine has been up. */
#define OFFSET_S 1000000000
/* CLOCK_BOOTTIME moves by another amount, so that the change does not look like a suspend. */
#define BOOTTIME_OFFSET_S 5000

/* A clock in use takes a sample once a second; the rest is for a busy machine. */
#define NOTICE_NS (NS_PER_S * 12 / 10)
#define RAW_SLACK_NS  1000
#define UNIX_SLACK_NS 1000000
#define READS         1000

/* ---- Started there, or not calibrated yet -------------------------------------------------------------- */

static int check_inside(void)
{
	CHECK(clock_ns(CLOCK_MONOTONIC_RAW) >= OFFSET_S * NS_PER_S, "not in the namespace");
	CHECK(hpt_now_ns(NULL) >= OFFSET_S * NS_PER_S, "%lld ns", (long long)hpt_now_ns(NULL));
	failures += check_clock(NULL);
	return failures != 0;
}

static int start(char *program)
{
	char self[] = "/proc/self/exe", inside[] = "inside";
	char *args[] = { program, inside, NULL };

	execv(self, args);
	return 1;
}

/* ---- With the parent's calibrated clock ------------------------------------------------------------------ */

struct before {
	hpt_time_t ticks;
	int64_t    raw_ns;
	uint64_t   generation;
};

/* After this much use the clock takes a sample no more often than once a second. */
static struct before take_before(void)
{
	int64_t ns = hpt_now_ns(NULL), raw_ns = clock_ns(CLOCK_MONOTONIC_RAW);

	while (hpt_now_ns(NULL) < ns + NOTICE_NS)
		;
	return (struct before){ hpt_now(NULL), raw_ns, hpt_clock_generation(NULL) };
}

/* Only reads the clock, as a program does. */
static void use_until_noticed(const struct before *before)
{
	int64_t start_ns = clock_ns(CLOCK_MONOTONIC_RAW), passed_ns = 0, raw_ns = start_ns;

	/* The time of the latest read that did not notice: the next one may come late. */
	while (llabs(hpt_now_ns(NULL) - raw_ns) > NS_PER_S && passed_ns < 3 * NS_PER_S) {
		passed_ns = raw_ns - start_ns;
		raw_ns = clock_ns(CLOCK_MONOTONIC_RAW);
	}
	printf("not noticed until %lld ms\n", (long long)passed_ns / 1000000);
	CHECK(passed_ns <= NOTICE_NS, "not noticed within %lld ns of use", (long long)NOTICE_NS);
	CHECK(hpt_clock_generation(NULL) == before->generation + 1, "generation %llu",
	      (unsigned long long)hpt_clock_generation(NULL));
}

static void check_noticed(const struct before *before)
{
	struct hpt_clock_info info = { 0 };

	CHECK(!hpt_clock_get_info(NULL, &info, sizeof(info)), "no info");
	CHECK(info.state == HPT_STATE_REANCHORED, "state %u", info.state);
	CHECK(info.generation == before->generation + 1, "generation %llu became %llu",
	      (unsigned long long)before->generation, (unsigned long long)info.generation);
}

/* Each reading lies between two of the kernel's, give or take the error of the newest record. */
static void check_new_timeline(clockid_t id, int64_t (*read)(hpt_clock *clk), int64_t slack_ns)
{
	int wrong = 0;

	for (int i = 0; i < READS; i++) {
		int64_t before = clock_ns(id) - slack_ns, ns = read(NULL);

		wrong += ns < before || ns > clock_ns(id) + slack_ns;
	}
	CHECK(!wrong, "%d of %d readings do not follow clock %d", wrong, READS, (int)id);
}

static void check_ticks(const struct before *before)
{
	int64_t passed_ns = hpt_ticks_to_ns(NULL, hpt_now(NULL) - before->ticks);

	CHECK(passed_ns > 0 && passed_ns < 60 * NS_PER_S, "%lld ns passed by the ticks", (long long)passed_ns);
}

static int check_change(const struct before *before, bool at_once)
{
	int64_t moved_ns = clock_ns(CLOCK_MONOTONIC_RAW) - before->raw_ns;

	CHECK(llabs(moved_ns) > 2 * NS_PER_S, "not in the namespace");
	check_ticks(before);
	if (at_once)
		CHECK(hpt_clock_check(NULL, NULL) == (int)HPT_STATE_REANCHORED, "state %d",
		      hpt_clock_check(NULL, NULL));
	else
		use_until_noticed(before);
	check_noticed(before);
	check_new_timeline(CLOCK_MONOTONIC_RAW, hpt_now_ns, RAW_SLACK_NS);
	check_new_timeline(CLOCK_REALTIME, hpt_now_unix_ns, UNIX_SLACK_NS);
	check_new_timeline(CLOCK_MONOTONIC, hpt_now_monotonic_ns, UNIX_SLACK_NS);
	check_new_timeline(CLOCK_BOOTTIME, hpt_now_boottime_ns, UNIX_SLACK_NS);
	check_new_timeline(CLOCK_TAI, hpt_now_tai_ns, UNIX_SLACK_NS);
	check_ticks(before);
	failures += check_clock(NULL);
	/* Reported once: nothing has changed since. */
	CHECK(hpt_clock_check(NULL, NULL) == (int)HPT_STATE_REANCHORED, "state %d", hpt_clock_check(NULL, NULL));
	check_noticed(before);
	return failures != 0;
}

/* ---- Entering the namespace --------------------------------------------------------------------------------- */

enum how { STARTED, FORKED, CHECKED, USED, N_HOW };
static const char *const hows[N_HOW] = { "started", "forked", "checked", "used" };

static int be_child(enum how how, const struct before *before, char *program)
{
	if (how == STARTED)
		return start(program);
	return how == FORKED ? check_inside() : check_change(before, how == CHECKED);
}

/* unshare(2) puts only the children into the new namespace. */
static int go_inside(enum how how, const struct before *before, char *program)
{
	pid_t pid = fork();
	int status = 0;

	if (!pid)
		exit(be_child(how, before, program));
	CHECK(pid > 0 && waitpid(pid, &status, 0) == pid, "no child");
	CHECK(WIFEXITED(status) && !WEXITSTATUS(status), "status %#x", (unsigned)status);
	return failures != 0;
}

/* Back by half of the machine's uptime: no clock may be below zero. */
static long offset_s(bool back)
{
	return back ? (long)(clock_ns(CLOCK_MONOTONIC) / NS_PER_S / -2) : OFFSET_S;
}

static int run(enum how how, bool back, char *program)
{
	bool calibrated = how == CHECKED || how == USED;
	struct before before = calibrated ? take_before() : (struct before){ 0 };
	char text[96];

	if (back && clock_ns(CLOCK_MONOTONIC) < 10 * NS_PER_S)
		return skip("the machine has not been up for long enough to set its clock back");
	if (enter_namespaces(CLONE_NEWTIME))
		return skip("no permission for a time namespace here");
	snprintf(text, sizeof(text), "monotonic %ld 0\nboottime %d 0\n", offset_s(back), BOOTTIME_OFFSET_S);
	if (write_text("/proc/self/timens_offsets", text))
		return skip("the clocks of a time namespace cannot be set here");
	return go_inside(how, &before, program);
}

int main(int argc, char **argv)
{
	bool back = argc == 3 && !strcmp(argv[2], "back");
	struct hpt_clock_info info = { 0 };

	if (argc < 2)
		return 2;
	if (!strcmp(argv[1], "inside"))
		return check_inside();
	for (enum how how = STARTED; how < N_HOW; how++) {
		if (strcmp(argv[1], hows[how]))
			continue;
		if (how >= CHECKED && (hpt_clock_get_info(NULL, &info, sizeof(info)) || info.source == HPT_SOURCE_OS))
			return skip("the OS clock is the namespace's own: nothing to notice");
		return run(how, back, argv[0]);
	}
	return 2;
}
