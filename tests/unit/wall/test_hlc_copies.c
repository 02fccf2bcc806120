// SPDX-License-Identifier: MIT
/* Hybrid logical clocks of which there are two: by a fork, or because the machine began again from a copy. */
#include "hlc_world.h"
#include "vmclock_page.h"

#include <sys/wait.h>
#include <unistd.h>

/* ---- Forks --------------------------------------------------------------------------------------------------- */

/* The child's exit status: 0, or the number of the check that failed. */
static int child(int64_t last, uint64_t parents)
{
	int64_t ns = 4711;

	if (hpt_hlc_now(hlc, &ns) != -ESTALE || hpt_hlc_receive(hlc, last, &ns) != -ESTALE || ns != 4711)
		return 1;
	if (incarnation() || hpt_hlc_set_floor(hlc, last + 100) || !incarnation() || incarnation() == parents)
		return 2;
	if (hpt_hlc_now(hlc, &ns) || ns <= last + 100)
		return 3;
	return hpt_hlc_receive(hlc, last, &ns) || ns <= last + 101 ? 4 : 0;
}

/* Without a bound too: that comes back, and the timestamps would still be the parent's. */
static void forked_child_without_a_bound_needs_a_floor(void **state)
{
	struct hpt_wall_config c = config_of_feed();
	int status;
	int64_t ns;
	pid_t pid;

	(void)state;
	open_as(&c, 0);
	new_hlc(AHEAD_NS);
	assert_now_fails(-EAGAIN);
	pid = fork();
	if (!pid)
		_exit(hpt_hlc_now(hlc, &ns) != -ESTALE || hpt_hlc_set_floor(hlc, 0) ||
		      hpt_hlc_now(hlc, &ns) != -EAGAIN);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static void forked_child_needs_a_floor(void **state)
{
	uint64_t mine = incarnation(), now_ps;
	int64_t last;
	int status;
	pid_t pid;

	(void)state;
	assert_int_equal(hpt_hlc_now(hlc, &last), 0);
	fake.random = 4711;
	pid = fork();
	if (!pid)
		_exit(child(last, mine));
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_int_equal(hpt_hlc_now(hlc, &last), 0);
	assert_int_equal(incarnation(), mine);
	assert_int_equal(hpt_hlc_set_floor(hlc, last), 0);
	assert_int_equal(incarnation(), mine);
	now_ps = world.now_ps;
	assert_int_equal(incarnation(), mine);
	assert_int_equal(world.now_ps, now_ps); /* without VMClock nothing is looked at */
}

/* ---- Clones -------------------------------------------------------------------------------------------------- */

static _Alignas(8) uint32_t page[1024];
static struct vmclock_page p;

/* A wall with VMClock's page, which has a counter of the machine's generations. */
static void begin_with_page(uint64_t flags)
{
	struct hpt_wall_config c = { .sources = FEED_BIT | HPT_WALL_SOURCE_VMCLOCK };

	p = (struct vmclock_page){ .magic = VMCLOCK_MAGIC, .size = 4096, .version = 1, .seq_count = 2,
				   .counter_id = VMCLOCK_COUNTER_INVALID, .flags = flags };
	vmclock_encode(&p, page);
	fake.registers = page;
	fake.registers_error = 0;
	open_as(&c, 0);
	new_hlc(NS_PER_S);
	hpt_wall_update(wall); /* maps the page: what it says first is no event */
	feed(NS_PER_US);
	stand_still();
}

static void change_page(uint64_t marker, uint64_t generation)
{
	p.disruption_marker += marker;
	p.vm_generation_counter += generation;
	p.seq_count += 2;
	vmclock_encode(&p, page);
}

/* A sample is of after the event if time has passed since. */
static void feed_later(void)
{
	pass(PS_PER_MS / 1000);
	feed(NS_PER_US);
}

static void assert_clone(uint64_t marker)
{
	uint64_t before = incarnation();
	int64_t last = 0;

	assert_int_equal(hpt_hlc_now(hlc, &last), 0);
	change_page(marker, 1);
	assert_now_fails(-ESTALE);
	assert_receive_fails(last, -ESTALE);
	assert_int_equal(incarnation(), 0);
	assert_wall_state(HPT_WALL_STATE_DISRUPTED);
	feed_later();
	assert_now_fails(-ESTALE);
	assert_receive_fails(last, -ESTALE);
	assert_int_equal(incarnation(), 0);
	fake.random += 1000;
	assert_int_equal(hpt_hlc_set_floor(hlc, last + 100000), 0);
	assert_now(last + 100001);
	assert_receive(last, last + 100002);
	assert_true(incarnation() && incarnation() != before);
}

static void clone_needs_a_floor(void **state)
{
	(void)state;
	begin_with_page(VMCLOCK_FLAG_GENERATION);
	assert_int_equal(info_of().sees_clones, 1);
	assert_now(latest());
	assert_clone(1);
	assert_clone(0); /* the machine's counter is not disrupted: a copy on the same host */
	assert_clone(0);
}

static void other_changes_of_the_page_are_no_clones(void **state)
{
	uint64_t mine;

	(void)state;
	begin_with_page(VMCLOCK_FLAG_GENERATION);
	mine = incarnation();
	change_page(0, 0);
	assert_now(latest());
	change_page(1, 0);
	assert_now_fails(-EAGAIN);
	feed_later();
	assert_now(latest());
	assert_int_equal(incarnation(), mine);
	/* The flag says that there is a counter. */
	begin_with_page(0);
	mine = incarnation();
	assert_int_equal(info_of().sees_clones, 0);
	change_page(0, 1);
	assert_now(latest());
	assert_int_equal(incarnation(), mine);
}

/* While the wall has no bound its reads do not look at the page. */
static void clone_without_a_bound_is_noticed(void **state)
{
	int64_t last;

	(void)state;
	begin_with_page(VMCLOCK_FLAG_GENERATION);
	last = latest();
	change_page(1, 0);
	assert_now_fails(-EAGAIN);
	change_page(1, 1);
	assert_int_equal(incarnation(), 0);
	assert_now_fails(-ESTALE);
	assert_int_equal(hpt_hlc_set_floor(hlc, last), 0);
	assert_now_fails(-EAGAIN);
	assert_true(incarnation());
	change_page(1, 1);
	hpt_wall_update(wall);
	feed_later();
	assert_now_fails(-ESTALE);
}

/* A floor that is set first, by a program that knows of the clone, and a clock that is made after it. */
static void clone_may_be_known_before_a_timestamp(void **state)
{
	uint64_t before;
	int64_t last;

	(void)state;
	begin_with_page(VMCLOCK_FLAG_GENERATION);
	before = incarnation();
	last = latest();
	change_page(1, 1);
	fake.random += 1000;
	assert_int_equal(hpt_hlc_set_floor(hlc, last), 0);
	assert_true(incarnation() && incarnation() != before);
	feed_later();
	assert_int_equal(hpt_hlc_now(hlc, &last), 0);
	change_page(1, 1);
	new_hlc(NS_PER_S);
	feed_later();
	assert_now(latest());
	change_page(1, 1);
	assert_now_fails(-ESTALE);
}

static void change_page_once_more(void)
{
	change_page(1, 1);
	fake.random = 1 << 23;
}

static void clone_again(void)
{
	change_page(1, 1);
	fake.random = 1 << 20;
	assert_int_equal(hpt_hlc_set_floor(hlc, 0), 0); /* another thread's */
	fake.random = 1 << 21;
}

/* While one thread has drawn a number, which the next clone then has too. */
static void clone_of_a_clone_keeps_no_older_number(void **state)
{
	uint64_t tick;

	(void)state;
	begin_with_page(VMCLOCK_FLAG_GENERATION);
	tick = (uint64_t)hpt_now(&clk);
	change_page(1, 1);
	fake.random = 1 << 19;
	fake.random_hook = clone_again;
	assert_int_equal(hpt_hlc_set_floor(hlc, 0), 0);
	assert_int_equal((incarnation() - tick) >> 19, 2); /* ticks pass during looks */
	/* A clone that nobody has noticed yet: a number for the one before is not enough. */
	change_page(1, 1);
	fake.random_hook = change_page_once_more;
	fake.random = 1 << 22;
	assert_int_equal(hpt_hlc_set_floor(hlc, 0), 0);
	assert_int_equal((incarnation() - tick) >> 19, 16);
}

/* A kernel that gives two clones the same bits, or none: they go on at different ticks. */
static void incarnations_differ_by_the_tick_alone(void **state)
{
	uint64_t first;

	(void)state;
	fake.random = 0;
	new_hlc(0);
	first = incarnation();
	pass(PS_PER_MS);
	new_hlc(0);
	assert_true(first && incarnation() && incarnation() != first);
	stand_still();
	fake.random = -(uint64_t)hpt_now(&clk);
	new_hlc(0);
	assert_int_equal(incarnation(), 1); /* 0 would mean that there is no incarnation */
	assert_int_equal(errno, EXDEV);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		hlc_test(forked_child_needs_a_floor),
		hlc_test(forked_child_without_a_bound_needs_a_floor),
		hlc_test(clone_needs_a_floor),
		hlc_test(other_changes_of_the_page_are_no_clones),
		hlc_test(clone_without_a_bound_is_noticed),
		hlc_test(clone_may_be_known_before_a_timestamp),
		hlc_test(clone_of_a_clone_keeps_no_older_number),
		hlc_test(incarnations_differ_by_the_tick_alone),
	};

	fake_env_reset();
	return cmocka_run_group_tests_name("hlc copies", tests, NULL, NULL);
}
