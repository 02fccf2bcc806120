// SPDX-License-Identifier: MIT
#include "check.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "process.h"
#include "hpt/system.h"

#define NS_PER_S 1000000000

/* The checks find a wrong zero or timeline, not imprecision: coarse clocks lag, and CLOCK_REALTIME may be slewed. */
#define COARSE_NS NS_PER_S
/* A generous bound for a rate that differs from the kernel's since load (the HPET's register allows 500 ppm). */
#define RAW_NS    10000000

/* The rate is refined a few times a second at most. */
#define TRIES     1000

/* Returns the failures so far and starts at 0, so that each check counts its own. */
static int counted(void)
{
	int n = failures;

	failures = 0;
	return n;
}

/* ---- The clock --------------------------------------------------------------------------------------- */

/* Reads until the clock was seen to move, which takes a coarse one milliseconds. */
static void check_reads(hpt_clock *clk)
{
	int64_t first = hpt_now(clk), first_ns = hpt_now_ns(clk), last = first, last_ns = first_ns;

	for (int i = 0; i < 1000 || last == first || last_ns == first_ns; i++) {
		int64_t now = hpt_now(clk), now_ns = hpt_now_ns(clk);

		if (now < last || now_ns < last_ns) {
			CHECK(false, "went back: %lld after %lld, %lld ns after %lld", (long long)now, (long long)last,
			      (long long)now_ns, (long long)last_ns);
			return;
		}
		last = now;
		last_ns = now_ns;
	}
	CHECK(hpt_now_unordered(clk) > 0 && first > 0 && first_ns > 0, "a time is zero or negative");
}

/* By one rate: if it was refined between the two conversions, the ticks are others afterwards. */
static int64_t there_and_back(hpt_clock *clk, int64_t ns)
{
	int64_t ticks, back;
	int tries = 0;

	do {
		ticks = hpt_ns_to_ticks(clk, ns);
		back = hpt_ticks_to_ns(clk, ticks);
	} while (hpt_ns_to_ticks(clk, ns) != ticks && ++tries < TRIES);
	CHECK(tries < TRIES, "the rate changed %d times in a row", tries);
	return back;
}

static void check_conversions(hpt_clock *clk)
{
	static const int64_t durations[] = { 0, 1, 1000, NS_PER_S, -NS_PER_S, INT64_C(86400) * NS_PER_S };
	int64_t tick_ns = hpt_ticks_to_ns(clk, 1) + 1;
	struct hpt_clock_info info;
	uint64_t per_10_6_s = (uint64_t)hpt_ns_to_ticks(clk, INT64_C(1000000) * NS_PER_S);

	for (size_t i = 0; i < sizeof(durations) / sizeof(durations[0]); i++) {
		int64_t back = there_and_back(clk, durations[i]);

		CHECK(llabs(back - durations[i]) <= tick_ns, "%lld ns came back as %lld", (long long)durations[i],
		      (long long)back);
	}
	CHECK(!hpt_clock_get_info(clk, &info, sizeof(info)), "no info");
	CHECK(info.frequency_origin != HPT_ORIGIN_NONE, "no rate");
	/* The rate may have been refined between the two calls. */
	CHECK(per_10_6_s / 1000 >= info.frequency_uhz / 1001 && per_10_6_s / 1001 <= info.frequency_uhz / 1000,
	      "%llu uHz, but %llu ticks in 10^6 s", (unsigned long long)info.frequency_uhz,
	      (unsigned long long)per_10_6_s);
}

/* Where there is a vDSO this takes neither a system call nor the TSC: the fault may have removed both. */
static int64_t coarse_ns(clockid_t id)
{
	struct timespec ts = { 0 };

	CHECK(!clock_gettime(id, &ts), "no clock %d to compare with", (int)id);
	return (int64_t)ts.tv_sec * NS_PER_S + ts.tv_nsec;
}

static void check_unix_time(hpt_clock *clk)
{
	int64_t before = coarse_ns(CLOCK_REALTIME_COARSE) - COARSE_NS, now = hpt_now_unix_ns(clk), converted = 0, after;
	char text[HPT_TIME_FORMAT_SIZE];

	CHECK(!hpt_time_to_unix_ns(clk, hpt_now(clk), &converted), "no Unix time");
	after = coarse_ns(CLOCK_REALTIME_COARSE) + COARSE_NS;
	CHECK(now >= before && now <= after, "Unix time %lld is not in %lld to %lld", (long long)now, (long long)before,
	      (long long)after);
	CHECK(converted >= before && converted <= after, "converted Unix time %lld is not in %lld to %lld",
	      (long long)converted, (long long)before, (long long)after);
	CHECK(hpt_time_format(clk, hpt_now(clk), text, sizeof(text)) == 30, "no text");
}

/* By system call: libc's may read the TSC. */
#ifdef SYS_clock_gettime64
#define CLOCK_GETTIME SYS_clock_gettime64
#else
#define CLOCK_GETTIME SYS_clock_gettime
#endif

/* Where a sandbox refuses CLOCK_BOOTTIME or CLOCK_TAI another clock answers, which is never later. */
static void check_os_lines(hpt_clock *clk)
{
	int64_t before = coarse_ns(CLOCK_MONOTONIC_COARSE) - COARSE_NS, now = hpt_now_monotonic_ns(clk);
	int64_t after = coarse_ns(CLOCK_MONOTONIC_COARSE) + COARSE_NS, boot_ns = hpt_now_boottime_ns(clk);
	int64_t tai_ns = hpt_now_tai_ns(clk);
	struct timespec ts;

	CHECK(now >= before && now <= after, "CLOCK_MONOTONIC's line at %lld is not in %lld to %lld", (long long)now,
	      (long long)before, (long long)after);
	/* In a time namespace it may be before. */
	before = !syscall(CLOCK_GETTIME, CLOCK_BOOTTIME, &ts) ? ts.tv_sec * NS_PER_S + ts.tv_nsec : now;
	CHECK(llabs(boot_ns - before) <= COARSE_NS, "CLOCK_BOOTTIME's line at %lld, not at %lld", (long long)boot_ns,
	      (long long)before);
	CHECK(tai_ns >= coarse_ns(CLOCK_REALTIME_COARSE) - COARSE_NS, "CLOCK_TAI's line at %lld", (long long)tai_ns);
}

/* Results of additions to a time. */
struct sums {
	hpt_time_t back, a_second_later;
	struct hpt_timespec apart; /* between the time and a second later */
};

static void add_up(hpt_clock *clk, hpt_time_t t, struct sums *ret)
{
	hpt_time_t later = 0;

	*ret = (struct sums){ .back = 0 };
	CHECK(!hpt_time_add_ns(clk, t, 2000000, &later) && !hpt_time_add_ns(clk, later, -2000000, &ret->back),
	      "2 ms later");
	CHECK(!hpt_time_add_ns(clk, t, NS_PER_S, &ret->a_second_later) &&
	      !hpt_ticks_to_timespec(clk, ret->a_second_later - t, &ret->apart), "a second later");
}

/*
 * Between two calls the library may refine the rate, by some hundred ppm where reading the clocks is slow. If a second
 * has the same number of ticks before and after the additions, these are exact.
 */
static void check_sums(hpt_clock *clk, hpt_time_t t)
{
	char length[HPT_TICKS_FORMAT_SIZE];
	int64_t per_s, tick_ns = hpt_ticks_to_ns(clk, 1) + 1;
	struct sums sums;
	int tries = 0;

	do {
		per_s = hpt_ns_to_ticks(clk, NS_PER_S);
		add_up(clk, t, &sums);
	} while (hpt_ns_to_ticks(clk, NS_PER_S) != per_s && ++tries < TRIES);
	CHECK(tries < TRIES, "the rate changed %d times in a row", tries);
	CHECK(llabs(sums.back - t) <= 1, "2 ms later and earlier: %lld after %lld", (long long)sums.back, (long long)t);
	CHECK(llabs(sums.a_second_later - t - per_s) <= 1, "a second is %lld ticks, and %lld to add", (long long)per_s,
	      (long long)(sums.a_second_later - t));
	CHECK(llabs(sums.apart.sec * NS_PER_S + sums.apart.nsec - NS_PER_S) <= tick_ns &&
	      hpt_ticks_format(clk, sums.a_second_later - t, length, sizeof(length)) == 13, "a second is %lld.%09lld s",
	      (long long)sums.apart.sec, (long long)sums.apart.nsec);
}

/* Each form converts there and back. A sample may be taken in between, and find that the wall clock was stepped. */
static void check_forms(hpt_clock *clk)
{
	char text[HPT_TIME_FORMAT_SIZE];
	hpt_time_t t = hpt_now(clk), by_ns = 0, by_timespec = 0, by_text = 0;
	int64_t unix_ns = 0, ticks = 0, allowed = hpt_ns_to_ticks(clk, NS_PER_S);
	struct hpt_timespec ts = { 0, 0 };

	CHECK(!hpt_time_to_unix_ns(clk, t, &unix_ns) && !hpt_time_from_unix_ns(clk, unix_ns, &by_ns), "by ns");
	CHECK(!hpt_time_to_timespec(clk, t, &ts) && !hpt_time_from_timespec(clk, &ts, &by_timespec), "by timespec");
	CHECK(hpt_time_format(clk, t, text, sizeof(text)) > 0 && !hpt_time_parse(clk, text, &by_text), "by text");
	CHECK(llabs(by_ns - t) <= allowed && llabs(by_timespec - t) <= allowed && llabs(by_text - t) <= allowed,
	      "%lld came back as %lld, %lld, %lld", (long long)t, (long long)by_ns, (long long)by_timespec,
	      (long long)by_text);
	check_sums(clk, t);
	CHECK(hpt_time_min(clk) < t && t < hpt_time_max(clk), "now is not convertible");
	/* Above 5 GHz the ticks since 1970 do not fit into 63 bits. */
	CHECK(!hpt_time_to_unix_ticks(clk, t, &ticks) ? ticks > 0 : hpt_ns_to_ticks(clk, NS_PER_S) > 4000000000,
	      "ticks since 1970");
}

/* On the clock's timeline, whose line may be another one after a sample between the two conversions. */
static void check_timeline_there_and_back(hpt_clock *clk, hpt_time_t t)
{
	hpt_time_t back = 0;
	int64_t ns = 0, again = 0;
	int tries = 0;

	do
		CHECK(!hpt_time_to_ns(clk, t, &ns) && !hpt_time_from_ns(clk, ns, &back) &&
		      !hpt_time_to_ns(clk, t, &again), "by ns");
	while (again != ns && ++tries < TRIES);
	CHECK(tries < TRIES && llabs(back - t) <= 100, "%lld came back as %lld by ns", (long long)t, (long long)back);
}

/* A sandbox may refuse the kernel's clocks; the clock's own timeline goes on. */
static void check_lines(hpt_clock *clk)
{
	static const int32_t ids[] = {
		CLOCK_REALTIME, CLOCK_MONOTONIC, CLOCK_MONOTONIC_RAW, CLOCK_BOOTTIME, CLOCK_TAI,
	};
	hpt_time_t t = hpt_now(clk), back = 0;
	struct hpt_sample sample;
	int64_t ns = 0;

	check_timeline_there_and_back(clk, t);
	for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
		int r = hpt_time_to_os(clk, t, ids[i], &ns);

		CHECK(!r || r == -EPERM || r == -ENOSYS || r == -EINVAL, "clock %d: %d", (int)ids[i], r);
		CHECK(r || !hpt_time_from_os(clk, ns, ids[i], &back), "back from clock %d", (int)ids[i]);
	}
	CHECK(!hpt_clock_sample(clk, &sample, sizeof(sample)) && sample.tick >= t && sample.generation, "a sample");
}

/* hpt_now_ns() follows the kernel's clock that the source promises. */
static void check_timeline(hpt_clock *clk)
{
	struct hpt_source_info tsc = { 0 };
	struct hpt_clock_info info;
	struct timespec ts;
	int64_t before = hpt_now_ns(clk), kernel_ns, after;

	CHECK(!hpt_clock_get_info(clk, &info, sizeof(info)), "no info");
	CHECK(!hpt_source_get_info(HPT_SOURCE_TSC, &tsc, sizeof(tsc)), "no info");
	if (info.source == HPT_SOURCE_OS) {
		kernel_ns = coarse_ns(CLOCK_MONOTONIC_COARSE);
		before -= COARSE_NS;
		after = hpt_now_ns(clk) + COARSE_NS;
	} else if (tsc.reason != HPT_REASON_TSC_FORBIDDEN && !clock_gettime(CLOCK_MONOTONIC_RAW, &ts)) {
		kernel_ns = (int64_t)ts.tv_sec * NS_PER_S + ts.tv_nsec;
		before -= RAW_NS;
		after = hpt_now_ns(clk) + RAW_NS;
	} else {
		return; /* nothing left to compare with */
	}
	CHECK(before <= kernel_ns && kernel_ns <= after, "the kernel's clock, %lld ns, is not in %lld to %lld",
	      (long long)kernel_ns, (long long)before, (long long)after);
}

int check_clock(hpt_clock *clk)
{
	counted();
	check_reads(clk);
	check_conversions(clk);
	check_unix_time(clk);
	check_os_lines(clk);
	check_forms(clk);
	check_lines(clk);
	check_timeline(clk);
	return counted();
}

/* ---- The choice ---------------------------------------------------------------------------------------- */

enum kernel_word kernel_word(void)
{
	char text[8] = "";
	int fd = open("/sys/devices/system/clocksource/clocksource0/current_clocksource", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);

	if (fd >= 0)
		close(fd);
	if (n <= 0)
		return KERNEL_UNREADABLE;
	return strcmp(text, "tsc\n") ? KERNEL_OTHER : KERNEL_TSC;
}

/* Follows the table of hpt_source(7), "The TSC". */
static uint32_t verdict(const struct hpt_cpu_info *cpu, enum kernel_word word)
{
	if (!cpu->tsc)
		return HPT_REASON_TSC_ABSENT;
	if (!cpu->rdtscp && !cpu->sse2)
		return HPT_REASON_TSC_NOT_ORDERED;
	if (word == KERNEL_OTHER)
		return HPT_REASON_KERNEL_DISAGREES;
	if (cpu->tsc_class == HPT_CPU_INVARIANT && word == KERNEL_TSC)
		return HPT_REASON_TSC_TRUSTED;
	if (cpu->tsc_class == HPT_CPU_INVARIANT)
		return cpu->hypervisor ? HPT_REASON_TSC_GUEST_ALONE : HPT_REASON_TSC_UNCONTRADICTED;
	if (cpu->tsc_class != HPT_CPU_CONSTANT_BY_FAMILY)
		return HPT_REASON_TSC_NOT_CONSTANT;
	if (cpu->hypervisor)
		return HPT_REASON_TSC_GUEST_FAMILY;
	return word == KERNEL_TSC ? HPT_REASON_TSC_FAMILY : HPT_REASON_TSC_FAMILY_ALONE;
}

static bool is_trust(uint32_t reason)
{
	return reason == HPT_REASON_TSC_TRUSTED || reason == HPT_REASON_TSC_FAMILY ||
	       reason == HPT_REASON_TSC_UNCONTRADICTED;
}

/* Files of packaging/amalgamate have no HPET: tests/onefile/suite.py says so. */
static bool is_left_out(uint32_t source)
{
	return source == HPT_SOURCE_HPET && getenv("TEST_WITHOUT_HPET");
}

static void expect_refused(uint32_t source, const struct refusal *want)
{
	struct hpt_source_info info = { 0 };

	CHECK(!hpt_source_get_info(source, &info, sizeof(info)), "no info");
	CHECK(!info.usable && !info.chosen, "%s is usable or chosen", info.name);
	if (is_left_out(source)) {
		CHECK(info.reason == HPT_REASON_NOT_BUILT && !info.stage, "%s: reason %u", info.name, info.reason);
		return;
	}
	CHECK(info.reason == want->reason, "%s: reason %u, wanted %u: %s", info.name,
	      info.reason, want->reason, hpt_reason_text(info.reason));
	CHECK(info.error == want->error, "%s: errno %u, wanted %u", info.name, info.error, want->error);
	CHECK(info.stage == want->stage, "%s: stage %u, wanted %u", info.name, info.stage, want->stage);
}

static void expect_without_tsc(const struct hpt_clock_info *clock, const struct refusal *hpet)
{
	if (!hpet) {
		CHECK(clock->source == HPT_SOURCE_OS || clock->source == HPT_SOURCE_HPET, "source %u", clock->source);
		return;
	}
	expect_refused(HPT_SOURCE_HPET, hpet);
	CHECK(clock->source == HPT_SOURCE_OS && clock->reason == HPT_REASON_ONLY_ONE, "source %u, reason %u",
	      clock->source, clock->reason);
}

static void expect_with_tsc(const struct hpt_clock_info *clock, uint32_t reason)
{
	struct hpt_source_info hpet = { 0 };

	CHECK(clock->source == HPT_SOURCE_TSC && clock->reason == reason, "source %u, reason %u", clock->source,
	      clock->reason);
	CHECK(!hpt_source_get_info(HPT_SOURCE_HPET, &hpet, sizeof(hpet)), "no info");
	CHECK(hpet.reason == (is_left_out(HPT_SOURCE_HPET) ? HPT_REASON_NOT_BUILT : HPT_REASON_NOT_NEEDED) &&
	      hpet.stage == HPT_STAGE_UNTRIED, "the HPET was tried: reason %u", hpet.reason);
}

int check_choice(enum kernel_word word, const struct refusal *hpet)
{
	struct hpt_clock_info clock = { 0 };
	struct hpt_source_info tsc = { 0 };
	struct hpt_cpu_info cpu;
	uint32_t want;

	counted();
	CHECK(!hpt_clock_get_info(NULL, &clock, sizeof(clock)), "no info");
	CHECK(!hpt_source_get_info(HPT_SOURCE_TSC, &tsc, sizeof(tsc)), "no info");
	CHECK(clock.state == HPT_STATE_OK && !(clock.flags & HPT_CLOCK_ENV_REFUSED), "state %u", clock.state);
	if (hpt_cpu_get_info(&cpu, sizeof(cpu))) {
		CHECK(clock.source == HPT_SOURCE_OS, "source %u without CPUID", clock.source);
		return counted();
	}
	want = verdict(&cpu, word);
	/* The read cost is measured: a trusted TSC may prove expensive. Every other reason takes precedence. */
	CHECK(tsc.reason == want || (is_trust(want) && tsc.reason == HPT_REASON_TSC_EXPENSIVE),
	      "tsc: reason %u, wanted %u: %s", tsc.reason, want, hpt_reason_text(tsc.reason));
	if (is_trust(tsc.reason))
		expect_with_tsc(&clock, want);
	else
		expect_without_tsc(&clock, hpet);
	return counted();
}

/* ---- Refusals --------------------------------------------------------------------------------------------- */

int check_refused(uint32_t source, const struct refusal *want)
{
	counted();
	expect_refused(source, want);
	return counted();
}

int check_not_opened(uint32_t source, const struct refusal *want)
{
	hpt_clock *clk = NULL;
	int r, wanted;

	counted();
	errno = EXDEV;
	r = hpt_clock_open(source, 0, &clk);
	CHECK(errno == EXDEV, "errno became %d", errno);
	wanted = is_left_out(source) ? -ENODEV : -(int)want->error;
	CHECK(r == wanted && !clk, "opened: %d, wanted %d", r, wanted);
	expect_refused(source, want);
	return counted();
}
