// SPDX-License-Identifier: MIT
/* Memory-mapped counters: every refusal and its reason, and reads of each width, preempted at random. */
#include <errno.h>
#include <string.h>

#include "unit.h"

#include "fake_env.h"
#include "fake_uio.h"
#include "hpt/hpt.h"
#include "hpt/mmio.h"
#include "source/mmio.h"

#define JIFFY INT64_C(4000000)

/* A board: time passes when a clock is read. */
static struct {
	_Alignas(8) uint32_t page[1024];
	uint32_t at;                 /* the counter's first word */
	uint32_t width;
	bool     is_down, stands_still, is_garbage_above;
	uint64_t hz, first;
	int64_t  now_ns, call_ns, syscall_ns;
	void   (*preempt)(void);     /* while a clock is read */
} board;

static uint64_t true_tick(void)
{
	uint64_t ticks = (uint64_t)board.now_ns / 1000 * (board.hz / 1000) / 1000;

	return board.first + (board.stands_still ? 0 : ticks);
}

/* What the registers show. */
static void show(void)
{
	uint64_t tick = board.is_down ? ~true_tick() : true_tick();

	board.page[board.at] = (uint32_t)tick;
	if (board.width == 16)
		board.page[board.at] = (uint32_t)(tick & 0xffff) | (board.is_garbage_above ? 0x5a5a0000 : 0);
	if (board.width == 64)
		board.page[board.at + 1] = (uint32_t)(tick >> 32);
}

static int64_t clock_at(clockid_t id)
{
	return id == CLOCK_MONOTONIC_COARSE ? board.now_ns - board.now_ns % JIFFY : board.now_ns;
}

static int64_t board_clock(clockid_t id)
{
	int64_t ns;

	board.now_ns += board.call_ns;
	if (board.preempt)
		board.preempt();
	ns = clock_at(id);
	if (board.preempt)
		board.preempt();
	show();
	return ns;
}

static int64_t board_syscall(clockid_t id)
{
	board.now_ns += board.syscall_ns;
	show();
	return clock_at(id);
}

static struct hpt_env env;

static int setup(void **state)
{
	fake_uio_remove();
	fake_env_setup(state);
	fake_uio_add(7, "timer", "0x200", "0x1000");
	memset(&board, 0, sizeof(board));
	board.at = 0x200 / 4;
	board.width = 64;
	board.hz = 24000000;
	board.first = UINT64_C(0x7fffffff0);
	board.now_ns = 1000000000;
	board.call_ns = 1000;
	board.syscall_ns = 10000;
	fake.registers = board.page;
	fake.registers_error = 0;
	env = fake_env;
	env.clock_ns = board_clock;
	env.clock_ns_syscall = board_syscall;
	show();
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	return fake.registers_mapped; /* nothing is left mapped by any test */
}

static struct hpt_mmio description(uint32_t width, uint32_t flags)
{
	struct hpt_mmio m = { .width = width, .flags = flags, .frequency_hz = board.hz, .uio = "timer" };

	board.width = width;
	board.is_down = flags & HPT_MMIO_DOWN;
	show();
	return m;
}

/* ---- Open ------------------------------------------------------------------------------------------------ */

static void counter_is_where_the_device_says(void **state)
{
	struct hpt_mmio m = description(64, 0);
	struct hpt_source src;

	(void)state;
	m.offset = 0x40;
	board.at = 0x240 / 4;
	assert_int_equal(hpt_mmio_open(&src, &env, &m), 0);
	assert_string_equal(fake.registers_path, "/dev/uio7");
	assert_int_equal(fake.registers_start, 0);
	assert_int_equal(fake.registers_length, 0x248);
	assert_int_equal(src.stage, HPT_STAGE_USABLE);
	assert_int_equal(src.bits, 64);
	assert_int_equal(src.rate.frequency_uhz, UINT64_C(24000000000000));
	assert_int_equal(src.rate.num * 24, src.rate.den * 1000);
	assert_int_equal(src.rate.origin, HPT_ORIGIN_REGISTER);
	assert_false(src.is_private);
	assert_int_equal(src.read(&src), true_tick());
	hpt_source_close(&src);
}

static void address_is_mapped_by_dev_mem(void **state)
{
	struct hpt_mmio m = description(32, HPT_MMIO_DOWN);
	struct hpt_source src;

	(void)state;
	m.uio[0] = '\0';
	m.address = 0x10011000;
	m.offset = 0x204;
	board.at = 0x204 / 4;
	assert_int_equal(hpt_mmio_open(&src, &env, &m), 0);
	assert_string_equal(fake.registers_path, "/dev/mem");
	assert_int_equal(fake.registers_start, 0x10011204);
	assert_int_equal(fake.registers_length, 4);
	assert_true(src.is_private);
	board.call_ns = 0;
	assert_int_equal((src.read(&src) - true_tick()) % (UINT64_C(1) << 32), 0);
	hpt_source_close(&src);
}

static void check_refused(const struct hpt_mmio *m, int ret, uint32_t stage, uint32_t reason)
{
	struct hpt_source src;

	assert_int_equal(hpt_mmio_open(&src, &env, m), ret);
	assert_int_equal(src.stage, stage);
	if (src.reason != reason)
		fail_msg("%s", hpt_reason_text(src.reason));
	assert_int_equal(fake.registers_mapped, 0); /* and unmapped at once */
}

static void wrong_places_are_refused(void **state)
{
	struct hpt_mmio m = description(64, 0);

	(void)state;
	strcpy(m.uio, "time");
	check_refused(&m, -ENODEV, HPT_STAGE_OPEN, HPT_REASON_MMIO_NO_UIO);
	strcpy(m.uio, "timer");
	m.offset = 0x1000 - 0x200 - 4;
	check_refused(&m, -EINVAL, HPT_STAGE_OPEN, HPT_REASON_MMIO_BEYOND);
	m.offset = INT64_MAX - 15;
	check_refused(&m, -EINVAL, HPT_STAGE_OPEN, HPT_REASON_MMIO_BEYOND);
	assert_string_equal(fake.registers_path, ""); /* nothing was opened */
	fake_uio_add(8, "huge", "0xfffffffffffffff8", "0xffffffffffffffff");
	strcpy(m.uio, "huge");
	m.offset = 8;
	check_refused(&m, -EINVAL, HPT_STAGE_OPEN, HPT_REASON_MMIO_BEYOND);
	fake_uio_add(9, "odd", "0x2", "0x1000");
	strcpy(m.uio, "odd");
	check_refused(&m, -EINVAL, HPT_STAGE_OPEN, HPT_REASON_MMIO_BEYOND);
	fake_uio_add(10, "far", "0x8000000000000000", "0xffffffffffffffff");
	strcpy(m.uio, "far");
	check_refused(&m, -EINVAL, HPT_STAGE_OPEN, HPT_REASON_MMIO_BEYOND);
	m.width = 12;
	check_refused(&m, -EINVAL, HPT_STAGE_UNTRIED, HPT_REASON_MMIO_WIDTH);
}

static void every_errno_has_its_reason(void **state)
{
	static const struct {
		int err;
		uint32_t stage, reason;
		int ret;
	} rows[] = {
		{ EACCES, HPT_STAGE_OPEN, HPT_REASON_MMIO_ACCESS, -EACCES },
		{ EPERM, HPT_STAGE_OPEN, HPT_REASON_MMIO_ACCESS, -EPERM },
		{ ENOENT, HPT_STAGE_OPEN, HPT_REASON_MMIO_NO_NODE, -ENOENT },
		{ EMFILE, HPT_STAGE_OPEN, HPT_REASON_MMIO_NO_NODE, -EMFILE },
		{ HPT_ENOTDEVICE, HPT_STAGE_OPEN, HPT_REASON_MMIO_NOT_DEVICE, -ENODEV },
		{ EPERM, HPT_STAGE_MAP, HPT_REASON_MMIO_REFUSED, -EPERM },
		{ EINVAL, HPT_STAGE_MAP, HPT_REASON_MMIO_REFUSED, -EINVAL },
	};
	struct hpt_mmio m = description(64, 0);

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		fake.registers_error = -rows[i].err;
		fake.registers_stage = rows[i].stage;
		check_refused(&m, rows[i].ret, rows[i].stage, rows[i].reason);
	}
}

/* The words that a read loads are tried before any is loaded. */
static void counter_whose_load_ends_the_child_is_refused(void **state)
{
	struct hpt_mmio wide = description(64, 0), narrow = description(32, HPT_MMIO_POLLED);

	(void)state;
	board.stands_still = true; /* reads would give another reason */
	fake.words_error = -EIO;
	check_refused(&wide, -EIO, HPT_STAGE_MAP, HPT_REASON_MMIO_BUS_ERROR);
	assert_ptr_equal(fake.words_tried, &board.page[board.at]);
	assert_int_equal(fake.n_words_tried, 2);
	check_refused(&narrow, -EIO, HPT_STAGE_MAP, HPT_REASON_MMIO_BUS_ERROR);
	assert_ptr_equal(fake.words_tried, &board.page[board.at]);
	assert_int_equal(fake.n_words_tried, 1);
	fake.words_error = -EAGAIN;
	check_refused(&wide, -EAGAIN, HPT_STAGE_MAP, HPT_REASON_MMIO_UNPROVEN);
	fake.words_error = -ECHILD;
	check_refused(&wide, -ECHILD, HPT_STAGE_MAP, HPT_REASON_MMIO_UNPROVEN);
}

static void counter_that_stands_still_is_refused(void **state)
{
	static const uint32_t widths[] = { 16, 32, 64 };

	(void)state;
	board.stands_still = true;
	for (size_t i = 0; i < COUNT(widths); i++) {
		struct hpt_mmio m = description(widths[i], 0);

		m.frequency_hz = 32768;
		check_refused(&m, -EIO, HPT_STAGE_COUNTING, HPT_REASON_MMIO_NOT_COUNTING);
		m.flags = HPT_MMIO_POLLED;
		check_refused(&m, -EIO, HPT_STAGE_COUNTING, HPT_REASON_MMIO_NOT_COUNTING);
	}
}

static void counter_that_counts_the_other_way_is_refused(void **state)
{
	static const uint32_t widths[] = { 16, 32, 64 };

	(void)state;
	board.hz = 100000;
	for (size_t i = 0; i < COUNT(widths); i++)
		for (uint32_t flags = 0; flags <= (HPT_MMIO_DOWN | HPT_MMIO_POLLED); flags++) {
			struct hpt_mmio m = description(widths[i], flags);

			m.flags ^= HPT_MMIO_DOWN;
			check_refused(&m, -EIO, HPT_STAGE_COUNTING, HPT_REASON_MMIO_OTHER_WAY);
		}
}

/* Its steps are 1 ms, ten times as long as a counter of unknown rate may stand still. */
static void slow_counter_counts(void **state)
{
	struct hpt_mmio m;
	struct hpt_source src;

	(void)state;
	board.hz = 1000;
	m = description(64, 0);
	assert_int_equal(hpt_mmio_open(&src, &env, &m), 0);
	hpt_source_close(&src);
}

/* In one wrap the thread was preempted: the counter seemed to go back. */
static void preempted_once(void)
{
	board.now_ns += 64000000;
	board.preempt = NULL;
}

static void preemption_does_not_look_like_the_other_direction(void **state)
{
	struct hpt_source src;
	struct hpt_mmio m;

	(void)state;
	board.hz = 1000000;
	m = description(16, HPT_MMIO_POLLED);
	board.preempt = preempted_once;
	assert_int_equal(hpt_mmio_open(&src, &env, &m), 0);
	hpt_source_close(&src);
}

static void narrow_counter_needs_a_virtual_clock_or_the_promise(void **state)
{
	struct hpt_mmio m = description(32, 0), polled = description(32, HPT_MMIO_POLLED), wide = description(64, 0);
	struct hpt_source src;

	(void)state;
	board.syscall_ns = board.call_ns * 2;
	m.width = board.width = 32;
	check_refused(&m, -ENOTSUP, HPT_STAGE_CAPS, HPT_REASON_MMIO_NO_COARSE);
	assert_int_equal(hpt_mmio_open(&src, &env, &polled), 0);
	hpt_source_close(&src);
	board.width = 64;
	assert_int_equal(hpt_mmio_open(&src, &env, &wide), 0);
	hpt_source_close(&src);
}

static void narrow_counter_must_not_wrap_too_fast(void **state)
{
	struct hpt_source src;
	struct hpt_mmio m;

	(void)state;
	board.hz = 1000000;
	m = description(16, 0); /* wraps in 65.5 ms */
	fake.coarse_step_ns = 4096000;
	assert_int_equal(hpt_mmio_open(&src, &env, &m), 0);
	hpt_source_close(&src);
	fake.coarse_step_ns = 4096001;
	check_refused(&m, -ENOTSUP, HPT_STAGE_CAPS, HPT_REASON_MMIO_TOO_FAST);
	fake.coarse_step_ns = INT64_MAX; /* no such clock */
	check_refused(&m, -ENOTSUP, HPT_STAGE_CAPS, HPT_REASON_MMIO_TOO_FAST);
	m.flags = HPT_MMIO_POLLED;
	assert_int_equal(hpt_mmio_open(&src, &env, &m), 0);
	hpt_source_close(&src);
}

static void variable_describes_the_counter(void **state)
{
	struct hpt_source src;

	(void)state;
	fake.hpt_mmio = "uio=timer,width=64,frequency=24000000";
	assert_int_equal(hpt_source_open(&src, &hpt_source_mmio, &env), 0);
	assert_int_equal(src.stage, HPT_STAGE_USABLE);
	assert_int_equal(src.read(&src), true_tick());
	hpt_source_close(&src);
	fake.hpt_mmio = "uio=timer,width=64,frequency=0";
	assert_int_equal(hpt_source_open(&src, &hpt_source_mmio, &env), -EINVAL);
	assert_int_equal(src.reason, HPT_REASON_MMIO_FREQUENCY);
	fake.hpt_mmio = "";
	assert_int_equal(hpt_source_open(&src, &hpt_source_mmio, &env), -EINVAL);
	assert_int_equal(src.reason, HPT_REASON_MMIO_UNDESCRIBED);
	fake.hpt_mmio = NULL; /* as in set-id programs */
	assert_int_equal(hpt_source_open(&src, &hpt_source_mmio, &env), -EINVAL);
	assert_int_equal(src.reason, HPT_REASON_MMIO_UNDESCRIBED);
	assert_int_equal(src.stage, HPT_STAGE_UNTRIED);
}

/* ---- Reads ------------------------------------------------------------------------------------------------- */

static struct hpt_source opened;
static uint64_t wraps, span, reads;
static uint32_t depth;
static int64_t newest_ns, most_ns;

/* One read that began and ended at these ticks: between them, but for the wraps before the first. */
static void check_read(uint64_t (*read)(const struct hpt_source *src))
{
	uint64_t before = true_tick(), tick = read(&opened), after = true_tick();

	if (!reads++)
		wraps = tick - before + span / 2 - (tick - before + span / 2) % span;
	assert_true(tick - wraps >= before && tick - wraps <= after);
	newest_ns = board.now_ns;
}

/* Time passes; meanwhile other threads read, and are preempted in their turn. */
static void preempt(void)
{
	int64_t wrap_ns = opened.u.mmio.narrow.window_ns * 16;

	if (depth == 3)
		return;
	depth++;
	if (!random_below(32))
		board.now_ns += (int64_t)random_below((uint64_t)wrap_ns * 3);
	show();
	if (!random_below(8))
		check_read(random_below(2) ? opened.read : opened.read_unordered);
	depth--;
}

static void reads_keep_every_wrap(void **state)
{
	static const struct {
		uint32_t width, flags;
		uint64_t hz;
	} kinds[] = {
		{ 32, 0, 24000000 },
		{ 32, HPT_MMIO_DOWN, 1000000000 },
		{ 16, 0, 32000 },
		{ 16, HPT_MMIO_DOWN, 1000000 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(kinds); i++) {
		struct hpt_mmio m;

		board.hz = kinds[i].hz;
		board.is_garbage_above = true;
		m = description(kinds[i].width, kinds[i].flags);
		assert_int_equal(hpt_mmio_open(&opened, &env, &m), 0);
		span = UINT64_C(1) << kinds[i].width;
		reads = 0;
		check_read(opened.read);
		board.preempt = preempt;
		for (int n = 0; n < 20000; n++)
			check_read(n % 2 ? opened.read : opened.read_unordered);
		board.preempt = NULL;
		assert_true(reads > 25000);
		hpt_source_close(&opened);
	}
}

/* No clock is read, so that no time passes within a read. */
static void promised_reads_keep_every_wrap(void **state)
{
	struct hpt_mmio m;

	(void)state;
	for (uint32_t down = 0; down < 2; down++) {
		board.hz = 1000000;
		m = description(16, HPT_MMIO_POLLED | (down ? HPT_MMIO_DOWN : 0));
		assert_int_equal(hpt_mmio_open(&opened, &env, &m), 0);
		span = 1 << 16;
		reads = 0;
		most_ns = 32767000;
		for (int n = 0; n < 100000; n++) {
			check_read(n % 2 ? opened.read : opened.read_unordered);
			board.now_ns += (int64_t)random_below((uint64_t)most_ns);
			show();
		}
		hpt_source_close(&opened);
	}
}

static void wide_reads_are_whole(void **state)
{
	struct hpt_mmio m;

	(void)state;
	for (uint32_t flags = 0; flags <= HPT_MMIO_DOWN; flags++) {
		m = description(64, flags);
		assert_int_equal(hpt_mmio_open(&opened, &env, &m), 0);
		for (int n = 0; n < 1000; n++) {
			board.now_ns += (int64_t)random_magnitude() & INT64_C(0xffffffffff);
			show();
			assert_int_equal(opened.read(&opened), true_tick());
			assert_int_equal(opened.read_unordered(&opened), true_tick());
		}
		hpt_source_close(&opened);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(counter_is_where_the_device_says, setup, teardown),
		cmocka_unit_test_setup_teardown(address_is_mapped_by_dev_mem, setup, teardown),
		cmocka_unit_test_setup_teardown(wrong_places_are_refused, setup, teardown),
		cmocka_unit_test_setup_teardown(every_errno_has_its_reason, setup, teardown),
		cmocka_unit_test_setup_teardown(counter_whose_load_ends_the_child_is_refused, setup, teardown),
		cmocka_unit_test_setup_teardown(counter_that_stands_still_is_refused, setup, teardown),
		cmocka_unit_test_setup_teardown(counter_that_counts_the_other_way_is_refused, setup, teardown),
		cmocka_unit_test_setup_teardown(slow_counter_counts, setup, teardown),
		cmocka_unit_test_setup_teardown(preemption_does_not_look_like_the_other_direction, setup, teardown),
		cmocka_unit_test_setup_teardown(narrow_counter_needs_a_virtual_clock_or_the_promise, setup, teardown),
		cmocka_unit_test_setup_teardown(narrow_counter_must_not_wrap_too_fast, setup, teardown),
		cmocka_unit_test_setup_teardown(variable_describes_the_counter, setup, teardown),
		cmocka_unit_test_setup_teardown(reads_keep_every_wrap, setup, teardown),
		cmocka_unit_test_setup_teardown(promised_reads_keep_every_wrap, setup, teardown),
		cmocka_unit_test_setup_teardown(wide_reads_are_whole, setup, teardown),
	};

	random_start();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
