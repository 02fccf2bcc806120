// SPDX-License-Identifier: MIT
/* When the bar of a conversion is drawn, and what it says: by a clock and a terminal of the test's own. */
#include <time.h>

#include "unit.h"

#include "cli/progress.h"
#include "trace/trace_bar.h"

#define MS INT64_C(1000000)

static int64_t clock_ns;
static bool has_terminal;
static unsigned shown, cleared;
static const char *shown_what;
static int64_t shown_done, shown_total, shown_left_ns;

/* ---- In place of the C library's and tools/cli/progress.c's -------------------------------------------------- */

int clock_gettime(clockid_t id, struct timespec *ret)
{
	(void)id;
	*ret = (struct timespec){ .tv_sec = clock_ns / 1000000000, .tv_nsec = clock_ns % 1000000000 };
	return 0;
}

bool progress_is_shown(void)
{
	return has_terminal;
}

void progress_show(const char *what, int64_t done, int64_t total, int64_t left_ns)
{
	shown++;
	shown_what = what;
	shown_done = done;
	shown_total = total;
	shown_left_ns = left_ns;
}

void progress_clear(void)
{
	cleared++;
}

/* ---- Tests -------------------------------------------------------------------------------------------------- */

static int reset(void **state)
{
	(void)state;
	clock_ns = 5000 * MS;
	has_terminal = true;
	shown = cleared = 0;
	return 0;
}

static void it_is_drawn_at_once_and_then_ten_times_a_second(void **state)
{
	struct watch w;

	(void)state;
	watch_start(&w, "convert", 1000);
	assert_int_equal(shown, 0);
	watch_show(&w, 0);
	assert_int_equal(shown, 1);
	assert_string_equal(shown_what, "convert");
	assert_true(shown_done == 0 && shown_total == 1000);
	assert_int_equal(shown_left_ns, -1); /* not known before the first byte */
	clock_ns += 100 * MS - 1;
	watch_show(&w, 10);
	assert_int_equal(shown, 1);
	clock_ns += 1;
	watch_show(&w, 250);
	assert_int_equal(shown, 2);
	assert_int_equal(shown_done, 250);
	assert_int_equal(shown_left_ns, 300 * MS);
	watch_show(&w, 250);
	assert_int_equal(shown, 2);
	assert_int_equal(cleared, 0);
	watch_end(&w);
	assert_int_equal(cleared, 1);
}

static void the_last_byte_and_more_than_there_were(void **state)
{
	struct watch w;

	(void)state;
	watch_start(&w, "x", 1000);
	clock_ns += 200 * MS;
	watch_show(&w, 1000);
	assert_int_equal(shown_left_ns, 0);
	/* A file that grows. */
	clock_ns += 200 * MS;
	watch_show(&w, 1001);
	assert_int_equal(shown, 2);
	assert_int_equal(shown_left_ns, -1);
	assert_int_equal(shown_done, 1001);
	watch_start(&w, "x", 1000);
	clock_ns += 1;
	watch_show(&w, 1001);
	assert_int_equal(shown, 3);
	assert_int_equal(shown_left_ns, -1);
}

/* A pause of twelve days after the first KiB of a TiB: the time left is in no int64_t. */
static void a_time_left_that_does_not_fit_is_not_known(void **state)
{
	struct watch w;

	(void)state;
	watch_start(&w, "x", UINT64_C(1) << 40);
	clock_ns += 1000000000 * MS;
	watch_show(&w, 1024);
	assert_int_equal(shown, 1);
	assert_int_equal(shown_left_ns, -1);
}

static void without_a_size_or_a_terminal_there_is_no_bar(void **state)
{
	(void)state;
	for (int k = 0; k < 2; k++) {
		struct watch w;

		has_terminal = k == 0;
		watch_start(&w, "x", k == 0 ? 0 : 1000);
		clock_ns += 1000 * MS;
		watch_show(&w, 5);
		watch_end(&w);
		assert_int_equal(shown, 0);
		assert_int_equal(cleared, 0);
	}
}

#define test(name) cmocka_unit_test_setup(name, reset)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(it_is_drawn_at_once_and_then_ten_times_a_second),
		test(the_last_byte_and_more_than_there_were),
		test(a_time_left_that_does_not_fit_is_not_known),
		test(without_a_size_or_a_terminal_there_is_no_bar),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
