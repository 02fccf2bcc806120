// SPDX-License-Identifier: MIT
/* The once-only choice: concurrent callers, and a pool that is used up. And the first use, which fixes the default. */
#include <errno.h>
#include <string.h>

#include "unit.h"

#include "hpt/hpt.h"
#include "hpt/system.h"
#include "clock/opener.h"

/* Any source can be made the default here: its clock is one on the OS source. */
static int open_os(uint32_t source, hpt_clock **ret);
#define hpt_clock_open_by(source, opener, given, at_load, ret) open_os(source, ret)

/* White box: each call of boot_once() acts as a concurrent caller. */
#include "clock/default.c"

#undef hpt_clock_open_by

static bool is_used_meanwhile;
static uint32_t opened;

static int open_os(uint32_t source, hpt_clock **ret)
{
	assert_in_range(source, HPT_SOURCE_TSC, HPT_SOURCE_IDS - 1);
	static struct hpt_source_ops ops[HPT_SOURCE_IDS];
	int r = hpt_clock_open(HPT_SOURCE_OS, 0, ret);

	opened++;
	if (is_used_meanwhile)
		hpt_clock_default();
	if (!r) {
		ops[source] = *(*ret)->src.ops;
		ops[source].id = source;
		(*ret)->src.ops = &ops[source];
	}
	return r;
}

/* A source that load did not choose. */
static uint32_t another_source(void)
{
	return hpt_booted()->clk.src.ops->id == HPT_SOURCE_HPET ? HPT_SOURCE_TSC : HPT_SOURCE_HPET;
}

static void as_after_load(void)
{
	atomic_store(&hpt_once.wanted, 0);
	atomic_store(&hpt_once.dflt, NULL);
	atomic_store(&hpt_once.order, 0);
}

static int forget_made(void **state)
{
	(void)state;
	as_after_load();
	for (uint32_t id = 0; id < HPT_SOURCE_IDS; id++)
		atomic_store(&made_default[id], NULL);
	while (atomic_load(&held)) {
		struct hpt_clock *clk = atomic_exchange(&held, atomic_load(&held)->next_held);

		atomic_store(&clk->holders, 1);
		hpt_clock_close(clk);
	}
	opened = 0;
	is_used_meanwhile = false;
	return 0;
}

/* It is one of the default clock's, or there is none. */
static void first_tick_is_the_default_clocks(void **state)
{
	bool is_own = hpt_source_is_own(&hpt_booted()->clk.src);
	hpt_time_t before, tick, after;
	hpt_clock *other;

	(void)state;
	assert_int_equal(hpt_default_first_tick(NULL), 0); /* before the first use */
	before = hpt_now(NULL);
	tick = (hpt_time_t)hpt_default_first_tick(NULL);
	after = hpt_now(NULL);
	if (is_own)
		assert_true(before <= tick && tick <= after);
	else
		assert_int_equal(tick, 0);
	assert_int_equal(hpt_default_first_tick(hpt_clock_default()) != 0, is_own);
	assert_int_equal(hpt_clock_open(HPT_SOURCE_OS, 0, &other), 0);
	assert_int_equal(hpt_default_first_tick(other), 0);
	hpt_clock_close(other);
}

/* Taken apart or whole, it is ordered. */
static void first_tick_lies_between_two_reads(void **state)
{
	const struct hpt_source *src = &hpt_booted()->clk.src;

	(void)state;
	hpt_clock_default();
	for (uint32_t order = HPT_OWN_FIRST; order <= HPT_OWN_SECOND; order <<= 1) {
		if (!hpt_source_is_own(src) || !(src->orders & order))
			continue;
		atomic_store(&hpt_once.order, order);
		for (int i = 0; i < 100000; i++) {
			hpt_time_t before = hpt_now(NULL), tick = (hpt_time_t)hpt_default_first_tick(NULL);

			assert_true(before <= tick && tick <= hpt_now(NULL));
		}
	}
}

/* A fence alone is no order: the processor must be known to wait at it. */
static void first_tick_is_taken_apart_where_the_fence_orders(void **state)
{
	struct hpt_source src = { .order = HPT_OWN_FIRST, .orders = HPT_OWN_FIRST };
	bool can_be_apart = false;

#ifdef ARCH_FENCE_FIRST
	can_be_apart = true;
#endif
	(void)state;
	assert_int_equal(first_tick_order(&src), HPT_OWN_FIRST);
	src.orders = HPT_OWN_FIRST | HPT_OWN_SECOND;
	assert_int_equal(first_tick_order(&src), can_be_apart ? HPT_OWN_SECOND : HPT_OWN_FIRST);
	src.order = src.orders = HPT_OWN_NONE;
	assert_int_equal(first_tick_order(&src), HPT_OWN_NONE);
}

/* If the default clock is another one the TSC may be forbidden. */
static void other_default_clocks_have_no_first_tick(void **state)
{
	(void)state;
	assert_int_equal(hpt_clock_set_default_source(another_source(), 0), 0);
	hpt_clock_default();
	assert_int_equal(hpt_default_first_tick(NULL), 0);
	assert_int_equal(hpt_default_first_tick(hpt_clock_default()), 0);
}

static void load_fixes_nothing(void **state)
{
	(void)state;
	assert_non_null(atomic_load(&hpt_once.booted));
	assert_null(atomic_load(&hpt_once.dflt));
	assert_int_equal(atomic_load(&hpt_once.wanted), 0);
}

static void second_caller_gets_what_the_first_made(void **state)
{
	struct hpt_boot *first = hpt_booted();

	(void)state;
	errno = EXDEV;
	assert_ptr_equal(hpt_booted(), first);
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

/* ---- The first use --------------------------------------------------------------------------------------- */

#define USE(name, statement)            \
	static void use_##name(void)    \
	{                               \
		statement;              \
	}

static struct hpt_clock_info clock_info;
static hpt_waiter *waiter;
static hpt_gate *gate;
static hpt_ticker *ticker;
static int64_t out;

USE(default, hpt_clock_default())
USE(ref, hpt_clock_ref(NULL))
USE(now, hpt_now(NULL))
USE(now_unordered, hpt_now_unordered(NULL))
USE(now_cpu, hpt_now_cpu(NULL, NULL))
USE(now_ns, hpt_now_ns(NULL))
USE(now_ns_unordered, hpt_now_ns_unordered(NULL))
USE(now_unix_ns, hpt_now_unix_ns(NULL))
USE(ticks_to_ns, hpt_ticks_to_ns(NULL, 1))
USE(ns_to_ticks, hpt_ns_to_ticks(NULL, 1))
USE(add, assert_int_equal(hpt_time_add_ns(NULL, 1, 1, &out), 0))
USE(time_max, hpt_time_max(NULL))
USE(get_info, assert_int_equal(hpt_clock_get_info(NULL, &clock_info, sizeof(clock_info)), 0))
USE(check, hpt_clock_check(NULL, NULL))
USE(generation, hpt_clock_generation(NULL))
USE(sleep, hpt_sleep_ns(NULL, 0))
USE(waiter, assert_int_equal(hpt_waiter_new(NULL, 0, &waiter), 0); hpt_waiter_free(waiter))
USE(gate, assert_int_equal(hpt_gate_new(NULL, 0, &gate), 0); hpt_gate_free(gate))
USE(ticker, assert_int_equal(hpt_ticker_new(NULL, 1000, 0, &ticker), 0); hpt_ticker_free(ticker))

static void every_use_of_null_fixes_it(void **state)
{
	static void (*const uses[])(void) = {
		use_default, use_ref, use_now, use_now_unordered, use_now_cpu, use_now_ns, use_now_ns_unordered,
		use_now_unix_ns, use_ticks_to_ns, use_ns_to_ticks, use_add, use_time_max, use_get_info, use_check,
		use_generation, use_sleep, use_waiter, use_gate, use_ticker,
	};

	(void)state;
	for (size_t i = 0; i < COUNT(uses); i++) {
		as_after_load();
		uses[i]();
		if (hpt_clock_set_default_source(another_source(), 0) != -EBUSY)
			fail_msg("use %zu", i);
		assert_ptr_equal(atomic_load(&hpt_once.dflt), &hpt_booted()->clk);
		assert_ptr_equal(hpt_clock_default(), &hpt_booted()->clk);
	}
	assert_int_equal(opened, 0); /* a request that comes too late opens nothing */
}

static void facts_and_own_clocks_fix_nothing(void **state)
{
	struct hpt_source_info source_info;
	struct hpt_cpu_info cpu_info;
	hpt_clock *clk;

	(void)state;
	for (uint32_t id = 0; id < HPT_SOURCE_IDS; id++)
		assert_int_equal(hpt_source_get_info(id, &source_info, sizeof(source_info)), 0);
	assert_in_range(hpt_cpu_get_info(&cpu_info, sizeof(cpu_info)) + ENOTSUP, 0, ENOTSUP);
	assert_int_equal(hpt_clock_open(HPT_SOURCE_AUTO, 0, &clk), 0);
	assert_true(hpt_now_ns(clk) > 0);
	assert_int_equal(hpt_clock_get_info(clk, &clock_info, sizeof(clock_info)), 0);
	assert_int_equal(clock_info.flags & HPT_CLOCK_IS_DEFAULT, 0);
	hpt_clock_check(clk, NULL);
	hpt_clock_close(hpt_clock_ref(clk));
	hpt_clock_close(clk);
	hpt_clock_close(NULL);
	load_fixes_nothing(NULL);
}

static void the_last_request_before_the_first_use_counts(void **state)
{
	uint32_t other = another_source(), chosen = hpt_booted()->clk.src.ops->id;
	struct hpt_clock *made;

	(void)state;
	assert_int_equal(hpt_clock_set_default_source(other, 0), 0);
	made = atomic_load(&made_default[other]);
	assert_non_null(made);
	assert_int_equal(hpt_clock_set_default_source(HPT_SOURCE_AUTO, 0), 0);
	assert_ptr_equal(hpt_default_now(), &hpt_booted()->clk);
	assert_int_equal(hpt_clock_set_default_source(other, 0), 0);
	assert_int_equal(hpt_clock_set_default_source(chosen, 0), 0);
	assert_ptr_equal(hpt_default_now(), &hpt_booted()->clk);
	assert_int_equal(hpt_clock_set_default_source(other, 0), 0);
	assert_null(atomic_load(&hpt_once.dflt));
	assert_ptr_equal(hpt_clock_default(), made);
	assert_int_equal(opened, 1);
	hpt_clock_close(made); /* without effect, as for every default clock */
	assert_true(hpt_now(NULL) > 0);
	/* Now it is fixed. */
	assert_int_equal(hpt_clock_set_default_source(other, 0), 0);
	assert_int_equal(hpt_clock_set_default_source(chosen, 0), -EBUSY);
	assert_int_equal(hpt_clock_set_default_source(HPT_SOURCE_AUTO, 0), -EBUSY);
	assert_int_equal(hpt_clock_set_default_source(HPT_SOURCE_ARCH, 0), -EBUSY);
	assert_int_equal(hpt_clock_set_default_source(HPT_SOURCE_IDS, 0), -EINVAL);
	assert_int_equal(hpt_clock_set_default_source(HPT_SOURCE_MANUAL, 0), -ENOTSUP);
	assert_int_equal(hpt_clock_set_default_source(other, 1), -EINVAL);
	assert_ptr_equal(hpt_clock_default(), made);
}

/* ---- A clock of the program's as the default ------------------------------------------------------------------ */

static hpt_clock *new_manual(void)
{
	hpt_clock *ret = NULL;

	assert_int_equal(hpt_clock_new_manual(1000000, 1000, 0, &ret), 0);
	return ret;
}

static void a_manual_clock_can_be_the_default(void **state)
{
	hpt_clock *first = new_manual(), *clk = new_manual();
	struct hpt_source_info info;
	hpt_waiter *w;

	(void)state;
	assert_int_equal(hpt_clock_set_default(first, 0), 0);
	assert_int_equal(hpt_clock_set_default(clk, 0), 0);
	assert_ptr_equal(hpt_default_now(), clk);
	assert_null(atomic_load(&hpt_once.dflt));
	assert_int_equal(hpt_now(NULL), 1000);
	assert_int_equal(hpt_default_first_tick(NULL), 0);
	/* The default is held for good, and so is the one before it: no number of closes frees them. */
	for (int i = 0; i < 5; i++) {
		hpt_clock_close(clk);
		hpt_clock_close(hpt_clock_default());
		hpt_clock_close(first);
	}
	assert_int_equal(hpt_now(first), 1000);
	assert_int_equal(hpt_waiter_new(NULL, 0, &w), 0);
	hpt_waiter_free(w);
	assert_int_equal(hpt_clock_advance(clk, 5), 0);
	assert_int_equal(hpt_now_ns(NULL), 1005000);
	assert_int_equal(hpt_sleep_until_ns(NULL, 1005000), 0);
	assert_int_equal(hpt_clock_get_info(NULL, &clock_info, sizeof(clock_info)), 0);
	assert_int_equal(clock_info.source, HPT_SOURCE_MANUAL);
	assert_int_equal(clock_info.flags & HPT_CLOCK_IS_DEFAULT, HPT_CLOCK_IS_DEFAULT);
	assert_int_equal(hpt_source_get_info(HPT_SOURCE_AUTO, &info, sizeof(info)), 0);
	assert_int_equal(info.source, HPT_SOURCE_MANUAL);
	assert_int_equal(info.chosen, 1);
	assert_int_equal(info.usable, 1);
	assert_int_equal(info.stage, HPT_STAGE_USABLE);
	assert_int_equal(info.error, 0);
	assert_int_equal(info.frequency_uhz, 1000000000000);
	/* Fixed. */
	assert_int_equal(hpt_clock_set_default(clk, 0), 0);
	assert_int_equal(hpt_clock_set_default(first, 0), -EBUSY);
	assert_int_equal(hpt_clock_set_default_source(HPT_SOURCE_AUTO, 0), -EBUSY);
	assert_int_equal(hpt_clock_set_default_source(HPT_SOURCE_OS, 0), -EBUSY);
	assert_ptr_equal(hpt_clock_default(), clk);
}

static void a_refused_default_is_given_back(void **state)
{
	hpt_clock *clk = new_manual();

	(void)state;
	assert_int_equal(hpt_clock_set_default(NULL, 0), -EINVAL);
	assert_int_equal(hpt_clock_set_default(clk, 1), -EINVAL);
	assert_ptr_equal(hpt_clock_default(), &hpt_booted()->clk);
	assert_int_equal(hpt_clock_set_default(clk, 0), -EBUSY);
	assert_int_equal(clk->holders, 1);
	hpt_clock_close(clk);
	assert_int_equal(hpt_clock_set_default(hpt_clock_default(), 0), 0);
}

static void the_chosen_source_can_be_asked_for_after_its_use(void **state)
{
	(void)state;
	hpt_clock_default();
	assert_int_equal(hpt_clock_set_default_source(HPT_SOURCE_AUTO, 0), 0);
	assert_int_equal(hpt_clock_set_default_source(hpt_booted()->clk.src.ops->id, 0), 0);
	assert_int_equal(opened, 0);
}

/* The reason is the request that made it the default, not load's. */
static void info_is_about_the_default_asked_for(void **state)
{
	struct hpt_source_info info;

	(void)state;
	if (hpt_booted()->clk.src.ops->id == HPT_SOURCE_OS)
		return;
	assert_int_equal(hpt_clock_set_default_source(HPT_SOURCE_OS, 0), 0);
	assert_int_equal(hpt_source_get_info(HPT_SOURCE_AUTO, &info, sizeof(info)), 0);
	assert_int_equal(info.source, HPT_SOURCE_OS);
	assert_int_equal(info.chosen, 1);
	assert_int_equal(info.reason, HPT_REASON_REQUESTED);
	assert_int_equal(hpt_clock_get_info(NULL, &clock_info, sizeof(clock_info)), 0);
	assert_int_equal(clock_info.source, HPT_SOURCE_OS);
	assert_int_equal(clock_info.flags & HPT_CLOCK_IS_DEFAULT, HPT_CLOCK_IS_DEFAULT);
	assert_int_equal(clock_info.reason, HPT_REASON_REQUESTED);
}

static void a_use_while_a_clock_is_opened_wins(void **state)
{
	(void)state;
	is_used_meanwhile = true;
	assert_int_equal(hpt_clock_set_default_source(another_source(), 0), -EBUSY);
	assert_int_equal(opened, 1);
	assert_ptr_equal(hpt_clock_default(), &hpt_booted()->clk);
}

static struct {
	pthread_barrier_t start;
	hpt_clock *used;
	int result;
} race;

static void *use_first(void *arg)
{
	pthread_barrier_wait(&race.start);
	race.used = hpt_clock_default();
	return arg;
}

static void *ask_first(void *arg)
{
	pthread_barrier_wait(&race.start);
	race.result = hpt_clock_set_default_source(another_source(), 0);
	return arg;
}

static void of_a_use_and_a_request_one_is_first(void **state)
{
	struct hpt_clock *chosen = &hpt_booted()->clk;
	pthread_t user, asker;

	(void)state;
	assert_int_equal(hpt_clock_set_default_source(another_source(), 0), 0); /* so that the race opens nothing */
	for (int i = 0; i < 500; i++) {
		as_after_load();
		pthread_barrier_init(&race.start, NULL, 3);
		assert_int_equal(pthread_create(&user, NULL, use_first, NULL), 0);
		assert_int_equal(pthread_create(&asker, NULL, ask_first, NULL), 0);
		pthread_barrier_wait(&race.start);
		assert_int_equal(pthread_join(user, NULL), 0);
		assert_int_equal(pthread_join(asker, NULL), 0);
		pthread_barrier_destroy(&race.start);
		assert_ptr_equal(hpt_clock_default(), race.used);
		assert_ptr_equal(race.used, race.result ? chosen : atomic_load(&made_default[another_source()]));
		assert_true(race.result == 0 || race.result == -EBUSY);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(load_fixes_nothing),
		cmocka_unit_test_setup(first_tick_is_the_default_clocks, forget_made),
		cmocka_unit_test_setup(first_tick_lies_between_two_reads, forget_made),
		cmocka_unit_test(first_tick_is_taken_apart_where_the_fence_orders),
		cmocka_unit_test_setup(other_default_clocks_have_no_first_tick, forget_made),
		cmocka_unit_test_setup(every_use_of_null_fixes_it, forget_made),
		cmocka_unit_test_setup(a_refused_default_is_given_back, forget_made),
		cmocka_unit_test_setup(a_manual_clock_can_be_the_default, forget_made),
		cmocka_unit_test_setup(facts_and_own_clocks_fix_nothing, forget_made),
		cmocka_unit_test_setup(the_last_request_before_the_first_use_counts, forget_made),
		cmocka_unit_test_setup(the_chosen_source_can_be_asked_for_after_its_use, forget_made),
		cmocka_unit_test_setup(a_use_while_a_clock_is_opened_wins, forget_made),
		cmocka_unit_test_setup(of_a_use_and_a_request_one_is_first, forget_made),
		cmocka_unit_test_setup(info_is_about_the_default_asked_for, forget_made),
		cmocka_unit_test(second_caller_gets_what_the_first_made),
		cmocka_unit_test(losers_of_the_race_give_way),
		cmocka_unit_test(racer_too_many_gets_a_working_os_clock),
		cmocka_unit_test(racer_after_that_gets_a_working_os_clock_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
