// SPDX-License-Identifier: MIT
/*
 * The kernel stops keeping time with the TSC while a process uses it: a file that imitates current_clocksource, in a
 * mount namespace, says so. Reads continue; from then on times are converted by the kernel's own clocks.
 *
 * usage: demoted WORD      the file's last content
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mount.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "namespaces.h"
#include "process.h"

#define FILE_PATH "/sys/devices/system/clocksource/clocksource0/current_clocksource"
#define FAKE_PATH "/dev/current_clocksource"

#define READS 10000

/* The rate of the ticks is compared over RATE_MS, to one part in PARTS. */
#define RATE_MS  50
#define PARTS    1000

/* The counter is read that often; the reading with the narrowest bracket is used. */
#define TRIES 10

/* Writes the word as sysfs does, with a newline; an empty word leaves the file empty. */
static int say(const char *word)
{
	int fd = open(FAKE_PATH, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0644);
	char line[64];
	int n = *word ? snprintf(line, sizeof(line), "%s\n", word) : 0;

	return fd < 0 || write(fd, line, (size_t)n) != n || close(fd);
}

static void expect(const char *word, uint32_t state, uint64_t generation)
{
	struct hpt_clock_info info = { 0 };
	int r;

	CHECK(!say(word), "%s: %s", FAKE_PATH, strerror(errno));
	r = hpt_clock_check(NULL, NULL);
	CHECK(r == (int)state, "\"%s\": state %d, wanted %u", word, r, state);
	CHECK(hpt_clock_generation(NULL) == generation, "\"%s\": generation %llu, wanted %llu", word,
	      (unsigned long long)hpt_clock_generation(NULL), (unsigned long long)generation);
	CHECK(!hpt_clock_get_info(NULL, &info, sizeof(info)), "no info");
	CHECK(info.source == HPT_SOURCE_TSC && info.state == state && info.generation == generation,
	      "\"%s\": info has source %u, state %u, generation %llu", word, info.source, info.state,
	      (unsigned long long)info.generation);
	failures += check_clock(NULL);
}

/* A counter read between two readings of CLOCK_MONOTONIC_RAW. */
struct bracket {
	int64_t    before_ns, after_ns;
	hpt_time_t tick;
};

static struct bracket take_bracket(void)
{
	struct bracket best = { .after_ns = INT64_MAX };

	for (int i = 0; i < TRIES; i++) {
		struct bracket b;

		b.before_ns = clock_ns(CLOCK_MONOTONIC_RAW);
		b.tick = hpt_now(NULL);
		b.after_ns = clock_ns(CLOCK_MONOTONIC_RAW);
		if (b.after_ns - b.before_ns < best.after_ns - best.before_ns)
			best = b;
	}
	return best;
}

/* hpt_now() still reads the counter. */
static void check_ticks(hpt_time_t before)
{
	struct timespec pause = { .tv_nsec = RATE_MS * 1000000 };
	struct bracket first = take_bracket(), last;
	int64_t ns, least_ns, most_ns;

	CHECK(first.tick >= before, "ticks went back");
	nanosleep(&pause, NULL);
	last = take_bracket();
	ns = hpt_ticks_to_ns(NULL, last.tick - first.tick);
	least_ns = last.before_ns - first.after_ns;
	most_ns = last.after_ns - first.before_ns;
	CHECK(ns > least_ns - least_ns / PARTS && ns < most_ns + most_ns / PARTS,
	      "%lld ns by ticks, %lld to %lld by the kernel", (long long)ns, (long long)least_ns, (long long)most_ns);
}

/* The times are those of the kernel's clocks themselves, not merely near them. */
static void check_kernels_own(void)
{
	static const struct {
		clockid_t id;
		int64_t (*now_ns)(hpt_clock *clk);
	} lines[] = {
		{ CLOCK_MONOTONIC_RAW, hpt_now_ns }, { CLOCK_REALTIME, hpt_now_unix_ns },
		{ CLOCK_MONOTONIC, hpt_now_monotonic_ns }, { CLOCK_BOOTTIME, hpt_now_boottime_ns },
		{ CLOCK_TAI, hpt_now_tai_ns },
	};
	struct hpt_clock_info info;

	for (size_t line = 0; line < sizeof(lines) / sizeof(lines[0]); line++) {
		int wrong = 0;

		for (int i = 0; i < READS; i++) {
			int64_t before = clock_ns(lines[line].id), ns = lines[line].now_ns(NULL);

			wrong += ns < before || ns > clock_ns(lines[line].id);
		}
		CHECK(!wrong, "%d of %d times not between two readings of clock %d", wrong, READS, (int)lines[line].id);
	}
	CHECK(!hpt_clock_get_info(NULL, &info, sizeof(info)) && !info.os_error_ns, "error %lld ns",
	      (long long)info.os_error_ns);
}

static int demote(const char *word)
{
	uint64_t generation = hpt_clock_generation(NULL);
	hpt_time_t t = hpt_now(NULL);

	expect("tsc", HPT_STATE_OK, generation);
	expect("", HPT_STATE_OK, generation); /* unreadable is no verdict */
	expect(word, HPT_STATE_DEMOTED, generation + 1);
	check_kernels_own();
	check_ticks(t);
	expect("", HPT_STATE_DEMOTED, generation + 1);
	expect("tsc", HPT_STATE_OK, generation + 2);
	check_ticks(t);
	return failures != 0;
}

int main(int argc, char **argv)
{
	struct hpt_clock_info info = { 0 };
	int r;

	if (argc != 2)
		return 2;
	CHECK(!hpt_clock_get_info(NULL, &info, sizeof(info)), "no info");
	if (info.source != HPT_SOURCE_TSC || info.state != HPT_STATE_OK || kernel_word() != KERNEL_TSC)
		return skip("the kernel does not keep time with the TSC, or we do not");
	hpt_now_ns(NULL); /* calibrate before the change */
	r = enter_own_dev();
	if (r || say("tsc") || mount(FAKE_PATH, FILE_PATH, NULL, MS_BIND, NULL)) {
		printf("%s\n", strerror(r ? -r : errno));
		return skip("no mount namespace with a file of our own over " FILE_PATH);
	}
	return demote(argv[1]);
}
