// SPDX-License-Identifier: MIT
/* Clocks of the live machine from their open to their last close: what is recorded, who holds them. */
#include <errno.h>
#include <pthread.h>

#include "unit.h"

#include "hpt/hpt.h"
#include "clock/clock.h"

static void opening_is_recorded(void **state)
{
	struct hpt_source_info info;
	hpt_clock *os;

	(void)state;
	assert_int_equal(hpt_clock_open(HPT_SOURCE_OS, 0, &os), 0);
	assert_int_equal(hpt_source_get_info(HPT_SOURCE_OS, &info, sizeof(info)), 0);
	assert_int_equal(info.usable, 1);
	assert_int_equal(info.stage, HPT_STAGE_USABLE);
	assert_int_equal(info.error, 0);
	assert_true(info.cost_samples >= 32);
	assert_int_equal(info.frequency_uhz, 1000000000000000);
	hpt_clock_close(os);
}

static void close_leaves_null_and_the_default_alone(void **state)
{
	hpt_clock *dflt = hpt_clock_default();

	(void)state;
	assert_non_null(dflt);
	hpt_clock_close(NULL);
	hpt_clock_close(dflt);
	assert_ptr_equal(hpt_clock_default(), dflt);
	assert_true(hpt_now(dflt) > 0);
}

static uint32_t sources_closed;

static void count_close(struct hpt_source *src)
{
	(void)src;
	sources_closed++;
}

static const struct hpt_source_ops counting_ops = { .name = "os", .id = HPT_SOURCE_OS, .close = count_close };

/* An OS clock that counts in sources_closed when it is freed. */
static hpt_clock *open_counting(void)
{
	hpt_clock *clk;

	assert_int_equal(hpt_clock_open(HPT_SOURCE_OS, 0, &clk), 0);
	clk->src.ops = &counting_ops;
	sources_closed = 0;
	return clk;
}

static void the_last_close_frees(void **state)
{
	hpt_clock *clk = open_counting();

	(void)state;
	assert_ptr_equal(hpt_clock_ref(clk), clk);
	assert_ptr_equal(hpt_clock_ref(clk), clk);
	hpt_clock_close(clk);
	hpt_clock_close(clk);
	assert_int_equal(sources_closed, 0);
	assert_true(hpt_now(clk) > 0);
	hpt_clock_close(clk);
	assert_int_equal(sources_closed, 1);
}

static void *hold_and_release(void *arg)
{
	for (int i = 0; i < rounds(100000); i++)
		hpt_clock_close(hpt_clock_ref(arg));
	return NULL;
}

static void holders_are_counted_by_all_threads(void **state)
{
	hpt_clock *clk = open_counting();
	pthread_t threads[2];

	(void)state;
	for (size_t i = 0; i < COUNT(threads); i++)
		assert_int_equal(pthread_create(&threads[i], NULL, hold_and_release, clk), 0);
	for (size_t i = 0; i < COUNT(threads); i++)
		assert_int_equal(pthread_join(threads[i], NULL), 0);
	assert_int_equal(sources_closed, 0);
	hpt_clock_close(clk);
	assert_int_equal(sources_closed, 1);
}

static void default_clocks_are_not_counted(void **state)
{
	hpt_clock *dflt = hpt_clock_default();

	(void)state;
	assert_ptr_equal(hpt_clock_ref(NULL), dflt);
	assert_ptr_equal(hpt_clock_ref(dflt), dflt);
	for (int i = 0; i < 10; i++)
		hpt_clock_close(dflt);
	assert_true(hpt_now(dflt) > 0);
}

/*
 * open(2) is a cancellation point: a thread cancelled while it opens the HPET would keep others from ever opening it.
 */
static void *open_hpet_cancelled(void *arg)
{
	hpt_clock *clk = NULL;

	(void)arg;
	pthread_cancel(pthread_self());
	if (!hpt_clock_open(HPT_SOURCE_HPET, 0, &clk))
		hpt_clock_close(clk);
	pthread_testcancel();
	return NULL;
}

static void cancelled_thread_gives_the_hpet_back(void **state)
{
	hpt_clock *clk = NULL;
	pthread_t thread;
	void *end;
	int before = hpt_clock_open(HPT_SOURCE_HPET, 0, &clk);

	(void)state;
	hpt_clock_close(clk);
	assert_int_equal(pthread_create(&thread, NULL, open_hpet_cancelled, NULL), 0);
	assert_int_equal(pthread_join(thread, &end), 0);
	assert_ptr_equal(end, PTHREAD_CANCELED);
	clk = NULL;
	assert_int_equal(hpt_clock_open(HPT_SOURCE_HPET, 0, &clk), before);
	hpt_clock_close(clk);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(opening_is_recorded),
		cmocka_unit_test(close_leaves_null_and_the_default_alone),
		cmocka_unit_test(the_last_close_frees),
		cmocka_unit_test(holders_are_counted_by_all_threads),
		cmocka_unit_test(default_clocks_are_not_counted),
		cmocka_unit_test(cancelled_thread_gives_the_hpet_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
