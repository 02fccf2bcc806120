// SPDX-License-Identifier: MIT
/* The time slice of a bench's ways, on the kernel that is there. */
#include "unit.h"

#include "bench/own_slice.h"
#include "machine/cpu_time.h"

#define SHORT_NS 300000

static const struct sleep_candidate ours = { .is_ours = true }, other = { .is_ours = false };

static void other_ways_have_the_threads_own(void **state)
{
	int64_t own_ns = own_slice_ns(), before_ns;

	(void)state;
	assert_int_equal(own_slice_take(&other, own_ns), 0);
	if (!own_ns)
		skip();
	assert_int_equal(hpt_cpu_time_change_slice_ns(0, SHORT_NS), own_ns);
	before_ns = own_slice_take(&other, own_ns);
	assert_int_equal(before_ns, SHORT_NS);
	assert_int_equal(hpt_cpu_time_slice_ns(), own_ns);
	own_slice_leave(before_ns);
	assert_int_equal(hpt_cpu_time_slice_ns(), SHORT_NS);
	hpt_cpu_time_change_slice_ns(0, 0);
}

static void ours_have_what_their_sleeps_left(void **state)
{
	int64_t own_ns = own_slice_ns();

	(void)state;
	if (!own_ns)
		skip();
	hpt_cpu_time_change_slice_ns(0, SHORT_NS);
	assert_int_equal(own_slice_take(&ours, own_ns), 0);
	assert_int_equal(hpt_cpu_time_slice_ns(), SHORT_NS);
	own_slice_leave(0);
	assert_int_equal(hpt_cpu_time_slice_ns(), SHORT_NS);
	hpt_cpu_time_change_slice_ns(0, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(other_ways_have_the_threads_own),
		cmocka_unit_test(ours_have_what_their_sleeps_left),
	};

	return cmocka_run_group_tests_name("own_slice", tests, NULL, NULL);
}
