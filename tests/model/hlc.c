// SPDX-License-Identifier: MIT
/*
 * lib/wall/hlc.c under a weak memory model: of floors that are set while other threads give timestamps, none that the
 * wall has not reached is passed, and no timestamp is given twice. In a clone, and in a forked child, no thread finds
 * the incarnation of before.
 */
#include "../unit/world/unit.h"

#include "machine/process.h"
#include "wall/wall_read.h"

#include "atomics.h"
#include "orders.h"

#define hpt_process() 1u
#include "wall/hlc.c"

/* The wall is at 10, and allows no more. Timestamps up to 12 were given before a sample narrowed it. */
enum { LATEST = 10, GIVEN = 12, FLOOR = 20, HIGHER = 30 };

static uint64_t read_tick(const struct hpt_source *src)
{
	(void)src;
	return 0;
}

static uint64_t give_random(void)
{
	return 2;
}

enum { INCARNATION = 1 };

static const struct hpt_env env = { .random = give_random };
static struct hpt_clock clk = { .src = { .env = &env, .read = read_tick } };
/* Without VMClock: what a look found is in the record. */
static struct hpt_wall wall = { .clk = &clk }, wall_of_clone = { .clk = &clk, .records[0].read.clones = 1 };
static struct hpt_hlc hlc = { .w = &wall }, clone = { .w = &wall_of_clone }, child = { .w = &wall };

static void share_hlc(const struct hpt_hlc *h, uint32_t process)
{
	model_share(&h->process, sizeof(h->process), process);
	model_share(&h->clones, sizeof(h->clones), 0);
	model_share(&h->incarnation, sizeof(h->incarnation), INCARNATION);
	model_share(&h->last, sizeof(h->last), GIVEN);
	model_share(&h->floor, sizeof(h->floor), (uint64_t)INT64_MIN);
}

static int share(void **state)
{
	(void)state;
	model_reset();
	model_share(&wall.vmclock, sizeof(wall.vmclock), 0);
	model_share(&wall_of_clone.vmclock, sizeof(wall_of_clone.vmclock), 0);
	share_hlc(&hlc, 1);
	share_hlc(&clone, 1);
	share_hlc(&child, 2); /* its parent's process */
	return 0;
}

/* Returns the timestamp, or 0. */
static uint64_t give_one(void)
{
	int64_t ns = 0;
	int r = give(&hlc, LATEST, LATEST, &ns);

	if (r ? r != -EAGAIN || ns : ns <= GIVEN)
		model_fail("neither a timestamp nor -EAGAIN");
	if (ns >= FLOOR)
		model_fail("an unreached floor is passed");
	return (uint64_t)ns;
}

static uint64_t give_two(void)
{
	uint64_t first = give_one(), second = give_one();

	if (second && second <= first)
		model_fail("timestamps do not increase");
	return first;
}

static uint64_t set(int64_t floor_ns)
{
	if (hpt_hlc_set_floor(&hlc, floor_ns))
		model_fail("a floor is refused");
	if (give_one())
		model_fail("timestamps go on after a floor was set");
	return 0;
}

static uint64_t set_floor(void)
{
	return set(FLOOR);
}

static uint64_t set_higher(void)
{
	return set(HIGHER);
}

/* Above the latest timestamp by one: another thread may give it meanwhile, and then pass it. */
static uint64_t set_next(void)
{
	return (uint64_t)hpt_hlc_set_floor(&hlc, GIVEN + 1);
}

static const char *are_different(const uint64_t *results)
{
	return results[0] && results[0] == results[1] ? "a timestamp is given twice" : NULL;
}

static uint64_t set_in_clone(void)
{
	return (uint64_t)hpt_hlc_set_floor(&clone, GIVEN);
}

static uint64_t set_in_child(void)
{
	return (uint64_t)hpt_hlc_set_floor(&child, GIVEN);
}

static uint64_t read_incarnation(hpt_hlc *h)
{
	struct hpt_hlc_info info;

	if (hpt_hlc_get_info(h, &info, sizeof(info)) || info.incarnation == INCARNATION)
		model_fail("the incarnation of before");
	return 0;
}

static uint64_t read_in_clone(void)
{
	return read_incarnation(&clone);
}

static uint64_t read_in_child(void)
{
	return read_incarnation(&child);
}

static const struct model models[] = {
	{ { give_one, give_one }, are_different },
	{ { give_two, give_one, set_floor }, are_different },
	{ { give_one, give_one, set_next }, are_different },
	{ { give_one, set_floor, set_higher }, NULL },
	{ { give_one, set_floor, set_floor }, NULL },
	{ { set_in_clone, read_in_clone, read_in_clone }, NULL },
	{ { set_in_child, read_in_child, read_in_child }, NULL },
};

static void floors_and_incarnations_are_kept(void **state)
{
	(void)state;
	assert_null(model_check_all(models, COUNT(models)));
}

static void every_order_is_needed(void **state)
{
	(void)state;
	assert_int_equal(model_needless_orders("wall/hlc", models, COUNT(models)), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(floors_and_incarnations_are_kept),
		cmocka_unit_test(every_order_is_needed),
	};

	return cmocka_run_group_tests(tests, share, NULL);
}
