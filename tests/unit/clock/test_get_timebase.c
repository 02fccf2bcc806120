// SPDX-License-Identifier: MIT
/* hpt_clock_get_timebase(), and a day of ticks that are converted afterwards: slews, a step and suspends in it. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "record_world.h"

#include "math/timebase.h"

static const char boot_id_file[] = "/tmp/hpt-boot-id-XXXXXX";
static char boot_id_path[sizeof(boot_id_file)];

static void set_boot_id(const char *text)
{
	int fd = open(boot_id_path, O_WRONLY | O_TRUNC);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
}

static int new_boot(void **state)
{
	int fd;

	fake_env_setup(state);
	memcpy(boot_id_path, boot_id_file, sizeof(boot_id_path));
	fd = mkstemp(boot_id_path);
	close(fd);
	fake_env_place("/proc/sys/kernel/random/boot_id", boot_id_path);
	set_boot_id("a72d9f67-6b9f-4e0c-a5a2-98a0a6a1d0ff\n");
	return 0;
}

static int end_boot(void **state)
{
	(void)state;
	unlink(boot_id_path);
	return 0;
}

static struct hpt_timebase_fields fields_of(const struct hpt_timebase *base)
{
	struct hpt_timebase_fields fields;

	assert_int_equal(hpt_timebase_decode(base, &fields), 0);
	return fields;
}

static struct hpt_timebase take(void)
{
	struct hpt_timebase base;

	assert_int_equal(hpt_clock_get_timebase(&clk, &base, sizeof(base)), 0);
	return base;
}

/* ---- One time base ------------------------------------------------------------------------------------------ */

static void states_the_clock(void **state)
{
	static const uint8_t id[16] = { 0xa7, 0x2d, 0x9f, 0x67, 0x6b, 0x9f, 0x4e, 0x0c,
					0xa5, 0xa2, 0x98, 0xa0, 0xa6, 0xa1, 0xd0, 0xff };
	struct hpt_timebase_fields f;
	struct hpt_clock_info i;
	struct hpt_timebase base;
	hpt_time_t before, after;
	int64_t ns, converted;

	(void)state;
	new_clock(400);
	settle();
	world.realtime_offset_ns += NS_PER_S;
	before = hpt_now(&clk);
	hpt_clock_check(&clk, NULL);
	after = hpt_now(&clk);
	fake_world_slew(&world.wall, 300000);
	use(20 * PS_PER_S, 50 * PS_PER_MS);
	base = take();
	f = fields_of(&base);
	i = info();
	assert_memory_equal(f.boot_id, id, 16);
	assert_true(f.source == i.source && f.generation == 2 && f.state == HPT_STATE_REANCHORED);
	assert_true(before <= f.start && f.start <= after && after < f.tick && f.tick <= hpt_now(&clk));
	assert_int_equal(f.error_ppb, i.frequency_error_ppb);
	assert_true(f.offset_ns - world.realtime_offset_ns <= f.offset_error_ns &&
		    world.realtime_offset_ns - f.offset_ns <= f.offset_error_ns);
	assert_int_equal(hpt_time_to_ns(&clk, f.tick, &ns), 0);
	assert_int_equal(f.lines[HPT_TIMEBASE_NS].ns, ns);
	assert_int_equal(hpt_timebase_to_ns(&base, NULL, &f.tick, &converted, 1), 0);
	assert_int_equal(converted, ns);
	assert_int_equal(hpt_time_to_unix_ns(&clk, f.tick, &ns), 0);
	assert_int_equal(f.lines[HPT_TIMEBASE_UNIX].ns, ns);
	assert_int_equal(hpt_timebase_to_unix_ns(&base, NULL, &f.tick, &converted, 1), 0);
	assert_int_equal(converted, ns);
	assert_true(f.lines[HPT_TIMEBASE_NS].slope.frac / 1000000000000 == 7378697); /* 0.4 ns */
	assert_true(f.lines[HPT_TIMEBASE_UNIX].slope.frac / 1000000000000 == 7380911); /* and 300 ppm more */
}

static void assert_true_within_errors(const struct hpt_timebase_fields *f)
{
	int64_t ago_ns = (int64_t)(world.now_ps - ((uint64_t)f->tick - world.tick_offset) * world.tick_ps) / 1000;
	int64_t off[HPT_TIMEBASE_LINES];

	off[0] = f->lines[0].ns - (fake_world_true_ns(CLOCK_MONOTONIC_RAW) - ago_ns);
	off[1] = f->lines[1].ns - (fake_world_true_ns(CLOCK_REALTIME) - ago_ns);
	for (int line = 0; line < HPT_TIMEBASE_LINES; line++)
		if ((off[line] < 0 ? -off[line] : off[line]) > f->lines[line].error_ns + (int64_t)world.tick_ps / 1000)
			fail_msg("line %d is %lld ns off, stated %u", line, (long long)off[line],
				 f->lines[line].error_ns);
}

/* The stated error contains the truth, and is that of a fresh comparison: some brackets' width. */
static void error_holds_the_truth(void **state)
{
	(void)state;
	for (int round = 0; round < 400; round++) {
		struct hpt_timebase_fields f;
		struct hpt_timebase base;

		if (round % 100 == 0) {
			new_clock(round % 200 ? 400 : 41667);
			world.jitter_ps = round >= 200 ? jitter : NULL;
		}
		base = take();
		f = fields_of(&base);
		assert_true_within_errors(&f);
		if (!world.jitter_ps)
			assert_true(f.lines[0].error_ns < 3000 && f.lines[1].error_ns < 3000);
		pass(random_magnitude() >> 24);
	}
}

/* A counter that steps by less than is noticed leaves the line, and what was known of the kernel's clocks before. */
static void error_holds_small_steps(void **state)
{
	(void)state;
	for (int ns = 2; ns < 1000; ns += 7 * stride() | 1) {
		struct hpt_timebase_fields f;
		struct hpt_timebase base;

		new_kernel_clock();
		use(500 * PS_PER_MS, PS_PER_MS);
		take();
		counter_goes(ns & 1 ? -ns * 1000 / (int)world.tick_ps : ns * 1000 / (int)world.tick_ps);
		base = take();
		f = fields_of(&base);
		assert_int_equal(f.generation, 1);
		assert_true_within_errors(&f);
	}
}

/* NTP changes the rate just after the library has looked: the error allows for it. */
static void a_slew_that_begins_is_within_the_error(void **state)
{
	struct hpt_timebase_fields f;
	struct hpt_timebase base;
	int64_t ago_ns, off;

	(void)state;
	new_clock(400);
	settle();
	take();
	fake_world_slew(&world.wall, 490000);
	pass(4 * PS_PER_MS);
	base = take();
	f = fields_of(&base);
	ago_ns = (int64_t)(world.now_ps - ((uint64_t)f.tick - world.tick_offset) * world.tick_ps) / 1000;
	off = fake_world_true_ns(CLOCK_REALTIME) - ago_ns - f.lines[HPT_TIMEBASE_UNIX].ns;
	assert_in_range(off, 1000, f.lines[HPT_TIMEBASE_UNIX].error_ns);
}

static void unreadable_boot_is_zeros(void **state)
{
	static const char *const texts[] = {
		"", "a72d9f67", "a72d9f67-6b9f-4e0c-a5a2-98a0a6a1d0f", "A72D9F67-6B9F-4E0C-A5A2-98A0A6A1D0FF\n",
		"a72d9f67.6b9f-4e0c-a5a2-98a0a6a1d0ff\n", "a72d9f676-b9f-4e0c-a5a2-98a0a6a1d0ff\n",
		"g72d9f67-6b9f-4e0c-a5a2-98a0a6a1d0ff\n",
	};
	static const uint8_t zeros[16];
	const int64_t tick = 0;
	int64_t ns;

	(void)state;
	new_clock(400);
	errno = EXDEV;
	for (size_t i = 0; i <= COUNT(texts); i++) {
		struct hpt_timebase a, b;

		if (i < COUNT(texts))
			set_boot_id(texts[i]);
		else
			fake_env_place("/proc/sys/kernel/random/boot_id", NULL);
		a = take();
		b = take();
		assert_memory_equal(fields_of(&a).boot_id, zeros, 16);
		assert_int_equal(hpt_timebase_to_ns(&a, NULL, &tick, &ns, 1), 0);
		assert_int_equal(hpt_timebase_to_ns(&a, &b, &tick, &ns, 1), -ESTALE);
	}
	errno = EXDEV;
	take();
	assert_int_equal(errno, EXDEV);
}

static void size_is_checked(void **state)
{
	struct {
		struct hpt_timebase base;
		uint8_t more[8];
	} longer;

	(void)state;
	new_clock(400);
	memset(&longer, 0xff, sizeof(longer));
	assert_int_equal(hpt_clock_get_timebase(&clk, NULL, sizeof(longer)), -EINVAL);
	assert_int_equal(hpt_clock_get_timebase(&clk, &longer.base, 127), -EINVAL);
	assert_int_equal(longer.base.bytes[0], 0xff);
	assert_int_equal(hpt_clock_get_timebase(&clk, &longer.base, sizeof(longer)), 0);
	for (int i = 0; i < 8; i++)
		assert_int_equal(longer.more[i], 0);
	fields_of(&longer.base);
}

/* Extended from 32 bits, they are those of one clock. */
static void ticks_of_a_narrow_counter_mean_nothing_elsewhere(void **state)
{
	struct hpt_timebase base;

	(void)state;
	new_clock(400);
	settle();
	assert_int_equal(hpt_clock_get_timebase(&clk, &base, sizeof(base)), 0);
	clk.src.is_private = true;
	assert_int_equal(hpt_clock_get_timebase(&clk, &base, sizeof(base)), -ENOTSUP);
}

static void os_clock_is_exact(void **state)
{
	const int64_t ticks[] = { INT64_MIN, 0, 4711, INT64_MAX };
	int64_t ns[COUNT(ticks)];
	struct hpt_timebase base;
	hpt_clock *os;

	(void)state;
	assert_int_equal(hpt_clock_open(HPT_SOURCE_OS, 0, &os), 0);
	assert_int_equal(hpt_clock_get_timebase(os, &base, sizeof(base)), 0);
	assert_int_equal(fields_of(&base).lines[HPT_TIMEBASE_NS].error_ns, 0);
	assert_int_equal(fields_of(&base).error_ppb, 0);
	assert_int_equal(hpt_timebase_to_ns(&base, NULL, ticks, ns, COUNT(ticks)), 0);
	assert_memory_equal(ns, ticks, sizeof(ns));
	hpt_clock_close(os);
}

/* ---- A day -------------------------------------------------------------------------------------------------- */

#define BASES_MOST 400
#define TICKS_MOST 20000

/* A tick, its generation, and each clock before and after it. */
struct traced {
	hpt_time_t t;
	uint64_t generation;
	int64_t before[HPT_TIMEBASE_LINES], after[HPT_TIMEBASE_LINES];
};

static struct {
	struct hpt_timebase bases[BASES_MOST];
	struct traced ticks[TICKS_MOST];
	size_t n_bases, n_ticks;
	uint64_t generation;
} trace;

static void write_base(void)
{
	assert_true(trace.n_bases < BASES_MOST);
	trace.bases[trace.n_bases] = take();
	trace.generation = fields_of(&trace.bases[trace.n_bases++]).generation;
}

/* As a tracer does: a look at the generation, a time base if it is new, ticks. */
static void trace_some(uint64_t ps, uint64_t every_ps, uint64_t base_every_ps)
{
	uint64_t end = world.now_ps + ps, next_base = world.now_ps + base_every_ps;

	while (world.now_ps < end) {
		struct traced *t = &trace.ticks[trace.n_ticks++];

		assert_true(trace.n_ticks <= TICKS_MOST);
		if (hpt_clock_generation(&clk) != trace.generation || world.now_ps > next_base) {
			write_base();
			next_base = world.now_ps + base_every_ps;
		}
		t->generation = trace.generation;
		t->before[HPT_TIMEBASE_NS] = fake_world_true_ns(CLOCK_MONOTONIC_RAW);
		t->before[HPT_TIMEBASE_UNIX] = fake_world_true_ns(CLOCK_REALTIME);
		t->t = hpt_now(&clk);
		t->after[HPT_TIMEBASE_NS] = fake_world_true_ns(CLOCK_MONOTONIC_RAW);
		t->after[HPT_TIMEBASE_UNIX] = fake_world_true_ns(CLOCK_REALTIME);
		pass(every_ps);
	}
}

/* The time bases of t's generation that are nearest before and after it. */
static void find(const struct traced *t, const struct hpt_timebase **ret_first, const struct hpt_timebase **ret_last)
{
	*ret_first = *ret_last = NULL;
	for (size_t i = 0; i < trace.n_bases; i++) {
		struct hpt_timebase_fields f = fields_of(&trace.bases[i]);

		if (f.generation != t->generation)
			continue;
		if (!*ret_first || f.tick <= t->t)
			*ret_first = &trace.bases[i];
		else if (!*ret_last)
			*ret_last = &trace.bases[i];
	}
	assert_non_null(*ret_first);
}

static int64_t off(int64_t ns, int64_t before, int64_t after)
{
	return ns < before ? before - ns : ns > after ? ns - after : 0;
}

/* Returns the largest error of a line, which is never larger than stated. */
static int64_t check_line(int line)
{
	int64_t largest = 0;

	for (size_t i = 0; i < trace.n_ticks; i++) {
		const struct traced *t = &trace.ticks[i];
		const struct hpt_timebase *first, *last;
		struct hpt_timebase_fields a, b;
		int64_t ns, error;

		find(t, &first, &last);
		a = fields_of(first);
		if (last)
			b = fields_of(last);
		assert_int_equal((line ? hpt_timebase_to_unix_ns : hpt_timebase_to_ns)(first, last, &t->t, &ns, 1), 0);
		error = off(ns, t->before[line], t->after[line]);
		if (error > hpt_timebase_error_ns(&a, last ? &b : NULL, line, t->t))
			fail_msg("tick %zu, generation %llu, line %d: %lld ns off, stated %lld", i,
				 (unsigned long long)t->generation, line, (long long)error,
				 (long long)hpt_timebase_error_ns(&a, last ? &b : NULL, line, t->t));
		largest = error > largest ? error : largest;
	}
	return largest;
}

#define HOUR (3600 * PS_PER_S)

static void trace_a_day(uint64_t base_every_ps)
{
	const uint64_t every = 7 * PS_PER_S;

	trace.n_bases = trace.n_ticks = 0;
	write_base();
	trace_some(PS_PER_S, 10 * PS_PER_MS, base_every_ps);
	fake_world_slew(&world.wall, 30000);
	trace_some(5 * HOUR, every, base_every_ps);
	fake_world_slew(&world.wall, -45000);
	trace_some(4 * HOUR, every, base_every_ps);
	world.realtime_offset_ns -= 7 * NS_PER_S;              /* a step */
	trace_some(4 * HOUR, every, base_every_ps);
	world.realtime_offset_ns += 1800 * NS_PER_S;           /* a suspend, during which the counter stood */
	world.boottime_offset_ns += 1800 * NS_PER_S;
	trace_some(4 * HOUR, every, base_every_ps);
	fake_world_slew(&world.wall, 400000);                  /* and is slewed by 400 ppm */
	trace_some(HOUR / 2, every, base_every_ps);
	fake_world_slew(&world.wall, 10000);
	world.realtime_offset_ns += 3600 * NS_PER_S;           /* one that started it again at zero */
	world.boottime_offset_ns += 3600 * NS_PER_S;
	world.tick_offset = 5000 - world.now_ps / world.tick_ps;
	trace_some(5 * HOUR, every, base_every_ps);
	write_base();
}

static void assert_generations_are_apart(void)
{
	const int64_t tick = 0;
	int64_t ns = 4711;

	for (size_t i = 0; i + 1 < trace.n_bases; i++) {
		struct hpt_timebase_fields a = fields_of(&trace.bases[i]), b = fields_of(&trace.bases[i + 1]);

		assert_int_equal(hpt_timebase_to_ns(&trace.bases[i], &trace.bases[i + 1], &tick, &ns, 1),
				 a.generation == b.generation ? 0 : -ESTALE);
	}
}

static void a_day_converts_within_the_stated_error(void **state)
{
	(void)state;
	for (int kernel = 0; kernel < 2; kernel++) {
		if (kernel)
			new_kernel_clock();
		else
			new_clock(400);
		trace_a_day(100 * HOUR);
		assert_int_equal(trace.n_bases, 5); /* the start, three generations, the end */
		assert_generations_are_apart();
		note("start, generations and end: %lld ns, Unix time %lld ns off",
		     (long long)check_line(HPT_TIMEBASE_NS), (long long)check_line(HPT_TIMEBASE_UNIX));
	}
}

/* Every ten minutes: then NTP is followed as well. */
static void a_day_with_more_time_bases_is_closer(void **state)
{
	int64_t ns, unix_ns;

	(void)state;
	new_kernel_clock();
	trace_a_day(HOUR / 6);
	assert_true(trace.n_bases > 100);
	ns = check_line(HPT_TIMEBASE_NS);
	unix_ns = check_line(HPT_TIMEBASE_UNIX);
	note("every ten minutes: %lld ns, Unix time %lld ns off", (long long)ns, (long long)unix_ns);
	assert_true(ns < 100);
	assert_true(unix_ns < 600 * 400000); /* 400 ppm of ten minutes, where the slew changed unseen */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(states_the_clock, new_boot, end_boot),
		cmocka_unit_test_setup_teardown(error_holds_the_truth, new_boot, end_boot),
		cmocka_unit_test_setup_teardown(error_holds_small_steps, new_boot, end_boot),
		cmocka_unit_test_setup_teardown(unreadable_boot_is_zeros, new_boot, end_boot),
		cmocka_unit_test_setup_teardown(size_is_checked, new_boot, end_boot),
		cmocka_unit_test_setup_teardown(ticks_of_a_narrow_counter_mean_nothing_elsewhere, new_boot, end_boot),
		cmocka_unit_test_setup_teardown(os_clock_is_exact, new_boot, end_boot),
		cmocka_unit_test_setup_teardown(a_day_converts_within_the_stated_error, new_boot, end_boot),
		cmocka_unit_test_setup_teardown(a_day_with_more_time_bases_is_closer, new_boot, end_boot),
		cmocka_unit_test_setup_teardown(a_slew_that_begins_is_within_the_error, new_boot, end_boot),
	};

	random_start();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
