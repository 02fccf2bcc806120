// SPDX-License-Identifier: MIT
/* hpt_clock_check() and hpt_clock_generation() in a simulated world: clocks, files, hypervisor's marker and CPUID. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "unit.h"

#include "clock/clock.h"
#include "fake_env.h"
#include "fake_source.h"
#include "hpt/hpt.h"
#include "clock/anchor.h"
#include "clock/default.h"
#include "clock/read.h"
#include "clock/timekeeper.h"

#define PS_PER_S  UINT64_C(1000000000000)
#define PS_PER_MS UINT64_C(1000000000)

static struct hpt_clock clk;
static char vmclock[64];

/* Writes the fake /dev/vmclock0; a size below 24 truncates it. */
static void set_marker(uint64_t marker, uint32_t magic, uint32_t seq, size_t size)
{
	unsigned char page[24] = { 0 };
	int fd = open(vmclock, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	for (int i = 0; i < 8; i++) {
		page[16 + i] = (unsigned char)(marker >> 8 * i);
		if (i < 4) {
			page[i] = (unsigned char)(magic >> 8 * i);
			page[12 + i] = (unsigned char)(seq >> 8 * i);
		}
	}
	assert_true(fd >= 0);
	assert_int_equal(write(fd, page, size), size);
	close(fd);
}

#define VCLK 0x4b4c4356u

/* Which counter it is; the fake world reads it. */
static const struct hpt_source_ops tsc = { .name = "tsc", .id = HPT_SOURCE_TSC, .clocksource = "tsc" };
static const struct hpt_source_ops hpet = { .name = "hpet", .id = HPT_SOURCE_HPET };

static int new_clock(void **state)
{
	(void)state;
	fake_env_reset();
	fake_env_kernel("tsc\n");
	fake_env_place("/dev/vmclock0", vmclock);
	unlink(vmclock);
	world = (struct fake_world){
		.now_ps = 5 * PS_PER_S, .tick_ps = 435, .kernel_mult = 7294442, .kernel_shift = 24, .read_ps = 8000,
		.clock_ps = 24000, .realtime_offset_ns = INT64_C(1700000000000000000),
	};
	memset(&clk, 0, sizeof(clk));
	fake_world_source(&clk.src, &fake_env);
	clk.src.ops = &tsc;
	hpt_read_set(&clk);
	clk.at_load = hpt_booted()->status;
	clk.is_clocksource = true;
	hpt_anchor_take(&clk.src, &clk.anchor);
	return 0;
}

static void check(uint32_t state, uint64_t generation)
{
	assert_int_equal(hpt_clock_check(&clk, NULL), state);
	assert_int_equal(hpt_clock_generation(&clk), generation);
}

static struct hpt_clock_info clock_info(void)
{
	struct hpt_clock_info info;

	assert_int_equal(hpt_clock_get_info(&clk, &info, sizeof(info)), 0);
	return info;
}

static uint32_t flags(void)
{
	return clock_info().flags;
}

static void all_is_well(void **state)
{
	(void)state;
	for (int i = 0; i < 100; i++) {
		check(HPT_STATE_OK, 1);
		world.now_ps += i * i * PS_PER_MS;
	}
	assert_int_equal(flags(), 0);
}

/* The first check makes the first record and finds nothing to compare with. */
static void first_check_makes_the_first_record(void **state)
{
	(void)state;
	check(HPT_STATE_OK, 1);
	assert_true(hpt_now_ns(&clk) > 0);
}

/* Reads sample the clocks at most once a second; a check samples them at once. */
static void check_does_not_wait_for_the_segments_end(void **state)
{
	(void)state;
	for (int i = 0; i < 40; i++) {
		world.now_ps += 100 * PS_PER_MS;
		hpt_now_ns(&clk);
	}
	check(HPT_STATE_OK, 1);
	world.realtime_offset_ns += 5000;
	assert_int_equal(hpt_clock_generation(&clk), 1);
	check(HPT_STATE_REANCHORED, 2);
	world.tick_offset += 100000000;
	check(HPT_STATE_DISRUPTED, 3);
	assert_in_range(hpt_now_ns(&clk) - fake_world_true_ns(CLOCK_MONOTONIC_RAW) + 100, 0, 200);
}

/* Checks in the middle of a segment refine the rate, and hpt_now_ns() never goes back. */
static void checks_do_not_disturb_the_timeline(void **state)
{
	int64_t last = hpt_now_ns(&clk);

	(void)state;
	for (int i = 0; i < 20000; i++) {
		int64_t now;

		hpt_clock_check(&clk, NULL);
		now = hpt_now_ns(&clk);
		assert_true(now >= last);
		last = now;
		world.now_ps += random_below(PS_PER_MS);
	}
	check(HPT_STATE_OK, 1);
}

static void kernel_that_leaves_the_tsc_demotes_it(void **state)
{
	hpt_time_t ticks;
	int64_t before;

	(void)state;
	check(HPT_STATE_OK, 1);
	before = hpt_now_ns(&clk);
	fake_env_kernel("hpet\n");
	assert_int_equal(hpt_clock_generation(&clk), 1); /* a read opens no file */
	check(HPT_STATE_DEMOTED, 2);
	ticks = hpt_now(&clk);
	assert_true(hpt_now_ns(&clk) >= before);
	fake_env_kernel(NULL); /* unreadable is no verdict */
	world.now_ps += 3 * PS_PER_S;
	check(HPT_STATE_DEMOTED, 2);
	assert_true(hpt_now(&clk) > ticks);
}

/* As long as a demoted counter is not watched by the kernel, nothing else ends that state. */
static void kernel_that_returns_to_the_tsc_ends_it(void **state)
{
	(void)state;
	check(HPT_STATE_OK, 1);
	fake_env_kernel("hpet\n");
	check(HPT_STATE_DEMOTED, 2);
	world.now_ps += 3 * PS_PER_S;
	hpt_now_ns(&clk);
	fake_env_kernel("tsc\n");
	assert_int_equal(hpt_clock_generation(&clk), 2);
	check(HPT_STATE_OK, 3);
	for (int i = 0; i < 40; i++) {
		int64_t raw = fake_world_true_ns(CLOCK_MONOTONIC_RAW);

		assert_in_range(hpt_now_ns(&clk) - raw + 100, 0, 2000);
		world.now_ps += 100 * PS_PER_MS;
	}
	check(HPT_STATE_OK, 3);
	assert_int_equal(clock_info().frequency_origin, HPT_ORIGIN_KERNEL);
	assert_true(clock_info().frequency_error_ppb < 100);
}

/* Whatever the counter does then, the system's clocks answer, at their own rate. */
static void demoted_clock_follows_the_systems(void **state)
{
	uint32_t error_ppb = 500000;

	(void)state;
	check(HPT_STATE_OK, 1);
	fake_env_kernel("hpet\n");
	check(HPT_STATE_DEMOTED, 2);
	for (int i = 0; i < 100; i++) {
		int64_t raw = fake_world_true_ns(CLOCK_MONOTONIC_RAW), wall = fake_world_true_ns(CLOCK_REALTIME);
		struct hpt_clock_info info;
		int64_t unix_ns;

		assert_in_range(hpt_now_ns(&clk) - raw, 0, 2000);
		assert_in_range(hpt_now_unix_ns(&clk) - wall, 0, 4000);
		assert_int_equal(hpt_time_to_unix_ns(&clk, hpt_now(&clk), &unix_ns), 0);
		assert_in_range(unix_ns - wall, 0, 6000);
		assert_int_equal(hpt_clock_get_info(&clk, &info, sizeof(info)), 0);
		assert_true(info.frequency_error_ppb >= error_ppb);
		error_ppb = info.frequency_error_ppb;
		world.tick_offset += 2300000; /* a millisecond: within the segment */
		assert_in_range(hpt_now_ns(&clk) - fake_world_true_ns(CLOCK_MONOTONIC_RAW) + 1000, 0, 2000);
		world.tick_offset += random_u64() >> 8;
		world.now_ps += 1100 * PS_PER_MS;
	}
	check(HPT_STATE_DEMOTED, 2);
	world.realtime_offset_ns += 1000000; /* a further event: it stays demoted */
	check(HPT_STATE_DEMOTED, 3);
}

/*
 * The kernel's watchdog leaves a TSC that is 500 ppm off: the bound starts there, at the event itself. Neither checks
 * nor steps of the wall clock make it fall.
 */
static void demoted_clocks_bound_holds(void **state)
{
	static const int64_t slews_ppb[] = { 0, 700000, -20000, 2000000, 0 };
	uint32_t error_ppb = 500000;

	(void)state;
	world.now_ps += PS_PER_S;
	check(HPT_STATE_OK, 1);
	fake_env_kernel("hpet\n");
	check(HPT_STATE_DEMOTED, 2);
	assert_int_equal(clock_info().frequency_error_ppb, 500000);
	assert_int_equal(clock_info().frequency_origin, HPT_ORIGIN_MEASURED);
	for (size_t i = 0; i < COUNT(slews_ppb); i++) {
		fake_world_slew(&world.all, slews_ppb[i]);
		world.realtime_offset_ns += 1000000;
		for (int n = 0; n < 30; n++) {
			world.now_ps += 1100 * PS_PER_MS;
			hpt_clock_check(&clk, NULL);
			assert_true(clock_info().frequency_error_ppb >= error_ppb);
			error_ppb = clock_info().frequency_error_ppb;
			assert_int_equal(clock_info().frequency_origin, HPT_ORIGIN_MEASURED);
			assert_true(n < 2 || llabs(slews_ppb[i]) * 997 / 1000 <= error_ppb);
		}
		check(HPT_STATE_DEMOTED, 3 + i);
	}
	assert_in_range(error_ppb, 1996000, 2100000);
}

/* A counter that stops never leaves its segment, so reads cannot see it. From the check on times are the kernel's. */
static void check_notices_a_counter_that_stops(void **state)
{
	uint64_t tick;

	(void)state;
	check(HPT_STATE_OK, 1);
	tick = (uint64_t)hpt_now(&clk);
	world.kernel_mult = 0;
	world.clock_offset_ns += (int64_t)(world.now_ps / 435 * 7294442 >> 24) - (int64_t)(world.now_ps / 1000);
	world.tick_ps = UINT64_MAX;
	world.tick_offset = tick;
	world.now_ps += 3 * PS_PER_S;
	assert_int_equal(hpt_clock_generation(&clk), 1);
	check(HPT_STATE_DISRUPTED, 2);
	for (int i = 0; i < 20; i++) {
		int64_t raw = fake_world_true_ns(CLOCK_MONOTONIC_RAW), wall = fake_world_true_ns(CLOCK_REALTIME);

		assert_in_range(hpt_now_ns(&clk) - raw, 0, 2000);
		assert_in_range(hpt_now_unix_ns(&clk) - wall, 0, 4000);
		check(HPT_STATE_DISRUPTED, 2);
		world.now_ps += 300 * PS_PER_MS;
	}
	world.tick_ps = 435;
	world.tick_offset = tick - world.now_ps / 435;
	for (int i = 0; i < 100; i++) {
		int64_t raw = fake_world_true_ns(CLOCK_MONOTONIC_RAW);

		assert_in_range(hpt_now_ns(&clk) - raw + 100, 0, 2000);
		world.now_ps += 10 * PS_PER_MS;
	}
	check(HPT_STATE_DISRUPTED, 2);
	assert_in_range(clock_info().frequency_error_ppb, 1, 100000);
}

/* Only a kernel that kept time with the TSC can leave it; an unreadable clocksource does not count as leaving. */
static void kernel_on_another_clock_demotes_nothing(void **state)
{
	(void)state;
	clk.is_clocksource = false;
	fake_env_kernel("kvm-clock\n");
	check(HPT_STATE_OK, 1);
	clk.is_clocksource = true;
	fake_env_kernel(NULL);
	check(HPT_STATE_OK, 1);
	fake_env_kernel("");
	check(HPT_STATE_OK, 1);
}

static void a_veto_is_a_flag_and_outlives_events(void **state)
{
	(void)state;
	assert_int_equal(flags(), 0);
	clk.is_vetoed = true;
	check(HPT_STATE_OK, 1);
	assert_int_equal(flags(), HPT_CLOCK_VETOED);
	world.realtime_offset_ns += 1000000;
	check(HPT_STATE_REANCHORED, 2);
	assert_int_equal(flags(), HPT_CLOCK_VETOED);
}

static void hypervisors_marker_is_compared(void **state)
{
	(void)state;
	check(HPT_STATE_OK, 1);
	set_marker(4711, VCLK, 2, 24);
	check(HPT_STATE_OK, 1); /* seen for the first time */
	world.now_ps += 2 * PS_PER_S;
	hpt_now_ns(&clk); /* records in between keep it */
	check(HPT_STATE_OK, 1);
	set_marker(4712, VCLK, 4, 24);
	check(HPT_STATE_DISRUPTED, 2);
	check(HPT_STATE_DISRUPTED, 2);
	set_marker(0, VCLK, 6, 24);
	check(HPT_STATE_DISRUPTED, 3);
}

/* As after the restore of a snapshot. */
static void marker_counts_even_if_the_wall_clock_was_stepped(void **state)
{
	(void)state;
	set_marker(1, VCLK, 2, 24);
	check(HPT_STATE_OK, 1);
	set_marker(2, VCLK, 4, 24);
	world.realtime_offset_ns += INT64_C(5000000000);
	check(HPT_STATE_DISRUPTED, 2);
	check(HPT_STATE_DISRUPTED, 2);
}

static void invalid_marker_is_ignored(void **state)
{
	(void)state;
	set_marker(1, VCLK, 2, 24);
	check(HPT_STATE_OK, 1);
	set_marker(2, VCLK + 1, 2, 24);
	check(HPT_STATE_OK, 1);
	set_marker(2, VCLK, 3, 24); /* being updated */
	check(HPT_STATE_OK, 1);
	set_marker(2, VCLK, 2, 23);
	check(HPT_STATE_OK, 1);
	set_marker(2, VCLK, 2, 0);
	check(HPT_STATE_OK, 1);
	unlink(vmclock);
	check(HPT_STATE_OK, 1);
	set_marker(1, VCLK, 4, 24);
	check(HPT_STATE_OK, 1);
}

/* The marker concerns the CPU's counter alone. */
static void marker_does_not_concern_the_hpet(void **state)
{
	(void)state;
	clk.src.ops = &hpet;
	clk.is_clocksource = false;
	set_marker(1, VCLK, 2, 24);
	check(HPT_STATE_OK, 1);
	set_marker(2, VCLK, 2, 24);
	check(HPT_STATE_OK, 1);
}

static void cpu_states(uint32_t crystal_hz, uint32_t numerator, uint32_t denominator)
{
	static struct fake_leaf leaves[3];

	leaves[0] = (struct fake_leaf){ 0, { 0x16, 0, 0, 0 } };
	leaves[1] = (struct fake_leaf){ 0x15, { denominator, numerator, crystal_hz, 0 } };
	fake.leaves = leaves;
	fake.n_leaves = 2;
}

static void flags_where_cpu_states(uint32_t want, uint32_t crystal_hz, uint32_t numerator, uint32_t denominator)
{
	new_clock(NULL);
	world.now_ps += PS_PER_S;
	cpu_states(crystal_hz, numerator, denominator);
	check(HPT_STATE_OK, 1);
	assert_int_equal(flags(), want);
}

static void stated_rate_is_compared(void **state)
{
	(void)state;
	flags_where_cpu_states(0, 23000000, 200, 2); /* 2300 MHz: right */
	flags_where_cpu_states(0, 0, 200, 2);
	flags_where_cpu_states(0, 23000000, 200, 0);
	flags_where_cpu_states(0, 23020000, 200, 2); /* 0.087 % off: tolerated */
	flags_where_cpu_states(HPT_CLOCK_RATE_CONTRADICTED, 23027000, 200, 2);
	flags_where_cpu_states(HPT_CLOCK_RATE_CONTRADICTED, 22973000, 200, 2);
}

/* In a virtual machine each CPUID takes 10 us: it is asked again only after the counter may have changed. */
static void stated_rate_is_asked_once(void **state)
{
	uint32_t calls;

	(void)state;
	check(HPT_STATE_OK, 1);
	calls = fake.cpuid_calls;
	assert_true(calls > 0);
	check(HPT_STATE_OK, 1);
	assert_int_equal(fake.cpuid_calls, calls);
	world.tick_offset += UINT64_C(50000000000);
	check(HPT_STATE_DISRUPTED, 2);
	for (int i = 0; i < 3; i++) { /* samples, until there is a rate again to compare with */
		world.now_ps += 10 * PS_PER_MS;
		hpt_clock_generation(&clk);
	}
	check(HPT_STATE_DISRUPTED, 2);
	assert_true(fake.cpuid_calls > calls);
}

static void wildly_wrong_rate_is_contradicted_too(void **state)
{
	(void)state;
	cpu_states(UINT32_MAX, UINT32_MAX, 1);
	check(HPT_STATE_OK, 1);
	assert_int_equal(flags(), HPT_CLOCK_RATE_CONTRADICTED);
	new_clock(NULL);
	cpu_states(1, 1, 1);
	check(HPT_STATE_OK, 1);
	assert_int_equal(flags(), HPT_CLOCK_RATE_CONTRADICTED);
}

static void errno_is_left_alone(void **state)
{
	(void)state;
	errno = EXDEV;
	hpt_clock_check(&clk, NULL);
	hpt_clock_generation(&clk);
	assert_int_equal(errno, EXDEV);
	hpt_clock_check(NULL, NULL);
	hpt_clock_generation(NULL);
	assert_int_equal(errno, EXDEV);
}

/* ---- On the live clock: concurrent checks ---------------------------------------------------------------- */

#define CHECKERS 4
static _Atomic bool stop;
static _Atomic uint32_t went_back;

static void *check_and_read(void *arg)
{
	int64_t last = hpt_now_ns(NULL);

	(void)arg;
	while (!atomic_load(&stop)) {
		int64_t now;

		hpt_clock_check(NULL, NULL);
		now = hpt_now_ns(NULL);
		if (now < last)
			atomic_fetch_add(&went_back, 1);
		last = now;
	}
	return NULL;
}

static void checkers_do_not_disturb_each_other(void **state)
{
	pthread_t threads[CHECKERS];
	int64_t end;

	(void)state;
	end = hpt_now_ns(NULL) + 500000000;
	for (int i = 0; i < CHECKERS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, check_and_read, NULL), 0);
	while (hpt_now_ns(NULL) < end)
		hpt_now_unix_ns(NULL);
	atomic_store(&stop, true);
	for (int i = 0; i < CHECKERS; i++)
		pthread_join(threads[i], NULL);
	assert_int_equal(went_back, 0);
	assert_int_equal(hpt_clock_generation(NULL), 1);
}

static int finish(void **state)
{
	(void)state;
	unlink(vmclock);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(all_is_well, new_clock),
		cmocka_unit_test_setup(first_check_makes_the_first_record, new_clock),
		cmocka_unit_test_setup(check_does_not_wait_for_the_segments_end, new_clock),
		cmocka_unit_test_setup(checks_do_not_disturb_the_timeline, new_clock),
		cmocka_unit_test_setup(kernel_that_leaves_the_tsc_demotes_it, new_clock),
		cmocka_unit_test_setup(kernel_that_returns_to_the_tsc_ends_it, new_clock),
		cmocka_unit_test_setup(demoted_clock_follows_the_systems, new_clock),
		cmocka_unit_test_setup(demoted_clocks_bound_holds, new_clock),
		cmocka_unit_test_setup(check_notices_a_counter_that_stops, new_clock),
		cmocka_unit_test_setup(kernel_on_another_clock_demotes_nothing, new_clock),
		cmocka_unit_test_setup(a_veto_is_a_flag_and_outlives_events, new_clock),
		cmocka_unit_test_setup(hypervisors_marker_is_compared, new_clock),
		cmocka_unit_test_setup(marker_counts_even_if_the_wall_clock_was_stepped, new_clock),
		cmocka_unit_test_setup(invalid_marker_is_ignored, new_clock),
		cmocka_unit_test_setup(marker_does_not_concern_the_hpet, new_clock),
		cmocka_unit_test_setup(stated_rate_is_compared, new_clock),
		cmocka_unit_test_setup(stated_rate_is_asked_once, new_clock),
		cmocka_unit_test_setup(wildly_wrong_rate_is_contradicted_too, new_clock),
		cmocka_unit_test_setup(errno_is_left_alone, new_clock),
		cmocka_unit_test(checkers_do_not_disturb_each_other),
	};

	random_start();
	snprintf(vmclock, sizeof(vmclock), "/tmp/hpt-vmclock-%d", (int)getpid());
	return cmocka_run_group_tests(tests, NULL, finish);
}
