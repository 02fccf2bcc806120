// SPDX-License-Identifier: MIT
/* The source PHC in a fake world, where the truth at every tick is known: bounds, timescales, drivers, refusals. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record_world.h"

#include "arch/arch.h"
#include "machine/live.h"
#include "source/manual.h"
#include "wall/wall_source.h"

#define MAJOR 247
#define MINOR 3

/* The device's clock less UTC, which the world's CLOCK_REALTIME less wrong_ns is; and how long it takes to read it. */
static int64_t device_ahead_ns, wrong_ns;
static uint64_t entry_ps, register_ps, leave_ps;
static uint64_t read_at_ps; /* when its register was read */
static int64_t shift_ns;    /* of the times that it states, as a bug would */
static bool is_precise;

static struct hpt_wall_config config;

static int64_t utc_ns(void)
{
	return fake_world_true_ns(CLOCK_MONOTONIC_RAW) + world.realtime_offset_ns - wrong_ns;
}

static void read_device(struct hpt_ptp_reading *ret)
{
	world.now_ps += entry_ps;
	ret->raw_before_ns = fake_world_true_ns(CLOCK_MONOTONIC_RAW) + shift_ns;
	world.now_ps += register_ps / 2;
	read_at_ps = world.now_ps;
	ret->device_ns = utc_ns() + device_ahead_ns;
	if (is_precise)
		ret->raw_before_ns = fake_world_true_ns(CLOCK_MONOTONIC_RAW) + shift_ns;
	ret->raw_after_ns = ret->raw_before_ns + 1;
	world.now_ps += register_ps - register_ps / 2;
	if (!is_precise)
		ret->raw_after_ns = fake_world_true_ns(CLOCK_MONOTONIC_RAW) + shift_ns + 1;
	world.now_ps += leave_ps;
	ret->major = MAJOR;
	ret->minor = MINOR;
}

static void use_world(uint64_t tick_ps)
{
	struct hpt_record rec;

	new_clock(tick_ps);
	fake_env.clock_ns = fake_world_clock;
	world.tai_offset_ns = 37 * NS_PER_S;
	(void)hpt_timekeeper_current(&clk, &rec);
	world.now_ps += PS_PER_S;
	(void)hpt_timekeeper_now(&clk, &rec);
}

/* ---- sysfs --------------------------------------------------------------------------------------------------- */

static const char *const folders[] = { "/dev", "/dev/char", "/dev/char/247:3", "/dev/char/247:3/device" };

static const char *in_sysfs(const char *name)
{
	static char path[256];

	snprintf(path, sizeof(path), "%s%s", fake_env_sysfs(), name);
	return path;
}

static void remove_device(void)
{
	unlink(in_sysfs("/dev/char/247:3/clock_name"));
	unlink(in_sysfs("/dev/char/247:3/device/phc_error_bound"));
	rmdir(in_sysfs("/dev/char/247:3/device/phc_error_bound"));
	for (size_t i = COUNT(folders); i--;)
		rmdir(in_sysfs(folders[i]));
}

static void write_file(const char *name, const char *text)
{
	FILE *f = fopen(in_sysfs(name), "w");

	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
}

static void add_device(const char *name, const char *bound)
{
	(void)fake_env_kernel_path();
	remove_device();
	for (size_t i = 0; i < COUNT(folders); i++)
		assert_int_equal(mkdir(in_sysfs(folders[i]), 0700), 0);
	write_file("/dev/char/247:3/clock_name", name);
	if (bound)
		write_file("/dev/char/247:3/device/phc_error_bound", bound);
}

static int teardown(void **state)
{
	(void)state;
	remove_device();
	return 0;
}

static int setup(void **state)
{
	(void)fake_env_setup(state);
	remove_device();
	fake.ptp_error = 0;
	fake.ptp_hook = read_device;
	device_ahead_ns = wrong_ns = shift_ns = 0;
	entry_ps = leave_ps = 300000;
	register_ps = 2000000;
	is_precise = false;
	config = (struct hpt_wall_config){ .phc_error_ns = 1000, .phc_timescale = HPT_WALL_TIMESCALE_UTC };
	use_world(400);
	return 0;
}

/* ---- Questions ----------------------------------------------------------------------------------------------- */

static struct hpt_wall_reading reading; /* the latest */

/* error: of the call that fails; 0: none does. */
static void check(uint32_t reason, int error)
{
	struct hpt_wall_ask question = { .clk = &clk, .config = &config };

	reading = (struct hpt_wall_reading){ .leap = HPT_WALL_LEAP_UNKNOWN };
	assert_int_equal(hpt_wall_phc.ask(&question, &reading), reason);
	assert_int_equal(question.error, error);
}

static void assert_reason(uint32_t reason)
{
	check(reason, 0);
}

static struct hpt_wall_reading good(void)
{
	check(HPT_WALL_REASON_NONE, 0);
	/* Nobody sees whether what the program says is still true. */
	assert_int_equal(reading.sample.flags, config.phc_error_ns ? HPT_WALL_FLAG_CLAIMED : 0);
	assert_int_equal(reading.leap, HPT_WALL_LEAP_UNKNOWN);
	assert_false(reading.has_rate);
	assert_false(reading.is_holdover);
	return reading;
}

/* The statement is true: its moment is in the window, give or take what the counter has not shown yet. */
static void check_truth(const struct hpt_wall_reading *r, int64_t error_ns)
{
	uint64_t tick = read_at_ps / world.tick_ps + world.tick_offset;
	uint64_t now_ps = world.now_ps;
	int64_t truth_ns;

	world.now_ps = read_at_ps;
	truth_ns = utc_ns();
	world.now_ps = now_ps;
	assert_true((uint64_t)r->sample.before <= tick && tick <= (uint64_t)r->sample.after);
	assert_int_equal(r->sample.earliest_ns, truth_ns - error_ns);
	assert_int_equal(r->sample.latest_ns, truth_ns + error_ns + 1);
}

static int64_t window_ns(const struct hpt_wall_reading *r)
{
	return (r->sample.after - r->sample.before) * (int64_t)world.tick_ps / 1000;
}

/* ---- Tests --------------------------------------------------------------------------------------------------- */

static uint64_t some_jitter(void)
{
	return random_below(100000);
}

/* Counters of 100 MHz to 6 GHz, devices of 0 to 60 us, calls that are interrupted. */
static void truth_is_in_every_window(void **state)
{
	static const uint64_t ticks_ps[] = { 167, 400, 1000, 10000 };

	(void)state;
	for (int i = rounds(20000); i; i--) {
		struct hpt_wall_reading r;

		if (i % 500 == 0)
			use_world(ticks_ps[i / 500 % COUNT(ticks_ps)]);
		world.jitter_ps = i % 3 ? some_jitter : NULL;
		entry_ps = random_below(i % 7 ? 400000 : 40000000);
		register_ps = random_below(60000000);
		leave_ps = random_below(i % 11 ? 400000 : 40000000);
		is_precise = i & 1;
		wrong_ns = (int64_t)random_below(2000000000) - 1000000000; /* how CLOCK_REALTIME is set says nothing */
		r = good();
		check_truth(&r, 1000);
	}
}

/* The windows of the driver's own times, not of the calls around them. */
static void window_is_as_narrow_as_the_driver_says(void **state)
{
	struct hpt_wall_reading r;

	(void)state;
	entry_ps = leave_ps = 50000000;
	r = good();
	check_truth(&r, 1000);
	assert_in_range(window_ns(&r), 2000, 2200); /* the register's 2 us, and two brackets of 40 ns */
	is_precise = true;
	r = good();
	check_truth(&r, 1000);
	assert_in_range(window_ns(&r), 1, 200);
}

static uint32_t n_jitters;

/* No jitter around one clock read of four, the second. */
static uint64_t mostly_jitter(void)
{
	return n_jitters++ / 2 % 4 == 1 ? 0 : 20000000;
}

static void narrowest_brackets_count(void **state)
{
	struct hpt_wall_reading r;

	(void)state;
	is_precise = true;
	world.jitter_ps = mostly_jitter;
	n_jitters = 0;
	r = good();
	check_truth(&r, 1000);
	assert_in_range(window_ns(&r), 1, 300);
}

static void without_bound_or_timescale_it_is_useless(void **state)
{
	(void)state;
	config.phc_error_ns = 0;
	assert_reason(HPT_WALL_REASON_NO_BOUND);
	config.phc_timescale = 0;
	assert_reason(HPT_WALL_REASON_NO_BOUND);
	config.phc_error_ns = 1;
	assert_reason(HPT_WALL_REASON_NO_TIMESCALE);
	add_device("mlx5_ptp\n", "17\n"); /* of ENA alone */
	assert_reason(HPT_WALL_REASON_NO_TIMESCALE);
	config.phc_error_ns = 0;
	assert_reason(HPT_WALL_REASON_NO_BOUND);
}

static void ena_states_its_bound_and_counts_utc(void **state)
{
	struct hpt_wall_reading r;

	(void)state;
	config = (struct hpt_wall_config){ 0 };
	add_device("ena-ptp-05\n", "13251\n");
	r = good();
	check_truth(&r, 13251);
	assert_int_equal(r.tai_offset_s, 0);
	config.phc_error_ns = 70000; /* the program knows better */
	r = good();
	check_truth(&r, 70000);
	config.phc_error_ns = 0;
	add_device("ena-ptp-05\n", NULL); /* as Linux's own driver has it */
	assert_reason(HPT_WALL_REASON_NO_BOUND);
	mkdir(in_sysfs("/dev/char/247:3/device/phc_error_bound"), 0700); /* a read fails, as by EBUSY */
	assert_reason(HPT_WALL_REASON_UNSYNCED);
	fake_env_place("/sys", NULL);
	assert_reason(HPT_WALL_REASON_NO_BOUND);
}

static void absurd_bounds_are_refused(void **state)
{
	static const char *const texts[] = {
		"0\n", "-1\n", "4294967295\n", "4294967296\n", "99999999999999\n", "x\n", "\n", "12x\n",
		"0x10\n", "1.5\n", "18446744073709551617\n",
	};

	(void)state;
	config.phc_error_ns = 0;
	for (size_t i = 0; i < COUNT(texts); i++) {
		add_device("ena-ptp-05\n", texts[i]);
		assert_reason(HPT_WALL_REASON_ABSURD);
	}
	add_device("ena-ptp-05\n", "4294967294");
	(void)good();
	add_device("ena-ptp-05\n", "");
	assert_reason(HPT_WALL_REASON_UNSYNCED);
}

static void tai_needs_the_kernels_offset(void **state)
{
	static const int64_t unknown_s[] = { 0, 9, -37, 1001 };
	struct hpt_wall_reading r;

	(void)state;
	config.phc_timescale = HPT_WALL_TIMESCALE_TAI;
	device_ahead_ns = 37 * NS_PER_S;
	r = good();
	check_truth(&r, 1000);
	assert_int_equal(r.tai_offset_s, 37);
	for (size_t i = 0; i < COUNT(unknown_s); i++) {
		world.tai_offset_ns = unknown_s[i] * NS_PER_S;
		assert_reason(HPT_WALL_REASON_NO_TIMESCALE);
	}
	world.tai_offset_ns = 37 * NS_PER_S;
	fake.refused_clocks = 1u << CLOCK_TAI;
	assert_reason(HPT_WALL_REASON_NO_TIMESCALE);
}

/* CLOCK_REALTIME is set at any moment of the reads that yield TAI less UTC. */
static void set_back(void)
{
	world.realtime_offset_ns -= NS_PER_S;
}

static void step_does_not_make_an_offset(void **state)
{
	uint32_t refused = 0;

	(void)state;
	config.phc_timescale = HPT_WALL_TIMESCALE_TAI;
	device_ahead_ns = 37 * NS_PER_S;
	for (uint64_t ps = 0; ps < 5000000; ps += 3000) {
		struct hpt_wall_ask question = { .clk = &clk, .config = &config };
		struct hpt_wall_reading r = { .leap = HPT_WALL_LEAP_UNKNOWN };
		uint32_t reason;

		world.event_at_ps = world.now_ps + ps;
		world.event = set_back;
		reason = hpt_wall_phc.ask(&question, &r);
		if (reason) {
			assert_int_equal(reason, HPT_WALL_REASON_NO_TIMESCALE);
			refused++;
		} else {
			assert_int_equal(r.tai_offset_s, 37);
		}
		world.event_at_ps = UINT64_MAX;
		world.event = NULL;
	}
	assert_true(refused > 2);
}

static void times_outside_of_the_call_are_refused(void **state)
{
	(void)state;
	shift_ns = 1000000;
	assert_reason(HPT_WALL_REASON_STEPPED);
	shift_ns = -1000000;
	assert_reason(HPT_WALL_REASON_STEPPED);
	is_precise = true;
	assert_reason(HPT_WALL_REASON_STEPPED);
}

static void impossible_times_are_refused(void **state)
{
	(void)state;
	device_ahead_ns = -utc_ns() - NS_PER_S;
	assert_reason(HPT_WALL_REASON_ABSURD);
	device_ahead_ns = INT64_C(8040000000000000000) - utc_ns();
	assert_reason(HPT_WALL_REASON_ABSURD);
	device_ahead_ns = 0;
	config.phc_error_ns = INT64_MAX;
	assert_reason(HPT_WALL_REASON_ABSURD);
}

/* test_wall_source has the others. */
static void errors_have_reasons(void **state)
{
	(void)state;
	fake.ptp_error = -EACCES;
	check(HPT_WALL_REASON_DENIED, EACCES);
	fake.ptp_error = -HPT_ENOTDEVICE;
	check(HPT_WALL_REASON_NOT_DEVICE, ENODEV);
	fake.ptp_error = -ERANGE;
	check(HPT_WALL_REASON_ABSURD, ERANGE);
	fake_env.ptp_read = NULL;
	check(HPT_WALL_REASON_ABSENT, ENODEV);
}

static void path_is_the_programs_or_ptp0(void **state)
{
	struct hpt_wall_ask question = { .clk = &clk, .config = &config };

	(void)state;
	(void)good();
	assert_string_equal(fake.ptp_path, "/dev/ptp0");
	assert_string_equal(hpt_wall_phc.path(&question), "/dev/ptp0");
	strcpy(config.phc_path, "/dev/ptp_ena");
	(void)good();
	assert_string_equal(fake.ptp_path, "/dev/ptp_ena");
	assert_string_equal(hpt_wall_phc.path(&question), "/dev/ptp_ena");
}

/* Its ticks are what the program makes them: the window is all of the question. */
static void manual_clock_has_the_ticks_around(void **state)
{
	struct hpt_wall_ask question = { .config = &config };
	struct hpt_wall_reading r;
	hpt_clock *manual;

	(void)state;
	assert_int_equal(hpt_clock_new_manual(1000000000, 777, 0, &manual), 0);
	((struct hpt_clock *)manual)->src.env = &fake_env;
	question.clk = manual;
	assert_int_equal(hpt_wall_phc.ask(&question, &r), 0);
	assert_int_equal(r.sample.before, 777);
	assert_int_equal(r.sample.after, 777);
	((struct hpt_clock *)manual)->src.env = &hpt_env_live;
	hpt_clock_close(manual);
}

static hpt_clock_ns_fn *env_clock_ns;
static int (*env_ptp_read)(const char *path, struct hpt_ptp_reading *ret);

static int setup_env(void **state)
{
	fake_env.clock_ns = env_clock_ns;
	fake_env.ptp_read = env_ptp_read;
	return setup(state);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(truth_is_in_every_window, setup_env, teardown),
		cmocka_unit_test_setup_teardown(window_is_as_narrow_as_the_driver_says, setup_env, teardown),
		cmocka_unit_test_setup_teardown(narrowest_brackets_count, setup_env, teardown),
		cmocka_unit_test_setup_teardown(without_bound_or_timescale_it_is_useless, setup_env, teardown),
		cmocka_unit_test_setup_teardown(ena_states_its_bound_and_counts_utc, setup_env, teardown),
		cmocka_unit_test_setup_teardown(absurd_bounds_are_refused, setup_env, teardown),
		cmocka_unit_test_setup_teardown(tai_needs_the_kernels_offset, setup_env, teardown),
		cmocka_unit_test_setup_teardown(step_does_not_make_an_offset, setup_env, teardown),
		cmocka_unit_test_setup_teardown(times_outside_of_the_call_are_refused, setup_env, teardown),
		cmocka_unit_test_setup_teardown(impossible_times_are_refused, setup_env, teardown),
		cmocka_unit_test_setup_teardown(errors_have_reasons, setup_env, teardown),
		cmocka_unit_test_setup_teardown(path_is_the_programs_or_ptp0, setup_env, teardown),
		cmocka_unit_test_setup_teardown(manual_clock_has_the_ticks_around, setup_env, teardown),
	};

	random_start();
	env_clock_ns = fake_env.clock_ns;
	env_ptp_read = fake_env.ptp_read;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
