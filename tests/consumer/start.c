/* SPDX-License-Identifier: MIT */
/* Reads the clock in .preinit_array, in a constructor and in main. The test links it in each possible way. */
#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include <hpt/hpt.h>

/* The clock's rate may differ from the kernel's: the HPET's register allows 500 ppm, far less than 10 ms since load. */
#define TOLERANCE_NS 10000000

struct reading {
	const char *where;
	hpt_time_t ticks;
	int64_t    ns, raw_before, raw_after, mono_before, mono_after;
	uint32_t   source;
};

static struct reading early, built, in_main;

static int64_t clock_ns(clockid_t id)
{
	struct timespec ts;

	return clock_gettime(id, &ts) ? -1 : (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

static void take(struct reading *ret, const char *where)
{
	struct hpt_clock_info info;

	ret->where = where;
	ret->ticks = hpt_now(NULL);
	ret->raw_before = clock_ns(CLOCK_MONOTONIC_RAW);
	ret->mono_before = clock_ns(CLOCK_MONOTONIC);
	ret->ns = hpt_now_ns(NULL);
	ret->raw_after = clock_ns(CLOCK_MONOTONIC_RAW);
	ret->mono_after = clock_ns(CLOCK_MONOTONIC);
	ret->source = hpt_clock_get_info(NULL, &info, sizeof(info)) ? HPT_SOURCE_AUTO : info.source;
}

static void preinit(int argc, char **argv, char **envp)
{
	(void)argc, (void)argv, (void)envp;
	take(&early, "preinit_array");
}

__attribute__((section(".preinit_array"), used)) static void (*const at_preinit)(int, char **, char **) = preinit;

__attribute__((constructor(101))) static void construct(void)
{
	take(&built, "constructor");
}

static int is_sane(const struct reading *r)
{
	int os = r->source == HPT_SOURCE_OS;
	int64_t before = os ? r->mono_before : r->raw_before, after = os ? r->mono_after : r->raw_after;

	if (r->where && r->ticks > 0 && r->ns >= before - TOLERANCE_NS && r->ns <= after + TOLERANCE_NS)
		return 1;
	fprintf(stderr, "%s: ticks %" PRId64 ", %" PRId64 " ns is not in %" PRId64 " to %" PRId64 "\n",
		r->where ? r->where : "never called", r->ticks, r->ns, before, after);
	return 0;
}

static int is_after(const struct reading *earlier, const struct reading *later)
{
	if (earlier->source == later->source && earlier->ticks <= later->ticks && earlier->ns <= later->ns)
		return 1;
	fprintf(stderr, "%s: not after %s on the same source\n", later->where, earlier->where);
	return 0;
}

/* Each process measures for itself whether its TSC is cheap: one that is vetoed only for its cost counts as chosen. */
static const char *name_of_source(void)
{
	struct hpt_source_info tsc;

	if (!hpt_source_get_info(HPT_SOURCE_TSC, &tsc, sizeof(tsc)) && tsc.reason == HPT_REASON_TSC_EXPENSIVE)
		return hpt_source_name(HPT_SOURCE_TSC);
	return hpt_source_name(in_main.source);
}

int main(void)
{
	take(&in_main, "main");
	printf("%s\n", name_of_source());
	return !(is_sane(&early) && is_sane(&built) && is_sane(&in_main) &&
		 is_after(&early, &built) && is_after(&built, &in_main));
}
