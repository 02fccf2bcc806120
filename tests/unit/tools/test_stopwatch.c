// SPDX-License-Identifier: MIT
/* The counter that each benchmark is timed by, for every default clock and every verdict on the TSC. */
#include <errno.h>
#include <string.h>

#include "unit.h"

#include "arch/arch.h"
#include "bench/stopwatch_report.h"
#include "cli/err.h"
#include "hpt/system.h"

/* White box: the library's functions are a machine's, below. */
#define hpt_clock_default  machine_default
#define hpt_clock_open     machine_open
#define hpt_clock_get_info machine_clock_info
#define hpt_cpu_get_info   machine_cpu_info

static hpt_clock *machine_default(void);
static int machine_open(uint32_t source, uint32_t flags, hpt_clock **ret);
static int machine_clock_info(hpt_clock *clk, struct hpt_clock_info *ret, size_t size);
#ifdef HPT_ARCH_X86
static int machine_cpu_info(struct hpt_cpu_info *ret, size_t size);
#endif

#include "../../../tools/cli/stopwatch.c"

/* Replaces the command's; called only if memory is short. */
void err_print(const char *fmt, ...)
{
	fail_msg("%s", fmt);
}

/* ---- A machine ------------------------------------------------------------------------------------------- */

/* Never looked into: only their addresses are compared. */
static char default_clock, tsc_clock;

#define DEFAULT ((hpt_clock *)(void *)&default_clock)
#define TSC     ((hpt_clock *)(void *)&tsc_clock)

#ifdef HPT_ARCH_X86
#define HAS_RDTSCP true
#else
#define HAS_RDTSCP false
#endif

static struct machine {
	uint32_t source;                /* of the default clock */
	bool has_tsc, is_vetoed, has_rdtscp;
} now;

static hpt_clock *machine_default(void)
{
	return DEFAULT;
}

static int machine_open(uint32_t source, uint32_t flags, hpt_clock **ret)
{
	assert_int_equal(source, HPT_SOURCE_TSC);
	assert_int_equal(flags, 0);
	if (!now.has_tsc)
		return -ENODEV;
	*ret = TSC;
	return 0;
}

static int machine_clock_info(hpt_clock *clk, struct hpt_clock_info *ret, size_t size)
{
	struct hpt_clock_info info = { .source = clk == TSC ? HPT_SOURCE_TSC : now.source };

	assert_int_equal(size, sizeof(*ret));
	if (info.source == HPT_SOURCE_TSC && now.is_vetoed) {
		info.flags = HPT_CLOCK_VETOED;
		info.reason = HPT_REASON_KERNEL_DISAGREES;
	}
	*ret = info;
	return 0;
}

#ifdef HPT_ARCH_X86
static int machine_cpu_info(struct hpt_cpu_info *ret, size_t size)
{
	memset(ret, 0, size);
	ret->rdtscp = now.has_rdtscp;
	return 0;
}
#endif

/* ---- Which counter --------------------------------------------------------------------------------------- */

static void assert_on(struct stopwatch w, hpt_clock *clk, uint32_t source, bool is_tsc, bool is_vetoed)
{
	assert_ptr_equal(w.clk, clk);
	assert_int_equal(w.source, source);
	assert_int_equal(w.is_tsc, is_tsc);
	assert_int_equal(w.is_vetoed, is_vetoed);
	assert_int_equal(w.reason, is_vetoed ? HPT_REASON_KERNEL_DISAGREES : HPT_REASON_NONE);
}

/* First, for the clock on the TSC stays open: later tests cannot be without. */
static void without_a_tsc_it_is_the_default_clock(void **state)
{
	(void)state;
	now = (struct machine){ HPT_SOURCE_HPET, false, false, true };
	assert_on(stopwatch_of_default(), DEFAULT, HPT_SOURCE_HPET, false, false);
	assert_on(stopwatch_sound(), DEFAULT, HPT_SOURCE_HPET, false, false);
	assert_on(stopwatch_finest(), DEFAULT, HPT_SOURCE_HPET, false, false);
}

static void sleeps_are_timed_by_the_clock_that_was_asked_for(void **state)
{
	static const uint32_t others[] = { HPT_SOURCE_HPET, HPT_SOURCE_OS, HPT_SOURCE_ARCH, HPT_SOURCE_MMIO };

	(void)state;
	for (size_t i = 0; i < COUNT(others); i++) {
		now = (struct machine){ others[i], true, false, true };
		assert_on(stopwatch_of_default(), DEFAULT, others[i], false, false);
	}
	now = (struct machine){ HPT_SOURCE_TSC, true, false, true };
	assert_on(stopwatch_of_default(), DEFAULT, HPT_SOURCE_TSC, HAS_RDTSCP, false);
	now.is_vetoed = true;
	assert_on(stopwatch_of_default(), DEFAULT, HPT_SOURCE_TSC, HAS_RDTSCP, true);
	now.has_rdtscp = false;
	assert_on(stopwatch_of_default(), DEFAULT, HPT_SOURCE_TSC, false, true);
}

static void messages_are_timed_by_a_sound_tsc(void **state)
{
	(void)state;
	now = (struct machine){ HPT_SOURCE_OS, true, false, true };
	assert_on(stopwatch_sound(), TSC, HPT_SOURCE_TSC, HAS_RDTSCP, false);
	now.is_vetoed = true;
	assert_on(stopwatch_sound(), DEFAULT, HPT_SOURCE_OS, false, false);
	now.source = HPT_SOURCE_TSC; /* on request */
	assert_on(stopwatch_sound(), DEFAULT, HPT_SOURCE_TSC, HAS_RDTSCP, true);
}

static void single_reads_are_timed_by_any_tsc(void **state)
{
	(void)state;
	now = (struct machine){ HPT_SOURCE_HPET, true, true, true };
	assert_on(stopwatch_finest(), TSC, HPT_SOURCE_TSC, HAS_RDTSCP, true);
	now.is_vetoed = false;
	assert_on(stopwatch_finest(), TSC, HPT_SOURCE_TSC, HAS_RDTSCP, false);
	now.source = HPT_SOURCE_TSC; /* no second clock is needed */
	assert_on(stopwatch_finest(), DEFAULT, HPT_SOURCE_TSC, HAS_RDTSCP, false);
}

/* ---- What it is worth ------------------------------------------------------------------------------------ */

static char *printed(void (*print)(const struct stopwatch *w, struct doc *doc), const struct stopwatch *w)
{
	char *text;
	size_t size;
	struct doc doc = { .to = open_memstream(&text, &size) };

	print(w, &doc);
	fclose(doc.to);
	return text;
}

static void check_text(void (*print)(const struct stopwatch *w, struct doc *doc),
		       const struct stopwatch *w, const char *expected)
{
	char *text = printed(print, w);

	assert_string_equal(text, expected);
	free(text);
}

static void a_refused_counter_is_named_with_the_reason(void **state)
{
	struct stopwatch w = { .source = HPT_SOURCE_TSC, .is_tsc = true, .reason = HPT_REASON_KERNEL_DISAGREES };
	char expected[512];
	json_t *o;

	(void)state;
	check_text(stopwatch_warn, &w, "");
	check_text(stopwatch_print, &w, "The stopwatch is tsc by RDTSCP.\n");
	w.is_vetoed = true;
	snprintf(expected, sizeof(expected), "Timed by a counter that the library refuses, tsc: %s. The times are "
		 "worth no more than it is.\n", hpt_reason_text(w.reason));
	check_text(stopwatch_warn, &w, expected);
	check_text(stopwatch_print, &w, "The stopwatch is tsc by RDTSCP, which the library refuses.\n");
	o = stopwatch_json(&w);
	assert_true(json_is_true(json_object_get(o, "vetoed")));
	assert_string_equal(json_string_value(json_object_get(o, "source")), "tsc");
	assert_string_equal(json_string_value(json_object_get(o, "reason")), hpt_reason_text(w.reason));
	json_decref(o);
	w = (struct stopwatch){ .source = HPT_SOURCE_HPET };
	check_text(stopwatch_print, &w, "The stopwatch is hpet by hpt_now().\n");
	o = stopwatch_json(&w);
	assert_true(json_is_false(json_object_get(o, "vetoed")));
	json_decref(o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_a_tsc_it_is_the_default_clock),
		cmocka_unit_test(sleeps_are_timed_by_the_clock_that_was_asked_for),
		cmocka_unit_test(messages_are_timed_by_a_sound_tsc),
		cmocka_unit_test(single_reads_are_timed_by_any_tsc),
		cmocka_unit_test(a_refused_counter_is_named_with_the_reason),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
