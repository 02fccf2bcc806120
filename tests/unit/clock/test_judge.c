// SPDX-License-Identifier: MIT
/* The verdict on each machine's sources, by the facts of the machine: every machine in every kind of trouble. */
#include "choose_world.h"
#include "source/ordered_read.h"
#include "source/os.h"
#include "source/own_read.h"
#include "source/tsc.h"

/* Measurements of reads: how many there were, and how many are disturbed and report the same, too. */
static uint32_t measured, bad_moments;

/* The ordered read that is chosen, whatever it costs; NONE: by cost. */
static enum hpt_own_order cheap_order;

/* A TSC in a time of its own, which passes as it and the clocks are read, in steps. step 0: the machine's own. */
static struct {
	uint64_t now, step, read, libc, raw; /* ticks */
} stepping;

static uint64_t stepping_read(const struct hpt_source *src)
{
	(void)src;
	stepping.now += stepping.read;
	return stepping.now / stepping.step * stepping.step;
}

static uint32_t choose_read(struct hpt_source *src, int64_t *ret_deltas, uint32_t n)
{
	bool is_tsc = src->ops->id == HPT_SOURCE_TSC, is_slow = is_tsc && bad_moments;
	uint32_t taken;

	if (is_tsc && stepping.step) {
		src->order = src->orders = HPT_OWN_NONE;
		src->read = stepping_read;
	}
	taken = hpt_ordered_read_choose(src, ret_deltas, n);
	measured++;

	for (uint32_t i = 0; is_slow && i < taken; i++)
		ret_deltas[i] *= 100;
	bad_moments -= is_slow;
	if (cheap_order)
		hpt_own_set_order(src, cheap_order);
	return taken;
}

/* White box: the measurement of reads is replaced. */
#define hpt_ordered_read_choose choose_read
#include "clock/judge.c"
#undef hpt_ordered_read_choose

#ifdef HPT_ARCH_X86
static int64_t stepping_clock(clockid_t id)
{
	(void)id;
	stepping.now += stepping.libc;
	return (int64_t)stepping.now;
}

static int64_t stepping_syscall(clockid_t id)
{
	(void)id;
	stepping.now += stepping.raw;
	return (int64_t)stepping.now;
}

static hpt_clock_ns_fn *own_clock, *own_syscall;

/* A TSC that a hypervisor traps: a read takes 60 times as long as one of the OS clock. False: the machine's own. */
static void trap(bool is_trapped)
{
	stepping.now = 1000000000;
	stepping.step = is_trapped;
	stepping.read = 3000;
	stepping.libc = 50;
	stepping.raw = 350;
	fake_env.clock_ns = is_trapped ? stepping_clock : own_clock;
	fake_env.clock_ns_syscall = is_trapped ? stepping_syscall : own_syscall;
}

static int setup_judge(void **state)
{
	int r = setup(state);

	own_clock = fake_env.clock_ns;
	own_syscall = fake_env.clock_ns_syscall;
	trap(false);
	measured = bad_moments = 0;
	cheap_order = HPT_OWN_NONE;
	return r;
}

/* A machine: its CPU, its kernel's clocksource, and the choice while nothing else speaks against the TSC. */
struct machine {
	const struct fake_leaf *cpu;
	const char *kernel;
	uint32_t source, tsc_reason;
};

static const struct machine machines[] = {
	{ fake_cpu_invariant, "tsc\n", HPT_SOURCE_TSC, HPT_REASON_TSC_TRUSTED },
	{ fake_cpu_guest, "tsc\n", HPT_SOURCE_TSC, HPT_REASON_TSC_TRUSTED },
	{ fake_cpu_family, "tsc\n", HPT_SOURCE_TSC, HPT_REASON_TSC_FAMILY },
	{ fake_cpu_invariant, NULL, HPT_SOURCE_TSC, HPT_REASON_TSC_UNCONTRADICTED },
	{ fake_cpu_no_rdtscp, "tsc\n", HPT_SOURCE_TSC, HPT_REASON_TSC_TRUSTED },
	{ fake_cpu_guest, NULL, HPT_SOURCE_OS, HPT_REASON_TSC_GUEST_ALONE },
	{ fake_cpu_family, NULL, HPT_SOURCE_OS, HPT_REASON_TSC_FAMILY_ALONE },
	{ fake_cpu_guest_family, "tsc\n", HPT_SOURCE_OS, HPT_REASON_TSC_GUEST_FAMILY },
	{ fake_cpu_guest_family, NULL, HPT_SOURCE_OS, HPT_REASON_TSC_GUEST_FAMILY },
	{ fake_cpu_invariant, "kvm-clock\n", HPT_SOURCE_OS, HPT_REASON_KERNEL_DISAGREES },
	{ fake_cpu_guest, "kvm-clock\n", HPT_SOURCE_OS, HPT_REASON_KERNEL_DISAGREES },
	{ fake_cpu_family, "acpi_pm\n", HPT_SOURCE_OS, HPT_REASON_KERNEL_DISAGREES },
	{ fake_cpu_invariant, "hyperv_clocksource_tsc_page\n", HPT_SOURCE_OS, HPT_REASON_KERNEL_DISAGREES },
	{ fake_cpu_not_constant, "tsc\n", HPT_SOURCE_OS, HPT_REASON_TSC_NOT_CONSTANT },
	{ fake_cpu_not_constant, NULL, HPT_SOURCE_OS, HPT_REASON_TSC_NOT_CONSTANT },
	{ fake_cpu_no_tsc, "tsc\n", HPT_SOURCE_OS, HPT_REASON_TSC_ABSENT },
	{ fake_cpu_no_order, "tsc\n", HPT_SOURCE_OS, HPT_REASON_TSC_NOT_ORDERED },
};

/* Troubles of a process, as bits: eight combinations. */
#define FORBIDDEN  1u
#define INTERPOSED 2u
#define EXPENSIVE  4u
#define TROUBLES   8u

static uint32_t reason_in_trouble(const struct machine *m, uint32_t trouble)
{
	if (m->tsc_reason == HPT_REASON_TSC_ABSENT || m->tsc_reason == HPT_REASON_TSC_NOT_ORDERED)
		return m->tsc_reason;
	if (trouble & FORBIDDEN)
		return HPT_REASON_TSC_FORBIDDEN;
	if (m->source != HPT_SOURCE_TSC)
		return m->tsc_reason;
	if (trouble & INTERPOSED)
		return HPT_REASON_INTERPOSED;
	return trouble & EXPENSIVE ? HPT_REASON_TSC_EXPENSIVE : m->tsc_reason;
}

static void check_machine(const struct machine *m, uint32_t trouble)
{
	uint32_t want = reason_in_trouble(m, trouble);
	uint32_t source = want == m->tsc_reason ? m->source : HPT_SOURCE_OS;
	const struct hpt_boot *b;

	fake.leaves = m->cpu;
	fake.map_calls = 0;
	fake.forbidden = trouble & FORBIDDEN;
	fake.kernel_ahead_ns = trouble & INTERPOSED ? 3600 * INT64_C(1000000000) : 0;
	trap(trouble & EXPENSIVE);
	fake_env_kernel(m->kernel);
	b = boot();
	if (b->clk.src.ops->id != source || b->status[HPT_SOURCE_TSC].reason != want)
		fail_msg("machine %d, trouble %u: source %u, reason %u, wanted %u", (int)(m - machines), trouble,
			 b->clk.src.ops->id, (unsigned)b->status[HPT_SOURCE_TSC].reason, want);
	assert_int_equal(fake.map_calls, source == HPT_SOURCE_OS); /* tried where the TSC is out */
	if (source == HPT_SOURCE_OS) {
		assert_int_equal(b->clk.reason, HPT_REASON_ONLY_ONE);
		assert_int_equal(b->status[HPT_SOURCE_HPET].reason, HPT_REASON_HPET_NOENT);
		assert_int_equal(b->status[HPT_SOURCE_HPET].error, ENOENT);
		assert_int_equal(b->status[HPT_SOURCE_HPET].stage, HPT_STAGE_OPEN);
	}
}

static void every_machine_in_every_trouble_has_its_reason(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(machines); i++)
		for (uint32_t trouble = 0; trouble < TROUBLES; trouble++)
			check_machine(&machines[i], trouble);
}

static void expensive_tsc_is_not_worth_it(void **state)
{
	struct hpt_boot *b;

	(void)state;
	trap(true);
	b = boot();
	assert_int_equal(b->status[HPT_SOURCE_TSC].reason, HPT_REASON_TSC_EXPENSIVE);
	assert_int_equal(b->clk.src.ops->id, HPT_SOURCE_OS);
	assert_int_equal(b->clk.anchor.n, 0); /* the TSC's brackets are not kept for the OS clock */
}

static void one_bad_moment_makes_no_tsc_expensive(void **state)
{
	struct hpt_boot *b;

	(void)state;
	boot();
	assert_int_equal(measured, 1);
	bad_moments = 2;
	b = boot();
	assert_int_equal(measured, 1 + COST_TRIES);
	assert_int_equal(bad_moments, 0);
	assert_int_equal(b->status[HPT_SOURCE_TSC].reason, HPT_REASON_TSC_TRUSTED);
	assert_int_equal(b->clk.src.ops->id, HPT_SOURCE_TSC);
}

/*
 * By cost alone, whatever the steps: those of a fine counter, a usual one, one of 24 MHz that an emulator shows as
 * 1536 MHz, and of 1 MHz.
 */
static void coarse_steps_make_no_tsc_expensive(void **state)
{
	static const uint64_t steps[] = { 1, 26, 64, 65, 200, 1536 };
	static const struct {
		uint64_t read, libc;
		bool is_cheap;
	} costs[] = {
		{ 20, 25, true }, { 30, 25, true }, { 20, 400, true }, { 60, 50, true },
		{ 400, 50, false }, { 3000, 50, false }, { 3000, 1200, false },
	};
	hpt_clock_ns_fn *raw = fake_env.clock_ns_syscall;

	(void)state;
	fake_env.clock_ns = stepping_clock;
	fake_env.clock_ns_syscall = stepping_syscall;
	for (size_t i = 0; i < COUNT(steps) * COUNT(costs); i++)
		for (uint64_t start = 0; start < 20; start++) {
			bool is_cheap = costs[i % COUNT(costs)].is_cheap;
			const struct hpt_boot *b;

			if (!is_cheap && steps[i / COUNT(costs)] > 65)
				continue; /* a read of two steps, and nothing to tell it from one of one */
			stepping.now = 1000000000 + start * 7;
			stepping.step = steps[i / COUNT(costs)];
			stepping.read = costs[i % COUNT(costs)].read;
			stepping.libc = costs[i % COUNT(costs)].libc;
			stepping.raw = stepping.libc + 300;
			b = boot();
			if (b->status[HPT_SOURCE_TSC].reason != (is_cheap ? HPT_REASON_TSC_TRUSTED :
								 HPT_REASON_TSC_EXPENSIVE))
				fail_msg("steps of %u, read %u, clock %u: reason %u", (unsigned)stepping.step,
					 (unsigned)stepping.read, (unsigned)stepping.libc,
					 (unsigned)b->status[HPT_SOURCE_TSC].reason);
		}
	stepping.step = 0;
	fake_env.clock_ns_syscall = raw;
}

/* The choice reaches the default clock. */
static void ordered_read_is_the_chosen_one(void **state)
{
	(void)state;
	for (cheap_order = HPT_OWN_FIRST; cheap_order <= HPT_OWN_SECOND; cheap_order++) {
		struct hpt_source chosen = boot()->clk.src, expected = chosen;

		hpt_own_set_order(&expected, cheap_order);
		assert_int_equal(chosen.order, cheap_order);
		assert_ptr_equal(chosen.read, expected.read);
	}
}

/* The findings about a source, which itself stays as it was opened. */
static struct hpt_findings judged(const struct hpt_source_ops *ops)
{
	struct hpt_findings found;
	struct hpt_source src, as_opened;

	memset(&found, 1, sizeof(found));
	assert_int_equal(hpt_source_open(&src, ops, &fake_env), 0);
	memcpy(&as_opened, &src, sizeof(src));
	hpt_judge(&src, &found);
	assert_memory_equal(&src, &as_opened, sizeof(src));
	if (ops != &hpt_source_tsc)
		assert_int_equal(found.order, src.order);
	hpt_source_close(&src);
	return found;
}

static void findings_are_all_that_was_found(void **state)
{
	struct hpt_findings found;

	(void)state;
	cheap_order = HPT_OWN_SECOND;
	found = judged(&hpt_source_tsc);
	assert_true(found.verdict.trusted && found.is_clocksource);
	assert_int_equal(found.order, HPT_OWN_SECOND);
	assert_int_equal(found.reads.n, HPT_LOAD_READS / 2);
	assert_in_range(found.anchor.n, 2, HPT_ANCHOR_BRACKETS);
	assert_string_equal(found.kernel_clocksource, "tsc");
	fake_env_kernel("kvm-clock\n");
	found = judged(&hpt_source_tsc);
	assert_int_equal(found.verdict.reason, HPT_REASON_KERNEL_DISAGREES);
	assert_false(found.verdict.trusted || found.is_clocksource);
	assert_int_equal(found.order, HPT_OWN_FIRST);
	assert_int_equal(found.reads.n + found.anchor.n, 0);
	assert_string_equal(found.kernel_clocksource, "kvm-clock");
	found = judged(&hpt_source_os);
	assert_true(found.verdict.trusted && !found.is_clocksource);
	assert_int_equal(found.reads.n + found.anchor.n, 0);
	assert_string_equal(found.kernel_clocksource, "");
}

/* In a sandbox there is nothing to compare libc's clock with, so it is believed. */
static void kernel_that_does_not_answer_interposes_nothing(void **state)
{
	(void)state;
	fake.kernel_ahead_ns = INT64_MAX / 2;
	fake.kernel_silent = true;
	assert_int_equal(boot()->clk.src.ops->id, HPT_SOURCE_TSC);
}

/* A clock of libc's that is ahead of the kernel's, and how many of the next comparisons are stopped for a while. */
static struct {
	int64_t now_ns, ahead_ns;
	uint32_t stops, calls;
} compared;

static int64_t libc_ns(clockid_t id)
{
	(void)id;
	compared.calls++;
	return compared.now_ns += 100;
}

static bool kernels_ns(clockid_t id, int64_t *ret)
{
	if (compared.stops) {
		compared.stops--;
		compared.now_ns += 1000000;
	}
	*ret = libc_ns(id) - compared.ahead_ns;
	return true;
}

static void stop_hides_no_interposed_clock(void **state)
{
	struct hpt_env env = fake_env;
	const struct hpt_source src = { .ops = &hpt_source_tsc, .env = &env, .clock_ns = libc_ns };

	(void)state;
	env.kernel_ns = kernels_ns;
	for (uint32_t n = 0; n <= COMPARED_TRIES + 1; n++) {
		compared.calls = 0;
		compared.ahead_ns = 1000;
		compared.stops = n;
		assert_int_equal(is_interposed(&src), n < COMPARED_TRIES);
		assert_int_equal(compared.calls, 3 * (n < COMPARED_TRIES ? n + 1 : COMPARED_TRIES));
		compared.calls = 0;
		compared.ahead_ns = 0;
		compared.stops = n;
		assert_false(is_interposed(&src));
		assert_int_equal(compared.calls, 3 * (n < COMPARED_TRIES ? n + 1 : COMPARED_TRIES));
	}
}

static void interposed_tsc_by_request_says_so(void **state)
{
	struct hpt_boot *b;

	(void)state;
	fake.hpt_source = "tsc";
	fake.kernel_ahead_ns = -1000000000;
	b = boot();
	assert_int_equal(b->clk.src.ops->id, HPT_SOURCE_TSC);
	assert_true(b->clk.is_vetoed);
	assert_int_equal(b->clk.reason, HPT_REASON_INTERPOSED);
}

#define case(name) cmocka_unit_test_setup(name, setup_judge)

int main(void)
{
	const struct CMUnitTest tests[] = {
		case(every_machine_in_every_trouble_has_its_reason),
		case(expensive_tsc_is_not_worth_it),
		case(one_bad_moment_makes_no_tsc_expensive),
		case(coarse_steps_make_no_tsc_expensive),
		case(ordered_read_is_the_chosen_one),
		case(findings_are_all_that_was_found),
		case(kernel_that_does_not_answer_interposes_nothing),
		case(stop_hides_no_interposed_clock),
		case(interposed_tsc_by_request_says_so),
	};

	if (!has_tsc())
		return skip_all("no TSC that a program may read, with RDTSCP and SSE2");
	return cmocka_run_group_tests(tests, NULL, finish);
}

#else
int main(void)
{
	return skip_all("for x86 only");
}
#endif
