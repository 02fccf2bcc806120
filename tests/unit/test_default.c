// SPDX-License-Identifier: MIT
/* The once-only choice: concurrent callers, and a pool that is used up. */
#include <errno.h>
#include <string.h>

#include "unit.h"

#include "hpt/hpt.h"
/* White box: each call of boot_once() acts as a concurrent caller. */
#include "clock/default.c"

static void second_caller_gets_what_the_first_made(void **state)
{
	struct hpt_boot *first = hpt_booted();

	(void)state;
	errno = EXDEV;
	assert_ptr_equal(hpt_booted(), first);
	assert_ptr_equal(hpt_clock_default(), &first->clk);
	assert_int_equal(errno, EXDEV);
}

static void losers_of_the_race_give_way(void **state)
{
	struct hpt_boot *first = hpt_booted();

	(void)state;
	for (uint32_t i = 1; i < HPT_BOOT_POOL; i++)
		assert_ptr_equal(boot_once(), first); /* as a concurrent caller that saw nothing published */
	assert_ptr_equal(boot_once(), first); /* the pool is used up: it finds the published choice */
	assert_ptr_equal(boot_once(), first);
}

static void check_reserve(struct hpt_boot *b)
{
	struct hpt_clock_info info;
	hpt_clock *clk = &b->clk;
	hpt_time_t t;
	int64_t ns;

	assert_ptr_equal(b, &hpt_once.reserve);
	assert_non_null(clk->src.read);
	assert_non_null(clk->src.clock_ns); /* else the calls below would call NULL */
	t = hpt_now(clk);
	assert_true(t > 0);
	assert_true(hpt_now_ns(clk) >= t);
	assert_true(hpt_now_unix_ns(clk) > 0);
	assert_int_equal(hpt_time_to_unix_ns(clk, t, &ns), 0);
	assert_int_equal(hpt_clock_get_info(clk, &info, sizeof(info)), 0);
	assert_int_equal(info.source, HPT_SOURCE_OS);
	assert_int_equal(b->status[HPT_SOURCE_OS].usable, 1);
}

/* The pool is used up by callers that never finish, lost in a fork for instance. */
static void racer_too_many_gets_a_working_os_clock(void **state)
{
	struct hpt_boot *real = hpt_booted(), *b;

	(void)state;
	atomic_store(&hpt_once.booted, NULL);
	atomic_store(&hpt_once.taken, HPT_BOOT_POOL);
	b = hpt_booted();
	atomic_store(&hpt_once.booted, real);
	check_reserve(b);
}

/* The next caller after that, while the reserve is still being made by a thread that never finishes. */
static void racer_after_that_gets_a_working_os_clock_too(void **state)
{
	struct hpt_boot *real = hpt_booted(), *b;

	(void)state;
	memset(&hpt_once.reserve, 0, sizeof(hpt_once.reserve));
	atomic_store(&hpt_once.booted, NULL);
	atomic_store(&hpt_once.taken, HPT_BOOT_POOL + 1);
	b = hpt_booted();
	atomic_store(&hpt_once.booted, real);
	check_reserve(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(second_caller_gets_what_the_first_made),
		cmocka_unit_test(losers_of_the_race_give_way),
		cmocka_unit_test(racer_too_many_gets_a_working_os_clock),
		cmocka_unit_test(racer_after_that_gets_a_working_os_clock_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
