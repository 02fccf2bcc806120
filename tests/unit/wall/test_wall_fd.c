// SPDX-License-Identifier: MIT
/*
 * The descriptor of a wall: readable as the bound is lost or gained, until the program looks; and when its timer,
 * which is the kernel's own, would end the bound. The simulated CLOCK_REALTIME is far ahead of the machine's, so that
 * no timer expires by itself.
 */
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "open_files.h"
#include "vmclock_page.h"
#include "wall_fakes.h"

#include "machine/live.h"
#include "wall/wall_fd.h"

#define FAR_NS (3000000000 * NS_PER_S)

static bool is_readable(int fd, int timeout_ms)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	return poll(&p, 1, timeout_ms) == 1 && p.revents & POLLIN;
}

static bool has_news(void)
{
	return is_readable(hpt_wall_fd(wall), 0);
}

static void open_with_age(int64_t max_age_ns)
{
	struct hpt_wall_config c = config_of_feed();

	c.max_age_ns = max_age_ns;
	open_as(&c, 0);
}

static int begins(void **state)
{
	int r = wall_begins(state);

	world.realtime_offset_ns += FAR_NS;
	open_with_age(0);
	return r;
}

#define fd_test(f) cmocka_unit_test_setup_teardown(f, begins, wall_ends)

static void contradict(void)
{
	struct hpt_wall_sample s = sample_of(1000);

	s.earliest_ns += NS_PER_S;
	s.latest_ns += NS_PER_S;
	assert_int_equal(hpt_wall_feed(wall, &s, sizeof(s)), -EAGAIN);
}

/* After a contradiction the one source must state something again. */
static void settle_on_one(void)
{
	feed(NS_PER_US);
	assert_wall_state(HPT_WALL_STATE_SYNCED);
}

/* ---- News ---------------------------------------------------------------------------------------------------- */

static void it_is_one_descriptor_without_news(void **state)
{
	int fd = hpt_wall_fd(wall);

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(hpt_wall_fd(wall), fd);
	assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
	assert_false(is_readable(fd, 0));
	assert_int_equal(hpt_wall_fd_clear(wall), HPT_WALL_STATE_NONE);
	assert_false(is_readable(fd, 0));
}

static void bound_that_is_gained_or_lost_is_news(void **state)
{
	(void)state;
	assert_false(has_news());
	feed(NS_PER_US);
	assert_true(has_news());
	assert_true(has_news());
	assert_int_equal(hpt_wall_fd_clear(wall), HPT_WALL_STATE_SYNCED);
	assert_false(has_news());
	feed(NS_PER_US); /* goes on */
	assert_false(has_news());
	contradict();
	assert_true(has_news());
	assert_int_equal(hpt_wall_fd_clear(wall), HPT_WALL_STATE_CONTRADICTED);
	assert_false(has_news());
	settle_on_one();
	assert_true(has_news());
	assert_int_equal(hpt_wall_fd_clear(wall), HPT_WALL_STATE_SYNCED);
	assert_false(has_news());
	assert_int_equal(wall_info().gained, 2);
	assert_int_equal(wall_info().lost, 1);
}

static void loss_that_is_over_is_news(void **state)
{
	(void)state;
	feed(NS_PER_US);
	assert_false(has_news()); /* it is made here, and the bound is there */
	contradict();
	settle_on_one();
	assert_true(has_news());
	assert_int_equal(hpt_wall_fd_clear(wall), HPT_WALL_STATE_SYNCED);
	assert_int_equal(wall_info().gained, 2);
}

static void nothing_but_a_look_makes_it_unreadable(void **state)
{
	(void)state;
	assert_false(has_news());
	feed(NS_PER_US);
	feed(NS_PER_US);
	now_checked();
	wall_info();
	assert_true(hpt_wall_update(wall) >= 0);
	assert_true(has_news());
	contradict();
	assert_true(has_news());
}

/* Reads make no system call: the next update says what one of them found. */
static void loss_that_a_read_found_is_rung_by_the_next_update(void **state)
{
	struct hpt_wall_time t;

	(void)state;
	feed(NS_PER_US);
	assert_false(has_news());
	world.boottime_offset_ns += NS_PER_S; /* the machine slept */
	world.realtime_offset_ns += NS_PER_S;
	pass(20 * PS_PER_MS);
	assert_int_equal(hpt_wall_now(wall, &t), -EAGAIN);
	assert_false(has_news());
	assert_int_equal(hpt_wall_update(wall), HPT_WALL_STATE_DISRUPTED);
	assert_true(has_news());
	assert_int_equal(hpt_wall_fd_clear(wall), HPT_WALL_STATE_DISRUPTED);
	assert_false(has_news());
	feed(NS_PER_US);
	assert_int_equal(hpt_wall_fd_clear(wall), HPT_WALL_STATE_SYNCED);
	/* And what is over when an update comes. */
	world.boottime_offset_ns += NS_PER_S;
	world.realtime_offset_ns += NS_PER_S;
	pass(20 * PS_PER_MS);
	assert_int_equal(hpt_wall_now(wall, &t), -EAGAIN);
	assert_false(has_news());
	feed(NS_PER_US);
	assert_true(has_news());
}

/* The look that clears it sees a suspend at once, and not after 10 ms. */
static void clearing_looks_at_the_system(void **state)
{
	(void)state;
	feed(NS_PER_US);
	assert_false(has_news());
	world.boottime_offset_ns += NS_PER_S;
	world.realtime_offset_ns += NS_PER_S;
	assert_int_equal(hpt_wall_fd_clear(wall), HPT_WALL_STATE_DISRUPTED);
}

/* ---- The timer ----------------------------------------------------------------------------------------------- */

/* Of the two descriptors in the set. */
static int timer_of(int set)
{
	struct itimerspec its;
	char path[64], line[256];
	int fd, timer = -1;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", set);
	f = fopen(path, "re");
	assert_non_null(f);
	while (fgets(line, sizeof(line), f))
		if (sscanf(line, "tfd: %d", &fd) == 1 && !timerfd_gettime(fd, &its))
			timer = fd;
	fclose(f);
	errno = EXDEV;
	return timer;
}

/* How long until it will expire, by the simulated CLOCK_REALTIME; 0: never. */
static int64_t armed_for_ns(void)
{
	struct itimerspec its;
	int64_t now_ns = hpt_env_live.clock_ns(CLOCK_REALTIME);

	assert_int_equal(timerfd_gettime(timer_of(hpt_wall_fd(wall)), &its), 0);
	if (!its.it_value.tv_sec && !its.it_value.tv_nsec)
		return 0;
	return now_ns + its.it_value.tv_sec * NS_PER_S + its.it_value.tv_nsec - fake_world_true_ns(CLOCK_REALTIME);
}

static void assert_armed_for(int64_t ns)
{
	int64_t armed_ns = armed_for_ns();

	if (armed_ns < ns - 20 * NS_PER_MS || armed_ns > ns + 20 * NS_PER_MS)
		fail_msg("%lld ns", (long long)armed_ns);
}

static void timer_is_set_to_the_end_of_the_bound(void **state)
{
	(void)state;
	assert_true(hpt_wall_fd(wall) >= 0);
	assert_int_equal(armed_for_ns(), 0);
	feed(NS_PER_US);
	assert_armed_for(1000 * NS_PER_S);
	open_with_age(5 * NS_PER_S);
	feed(NS_PER_US);
	assert_armed_for(5 * NS_PER_S);
	pass(2 * PS_PER_S);
	assert_armed_for(3 * NS_PER_S);
	assert_int_equal(hpt_wall_fd_clear(wall), HPT_WALL_STATE_SYNCED);
	assert_armed_for(3 * NS_PER_S);
	feed(NS_PER_US);
	assert_armed_for(5 * NS_PER_S);
	contradict();
	assert_int_equal(armed_for_ns(), 0);
}

/* It ends too as the clock is set, or as the machine wakes: flags of timerfd_settime(2), in octal. */
static void timer_ends_at_steps(void **state)
{
	char path[64], line[256];
	bool is_found = false;
	FILE *f;

	(void)state;
	feed(NS_PER_US);
	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", timer_of(hpt_wall_fd(wall)));
	f = fopen(path, "re");
	assert_non_null(f);
	while (fgets(line, sizeof(line), f))
		is_found |= !strcmp(line, "settime flags: 03\n");
	fclose(f);
	errno = EXDEV;
	assert_true(is_found);
}

static void timer_comes_before_a_leap_second(void **state)
{
	struct hpt_wall_reading r = { .leap = HPT_WALL_LEAP_INSERTED };

	(void)state;
	r.sample = sample_of(1000);
	r.leap_at_ns = (utc_ns() / (86400 * NS_PER_S) + 1) * 86400 * NS_PER_S;
	utc_moved_ns += r.leap_at_ns - 100 * NS_PER_S - utc_ns();
	r.sample = sample_of(3 * NS_PER_S); /* UTC may be 3 s on */
	assert_true(hpt_wall_fd(wall) >= 0);
	assert_int_equal(hpt_wall_add(wall, &r), 0);
	hpt_wall_ring(wall);
	assert_armed_for(96 * NS_PER_S);
	r.sample = sample_of(1000);
	assert_int_equal(hpt_wall_add(wall, &r), 0);
	hpt_wall_ring(wall);
	assert_armed_for(99 * NS_PER_S);
	pass(98 * PS_PER_S);
	assert_int_equal(hpt_wall_fd_clear(wall), HPT_WALL_STATE_HOLDOVER);
	pass(2 * PS_PER_S);
	assert_int_equal(hpt_wall_fd_clear(wall), HPT_WALL_STATE_LEAP);
	assert_armed_for(100 * NS_PER_MS); /* the bound comes back without a sample */
}

static void timer_ignores_a_leap_second_that_is_covered(void **state)
{
	struct hpt_wall_reading r = { .leap = HPT_WALL_LEAP_INSERTED };
	struct hpt_wall_config c = config_of_feed();

	(void)state;
	for (int smears = 0; smears < 2; smears++) {
		open_as(&c, smears ? 0 : HPT_WALL_OPEN_LEAP_COVER);
		r.sample = sample_of(1000);
		r.sample.flags = smears ? HPT_WALL_FLAG_SMEARED : 0;
		r.leap_at_ns = (utc_ns() / (86400 * NS_PER_S) + 1) * 86400 * NS_PER_S;
		utc_moved_ns += r.leap_at_ns - 100 * NS_PER_S - utc_ns();
		r.sample.earliest_ns = utc_ns() - 1000;
		r.sample.latest_ns = utc_ns() + 1000;
		assert_true(hpt_wall_fd(wall) >= 0);
		assert_int_equal(hpt_wall_add(wall, &r), 0);
		hpt_wall_ring(wall);
		assert_armed_for(1000 * NS_PER_S);
	}
}

/* On the machine's own clocks. */
static void bound_that_ends_without_news_is_news(void **state)
{
	struct hpt_wall_config c = config_of_feed();
	struct hpt_wall_sample s = { .earliest_ns = UTC_AT_0_NS, .latest_ns = UTC_AT_0_NS + 1000 };
	hpt_wall *w;
	int fd;

	(void)state;
	c.max_age_ns = 300 * NS_PER_MS;
	assert_int_equal(hpt_wall_open(NULL, &c, sizeof(c), 0, &w), 0);
	fd = hpt_wall_fd(w);
	s.before = s.after = hpt_now(NULL);
	assert_int_equal(hpt_wall_feed(w, &s, sizeof(s)), 0);
	assert_int_equal(hpt_wall_fd_clear(w), HPT_WALL_STATE_SYNCED);
	assert_false(is_readable(fd, 0));
	for (int i = 0; i < 5; i++) {
		assert_true(is_readable(fd, 10000));
		if (hpt_wall_fd_clear(w) == HPT_WALL_STATE_STALE)
			break;
	}
	assert_int_equal(hpt_wall_fd_clear(w), HPT_WALL_STATE_STALE);
	assert_false(is_readable(fd, 0));
	hpt_wall_close(w);
	errno = EXDEV;
}

/* ---- Processes and resources --------------------------------------------------------------------------------- */

static void child_makes_its_own(void **state)
{
	int fd = hpt_wall_fd(wall), status;
	pid_t child;

	(void)state;
	child = fork();
	if (!child) {
		bool is_well = hpt_wall_fd_clear(wall) == -EINVAL;

		feed(NS_PER_US); /* which is no news for the parent */
		is_well &= hpt_wall_fd(wall) != fd && hpt_wall_fd(wall) >= 0 && !has_news();
		contradict();
		is_well &= has_news() && hpt_wall_fd_clear(wall) == HPT_WALL_STATE_CONTRADICTED && !has_news();
		hpt_wall_close(wall);
		_exit(is_well && fcntl(fd, F_GETFD) >= 0 ? 0 : 1);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	errno = EXDEV;
	assert_false(is_readable(fd, 0));
	feed(NS_PER_US);
	assert_true(has_news());
}

static void close_gives_the_descriptors_back(void **state)
{
	uint32_t before = open_files();

	(void)state;
	assert_true(hpt_wall_fd(wall) >= 0);
	assert_int_equal(open_files(), before + 3);
	open_with_age(0);
	assert_int_equal(open_files(), before);
}

/* With room for none, one and two descriptors. */
static void without_descriptors_nothing_is_left_open(void **state)
{
	struct rlimit old, few;
	uint32_t before = open_files(), next = dup(0);

	(void)state;
	close(next);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &old), 0);
	for (int room = 0; room < 3; room++) {
		few = (struct rlimit){ (rlim_t)(next + room), old.rlim_max };
		assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
		assert_int_equal(hpt_wall_fd(wall), -EMFILE);
		assert_int_equal(setrlimit(RLIMIT_NOFILE, &old), 0);
		assert_int_equal(open_files(), before);
	}
	assert_true(hpt_wall_fd(wall) >= 0);
}

static void nothing_is_done_without_arguments(void **state)
{
	struct hpt_wall_config c = config_of_feed();
	hpt_clock *manual;
	hpt_wall *w;

	(void)state;
	assert_int_equal(hpt_wall_fd(NULL), -EINVAL);
	assert_int_equal(hpt_wall_fd_clear(NULL), -EINVAL);
	assert_int_equal(hpt_wall_fd_clear(wall), -EINVAL);
	assert_int_equal(hpt_clock_new_manual(NS_PER_S, 0, 0, &manual), 0);
	assert_int_equal(hpt_wall_open(manual, &c, sizeof(c), 0, &w), 0);
	assert_int_equal(hpt_wall_fd(w), -ENOTSUP);
	hpt_wall_close(w);
	hpt_clock_close(manual);
}

/* ---- Changes that a hypervisor announces --------------------------------------------------------------------- */

#define NOTIFICATION (1u << 9)

static struct vmclock_page vm_page;
static uint32_t vm_words[VMCLOCK_WORDS];
static int vm_device, vm_opened; /* the latest one, and how many */

/* As Linux's driver: readable until it is read, and from the next change on. A change rings each that is open. */
static int open_device(const char *path)
{
	(void)path;
	vm_device = eventfd(1, EFD_NONBLOCK | EFD_CLOEXEC);
	vm_opened++;
	return vm_device;
}

/* Not a file for poll(2), as the device of older kernels. */
static int open_old_device(const char *path)
{
	(void)path;
	vm_opened++;
	return vm_device = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
}

static void change_vm_page(bool is_clone)
{
	vm_page.seq_count += 2;
	vm_page.disruption_marker += is_clone;
	vmclock_encode(&vm_page, vm_words);
	eventfd_write(vm_device, 1);
}

static void begin_with_device(uint64_t flags, int (*open_it)(const char *path))
{
	struct hpt_wall_config c = { .sources = FEED_BIT | HPT_WALL_SOURCE_VMCLOCK };

	vm_page = (struct vmclock_page){ .magic = VMCLOCK_MAGIC, .size = 4096, .version = 1, .seq_count = 2,
					 .counter_id = VMCLOCK_COUNTER_INVALID, .flags = flags };
	vmclock_encode(&vm_page, vm_words);
	fake.registers = vm_words;
	fake.registers_error = 0;
	fake_env.open = open_it;
	vm_opened = 0;
	vm_device = -1;
	open_as(&c, 0);
	hpt_wall_update(wall);
	feed(NS_PER_US);
}

static void announced_change_is_news(void **state)
{
	(void)state;
	begin_with_device(NOTIFICATION, open_device);
	assert_false(has_news());
	change_vm_page(true);
	assert_true(has_news());
	assert_int_equal(hpt_wall_fd_clear(wall), HPT_WALL_STATE_DISRUPTED);
	assert_false(has_news());
	/* One that disrupts nothing is readable once. */
	change_vm_page(false);
	assert_true(has_news());
	assert_int_equal(hpt_wall_fd_clear(wall), HPT_WALL_STATE_DISRUPTED);
	assert_false(has_news());
	change_vm_page(true);
	assert_true(has_news());
}

/* A child that lives on has what was open, which keeps it in no set. */
static void device_of_before_is_in_no_set(void **state)
{
	int kept;

	(void)state;
	begin_with_device(NOTIFICATION, open_device);
	assert_false(has_news());
	kept = dup(vm_device);
	assert_int_equal(hpt_wall_fd_clear(wall), HPT_WALL_STATE_SYNCED);
	eventfd_write(kept, 1);
	assert_false(has_news());
	close(kept);
}

static void device_without_announcements_is_not_opened(void **state)
{
	(void)state;
	begin_with_device(0, open_device);
	assert_false(has_news());
	assert_int_equal(vm_opened, 0);
}

static void device_of_older_kernels_is_left_out(void **state)
{
	uint32_t before = open_files();

	(void)state;
	begin_with_device(NOTIFICATION, open_old_device);
	assert_false(has_news());
	assert_true(vm_opened > 0);
	assert_int_equal(open_files(), before + 3);
	hpt_wall_fd_clear(wall);
	assert_int_equal(open_files(), before + 3);
}

static void device_is_closed_with_the_wall(void **state)
{
	uint32_t before = open_files();

	(void)state;
	begin_with_device(NOTIFICATION, open_device);
	assert_false(has_news());
	for (int i = 0; i < 3; i++)
		hpt_wall_fd_clear(wall);
	assert_int_equal(open_files(), before + 4);
	hpt_wall_close(wall);
	wall = NULL;
	assert_int_equal(open_files(), before);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		fd_test(it_is_one_descriptor_without_news),
		fd_test(bound_that_is_gained_or_lost_is_news),
		fd_test(loss_that_is_over_is_news),
		fd_test(nothing_but_a_look_makes_it_unreadable),
		fd_test(loss_that_a_read_found_is_rung_by_the_next_update),
		fd_test(clearing_looks_at_the_system),
		fd_test(timer_is_set_to_the_end_of_the_bound),
		fd_test(timer_ends_at_steps),
		fd_test(timer_comes_before_a_leap_second),
		fd_test(timer_ignores_a_leap_second_that_is_covered),
		fd_test(bound_that_ends_without_news_is_news),
		fd_test(child_makes_its_own),
		fd_test(close_gives_the_descriptors_back),
		fd_test(without_descriptors_nothing_is_left_open),
		fd_test(nothing_is_done_without_arguments),
		fd_test(announced_change_is_news),
		fd_test(device_of_before_is_in_no_set),
		fd_test(device_without_announcements_is_not_opened),
		fd_test(device_of_older_kernels_is_left_out),
		fd_test(device_is_closed_with_the_wall),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
