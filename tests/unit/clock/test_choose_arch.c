// SPDX-License-Identifier: MIT
/* The choice on another architecture: its own counter in the place of the TSC, and OS where that is out. */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "arch_world.h"
#include "clock/default.h"

/* A trouble, and the reason that it gives. */
struct trouble {
	void (*make)(void);
	uint32_t reason, error;
};

static void no_trouble(void)
{
}

static void other_kernel(void)
{
	fake_env_kernel("jiffies\n");
}

/* Part of the name is not the name. */
static void longer_name(void)
{
	fake_env_kernel("fake_counter_nonstop\n");
}

static void no_sysfs(void)
{
	fake_env_kernel(NULL);
}

static void no_vdso(void)
{
	fake_env.clock_ns = raw_call;
}

static void trapped(void)
{
	world.read_ps = 2000000;
}

static void interposed(void)
{
	fake.kernel_ahead_ns = 3600 * INT64_C(1000000000);
}

static void forbidden(void)
{
	fake.forbidden = true;
}

static void absent(void)
{
	fake.hwcap = 0;
}

static void standing(void)
{
	world.tick_ps = UINT64_MAX;
}

static const struct trouble troubles[] = {
	{ no_trouble, HPT_REASON_ARCH_TRUSTED, 0 },
	{ other_kernel, HPT_REASON_KERNEL_DISAGREES, 0 },
	{ longer_name, HPT_REASON_KERNEL_DISAGREES, 0 },
	{ no_sysfs, HPT_REASON_ARCH_ALONE, 0 },
	{ no_vdso, HPT_REASON_ARCH_NOT_VIRTUAL, 0 },
	{ trapped, HPT_REASON_ARCH_EXPENSIVE, 0 },
	{ interposed, HPT_REASON_INTERPOSED, 0 },
	{ forbidden, HPT_REASON_ARCH_FORBIDDEN, EPERM },
	{ absent, HPT_REASON_ARCH_NO_EVTSTRM, ENODEV },
	{ standing, HPT_REASON_ARCH_NOT_COUNTING, EIO },
};

static void check_unasked(const struct trouble *t)
{
	const struct hpt_boot *b = boot();
	bool trusted = t->reason == HPT_REASON_ARCH_TRUSTED;

	assert_int_equal(b->status[HPT_SOURCE_ARCH].reason, t->reason);
	assert_int_equal(b->status[HPT_SOURCE_ARCH].error, t->error);
	assert_int_equal(b->clk.src.ops->id, trusted ? HPT_SOURCE_ARCH : HPT_SOURCE_OS);
	assert_int_equal(b->clk.reason, trusted ? HPT_REASON_ARCH_TRUSTED : HPT_REASON_ONLY_ONE);
	assert_int_equal(b->clk.is_clocksource, trusted);
	assert_false(b->clk.is_vetoed);
	assert_int_equal(fake.map_calls, 0); /* no HPET here */
	assert_int_equal(b->status[HPT_SOURCE_TSC].reason, HPT_REASON_NOT_BUILT);
	assert_int_equal(b->status[HPT_SOURCE_HPET].reason, HPT_REASON_NOT_BUILT);
	if (trusted)
		assert_int_equal(b->status[HPT_SOURCE_OS].reason, HPT_REASON_BETTER_ARCH);
}

/* It is used all the same where it can be read, and its reason stays. */
static void check_asked(const struct trouble *t)
{
	const struct hpt_boot *b;

	fake.hpt_source = "arch";
	b = boot();
	assert_int_equal(b->requested, HPT_SOURCE_ARCH);
	assert_int_equal(b->clk.src.ops->id, t->error ? HPT_SOURCE_OS : HPT_SOURCE_ARCH);
	assert_int_equal(!!(b->flags & HPT_CLOCK_ENV_REFUSED), t->error != 0);
	assert_int_equal(b->status[HPT_SOURCE_ARCH].error, t->error);
	if (t->reason == HPT_REASON_ARCH_TRUSTED)
		assert_int_equal(b->clk.reason, HPT_REASON_REQUESTED_ENV);
	else
		assert_int_equal(b->status[HPT_SOURCE_ARCH].reason, t->reason);
	assert_int_equal(b->clk.is_vetoed, !t->error && t->reason != HPT_REASON_ARCH_TRUSTED);
	if (!t->error) /* the kernel's rate may be taken for it */
		assert_int_equal(b->clk.is_clocksource, t->reason != HPT_REASON_KERNEL_DISAGREES &&
							t->reason != HPT_REASON_ARCH_ALONE);
}

static void every_trouble_has_its_reason(void **state)
{
	for (size_t i = 0; i < COUNT(troubles); i++) {
		setup_arch(state);
		troubles[i].make();
		check_unasked(&troubles[i]);
		setup_arch(state);
		troubles[i].make();
		check_asked(&troubles[i]);
	}
}

static void request_for_os_executes_nothing(void **state)
{
	(void)state;
	fake.hpt_source = "os";
	assert_int_equal(boot()->clk.src.ops->id, HPT_SOURCE_OS);
	assert_int_equal(fake_counter.ordered + fake_counter.bare + fake_counter.hz_reads, 0);
	assert_int_equal(booted_now.status[HPT_SOURCE_ARCH].reason, HPT_REASON_SKIPPED_ENV);
}

static void tsc_is_another_architectures(void **state)
{
	(void)state;
	fake.hpt_source = "tsc";
	assert_int_equal(boot()->clk.src.ops->id, HPT_SOURCE_ARCH);
	assert_true(booted_now.flags & HPT_CLOCK_ENV_REFUSED);
	assert_int_equal(booted_now.status[HPT_SOURCE_TSC].reason, HPT_REASON_NOT_BUILT);
}

/* One batch that a preemption disturbs decides nothing, whichever it is. */
static uint64_t disturbed_at_ps;

static void preempt(void)
{
	world.now_ps += UINT64_C(50000000);
	world.event = NULL;
}

static void one_preemption_changes_no_verdict(void **state)
{
	uint64_t start, end;

	boot();
	end = world.now_ps;
	setup_arch(state);
	start = world.now_ps;
	for (disturbed_at_ps = start; disturbed_at_ps < end; disturbed_at_ps += 1000000) {
		setup_arch(state);
		world.event_at_ps = disturbed_at_ps;
		world.event = preempt;
		assert_int_equal(boot()->clk.src.ops->id, HPT_SOURCE_ARCH);
		setup_arch(state);
		no_vdso();
		world.event_at_ps = disturbed_at_ps;
		world.event = preempt;
		assert_int_equal(boot()->clk.src.ops->id, HPT_SOURCE_OS);
	}
}

/* From 1 MHz, a tick of which is 50 reads, to s390x. */
static void coarse_counters_are_judged_too(void **state)
{
	static const uint64_t ticks_ps[] = { 1000000, 100000, 52083, 41667, 16000, 10000, 1000, 244 };

	for (size_t i = 0; i < COUNT(ticks_ps); i++) {
		setup_arch(state);
		world.tick_ps = ticks_ps[i];
		fake_counter.hz = 0;
		if (boot()->clk.src.ops->id != HPT_SOURCE_ARCH)
			fail_msg("tick of %u ps: reason %u", (unsigned)ticks_ps[i],
				 (unsigned)booted_now.status[HPT_SOURCE_ARCH].reason);
		setup_arch(state);
		world.tick_ps = ticks_ps[i];
		no_vdso();
		assert_int_equal(boot()->clk.src.ops->id, HPT_SOURCE_OS);
		setup_arch(state);
		world.tick_ps = ticks_ps[i];
		trapped();
		assert_int_equal(boot()->clk.src.ops->id, HPT_SOURCE_OS);
	}
}

/* The next segments last much longer than a test. */
static void grow_old(hpt_clock *clk)
{
	for (int ms = 0; ms < 100; ms++) {
		hpt_now_ns(clk);
		world.now_ps += UINT64_C(1000000000);
	}
	hpt_now_ns(clk);
}

/* The reads in nanoseconds, whichever of the two ordered reads there is: also of a slope above 1 ns a tick. */
static void check_reads(hpt_clock *clk, uint32_t *own, const uint32_t *other)
{
	int64_t last = hpt_now_ns(clk), unix_ns;
	struct hpt_record rec;

	assert_int_equal(*other, 0);
	*own = fake_counter.bare = 0;
	for (int i = 0; i < 1000; i++) {
		int64_t before = fake_world_true_ns(CLOCK_MONOTONIC_RAW), ns = hpt_now_ns(clk);

		assert_true(ns >= last);
		last = ns;
		assert_in_range(ns - before + 100, 0, 200 + 2 * 16);
		unix_ns = hpt_now_unix_ns(clk);
		assert_in_range(unix_ns - fake_world_true_ns(CLOCK_REALTIME) + 100, 0, 200);
	}
	assert_int_equal(*own, 2000); /* one instruction a read: no renewal, no call of another */
	hpt_now_ns_unordered(clk);
	assert_int_equal(fake_counter.bare, 1);
	hpt_timekeeper_current(clk, &rec);
	assert_in_range(rec.read.ns.slope.whole, 15, 16);
	assert_int_equal(rec.read.fast_span, 0); /* the span of x86's reads */
}

static void reads_are_the_chosen_instruction(void **state)
{
	struct hpt_clock *clk = &boot()->clk;

	grow_old(clk);
	check_reads(clk, &fake_counter.ordered, &fake_counter.synced);
	assert_int_equal(clk->src.order, HPT_OWN_FIRST);
	setup_arch(state);
	fake.hwcap2 = ARCH_COUNTER_SYNCED_HWCAP2;
	clk = &boot()->clk;
	grow_old(clk);
	check_reads(clk, &fake_counter.synced, &fake_counter.ordered);
	assert_int_equal(clk->src.order, HPT_OWN_SECOND);
}

static void info_names_no_instruction_of_x86(void **state)
{
	struct hpt_clock_info info;

	(void)state;
	assert_int_equal(hpt_clock_get_info(&boot()->clk, &info, sizeof(info)), 0);
	assert_int_equal(info.source, HPT_SOURCE_ARCH);
	assert_int_equal(info.ordered_read, HPT_ORDERED_OTHER);
	assert_int_equal(info.counter_bits, ARCH_COUNTER_BITS);
	assert_int_equal(info.rdtscp_mean_ps + info.lfence_rdtsc_mean_ps, 0);
}

static void kernel_that_leaves_the_counter_demotes_it(void **state)
{
	struct hpt_clock *clk = &boot()->clk;

	(void)state;
	assert_int_equal(hpt_clock_check(clk, NULL), HPT_STATE_OK);
	fake_env_kernel("jiffies\n");
	assert_int_equal(hpt_clock_check(clk, NULL), HPT_STATE_DEMOTED);
	fake_env_kernel("fake_counter\n");
	world.now_ps += UINT64_C(1000000000);
	assert_int_not_equal(hpt_clock_check(clk, NULL), HPT_STATE_DEMOTED);
}

static void write_marker(const char *path, char marker)
{
	const char page[24] = { 0x56, 0x43, 0x4c, 0x4b, [16] = marker }; /* lib/machine/vm_marker.c */
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, page, sizeof(page)), sizeof(page));
	close(fd);
}

static void hypervisors_marker_is_watched(void **state)
{
	char path[] = "/tmp/hpt-vmclock-XXXXXX";
	struct hpt_clock *clk = &boot()->clk;

	(void)state;
	close(mkstemp(path));
	fake_env_place("/dev/vmclock0", path);
	write_marker(path, 1);
	assert_int_equal(hpt_clock_check(clk, NULL), HPT_STATE_OK);
	assert_int_equal(hpt_clock_check(clk, NULL), HPT_STATE_OK);
	write_marker(path, 2);
	assert_int_equal(hpt_clock_check(clk, NULL), HPT_STATE_DISRUPTED);
	unlink(path);
	fake_env_place("/dev/vmclock0", NULL);
}

#define case(name) cmocka_unit_test_setup(name, setup_arch)

int main(void)
{
	const struct CMUnitTest tests[] = {
		case(every_trouble_has_its_reason),
		case(request_for_os_executes_nothing),
		case(tsc_is_another_architectures),
		case(one_preemption_changes_no_verdict),
		case(coarse_counters_are_judged_too),
		case(reads_are_the_chosen_instruction),
		case(info_names_no_instruction_of_x86),
		case(kernel_that_leaves_the_counter_demotes_it),
		case(hypervisors_marker_is_watched),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
