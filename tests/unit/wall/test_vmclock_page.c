// SPDX-License-Identifier: MIT
/* VMClock's page: whether it is mapped, its marker, and updates while others read it. */
#include "vmclock_world.h"

#include <errno.h>
#include <pthread.h>

/* ---- The map ------------------------------------------------------------------------------------------------- */

static void assert_map(uint32_t reason, int error)
{
	struct hpt_wall_ask question = { .clk = &clk, .config = &config };
	const volatile void *got = NULL;

	strcpy(config.vmclock_path, "/dev/vmclock3");
	vmclock_encode(&p, page);
	fake.registers = page;
	assert_int_equal(hpt_vmclock_map(&question, &got), reason);
	assert_int_equal(question.error, error);
	assert_int_equal(got != NULL, !reason);
	if (got)
		hpt_vmclock_unmap(&fake_env, got);
	assert_int_equal(fake.registers_mapped, 0);
}

static void map_is_of_one_page_from_its_start(void **state)
{
	(void)state;
	fake.registers_error = 0;
	assert_map(HPT_WALL_REASON_NONE, 0);
	assert_string_equal(fake.registers_path, "/dev/vmclock3");
	assert_int_equal(fake.registers_start, 0);
	assert_in_range(fake.registers_length, 112, 4096);
	assert_ptr_equal(fake.words_tried, page);
}

/* test_wall_source has the others. */
static void map_errors_have_reasons(void **state)
{
	(void)state;
	fake.registers_error = -EACCES;
	assert_map(HPT_WALL_REASON_DENIED, EACCES);
	fake.registers_error = -HPT_ENOTDEVICE;
	assert_map(HPT_WALL_REASON_NOT_DEVICE, ENODEV);
}

static void other_pages_are_not_mapped(void **state)
{
	(void)state;
	fake.registers_error = 0;
	p.magic = 0x5643564b;
	assert_map(HPT_WALL_REASON_FORMAT, 0);
	p.magic = 0x56434c4b; /* of the other byte order */
	assert_map(HPT_WALL_REASON_FORMAT, 0);
	p.magic = VMCLOCK_MAGIC;
	p.version = 2;
	assert_map(HPT_WALL_REASON_FORMAT, 0);
	p.version = 0;
	assert_map(HPT_WALL_REASON_FORMAT, 0);
	p.version = 257;
	assert_map(HPT_WALL_REASON_FORMAT, 0);
	p.version = 1;
	p.size = 31;
	assert_map(HPT_WALL_REASON_FORMAT, 0);
	p.size = 32;
	assert_map(HPT_WALL_REASON_NONE, 0);
	fake.words_error = -EFAULT;
	assert_map(HPT_WALL_REASON_FAILED, EFAULT);
}

/* ---- Updates ------------------------------------------------------------------------------------------------- */

static void odd_sequence_is_given_up(void **state)
{
	struct hpt_wall_marks marks = { .marker = 1, .seq = 2 };

	(void)state;
	p.seq_count = 5;
	assert_reason(HPT_WALL_REASON_TORN);
	assert_false(hpt_vmclock_read_marks(page, &marks));
	assert_int_equal(marks.marker, 1);
	assert_int_equal(marks.seq, 2);
}

static uint32_t flips, flips_left;

static void flip(void)
{
	if (!flips_left)
		return;
	flips_left--;
	flips++;
	p.seq_count += 2;
	p.time_sec++;
	vmclock_encode(&p, page);
}

/* The page changes between the copy and the read of the counter: the copy is taken again. */
static void update_during_a_look_is_seen(void **state)
{
	struct hpt_wall_reading r;

	(void)state;
	read_hook = flip;
	for (uint32_t n = 0; n < 999; n += 111) {
		flips_left = n;
		flips = 0;
		r = good();
		assert_int_equal(flips, n);
		assert_in_range(r.sample.earliest_ns, ((int64_t)p.time_sec + 1) * NS_PER_S - 1052,
				((int64_t)p.time_sec + 1) * NS_PER_S - 1050);
	}
	flips_left = UINT32_MAX;
	flips = 0;
	assert_reason(HPT_WALL_REASON_TORN);
	assert_int_equal(flips, 1000);
}

static void marker_is_all_of_its_bits(void **state)
{
	(void)state;
	for (int bit = 0; bit < 64; bit++) {
		struct hpt_wall_marks m;

		p.seq_count = UINT32_MAX - 1;
		p.disruption_marker = UINT64_C(1) << bit;
		vmclock_encode(&p, page);
		assert_true(hpt_vmclock_read_marks(page, &m));
		assert_int_equal(m.marker, UINT64_C(1) << bit);
		assert_int_equal(m.seq, UINT32_MAX - 1);
		assert_true(hpt_vmclock_is_same(page, m.marker, m.seq));
		assert_false(hpt_vmclock_is_same(page, m.marker ^ UINT64_C(1) << (bit + 1) % 64, m.seq));
		assert_false(hpt_vmclock_is_same(page, m.marker ^ UINT64_C(1) << bit, m.seq));
		assert_false(hpt_vmclock_is_same(page, m.marker, m.seq ^ UINT64_C(1) << bit % 32));
		p.seq_count++;
		vmclock_encode(&p, page);
		assert_false(hpt_vmclock_is_same(page, m.marker, m.seq));
	}
}

static struct hpt_wall_marks marks_of_page(void)
{
	struct hpt_wall_marks m = { .has_generation = true, .generation = 4711 };

	vmclock_encode(&p, page);
	assert_true(hpt_vmclock_read_marks(page, &m));
	return m;
}

/* As long as Linux's struct with the counter, and by Linux's flag: bit 7 says something else there. */
static void generation_is_read_where_it_is_stated(void **state)
{
	(void)state;
	for (int bit = 0; bit < 64; bit++) {
		p.flags = VMCLOCK_FLAG_GENERATION;
		p.vm_generation_counter = UINT64_C(1) << bit;
		assert_true(marks_of_page().has_generation);
		assert_int_equal(marks_of_page().generation, UINT64_C(1) << bit);
		p.flags = UINT64_C(1) << bit;
		assert_int_equal(marks_of_page().has_generation, bit == 8);
		assert_int_equal(marks_of_page().generation, bit == 8 ? UINT64_C(1) << 8 : 0);
	}
	p.flags = ~UINT64_C(0);
	p.size = 112;
	assert_true(marks_of_page().has_generation);
	p.size = 111;
	assert_false(marks_of_page().has_generation);
	assert_int_equal(marks_of_page().generation, 0);
}

static _Atomic bool stops;

/* Each page has the serial number of its update in all members that the test checks. */
static void number_page(struct vmclock_page *next, uint64_t n)
{
	next->seq_count = (uint32_t)n * 2 - 1;
	next->disruption_marker = n * UINT64_C(0x9e3779b97f4a7c15);
	next->vm_generation_counter = ~next->disruption_marker;
	next->flags |= VMCLOCK_FLAG_GENERATION;
	next->time_sec = NOW_S + n % 100000000;
	next->time_maxerror_nanosec = n % 100000000;
	next->counter_value = counter;
	next->counter_period_maxerror_rate_frac_sec = n;
}

static void *update_for_ever(void *arg)
{
	struct vmclock_page next = p;

	(void)arg;
	for (uint64_t n = 1; !stops; n++) {
		number_page(&next, n);
		vmclock_update(page, &next);
		for (uint64_t i = n % 64; i-- && !stops;)
			arch_relax();
	}
	return NULL;
}

/* One look at the page sees one update. The other thread may need a processor of its own for that. */
static void torn_pages_are_never_used(void **state)
{
	pthread_t writer;
	uint32_t torn = 0, seen = 0;
	int64_t last_s = 0;

	(void)state;
	number_page(&p, 1);
	p.seq_count++;
	vmclock_encode(&p, page);
	stops = false;
	assert_int_equal(pthread_create(&writer, NULL, update_for_ever, NULL), 0);
	while (seen < 100) {
		struct hpt_wall_ask question = { .clk = &clk, .config = &config, .vmclock = page };
		struct hpt_wall_reading r = { .leap = HPT_WALL_LEAP_UNKNOWN };
		uint32_t reason = hpt_wall_vmclock.ask(&question, &r);
		struct hpt_wall_marks m;

		if (hpt_vmclock_read_marks(page, &m)) {
			uint32_t number = (uint32_t)(m.marker * UINT64_C(0xf1de83e19937733d)); /* the inverse */

			assert_int_equal((uint32_t)m.seq, number * 2);
			assert_int_equal(m.generation, ~m.marker);
		}
		if (reason) {
			assert_int_equal(reason, HPT_WALL_REASON_TORN);
			torn++;
			continue;
		}
		assert_int_equal(r.sample.earliest_ns + r.sample.latest_ns,
				 2 * (NOW_S + (r.sample.latest_ns - r.sample.earliest_ns) / 2) * NS_PER_S);
		seen += r.sample.latest_ns / NS_PER_S != last_s;
		last_s = r.sample.latest_ns / NS_PER_S;
	}
	stops = true;
	pthread_join(writer, NULL);
	note("%u updates seen, %u looks given up", seen, torn);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(map_is_of_one_page_from_its_start, setup),
		cmocka_unit_test_setup(map_errors_have_reasons, setup),
		cmocka_unit_test_setup(other_pages_are_not_mapped, setup),
		cmocka_unit_test_setup(odd_sequence_is_given_up, setup),
		cmocka_unit_test_setup(update_during_a_look_is_seen, setup),
		cmocka_unit_test_setup(marker_is_all_of_its_bits, setup),
		cmocka_unit_test_setup(generation_is_read_where_it_is_stated, setup),
		cmocka_unit_test_setup(torn_pages_are_never_used, setup),
	};
	/* Other processors; test_vmclock_page_arch has all of the above for them. */
	static const struct CMUnitTest without_counter[] = {
		cmocka_unit_test_setup(map_is_of_one_page_from_its_start, setup),
		cmocka_unit_test_setup(map_errors_have_reasons, setup),
		cmocka_unit_test_setup(other_pages_are_not_mapped, setup),
		cmocka_unit_test_setup(marker_is_all_of_its_bits, setup),
		cmocka_unit_test_setup(generation_is_read_where_it_is_stated, setup),
	};

	random_start();
	if (!has_counter)
		return cmocka_run_group_tests(without_counter, NULL, NULL);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
