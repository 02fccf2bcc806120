// SPDX-License-Identifier: MIT
/* The HPET's driver: every failure, reads around a carry, and one mapping per process. */
#include <errno.h>
#include <sched.h>
#include <string.h>

#include "unit.h"

#include "arch/arch.h"
#include "fake_env.h"
#include "fake_hpet.h"
#include "hpt/hpt.h"
#include "source/hpet.h"

#ifdef HPT_ARCH_X86

static struct fake_hpet hpet;

static int setup(void **state)
{
	(void)state;
	fake_env_reset();
	fake_hpet_new(&hpet);
	fake.page = hpet.page;
	fake.map_error = 0;
	fake.clock_step = 1000;
	fake.clock_hook = fake_hpet_wait_tick;
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	fake_hpet_free(&hpet);
	return fake.mapped; /* nothing is left mapped by any test */
}

static int open_hpet(struct hpt_source *src)
{
	return hpt_source_open(src, &hpt_source_hpet, &fake_env);
}

static void every_errno_has_its_reason(void **state)
{
	static const struct {
		int err;
		uint32_t stage, reason;
		int ret;
	} rows[] = {
		{ EACCES, HPT_STAGE_OPEN, HPT_REASON_HPET_ACCESS, -EACCES },
		{ EPERM, HPT_STAGE_OPEN, HPT_REASON_HPET_ACCESS, -EPERM },
		{ EFAULT, HPT_STAGE_OPEN, HPT_REASON_HPET_FAULT, -EFAULT },
		{ ENOENT, HPT_STAGE_OPEN, HPT_REASON_HPET_NOENT, -ENOENT },
		{ ENOTDIR, HPT_STAGE_OPEN, HPT_REASON_HPET_NOENT, -ENOTDIR },
		{ EMFILE, HPT_STAGE_OPEN, HPT_REASON_HPET_MFILE, -EMFILE },
		{ ENFILE, HPT_STAGE_OPEN, HPT_REASON_HPET_MFILE, -ENFILE },
		{ EAGAIN, HPT_STAGE_MAP, HPT_REASON_HPET_AGAIN, -EAGAIN },
		{ EBUSY, HPT_STAGE_OPEN, HPT_REASON_HPET_BUSY, -EBUSY },
		{ EBADF, HPT_STAGE_MAP, HPT_REASON_HPET_BADF, -EBADF },
		{ ENODEV, HPT_STAGE_MAP, HPT_REASON_HPET_NODEV, -ENODEV },
		{ ENXIO, HPT_STAGE_OPEN, HPT_REASON_HPET_NODEV, -ENXIO },
		{ ENOMEM, HPT_STAGE_MAP, HPT_REASON_HPET_NOMEM, -ENOMEM },
		{ ENOSYS, HPT_STAGE_MAP, HPT_REASON_HPET_NO_MMAP, -ENOSYS },
		{ ENOSYS, HPT_STAGE_OPEN, HPT_REASON_HPET_UNKNOWN, -ENOSYS }, /* a sandbox */
		{ EACCES, HPT_STAGE_MAP, HPT_REASON_HPET_MMAP_DENIED, -EACCES },
		{ EPERM, HPT_STAGE_MAP, HPT_REASON_HPET_MMAP_DENIED, -EPERM },
		{ HPT_ENOTDEVICE, HPT_STAGE_OPEN, HPT_REASON_HPET_NOT_DEVICE, -ENODEV },
		{ EIO, HPT_STAGE_OPEN, HPT_REASON_HPET_UNKNOWN, -EIO },
		{ EINVAL, HPT_STAGE_MAP, HPT_REASON_HPET_UNKNOWN, -EINVAL },
		{ ELOOP, HPT_STAGE_OPEN, HPT_REASON_HPET_NOT_DEVICE, -ELOOP },
		{ ENOEXEC, HPT_STAGE_OPEN, HPT_REASON_HPET_UNKNOWN, -ENOEXEC },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct hpt_source src;

		fake.map_error = -rows[i].err;
		fake.map_stage = rows[i].stage;
		assert_int_equal(open_hpet(&src), rows[i].ret);
		assert_int_equal(src.stage, rows[i].stage);
		assert_int_equal(src.reason, rows[i].reason);
	}
	assert_int_equal(fake.map_calls, COUNT(rows)); /* a failure leaves no claim on the mapping behind */
	assert_int_equal(fake.unmap_calls, 0);
}

static void check_refused(int ret, uint32_t stage, uint32_t reason)
{
	struct hpt_source src;
	uint32_t maps = fake.map_calls, unmaps = fake.unmap_calls;

	assert_int_equal(open_hpet(&src), ret);
	assert_int_equal(src.stage, stage);
	assert_int_equal(src.reason, reason);
	assert_int_equal(fake.map_calls, maps + 1);
	assert_int_equal(fake.unmap_calls, unmaps + 1); /* and unmapped at once */
}

static void counter_of_32_bits_is_refused(void **state)
{
	(void)state;
	fake_hpet_set(&hpet, FAKE_CAPS, 0x80868201); /* all but bit 13 */
	check_refused(-ENOTSUP, HPT_STAGE_CAPS, HPT_REASON_HPET_32BIT);
	fake_hpet_set(&hpet, FAKE_CAPS, 0x8086c201 | 1 << 14 | 1 << 15); /* bits above it do not stand in for it */
	check_refused(-ENOTSUP, HPT_STAGE_CAPS, HPT_REASON_HPET_32BIT);
}

static void absurd_periods_are_refused(void **state)
{
	static const uint32_t absurd[] = { 0, 1, 99999, 100000001, 0x80000000, UINT32_MAX };

	(void)state;
	for (size_t i = 0; i < COUNT(absurd); i++) {
		fake_hpet_set(&hpet, FAKE_PERIOD, absurd[i]);
		check_refused(-ENOTSUP, HPT_STAGE_CAPS, HPT_REASON_HPET_PERIOD);
	}
}

static void disabled_hpet_is_refused(void **state)
{
	(void)state;
	fake_hpet_set(&hpet, FAKE_CONFIG, 0);
	check_refused(-ENOTSUP, HPT_STAGE_CAPS, HPT_REASON_HPET_DISABLED);
	fake_hpet_set(&hpet, FAKE_CONFIG, 2); /* legacy replacement alone */
	check_refused(-ENOTSUP, HPT_STAGE_CAPS, HPT_REASON_HPET_DISABLED);
}

static void frozen_hpet_is_refused(void **state)
{
	(void)state;
	fake_hpet_set_counter(&hpet, 0x123456789a);
	check_refused(-EIO, HPT_STAGE_COUNTING, HPT_REASON_HPET_NOT_COUNTING);
}

static void all_ones_is_no_device(void **state)
{
	(void)state;
	for (int i = 0; i < 4096; i += 4)
		fake_hpet_set(&hpet, (enum fake_hpet_reg)i, UINT32_MAX);
	check_refused(-EIO, HPT_STAGE_CAPS, HPT_REASON_HPET_GONE);
}

static void page_of_zeros_is_refused(void **state)
{
	(void)state;
	for (int i = 0; i < 4096; i += 4)
		fake_hpet_set(&hpet, (enum fake_hpet_reg)i, 0);
	check_refused(-ENOTSUP, HPT_STAGE_CAPS, HPT_REASON_HPET_PERIOD);
}

static void frequency_is_exact(void **state)
{
	static const struct {
		uint32_t period;
		uint64_t uhz;
	} rows[] = {
		{ 69841279, UINT64_C(14318179940547) }, /* 10^21 / period, rounded down */
		{ 10000000, UINT64_C(100000000000000) },
		{ 100000000, UINT64_C(10000000000000) },
		{ 100000, UINT64_C(10000000000000000) },
		{ 41666667, UINT64_C(23999999808000) },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct hpt_source src;

		fake_hpet_set(&hpet, FAKE_PERIOD, rows[i].period);
		fake_hpet_run(&hpet, 0, 1);
		assert_int_equal(open_hpet(&src), 0);
		fake_hpet_stop(&hpet);
		assert_int_equal(src.rate.frequency_uhz, rows[i].uhz);
		assert_int_equal(src.rate.num, rows[i].period);
		assert_int_equal(src.rate.den, 1000000);
		assert_int_equal(src.rate.origin, HPT_ORIGIN_REGISTER);
		assert_int_equal(src.rate.error_ppb, 500000);
		assert_int_equal(src.u.hpet.period_fs, rows[i].period);
		assert_int_equal(src.u.hpet.vendor_id, 0x8086);
		assert_int_equal(src.bits, 64);
		hpt_source_close(&src);
	}
}

static void mapping_is_shared_and_counted(void **state)
{
	struct hpt_source src[3];

	(void)state;
	fake.exclusive = true;
	fake_hpet_run(&hpet, 0, 1);
	for (int i = 0; i < 3; i++)
		assert_int_equal(open_hpet(&src[i]), 0);
	assert_int_equal(fake.map_calls, 1); /* the device itself would say EBUSY */
	hpt_source_close(&src[1]);
	hpt_source_close(&src[0]);
	assert_int_equal(fake.unmap_calls, 0);
	src[2].read(&src[2]); /* still there */
	hpt_source_close(&src[2]);
	assert_int_equal(fake.unmap_calls, 1);
	assert_int_equal(open_hpet(&src[0]), 0); /* and may be had again */
	assert_int_equal(fake.map_calls, 2);
	hpt_source_close(&src[0]);
	assert_int_equal(fake.unmap_calls, 2);
}

static void failed_open_does_not_take_a_shared_mapping_away(void **state)
{
	struct hpt_source first, second;

	(void)state;
	fake_hpet_run(&hpet, 0, 1);
	assert_int_equal(open_hpet(&first), 0);
	fake_hpet_set(&hpet, FAKE_CONFIG, 0);
	assert_int_equal(open_hpet(&second), -ENOTSUP);
	assert_int_equal(fake.unmap_calls, 0);
	first.read(&first);
	hpt_source_close(&first);
	assert_int_equal(fake.unmap_calls, 1);
}

static void busy_elsewhere_is_busy(void **state)
{
	struct hpt_source src;

	(void)state;
	fake.map_error = -EBUSY;
	for (int i = 0; i < 3; i++) {
		assert_int_equal(open_hpet(&src), -EBUSY);
		assert_int_equal(src.reason, HPT_REASON_HPET_BUSY);
	}
	fake.map_error = 0;
	fake_hpet_run(&hpet, 0, 1);
	assert_int_equal(open_hpet(&src), 0);
	hpt_source_close(&src);
}

static void opening_leaves_errno_alone(void **state)
{
	struct hpt_source src;

	(void)state;
	fake_hpet_run(&hpet, 0, 1);
	errno = EXDEV;
	assert_int_equal(open_hpet(&src), 0);
	hpt_source_close(&src);
	assert_int_equal(errno, EXDEV);
}

/* ---- Reads of a running counter ------------------------------------------------------------------ */

static void read_against_a_running_counter(uint64_t start, uint64_t step, uint32_t reads)
{
	struct hpt_source src;
	uint64_t last = 0, carries = 0;

	fake_hpet_run(&hpet, start, step);
	assert_int_equal(open_hpet(&src), 0);
	/* Reads until it has met carries: the updater may be scheduled rarely. */
	for (uint32_t i = 0; i < reads || (carries < 100 && i < 1000 * reads); i++) {
		uint64_t before = fake_hpet_counter(&hpet), v = src.read(&src), after = fake_hpet_counter(&hpet);

		if (v < before || v > after || v < last)
			fail_msg("read %u: %llx between %llx and %llx, before it %llx", i, (unsigned long long)v,
				 (unsigned long long)before, (unsigned long long)after, (unsigned long long)last);
		carries += v >> 32 != last >> 32;
		last = v;
		if (i % 1024 == 0)
			sched_yield();
	}
	note("%llu carries seen in %u reads", (unsigned long long)carries, reads);
	hpt_source_close(&src);
	fake_hpet_stop(&hpet);
	assert_true(carries >= 100);
}

static void reads_never_go_back_while_carries_are_frequent(void **state)
{
	(void)state;
	/* Steps of 2^18: a carry every 16384 stores. */
	read_against_a_running_counter(UINT64_C(0xfffff000), 1 << 18, 1000000);
}

static void reads_never_go_back_while_every_few_stores_carry(void **state)
{
	(void)state;
	read_against_a_running_counter(UINT64_C(0x7ffffffffff0), 0x1fffff00, 1000000);
}

/* ---- Reads by script ----------------------------------------------------------------------------- */

#ifdef __x86_64__
static uint64_t script_value, script_add;
static uint64_t (*script_wide)(uint64_t value);

/* A bus that returns for each load the counter's word at that moment. */
static uint64_t by_words(uint32_t offset, uint32_t width)
{
	uint64_t v = script_value;

	script_value += script_add;
	if (width == 8)
		return script_wide ? script_wide(v) : v;
	return (uint32_t)(offset == FAKE_COUNTER ? v : v >> 32);
}

static void open_scripted(struct hpt_source *src, uint64_t value, uint64_t add, uint64_t (*wide)(uint64_t))
{
	script_value = value;
	script_add = add;
	script_wide = wide;
	fake_hpet_script(&hpet, by_words);
	assert_int_equal(open_hpet(src), 0);
}

static void bit_31_is_no_sign(void **state)
{
	struct hpt_source src;

	(void)state;
	open_scripted(&src, UINT64_C(0x80000001), 1, NULL);
	script_value = UINT64_C(0x0000000580000001);
	script_add = 0;
	assert_int_equal(src.read(&src), UINT64_C(0x0000000580000001));
	script_value = UINT64_C(0x00000005ffffffff);
	assert_int_equal(src.read(&src), UINT64_C(0x00000005ffffffff));
	script_value = UINT64_C(0x80000000ffff8000);
	assert_int_equal(src.read(&src), UINT64_C(0x80000000ffff8000));
	script_value = UINT64_C(0x8000000012345678);
	assert_int_equal(src.read(&src), UINT64_C(0x8000000012345678));
	hpt_source_close(&src);
}

static void one_load_far_from_a_carry_three_near_it(void **state)
{
	static const struct {
		uint32_t low, loads;
	} rows[] = {
		{ 0, 4 }, { 1, 4 }, { 0xffff, 4 }, { 0x10000, 1 }, { 0x10001, 1 }, { 0x7fffffff, 1 }, { 0x80000000, 1 },
		{ 0xfffeffff - 1, 1 }, { 0xffff0000, 4 }, { 0xfffffffe, 4 }, { 0xffffffff, 4 },
	};
	struct hpt_source src;

	(void)state;
	open_scripted(&src, UINT64_C(0x100000), 1, NULL);
	script_add = 0;
	for (size_t i = 0; i < COUNT(rows); i++) {
		script_value = UINT64_C(7) << 32 | rows[i].low;
		fake_hpet_loads = 0;
		assert_int_equal(src.read(&src), script_value);
		assert_int_equal(fake_hpet_loads, rows[i].loads);
	}
	hpt_source_close(&src);
}

static void carry_between_any_two_loads_is_seen(void **state)
{
	struct hpt_source src;

	(void)state;
	open_scripted(&src, UINT64_C(0x100000), 1, NULL);
	for (uint64_t high = 0; high < 0x100000000; high = high * 2 + 1)
		for (uint64_t short_of = 0; short_of < 8; short_of++) {
			uint64_t before = (high << 32) + UINT64_C(0xffffffff) - short_of, v;

			if (high == UINT32_MAX)
				break;
			script_value = before;
			script_add = 1;
			v = src.read(&src);
			if (v < before || v > script_value)
				fail_msg("%llx between %llx and %llx", (unsigned long long)v,
					 (unsigned long long)before,
					 (unsigned long long)script_value);
		}
	hpt_source_close(&src);
}

/* The counter runs so fast that the high word differs at every load: the read still ends. */
static void reads_are_bounded(void **state)
{
	struct hpt_source src;
	uint64_t before, v;

	(void)state;
	open_scripted(&src, UINT64_C(0x100000), 1, NULL);
	script_value = before = UINT64_C(0x0000000900000000);
	script_add = UINT64_C(0x100000000);
	fake_hpet_loads = 0;
	v = src.read(&src);
	assert_true(before <= v && v <= script_value);
	assert_true(fake_hpet_loads <= 16);
	hpt_source_close(&src);
}

static uint64_t high_word_missing(uint64_t v)
{
	return (uint32_t)v;
}

static uint64_t words_swapped(uint64_t v)
{
	return v << 32 | v >> 32;
}

static uint64_t all_ones(uint64_t v)
{
	(void)v;
	return UINT64_MAX;
}

static uint64_t a_little_high(uint64_t v)
{
	return v + 1000;
}

static uint64_t a_little_low(uint64_t v)
{
	return v - 1000;
}

static void single_load_that_disagrees_is_not_used(void **state)
{
	static uint64_t (*const wrong[])(uint64_t) = {
		high_word_missing, words_swapped, all_ones, a_little_high, a_little_low,
	};

	(void)state;
	for (size_t i = 0; i < COUNT(wrong); i++) {
		struct hpt_source src;

		open_scripted(&src, UINT64_C(0x0000000a00100000), 1, wrong[i]);
		script_value = UINT64_C(0x0000000a40000000);
		script_add = 0;
		fake_hpet_loads = 0;
		assert_int_equal(src.read(&src), UINT64_C(0x0000000a40000000));
		assert_int_equal(fake_hpet_loads, 3); /* hi/lo/hi always */
		hpt_source_close(&src);
	}
}

static void single_load_that_agrees_is_used(void **state)
{
	struct hpt_source src;

	(void)state;
	open_scripted(&src, UINT64_C(0x0000000a00100000), 1, NULL);
	script_value = UINT64_C(0x0000000a40000000);
	fake_hpet_loads = 0;
	src.read(&src);
	assert_int_equal(fake_hpet_loads, 1);
	assert_ptr_equal(src.read, src.read_unordered);
	hpt_source_close(&src);
}

static bool tear_once;

/* A split load around the carry: the low half from before it and the high half from after it, or vice versa. */
static uint64_t torn(uint64_t v)
{
	if (!tear_once)
		return v;
	return (v + 0x20) >> 32 << 32 | (uint32_t)v;
}

static void torn_load_near_a_carry_is_read_again(void **state)
{
	struct hpt_source src;
	uint64_t before, v;

	(void)state;
	tear_once = false;
	open_scripted(&src, UINT64_C(0x0000000a00100000), 1, torn);
	tear_once = true;
	for (uint64_t short_of = 0; short_of < 0x20; short_of++) {
		before = script_value = UINT64_C(0x0000000affffffff) - short_of;
		v = src.read(&src);
		assert_true(before <= v && v <= script_value);
	}
	hpt_source_close(&src);
}
#endif

#define case(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		case(every_errno_has_its_reason),
		case(counter_of_32_bits_is_refused),
		case(absurd_periods_are_refused),
		case(disabled_hpet_is_refused),
		case(frozen_hpet_is_refused),
		case(all_ones_is_no_device),
		case(page_of_zeros_is_refused),
		case(frequency_is_exact),
		case(mapping_is_shared_and_counted),
		case(failed_open_does_not_take_a_shared_mapping_away),
		case(busy_elsewhere_is_busy),
		case(opening_leaves_errno_alone),
		case(reads_never_go_back_while_carries_are_frequent),
		case(reads_never_go_back_while_every_few_stores_carry),
#ifdef __x86_64__
		case(bit_31_is_no_sign),
		case(one_load_far_from_a_carry_three_near_it),
		case(carry_between_any_two_loads_is_seen),
		case(reads_are_bounded),
		case(single_load_that_disagrees_is_not_used),
		case(single_load_that_agrees_is_used),
		case(torn_load_near_a_carry_is_read_again),
#endif
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

#else
int main(void)
{
	return skip_all("for x86 only");
}
#endif
