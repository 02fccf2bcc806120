// SPDX-License-Identifier: MIT
/* Published values: each is compared with a call of its own kind, and printed as it was published. */
#include <string.h>

#include "unit.h"

#include "bench/candidates_read.h"
#include "bench/published.h"

static const struct published_read *of(const char *machine, const char *read)
{
	for (unsigned i = 0; i < n_published_reads; i++)
		if (!strcmp(published_reads[i].machine, machine) && !strcmp(published_reads[i].read, read))
			return &published_reads[i];
	fail_msg("no %s of %s", read, machine);
	return NULL;
}

static void a_published_read_is_of_one_kind_of_call(void **state)
{
	const struct published_read *hpet = of("VIA Nano X2", "HPET"), *rdtsc = of("Intel Core i7-2600", "RDTSC");

	(void)state;
	assert_true(published_is_of(hpet, "hpt_now(hpet)", HPT_SOURCE_HPET));
	assert_false(published_is_of(hpet, "hpt_now(os)", HPT_SOURCE_OS));
	assert_false(published_is_of(hpet, "hpt_now_ns(hpet)", HPT_SOURCE_HPET));
	assert_true(published_is_of(rdtsc, "rdtsc", 0));
	assert_false(published_is_of(rdtsc, "rdtscp", 0));
	assert_false(published_is_of(rdtsc, "hpt_now(NULL)", 0));
}

/* A name that no call has would be compared with nothing for ever. */
static void each_yardstick_is_a_candidate(void **state)
{
	(void)state;
	for (unsigned i = 0; i < n_published_reads; i++) {
		bool is_there = !published_reads[i].call;

#if defined(__x86_64__) || defined(__i386__)
		for (unsigned k = 0; k < n_read_candidates && !is_there; k++)
			is_there = !strcmp(published_reads[i].call, read_candidates[k].name);
#else
		is_there = true;
#endif
		if (!is_there)
			fail_msg("%s", published_reads[i].call);
	}
}

static void numbers_have_their_own_places(void **state)
{
	(void)state;
	assert_string_equal(published_text(&of("VIA Nano X2", "OS")->mean_ns).s, "102.20");
	assert_string_equal(published_text(&of("VIA Nano X2", "TSC")->stddev_ns).s, "0.3134");
	assert_string_equal(published_text(&of("AMD Athlon X2", "OS")->mean_ns).s, "1117.4");
}

static void sleeps_have_what_was_published_of_them(void **state)
{
	(void)state;
	assert_int_equal(published_sleep(CANDIDATE_NANO, BAND_LONG).miss_ps, 61985000);
	assert_int_equal(published_sleep(CANDIDATE_PAPERS, BAND_SHORT).miss_ps, 95000);
	assert_int_equal(published_sleep(CANDIDATE_BUSY, BAND_ALL).cpu_ppm, 996810);
	assert_int_equal(published_sleep(CANDIDATE_UNTIL, BAND_ALL).cpu_ppm, 0);
	assert_int_equal(published_sleep(CANDIDATES, BAND_ALL).cpu_ppm, 0);
	assert_int_equal(published_sleep(CANDIDATES, BAND_LONG).miss_ps, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_published_read_is_of_one_kind_of_call),
		cmocka_unit_test(each_yardstick_is_a_candidate),
		cmocka_unit_test(numbers_have_their_own_places),
		cmocka_unit_test(sleeps_have_what_was_published_of_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
