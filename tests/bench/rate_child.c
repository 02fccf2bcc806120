// SPDX-License-Identifier: MIT
/*
 * A new process that converts for the first time when its library has reached an age, and writes the rate that the
 * library then reports.
 *
 * usage: rate_child AGE_NS
 *
 * The age counts from the library's constructor, where it takes its anchor, and not from main. The constructor runs
 * after .preinit_array and before the program's own constructors, so it lies between two readings of the clock. The
 * later reading gives an age that the library has certainly reached.
 */
#include <sys/prctl.h>
#include <unistd.h>

#include <hpt/hpt.h>

#include "bench.h"
#include "rate.h"

static int64_t before_load_ns, after_load_ns;

static void preinit(void)
{
	before_load_ns = bench_ns();
}

__attribute__((section(".preinit_array"), used)) static void (*const preinit_entry)(void) = preinit;

__attribute__((constructor)) static void library_is_loaded(void)
{
	after_load_ns = bench_ns();
}

int main(int argc, char **argv)
{
	struct rate_report report = { .load_ns = after_load_ns - before_load_ns };
	struct hpt_clock_info info;
	int64_t start_ns;

	if (argc != 2)
		return 2;
	prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL); /* the default slack, 50 us, would add 5 % to an age of 1 ms */
	bench_sleep_until(after_load_ns + atoll(argv[1]));
	start_ns = bench_ns();
	BENCH_USE(hpt_now_ns(NULL));
	report.first_ns = bench_ns() - start_ns;
	report.age_ns = start_ns - after_load_ns;
	if (hpt_clock_get_info(NULL, &info, sizeof(info)))
		return 1;
	report.frequency_uhz = info.frequency_uhz;
	report.frequency_error_ppb = info.frequency_error_ppb;
	report.frequency_origin = info.frequency_origin;
	report.source = info.source;
	return write(STDOUT_FILENO, &report, sizeof(report)) == sizeof(report) ? 0 : 1;
}
