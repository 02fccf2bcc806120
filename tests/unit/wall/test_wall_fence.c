// SPDX-License-Identifier: MIT
/* The order of a wall's reads on the fake architecture: the counter, a fence, VMClock's page. */
#include "fake_counter.h"
#include "vmclock_page.h"
#include "wall_fakes.h"

#include "wall/vmclock.h"

static _Alignas(8) uint32_t page[1024];
static struct vmclock_page p;
static uint64_t ps_at_fence;
static uint32_t fences;

/* The machine is moved. A page that was looked at before does not show it. */
static void move(void)
{
	fences++;
	p.disruption_marker++;
	p.seq_count += 2;
	vmclock_encode(&p, page);
}

static void clone_once(void)
{
	fake_counter.at_fence = NULL;
	p.vm_generation_counter++;
	move();
}

static void note_time(void)
{
	fences++;
	ps_at_fence = world.now_ps;
}

static int begin(void **state)
{
	struct hpt_wall_config c = { .sources = FEED_BIT | HPT_WALL_SOURCE_VMCLOCK };

	fake_counter.at_fence = NULL;
	fences = 0;
	wall_begins(state);
	p = (struct vmclock_page){ .magic = VMCLOCK_MAGIC, .size = 4096, .version = 1, .seq_count = 2,
				   .flags = VMCLOCK_FLAG_GENERATION };
	vmclock_encode(&p, page);
	fake.registers = page;
	fake.registers_error = 0;
	open_as(&c, 0);
	hpt_wall_update(wall);
	feed(NS_PER_US);
	now_checked();
	return 0;
}

static void page_is_looked_at_after_the_fence(void **state)
{
	struct hpt_wall_time t;

	(void)state;
	fake_counter.at_fence = move;
	assert_int_equal(hpt_wall_now(wall, &t), -EAGAIN);
	assert_true(fences > 0);
	assert_wall_state(HPT_WALL_STATE_DISRUPTED);
}

static void counter_is_read_before_the_fence(void **state)
{
	(void)state;
	fake_counter.at_fence = note_time;
	now_checked();
	assert_int_equal(fences, 1);
	assert_int_equal(world.now_ps, ps_at_fence); /* each read of the counter takes time */
}

/* The machine is cloned after the counter was read. */
static void timestamp_of_a_clone_is_not_given(void **state)
{
	int64_t ns = 4711;
	hpt_hlc *h;

	(void)state;
	assert_int_equal(hpt_hlc_new(wall, 0, 0, &h), 0);
	fake_counter.at_fence = clone_once;
	assert_int_equal(hpt_hlc_now(h, &ns), -ESTALE);
	assert_int_equal(hpt_hlc_receive(h, 0, &ns), -ESTALE);
	assert_int_equal(ns, 4711);
	hpt_hlc_free(h);
}

/* The slow path has its own fence. */
static void slow_path_looks_after_its_fence(void **state)
{
	struct hpt_wall_time t;
	hpt_time_t tick = hpt_now(&clk);

	(void)state;
	assert_int_equal(hpt_wall_at(wall, tick, &t), 0);
	fake_counter.at_fence = move;
	assert_int_equal(hpt_wall_at(wall, tick, &t), -EAGAIN);
}

/* A page that is written during each look is never used. */
static void end_of_a_look_has_a_fence(void **state)
{
	struct hpt_wall_marks marks;

	(void)state;
	fake_counter.at_fence = move;
	assert_false(hpt_vmclock_read_marks(page, &marks));
	assert_true(fences > 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(page_is_looked_at_after_the_fence, begin, wall_ends),
		cmocka_unit_test_setup_teardown(counter_is_read_before_the_fence, begin, wall_ends),
		cmocka_unit_test_setup_teardown(timestamp_of_a_clone_is_not_given, begin, wall_ends),
		cmocka_unit_test_setup_teardown(slow_path_looks_after_its_fence, begin, wall_ends),
		cmocka_unit_test_setup_teardown(end_of_a_look_has_a_fence, begin, wall_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
