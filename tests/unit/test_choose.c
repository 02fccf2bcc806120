// SPDX-License-Identifier: MIT
/* The choice made at load, on fake machines: what is opened, what is left alone, and what is said of it. */
#include <errno.h>
#include <string.h>

#include "unit.h"

#include "hpt/hpt.h"
#include "source/read_cost.h"

/* A TSC that a hypervisor traps: its reads take a hundred times as long as measured. No clock can be made that cheap. */
static bool tsc_is_trapped;

/* Or so often measured in a bad moment. */
static uint32_t bad_moments;

static uint32_t measure_reads(const struct hpt_source *src, int64_t *ret_deltas, uint32_t n, uint64_t limit_ticks)
{
	uint32_t taken = hpt_read_cost_deltas(src, ret_deltas, n, limit_ticks);
	bool is_slow = src->ops->id == HPT_SOURCE_TSC && (tsc_is_trapped || bad_moments);

	for (uint32_t i = 0; is_slow && i < taken; i++)
		ret_deltas[i] *= 100;
	bad_moments -= is_slow && bad_moments;
	return taken;
}

/* White box: the guard's pool is static. */
#define hpt_read_cost_deltas measure_reads
#include "clock/choose.c"
#undef hpt_read_cost_deltas

#include "fake_env.h"
#include "fake_hpet.h"

#ifdef HPT_ARCH_X86

static struct hpt_boot booted_now;
static struct fake_hpet hpet;

/* Reading it costs many TSC reads, whatever those cost: the TSC is always the cheaper. */
static int64_t slow_clock(clockid_t id)
{
	for (int i = 0; i < 16; i++)
		arch_rdtscp();
	return hpt_env_live.clock_ns(id);
}

static hpt_clock_ns_fn *plain_clock;

static struct hpt_boot *boot(void)
{
	memset(&booted_now, 0, sizeof(booted_now));
	hpt_boot(&booted_now, &fake_env);
	assert_non_null(booted_now.clk.src.read);
	assert_true(booted_now.clk.is_static);
	return &booted_now;
}

static int setup(void **state)
{
	(void)state;
	if (!plain_clock)
		plain_clock = fake_env.clock_ns;
	tsc_is_trapped = false;
	bad_moments = 0;
	fake_env_reset();
	fake_env.clock_ns = slow_clock;
	fake_env_kernel("tsc\n");
	return 0;
}

/* With an HPET, and an OS clock read by a fake system call of os_ns a call. */
static void give_hpet(int64_t os_ns)
{
	fake_hpet_new(&hpet);
	fake_hpet_run(&hpet, 0, 0);
	fake.page = hpet.page;
	fake.map_error = 0;
	fake.forbidden = true;
	fake.syscall_step = os_ns;
	fake.clock_hook = fake_hpet_wait_tick;
}

static void take_hpet(void)
{
	hpt_source_close(&booted_now.clk.src);
	assert_int_equal(fake.mapped, 0);
	fake_hpet_free(&hpet);
}

static void trusted_tsc_never_opens_the_hpet(void **state)
{
	struct hpt_boot *b = boot();

	(void)state;
	assert_int_equal(b->clk.src.ops->id, HPT_SOURCE_TSC);
	assert_int_equal(b->clk.reason, HPT_REASON_TSC_TRUSTED);
	assert_int_equal(b->clk.state, HPT_STATE_OK);
	assert_int_equal(fake.map_calls, 0);
	assert_int_equal(b->status[HPT_SOURCE_HPET].reason, HPT_REASON_NOT_NEEDED);
	assert_int_equal(b->status[HPT_SOURCE_HPET].usable, 0);
	assert_int_equal(b->status[HPT_SOURCE_HPET].stage, HPT_STAGE_UNTRIED);
	assert_int_equal(b->status[HPT_SOURCE_OS].reason, HPT_REASON_BETTER_TSC);
	assert_int_equal(b->status[HPT_SOURCE_OS].usable, 1);
	assert_int_equal(b->status[HPT_SOURCE_ARM].reason, HPT_REASON_NOT_BUILT);
	assert_string_equal(b->kernel_clocksource, "tsc");
	assert_int_equal(b->flags, 0);
	assert_int_equal(b->requested, HPT_SOURCE_AUTO);
	assert_string_equal(b->env_source, "");
	assert_true(b->clk.n_anchor >= 2);
	assert_true(b->clk.n_deltas >= HPT_LOAD_READS);
	assert_in_range(fake.highest_leaf, 0, 1); /* no leaf that the decision does not need */
	assert_in_range(fake.highest_extended, 0x80000000, 0x80000007);
}

/* A machine by its CPU and its kernel's word, and what is made of it while nothing else speaks against the TSC. */
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

/* What may be wrong with the process: each of the eight combinations is one number. */
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
	return trouble & INTERPOSED ? HPT_REASON_INTERPOSED : trouble & EXPENSIVE ? HPT_REASON_TSC_EXPENSIVE : m->tsc_reason;
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
	tsc_is_trapped = trouble & EXPENSIVE;
	fake_env_kernel(m->kernel);
	b = boot();
	if (b->clk.src.ops->id != source || b->status[HPT_SOURCE_TSC].reason != want)
		fail_msg("machine %d, trouble %u: source %u, reason %u, wanted %u", (int)(m - machines), trouble,
			 b->clk.src.ops->id, (unsigned)b->status[HPT_SOURCE_TSC].reason, want);
	assert_int_equal(fake.map_calls, source == HPT_SOURCE_OS); /* tried where TSC is out */
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
	tsc_is_trapped = true;
	b = boot();
	assert_int_equal(b->status[HPT_SOURCE_TSC].reason, HPT_REASON_TSC_EXPENSIVE);
	assert_int_equal(b->clk.src.ops->id, HPT_SOURCE_OS);
	assert_int_equal(b->clk.n_anchor, 0); /* the TSC's pairs are not taken for the OS clock's */
}

static void one_bad_moment_makes_no_tsc_expensive(void **state)
{
	struct hpt_boot *b;

	(void)state;
	bad_moments = 2;
	b = boot();
	assert_int_equal(bad_moments, 0);
	assert_int_equal(b->status[HPT_SOURCE_TSC].reason, HPT_REASON_TSC_TRUSTED);
	assert_int_equal(b->clk.src.ops->id, HPT_SOURCE_TSC);
}

/* A sandbox: then there is nothing to compare with, and the kernel's word on the TSC stands. */
static void kernel_that_does_not_answer_interposes_nothing(void **state)
{
	(void)state;
	fake.kernel_ahead_ns = INT64_MAX / 2;
	fake.kernel_silent = true;
	assert_int_equal(boot()->clk.src.ops->id, HPT_SOURCE_TSC);
}

static void interposed_tsc_by_request_says_so(void **state)
{
	struct hpt_boot *b;

	(void)state;
	fake.hpt_source = "tsc";
	fake.kernel_ahead_ns = -1000000000;
	b = boot();
	assert_int_equal(b->clk.src.ops->id, HPT_SOURCE_TSC);
	assert_int_equal(b->clk.state, HPT_STATE_VETOED);
	assert_int_equal(b->clk.reason, HPT_REASON_INTERPOSED);
}

static void os_by_request_touches_nothing(void **state)
{
	struct hpt_boot *b;

	(void)state;
	fake.hpt_source = "os";
	b = boot();
	assert_int_equal(b->clk.src.ops->id, HPT_SOURCE_OS);
	assert_int_equal(b->clk.reason, HPT_REASON_REQUESTED_ENV);
	assert_int_equal(b->requested, HPT_SOURCE_OS);
	assert_int_equal(b->flags, 0);
	assert_string_equal(b->env_source, "os");
	assert_int_equal(fake.cpuid_calls, 0);
	assert_int_equal(fake.map_calls, 0);
	assert_string_equal(b->kernel_clocksource, ""); /* no file read either */
	assert_int_equal(b->status[HPT_SOURCE_TSC].reason, HPT_REASON_SKIPPED_ENV);
	assert_int_equal(b->status[HPT_SOURCE_HPET].reason, HPT_REASON_SKIPPED_ENV);
	assert_int_equal(b->status[HPT_SOURCE_ARM].reason, HPT_REASON_NOT_BUILT);
}

static void absent_hpet_by_request_falls_back(void **state)
{
	struct hpt_boot *b;

	(void)state;
	fake.hpt_source = "hpet";
	b = boot();
	assert_int_equal(b->clk.src.ops->id, HPT_SOURCE_TSC);
	assert_int_equal(b->clk.reason, HPT_REASON_TSC_TRUSTED);
	assert_int_equal(b->requested, HPT_SOURCE_HPET);
	assert_int_equal(b->flags, HPT_CLOCK_ENV_REFUSED);
	assert_int_equal(b->status[HPT_SOURCE_HPET].reason, HPT_REASON_HPET_NOENT);
	assert_int_equal(b->status[HPT_SOURCE_HPET].error, ENOENT);
	assert_true(b->clk.n_anchor >= 2);
}

static void other_architectures_by_request_fall_back(void **state)
{
	struct hpt_boot *b;

	(void)state;
	fake.hpt_source = "arm";
	b = boot();
	assert_int_equal(b->clk.src.ops->id, HPT_SOURCE_TSC);
	assert_int_equal(b->flags, HPT_CLOCK_ENV_REFUSED);
	assert_int_equal(fake.map_calls, 0);
}

static void unknown_request_is_recorded_and_ignored(void **state)
{
	static const char *const unknown[] = { "TSC", "bogus", "tsc ", "a-very-long-name-that-does-not-fit-the-field" };

	(void)state;
	for (size_t i = 0; i < COUNT(unknown); i++) {
		struct hpt_boot *b;

		fake.hpt_source = unknown[i];
		b = boot();
		assert_int_equal(b->flags, HPT_CLOCK_ENV_UNKNOWN);
		assert_int_equal(b->requested, HPT_SOURCE_AUTO);
		assert_int_equal(b->clk.src.ops->id, HPT_SOURCE_TSC);
		assert_int_equal(strncmp(b->env_source, unknown[i], 23), 0);
		assert_int_equal(strlen(b->env_source), strlen(unknown[i]) < 23 ? strlen(unknown[i]) : 23);
	}
}

static void auto_and_empty_are_no_request(void **state)
{
	struct hpt_boot *b;

	(void)state;
	fake.hpt_source = "";
	b = boot();
	assert_int_equal(b->flags, 0);
	assert_int_equal(b->clk.src.ops->id, HPT_SOURCE_TSC);
	fake.hpt_source = "auto";
	b = boot();
	assert_int_equal(b->flags, 0);
	assert_string_equal(b->env_source, "auto");
	assert_int_equal(b->clk.reason, HPT_REASON_TSC_TRUSTED);
}

static void vetoed_tsc_by_request_says_so(void **state)
{
	struct hpt_boot *b;

	(void)state;
	fake.hpt_source = "tsc";
	fake_env_kernel("kvm-clock\n");
	b = boot();
	assert_int_equal(b->clk.src.ops->id, HPT_SOURCE_TSC);
	assert_int_equal(b->clk.state, HPT_STATE_VETOED);
	assert_int_equal(b->clk.reason, HPT_REASON_KERNEL_DISAGREES);
	assert_int_equal(b->flags, 0);
	assert_int_equal(fake.map_calls, 0);
	assert_true(b->clk.n_anchor >= 2);
	assert_string_equal(b->kernel_clocksource, "kvm-clock");
}

static void trusted_tsc_by_request_is_in_order(void **state)
{
	struct hpt_boot *b;

	(void)state;
	fake.hpt_source = "tsc";
	b = boot();
	assert_int_equal(b->clk.state, HPT_STATE_OK);
	assert_int_equal(b->clk.reason, HPT_REASON_REQUESTED_ENV);
	assert_int_equal(b->status[HPT_SOURCE_OS].usable, 1); /* tried or not */
}

static void forbidden_tsc_gives_os_by_system_call(void **state)
{
	struct hpt_boot *b;

	(void)state;
	fake.forbidden = true;
	b = boot();
	assert_int_equal(b->clk.src.ops->id, HPT_SOURCE_OS);
	assert_ptr_equal(b->clk.src.read, hpt_os_read_syscall);
	assert_int_equal(b->status[HPT_SOURCE_TSC].reason, HPT_REASON_TSC_FORBIDDEN);
	assert_int_equal(b->status[HPT_SOURCE_TSC].error, EPERM);
	assert_ptr_equal(b->clk.src.clock_ns, fake_env.clock_ns_syscall);
}

static void hpet_that_loses_is_unmapped(void **state)
{
	struct hpt_boot *b;

	(void)state;
	give_hpet(1); /* steps of 1 ns: the HPET is 70 times coarser */
	b = boot();
	assert_int_equal(b->clk.src.ops->id, HPT_SOURCE_OS);
	assert_int_equal(b->clk.reason, HPT_REASON_FINER);
	assert_int_equal(b->status[HPT_SOURCE_HPET].reason, HPT_REASON_COARSER);
	assert_int_equal(b->status[HPT_SOURCE_HPET].usable, 1);
	assert_int_equal(fake.map_calls, 1);
	assert_int_equal(fake.unmap_calls, 1);
	assert_true(b->status[HPT_SOURCE_OS].cost.samples >= 32);
	fake_hpet_free(&hpet);
}

#ifdef __x86_64__
static uint64_t hpet_ticks;

/* A microsecond a load, as on real hardware: an updater of its own may be late, and 320 reads then see no tick at all. */
static uint64_t steady_load(uint32_t offset, uint32_t width)
{
	(void)width;
	hpet_ticks += 15;
	return offset == FAKE_COUNTER ? hpet_ticks : hpet_ticks >> 32;
}

static void hpet_that_wins_stays_mapped(void **state)
{
	struct hpt_boot *b;

	(void)state;
	give_hpet(INT64_C(1000000000)); /* steps of a second */
	fake_hpet_stop(&hpet);
	fake_hpet_script(&hpet, steady_load);
	b = boot();
	assert_int_equal(b->clk.src.ops->id, HPT_SOURCE_HPET);
	assert_int_equal(b->clk.reason, HPT_REASON_FINER);
	assert_int_equal(b->status[HPT_SOURCE_OS].reason, HPT_REASON_COARSER);
	assert_int_equal(fake.map_calls, 1);
	assert_int_equal(fake.unmap_calls, 0);
	assert_int_equal(b->clk.src.period_fs, FAKE_HPET_PERIOD);
	take_hpet();
	assert_int_equal(fake.unmap_calls, 1);
}
#endif

static void hpet_by_request_is_had(void **state)
{
	struct hpt_boot *b;

	(void)state;
	give_hpet(1);
	fake.hpt_source = "hpet";
	b = boot();
	assert_int_equal(b->clk.src.ops->id, HPT_SOURCE_HPET);
	assert_int_equal(b->clk.reason, HPT_REASON_REQUESTED_ENV);
	assert_int_equal(b->clk.state, HPT_STATE_OK);
	assert_int_equal(b->flags, 0);
	take_hpet();
}

static int64_t fine_clock(clockid_t id)
{
	(void)id;
	fake_hpet_wait_tick();
	return ++fake.clock_now;
}

/* No counter follows a clock that somebody scales; unmapped without being weighed. */
static void interposed_clock_leaves_os(void **state)
{
	struct hpt_boot *b;

	(void)state;
	give_hpet(1000);
	fake.forbidden = false;
	fake_cpu(not_constant);
	fake_env.clock_ns = fine_clock;
	fake.kernel_ahead_ns = 1000000000;
	b = boot();
	assert_int_equal(b->clk.src.ops->id, HPT_SOURCE_OS);
	assert_int_equal(b->clk.reason, HPT_REASON_ONLY_ONE);
	assert_int_equal(b->status[HPT_SOURCE_TSC].reason, HPT_REASON_TSC_NOT_CONSTANT);
	assert_int_equal(b->status[HPT_SOURCE_HPET].reason, HPT_REASON_INTERPOSED);
	assert_int_equal(b->status[HPT_SOURCE_HPET].cost.samples, 0);
	assert_int_equal(fake.map_calls, 1);
	assert_int_equal(fake.mapped, 0);
	fake_hpet_free(&hpet);
}

static void dead_hpet_leaves_os(void **state)
{
	struct hpt_boot *b;

	(void)state;
	give_hpet(1000);
	fake_hpet_stop(&hpet);
	b = boot();
	assert_int_equal(b->clk.src.ops->id, HPT_SOURCE_OS);
	assert_int_equal(b->clk.reason, HPT_REASON_ONLY_ONE);
	assert_int_equal(b->status[HPT_SOURCE_HPET].reason, HPT_REASON_HPET_NOT_COUNTING);
	assert_int_equal(fake.mapped, 0);
	fake_hpet_free(&hpet);
}

/* ---- Once --------------------------------------------------------------------------------------------- */

static void second_caller_gets_what_the_first_made(void **state)
{
	struct hpt_boot *first = hpt_booted();

	(void)state;
	errno = EXDEV;
	assert_ptr_equal(hpt_booted(), first);
	assert_ptr_equal(hpt_clock_default(), &first->clk);
	assert_int_equal(errno, EXDEV);
}

static void losers_of_the_race_give_way(void **state)
{
	struct hpt_boot *first = hpt_booted();

	(void)state;
	for (uint32_t i = 1; i < HPT_BOOT_POOL; i++)
		assert_ptr_equal(boot_once(), first); /* as a racer would that saw nothing yet */
	assert_ptr_equal(boot_once(), first); /* one too many: finds the others done */
	assert_ptr_equal(boot_once(), first);
}

static void check_reserve(struct hpt_boot *b)
{
	struct hpt_clock_info info;
	hpt_clock *clk = &b->clk;
	hpt_time_t t;
	int64_t ns;

	assert_ptr_equal(b, &hpt_once.reserve);
	assert_non_null(clk->src.read);
	assert_non_null(clk->src.clock_ns); /* or all below calls NULL */
	t = hpt_now(clk);
	assert_true(t > 0);
	assert_true(hpt_now_ns(clk) >= t);
	assert_true(hpt_now_unix_ns(clk) > 0);
	assert_int_equal(hpt_time_to_unix_ns(clk, t, &ns), 0);
	assert_int_equal(hpt_clock_get_info(clk, &info, sizeof(info)), 0);
	assert_int_equal(info.source, HPT_SOURCE_OS);
	assert_int_equal(b->status[HPT_SOURCE_OS].usable, 1);
}

/* The pool is used up by racers that never come to an end, lost in a fork for instance. */
static void racer_too_many_gets_a_working_os_clock(void **state)
{
	struct hpt_boot *real = hpt_booted(), *b;

	(void)state;
	atomic_store(&hpt_once.booted, NULL);
	atomic_store(&hpt_once.taken, HPT_BOOT_POOL);
	b = hpt_booted();
	atomic_store(&hpt_once.booted, real);
	check_reserve(b);
}

/* The one behind it, while the reserve is still being made by a thread that does not go on. */
static void racer_after_that_gets_a_working_os_clock_too(void **state)
{
	struct hpt_boot *real = hpt_booted(), *b;

	(void)state;
	memset(&hpt_once.reserve, 0, sizeof(hpt_once.reserve));
	atomic_store(&hpt_once.booted, NULL);
	atomic_store(&hpt_once.taken, HPT_BOOT_POOL + 1);
	b = hpt_booted();
	atomic_store(&hpt_once.booted, real);
	check_reserve(b);
}

static int finish(void **state)
{
	(void)state;
	fake_env.clock_ns = plain_clock;
	fake_env_clean();
	return 0;
}

#define case(name) cmocka_unit_test_setup(name, setup)

int main(void)
{
	const struct CMUnitTest tests[] = {
		case(trusted_tsc_never_opens_the_hpet),
		case(every_machine_in_every_trouble_has_its_reason),
		case(expensive_tsc_is_not_worth_it),
		case(one_bad_moment_makes_no_tsc_expensive),
		case(kernel_that_does_not_answer_interposes_nothing),
		case(interposed_tsc_by_request_says_so),
		case(os_by_request_touches_nothing),
		case(absent_hpet_by_request_falls_back),
		case(other_architectures_by_request_fall_back),
		case(unknown_request_is_recorded_and_ignored),
		case(auto_and_empty_are_no_request),
		case(vetoed_tsc_by_request_says_so),
		case(trusted_tsc_by_request_is_in_order),
		case(forbidden_tsc_gives_os_by_system_call),
		case(hpet_that_loses_is_unmapped),
#ifdef __x86_64__
		case(hpet_that_wins_stays_mapped),
#endif
		case(hpet_by_request_is_had),
		case(interposed_clock_leaves_os),
		case(dead_hpet_leaves_os),
		case(second_caller_gets_what_the_first_made),
		case(losers_of_the_race_give_way),
		case(racer_too_many_gets_a_working_os_clock),
		case(racer_after_that_gets_a_working_os_clock_too),
	};
	struct hpt_cpu cpu;

	/* The fakes vouch for the TSC of this very machine: it must be there. */
	hpt_cpu_read(hpt_env_live.cpuid, hpt_env_live.cpuid_ctx, &cpu);
	if (!cpu.tsc || !cpu.rdtscp || !cpu.sse2 || hpt_env_live.tsc_forbidden())
		return EXIT_SKIP;
	return cmocka_run_group_tests(tests, NULL, finish);
}

#else
int main(void)
{
	return EXIT_SKIP;
}
#endif
