// SPDX-License-Identifier: MIT
/* The public reads and the paths that they take: instruction x line x slot of the record. */
#include <sched.h>

#include "clock_world.h"
#include "machine/live.h"
#include "source/tsc.h"

/* White box: the copies of each slot, and the calls of the slow path. */
static uint64_t count_slow(struct hpt_clock *clk, struct hpt_record *ret);
#define hpt_timekeeper_now(clk, ret) count_slow(clk, ret)
#include "clock/read.c"
#undef hpt_timekeeper_now

static uint32_t slow, unordered;

static uint64_t count_slow(struct hpt_clock *clk, struct hpt_record *ret)
{
	slow++;
	return hpt_timekeeper_now(clk, ret);
}

static uint64_t count_unordered(const struct hpt_source *src)
{
	unordered++;
	return src->read(src);
}

static void any_source_has_its_bare_read(void **state)
{
	struct hpt_clock clk;
	int64_t ns, last;

	(void)state;
	new_clock(&clk, 400);
	clk.src.read_unordered = count_unordered;
	last = hpt_now_ns(&clk);
	assert_int_equal(unordered, 0);
	ns = hpt_now_ns_unordered(&clk);
	assert_int_equal(unordered, 1);
	assert_true(last <= ns && ns <= hpt_now_ns(&clk));
	assert_int_equal(unordered, 1);
}

/* Its copies of the kernel's lines, which other processors than x86 use too. */
static void any_source_has_four_lines(void **state)
{
	struct hpt_clock clk;
	uint32_t before;

	(void)state;
	new_clock(&clk, 400);
	hpt_now_ns(&clk);
	before = slow;
	assert_int_equal(hpt_now_unix_ns(&clk) / 1000, fake_world_true_ns(CLOCK_REALTIME) / 1000);
	assert_int_equal(hpt_now_monotonic_ns(&clk) / 1000, fake_world_true_ns(CLOCK_MONOTONIC) / 1000);
	assert_int_equal(hpt_now_boottime_ns(&clk) / 1000, fake_world_true_ns(CLOCK_BOOTTIME) / 1000);
	assert_int_equal(hpt_now_tai_ns(&clk) / 1000, fake_world_true_ns(CLOCK_TAI) / 1000);
	assert_int_equal(slow, before);
}

static void the_os_clock_reads_the_kernel_s_own(void **state)
{
	static const clockid_t ids[] = { CLOCK_REALTIME, CLOCK_MONOTONIC, CLOCK_BOOTTIME, CLOCK_TAI };
	static int64_t (*const reads[])(hpt_clock *) = { hpt_now_unix_ns, hpt_now_monotonic_ns, hpt_now_boottime_ns,
							 hpt_now_tai_ns };
	hpt_clock *clk;

	(void)state;
	assert_int_equal(hpt_clock_open(HPT_SOURCE_OS, 0, &clk), 0);
	errno = EBADMSG;
	for (size_t i = 0; i < COUNT(ids); i++) {
		int64_t before, ns, after;

		assert_int_equal(hpt_env_live.try_clock(ids[i], false, &before), 0);
		ns = reads[i](clk);
		assert_int_equal(hpt_env_live.try_clock(ids[i], false, &after), 0);
		assert_true(before <= ns && ns <= after);
	}
	assert_int_equal(errno, EBADMSG);
	hpt_clock_close(clk);
}

static void the_os_clock_is_its_own_line(void **state)
{
	hpt_clock *clk;
	int64_t last, ns;
	uint32_t cpu = 4711;

	(void)state;
	assert_int_equal(hpt_clock_open(HPT_SOURCE_OS, 0, &clk), 0);
	last = hpt_now(clk);
	ns = hpt_now_ns_unordered(clk);
	assert_true(last <= ns && ns <= hpt_now(clk));
	ns = hpt_now_cpu(clk, &cpu);
	assert_true(last <= ns && ns <= hpt_now(clk));
	assert_int_equal(cpu, UINT32_MAX);
	assert_ptr_equal(atomic_load(&clk->now_ns_unordered), atomic_load(&clk->now_ns)); /* needs no record */
	hpt_clock_close(clk);
}

#ifdef HPT_ARCH_X86
/* Nothing moves across CPUID, so that an unordered read stays in its place. */
static void stay_in_place(void)
{
	uint32_t regs[4];

	arch_cpuid(0, 0, regs);
}

/* A clock on the live TSC, read by this order. False if it cannot be read. */
static bool tsc_clock(struct hpt_clock *clk, enum hpt_own_order order)
{
	memset(clk, 0, sizeof(*clk));
	if (hpt_source_open(&clk->src, &hpt_source_tsc, &hpt_env_live))
		return false;
	if (order == HPT_OWN_FIRST && !(clk->src.orders & order))
		return false;
	hpt_own_set_order(&clk->src, order);
	clk->at_load = hpt_booted()->status;
	hpt_read_set(clk);
	hpt_anchor_take(&clk->src, &clk->anchor);
	return true;
}

/* Puts the current record into a slot, as publishing would, and installs the copies for it. */
static void move_record(struct hpt_clock *clk, uint32_t slot)
{
	uint32_t was = hpt_seqlatch_begin(&clk->latch);
	uint32_t now = (was / HPT_SEQLATCH_SLOTS + 1) * HPT_SEQLATCH_SLOTS + slot;
	struct hpt_record rec = clk->records[hpt_seqlatch_slot(was)];

	memset(clk->records, 0, sizeof(clk->records));
	clk->records[slot] = rec;
	atomic_store(&clk->latch.stamps[slot], now);
	atomic_store(&clk->latch.current, now);
	install_reads(clk, slot);
}

static const struct {
	clockid_t id;
	int64_t (*now_ns)(hpt_clock *clk);
} os_reads[] = {
	{ CLOCK_REALTIME, hpt_now_unix_ns }, { CLOCK_MONOTONIC, hpt_now_monotonic_ns },
	{ CLOCK_BOOTTIME, hpt_now_boottime_ns }, { CLOCK_TAI, hpt_now_tai_ns },
};

/* The same for the kernel's lines; each is far from the others. */
static void check_os_reads(struct hpt_clock *clk, struct hpt_record *rec)
{
	rec->read.mono_ns.at.ns += 5000000000;
	rec->read.mono_ns.slope.frac -= rec->read.mono_ns.slope.frac / 1000;
	rec->read.boot_at_ns = rec->read.mono_ns.at.ns + 3000000000;
	rec->read.tai_at_ns = rec->read.unix_ns.at.ns + 37000000000;
	for (size_t i = 0; i < COUNT(os_reads); i++) {
		uint32_t before = slow;
		uint64_t first = (uint64_t)hpt_now(clk), last;
		int64_t ns = os_reads[i].now_ns(clk);

		last = (uint64_t)hpt_now(clk);
		if (last - rec->read.start >= rec->read.fast_span)
			return;
		assert_int_equal(slow, before);
		assert_true(ns >= hpt_os_lines_ns(rec, os_reads[i].id, first));
		assert_true(ns <= hpt_os_lines_ns(rec, os_reads[i].id, last));
	}
}

/* Reads by the copies of one slot: all on the record's lines, and none by the slow path. */
static void check_slot(struct hpt_clock *clk, uint32_t slot)
{
	struct hpt_record *rec = &clk->records[slot];
	uint32_t before = slow;
	uint64_t first, last;
	int64_t ns[2];

	move_record(clk, slot);
	first = (uint64_t)hpt_now(clk);
	ns[0] = hpt_now_ns(clk);
	stay_in_place();
	ns[1] = hpt_now_ns_unordered(clk);
	stay_in_place();
	last = (uint64_t)hpt_now(clk);
	assert_true(ns[0] <= ns[1]);
	/* A preemption of 10 ms may end the record's segment: then the slow path has read by another one. */
	if (last - rec->read.start >= rec->read.fast_span)
		return;
	assert_int_equal(slow, before);
	for (int i = 0; i < 2; i++) {
		assert_true(ns[i] >= (int64_t)hpt_line_at(&rec->read.ns, rec->read.start, first).ns);
		assert_true(ns[i] <= (int64_t)hpt_line_at(&rec->read.ns, rec->read.start, last).ns);
	}
	check_os_reads(clk, rec);
}

static void check_slots(enum hpt_own_order order)
{
	struct hpt_clock clk;

	if (!tsc_clock(&clk, order)) {
		note("no such TSC here");
		return;
	}
	hpt_now_ns(&clk);
	for (uint32_t slot = 0; slot < HPT_SEQLATCH_SLOTS; slot++) {
		struct own_reads copies = reads_in_slot(slot, order == HPT_OWN_FIRST);

		check_slot(&clk, slot);
		if (hpt_seqlatch_slot(hpt_seqlatch_begin(&clk.latch)) != slot)
			continue; /* the segment ended meanwhile */
		assert_ptr_equal(atomic_load(&clk.now_ns), copies.ns);
		assert_ptr_equal(atomic_load(&clk.now_os_ns), copies.os_ns);
		assert_ptr_equal(atomic_load(&clk.now_ns_unordered), copies.bare_ns);
	}
}

static void rdtscp_reads_each_slot(void **state)
{
	(void)state;
	check_slots(HPT_OWN_FIRST);
}

static void lfence_reads_each_slot(void **state)
{
	(void)state;
	check_slots(HPT_OWN_SECOND);
}

/* The CPU comes from the instruction; where an emulation leaves ECX alone it is unknown, never a wrong one. */
static void now_cpu_knows_its_cpu(void **state)
{
	cpu_set_t old, one;
	struct hpt_clock clk;

	(void)state;
	if (!tsc_clock(&clk, HPT_OWN_FIRST) || sched_getaffinity(0, sizeof(old), &old)) {
		note("no such TSC here");
		return;
	}
	for (int i = 0; i < CPU_SETSIZE; i++) {
		hpt_time_t before = hpt_now(&clk), tick;
		uint32_t cpu = 4711, aux;

		CPU_ZERO(&one);
		CPU_SET(i, &one);
		if (!CPU_ISSET(i, &old) || sched_setaffinity(0, sizeof(one), &one))
			continue;
		tick = hpt_now_cpu(&clk, &cpu);
		arch_rdtscp_aux(&aux);
		assert_int_equal(cpu, aux == UINT32_MAX ? UINT32_MAX : aux & 0xfff);
		if (cpu != (uint32_t)i)
			note("CPU %d: RDTSCP gives %u", i, cpu);
		assert_true(before <= tick && tick <= hpt_now_cpu(&clk, NULL));
	}
	sched_setaffinity(0, sizeof(old), &old);
}

/* Also where the ordered read is another instruction. */
static void now_cpu_needs_rdtscp_alone(void **state)
{
	struct hpt_clock rdtscp, lfence;
	uint32_t known = 4711, unknown = 4711;

	(void)state;
	if (!tsc_clock(&rdtscp, HPT_OWN_FIRST) || !tsc_clock(&lfence, HPT_OWN_SECOND)) {
		note("no such TSC here");
		return;
	}
	hpt_now_cpu(&rdtscp, &unknown);
	hpt_now_cpu(&lfence, &known);
	assert_int_equal(known == UINT32_MAX, unknown == UINT32_MAX);
	lfence.src.orders = HPT_OWN_SECOND;
	assert_true(hpt_now_cpu(&lfence, &unknown) > 0);
	assert_int_equal(unknown, UINT32_MAX);
}
#endif

static void null_clock_and_null_cpu(void **state)
{
	hpt_time_t last = hpt_now(NULL), tick = hpt_now_cpu(NULL, NULL);

	(void)state;
	assert_true(last <= tick && tick <= hpt_now(NULL));
	assert_true(hpt_now_ns_unordered(NULL) > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_source_has_its_bare_read),
		cmocka_unit_test(any_source_has_four_lines),
		cmocka_unit_test(the_os_clock_reads_the_kernel_s_own),
		cmocka_unit_test(the_os_clock_is_its_own_line),
#ifdef HPT_ARCH_X86
		cmocka_unit_test(rdtscp_reads_each_slot),
		cmocka_unit_test(lfence_reads_each_slot),
		cmocka_unit_test(now_cpu_knows_its_cpu),
		cmocka_unit_test(now_cpu_needs_rdtscp_alone),
#endif
		cmocka_unit_test(null_clock_and_null_cpu),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
