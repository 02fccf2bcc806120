// SPDX-License-Identifier: MIT
/* Clocks of the live machine: open, reads, and every invalid argument. */
#include <errno.h>
#include <time.h>

#include "unit.h"

#include "hpt/hpt.h"
#include "hpt/system.h"
#include "arch/arch.h"

#define UNTOUCHED ((hpt_clock *)&untouched)
static char untouched;

static void unknown_sources_are_invalid(void **state)
{
	static const uint32_t unknown[] = { 7, 8, 100, UINT32_MAX };

	(void)state;
	for (size_t i = 0; i < COUNT(unknown); i++) {
		hpt_clock *clk = UNTOUCHED;

		assert_int_equal(hpt_clock_open(unknown[i], 0, &clk), -EINVAL);
		assert_ptr_equal(clk, UNTOUCHED);
		assert_int_equal(hpt_clock_set_default_source(unknown[i], 0), -EINVAL);
	}
	assert_int_equal(hpt_clock_open(HPT_SOURCE_OS, 0, NULL), -EINVAL);
	assert_int_equal(hpt_clock_open(UINT32_MAX, 0, NULL), -EINVAL);
}

#ifdef HPT_ARCH_X86
#define OTHER_MACHINES HPT_SOURCE_ARCH
#else
#define OTHER_MACHINES HPT_SOURCE_TSC
#endif

static void sources_of_other_machines_are_no_device(void **state)
{
	hpt_clock *clk = UNTOUCHED;
	struct hpt_source_info info;

	(void)state;
	assert_int_equal(hpt_clock_open(OTHER_MACHINES, 0, &clk), -ENODEV);
	assert_ptr_equal(clk, UNTOUCHED);
	assert_int_equal(hpt_source_get_info(OTHER_MACHINES, &info, sizeof(info)), 0);
	assert_int_equal(info.usable, 0);
	assert_int_equal(info.reason, HPT_REASON_NOT_BUILT);
	assert_int_equal(info.error, ENODEV);
}

static void a_manual_clock_is_not_opened(void **state)
{
	struct hpt_source_info info;
	hpt_clock *clk = UNTOUCHED;

	(void)state;
	assert_int_equal(hpt_clock_open(HPT_SOURCE_MANUAL, 0, &clk), -ENOTSUP);
	assert_ptr_equal(clk, UNTOUCHED);
	assert_int_equal(hpt_clock_set_default_source(HPT_SOURCE_MANUAL, 0), -ENOTSUP);
	assert_int_equal(hpt_source_get_info(HPT_SOURCE_MANUAL, &info, sizeof(info)), 0);
	assert_int_equal(info.usable, 0);
	assert_int_equal(info.reason, HPT_REASON_MANUAL);
	assert_string_equal(info.name, "manual");
}

static void check_reads(hpt_clock *clk)
{
	hpt_time_t last = hpt_now(clk);
	int64_t last_ns = hpt_now_ns(clk);

	for (int i = 0; i < rounds(100000); i++) {
		hpt_time_t now = hpt_now(clk);
		int64_t ns = hpt_now_ns(clk);

		assert_true(now >= last && ns >= last_ns);
		last = now;
		last_ns = ns;
	}
	assert_true(hpt_now_unordered(clk) > 0);
}

static void reads_are_monotonic(void **state)
{
	hpt_clock *os;

	(void)state;
	check_reads(NULL);
	check_reads(hpt_clock_default());
	assert_int_equal(hpt_clock_open(HPT_SOURCE_OS, 0, &os), 0);
	check_reads(os);
	hpt_clock_close(os);
}

static void os_clock_counts_the_nanoseconds_of_monotonic(void **state)
{
	struct hpt_clock_info info;
	struct timespec ts;
	hpt_clock *os;
	int64_t before, ns;

	(void)state;
	assert_int_equal(hpt_clock_open(HPT_SOURCE_OS, 0, &os), 0);
	clock_gettime(CLOCK_MONOTONIC, &ts);
	before = (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
	ns = hpt_now_ns(os);
	clock_gettime(CLOCK_MONOTONIC, &ts);
	assert_true(before <= ns && ns <= (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec);
	assert_int_equal(hpt_clock_get_info(os, &info, sizeof(info)), 0);
	assert_int_equal(info.source, HPT_SOURCE_OS);
	assert_int_equal(info.reason, HPT_REASON_REQUESTED);
	assert_int_equal(info.state, HPT_STATE_OK);
	assert_int_equal(info.flags & HPT_CLOCK_IS_DEFAULT, 0);
	assert_true(info.read_cost_samples >= 32);
	hpt_clock_close(os);
}

static void auto_opens_the_librarys_choice(void **state)
{
	struct hpt_clock_info dflt, own;
	hpt_clock *clk;

	(void)state;
	assert_int_equal(hpt_clock_open(HPT_SOURCE_AUTO, 0, &clk), 0);
	assert_ptr_not_equal(clk, hpt_clock_default());
	assert_int_equal(hpt_clock_get_info(NULL, &dflt, sizeof(dflt)), 0);
	assert_int_equal(hpt_clock_get_info(clk, &own, sizeof(own)), 0);
	assert_int_equal(own.source, dflt.source);
	hpt_clock_close(clk);
}

static void null_is_the_default(void **state)
{
	hpt_time_t a, b, c;

	(void)state;
	a = hpt_now(hpt_clock_default());
	b = hpt_now(NULL);
	c = hpt_now(hpt_clock_default());
	assert_true(a <= b && b <= c);
	assert_int_equal(hpt_ticks_to_ns(NULL, 1000), hpt_ticks_to_ns(hpt_clock_default(), 1000));
}

static void every_call_leaves_errno_alone(void **state)
{
	char text[HPT_TIME_FORMAT_SIZE];
	struct hpt_clock_info clock_info;
	struct hpt_source_info source_info;
	struct hpt_cpu_info cpu_info;
	hpt_clock *clk;
	int64_t ns;

	(void)state;
	errno = EXDEV;
#define KEEPS_ERRNO(call)                        \
	do {                                     \
		__auto_type result = (call);     \
						 \
		(void)result;                    \
		assert_int_equal(errno, EXDEV);  \
	} while (0)

	KEEPS_ERRNO(hpt_clock_default());
	KEEPS_ERRNO(hpt_now(NULL));
	KEEPS_ERRNO(hpt_now_unordered(NULL));
	KEEPS_ERRNO(hpt_now_ns(NULL));
	KEEPS_ERRNO(hpt_now_ns_unordered(NULL));
	KEEPS_ERRNO(hpt_now_cpu(NULL, NULL));
	KEEPS_ERRNO(hpt_now_unix_ns(NULL));
	KEEPS_ERRNO(hpt_ticks_to_ns(NULL, 1));
	KEEPS_ERRNO(hpt_ns_to_ticks(NULL, 1));
	KEEPS_ERRNO(hpt_time_to_unix_ns(NULL, hpt_now(NULL), &ns));
	KEEPS_ERRNO(hpt_time_format(NULL, hpt_now(NULL), text, sizeof(text)));
	KEEPS_ERRNO(hpt_clock_get_info(NULL, &clock_info, sizeof(clock_info)));
	KEEPS_ERRNO(hpt_source_get_info(HPT_SOURCE_HPET, &source_info, sizeof(source_info)));
	KEEPS_ERRNO(hpt_cpu_get_info(&cpu_info, sizeof(cpu_info)));
	KEEPS_ERRNO(hpt_kernel_hz());
	KEEPS_ERRNO(hpt_source_name(1));
	KEEPS_ERRNO(hpt_reason_text(1));
	KEEPS_ERRNO(hpt_clock_open(HPT_SOURCE_OS, 0, NULL));
	KEEPS_ERRNO(hpt_clock_open(HPT_SOURCE_ARCH, 0, &clk));
	for (uint32_t id = HPT_SOURCE_TSC; id <= HPT_SOURCE_OS; id++) { /* may succeed or fail */
		clk = NULL;
		KEEPS_ERRNO(hpt_clock_open(id, 0, &clk));
		if (clk)
			KEEPS_ERRNO(hpt_now_ns(clk));
		hpt_clock_close(clk);
		assert_int_equal(errno, EXDEV);
	}
	KEEPS_ERRNO(hpt_clock_set_default_source(HPT_SOURCE_MMIO, 0));
	KEEPS_ERRNO(hpt_clock_set_default_source(HPT_SOURCE_OS, 0));
	KEEPS_ERRNO(hpt_clock_set_default_source(HPT_SOURCE_AUTO, 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(unknown_sources_are_invalid),
		cmocka_unit_test(sources_of_other_machines_are_no_device),
		cmocka_unit_test(a_manual_clock_is_not_opened),
		cmocka_unit_test(reads_are_monotonic),
		cmocka_unit_test(os_clock_counts_the_nanoseconds_of_monotonic),
		cmocka_unit_test(auto_opens_the_librarys_choice),
		cmocka_unit_test(null_is_the_default),
		cmocka_unit_test(every_call_leaves_errno_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
