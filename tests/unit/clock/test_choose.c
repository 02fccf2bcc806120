// SPDX-License-Identifier: MIT
/* The choice made at load, on fake machines: which sources are opened or left alone, and the reasons recorded. */
#include "choose_world.h"
#include "fake_hpet.h"
#include "source/os.h"
#include "source/read_cost.h"

#ifdef HPT_ARCH_X86

static struct fake_hpet hpet;

/* A machine with an HPET, and an OS clock read by a fake system call that takes os_ns. */
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
	assert_false(b->clk.is_vetoed);
	assert_int_equal(fake.map_calls, 0);
	assert_int_equal(b->status[HPT_SOURCE_HPET].reason, HPT_REASON_NOT_NEEDED);
	assert_int_equal(b->status[HPT_SOURCE_HPET].usable, 0);
	assert_int_equal(b->status[HPT_SOURCE_HPET].stage, HPT_STAGE_UNTRIED);
	assert_int_equal(b->status[HPT_SOURCE_OS].reason, HPT_REASON_BETTER_TSC);
	assert_int_equal(b->status[HPT_SOURCE_OS].usable, 1);
	assert_int_equal(b->status[HPT_SOURCE_ARCH].reason, HPT_REASON_NOT_BUILT);
	assert_string_equal(b->own.kernel_clocksource, "tsc");
	assert_int_equal(b->flags, 0);
	assert_int_equal(b->requested, HPT_SOURCE_AUTO);
	assert_string_equal(b->env_source, "");
	assert_true(b->clk.is_clocksource);
	assert_true(b->clk.anchor.n >= 2);
	assert_memory_equal(&b->clk.anchor, &b->own.anchor, sizeof(b->own.anchor)); /* by which the TSC was judged */
	assert_int_equal(b->clk.load_reads.n, HPT_LOAD_READS / 2); /* the other half is of the other ordered read */
	assert_in_range(fake.highest_leaf, 0, 1); /* no leaf that the decision does not need */
	assert_in_range(fake.highest_extended, 0x80000000, 0x80000007);
}

/* AMD's CPUs without the bit: RDTSCP alone is timed, so that it takes all reads. */
static void unsure_lfence_is_not_timed(void **state)
{
	struct hpt_boot *b;

	(void)state;
	fake_cpu(amd);
	b = boot();
	assert_int_equal(b->clk.src.order, HPT_OWN_FIRST);
	assert_int_equal(b->clk.load_reads.n, HPT_LOAD_READS);
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
	assert_string_equal(b->own.kernel_clocksource, ""); /* no file read either */
	assert_int_equal(b->status[HPT_SOURCE_TSC].reason, HPT_REASON_SKIPPED_ENV);
	assert_int_equal(b->status[HPT_SOURCE_HPET].reason, HPT_REASON_SKIPPED_ENV);
	assert_int_equal(b->status[HPT_SOURCE_ARCH].reason, HPT_REASON_NOT_BUILT);
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
	assert_true(b->clk.anchor.n >= 2);
}

static void sources_that_no_build_opens_fall_back(void **state)
{
	static const struct {
		const char *name;
		uint32_t id, reason, error;
	} rows[] = {
		{ "arch", HPT_SOURCE_ARCH, HPT_REASON_NOT_BUILT, 0 },
		{ "mmio", HPT_SOURCE_MMIO, HPT_REASON_MMIO_UNDESCRIBED, EINVAL },
		{ "manual", HPT_SOURCE_MANUAL, HPT_REASON_MANUAL, 0 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct hpt_boot *b;

		fake.hpt_source = rows[i].name;
		b = boot();
		assert_int_equal(b->clk.src.ops->id, HPT_SOURCE_TSC);
		assert_int_equal(b->flags, HPT_CLOCK_ENV_REFUSED);
		assert_int_equal(b->requested, rows[i].id);
		assert_int_equal(b->status[rows[i].id].reason, rows[i].reason);
		assert_int_equal(b->status[rows[i].id].error, rows[i].error);
		assert_int_equal(fake.map_calls, 0);
	}
}

/* ---- A memory-mapped counter: 100 MHz, as the fake clocks count nanoseconds ------------------------------ */

static _Alignas(8) uint32_t registers[1024];

static void count_registers(void)
{
	uint64_t tick = (uint64_t)(fake.clock_now + fake.syscall_now) / 10;

	registers[0] = (uint32_t)tick;
	registers[1] = (uint32_t)(tick >> 32);
}

static void describe_counter(void)
{
	fake.hpt_mmio = "devmem=0x1e000000,width=64,frequency=100000000";
	fake.registers = registers;
	fake.registers_error = 0;
	fake.clock_step = 1000;
	fake.clock_now = 1000000000;
	fake.clock_hook = count_registers;
	fake_env.clock_ns = plain_clock;
}

static void described_counter_rivals_the_os_clock(void **state)
{
	struct hpt_boot *b;

	(void)state;
	fake_cpu(not_constant);
	fake_env_kernel("hpet\n");
	describe_counter();
	b = boot();
	assert_int_equal(fake.map_calls, 0); /* the HPET is not opened beside it */
	assert_true(b->status[HPT_SOURCE_MMIO].usable);
	assert_int_equal(b->clk.src.ops->id, HPT_SOURCE_OS); /* only clock reads move this counter */
	assert_int_equal(b->status[HPT_SOURCE_MMIO].reason, HPT_REASON_COARSER);
	assert_int_equal(b->status[HPT_SOURCE_OS].reason, HPT_REASON_FINER);
	assert_int_equal(fake.registers_mapped, 0); /* it lost */

	fake.hpt_source = "mmio";
	b = boot();
	assert_int_equal(b->clk.src.ops->id, HPT_SOURCE_MMIO);
	assert_int_equal(b->clk.reason, HPT_REASON_REQUESTED_ENV);
	assert_int_equal(fake.registers_mapped, 1);
	hpt_source_close(&b->clk.src);
	assert_int_equal(fake.registers_mapped, 0);
}

static void a_trusted_tsc_opens_no_described_counter(void **state)
{
	struct hpt_boot *b;

	(void)state;
	fake_env_kernel("tsc\n");
	fake.hpt_mmio = "devmem=0x1e000000,width=64,frequency=100000000";
	b = boot();
	assert_int_equal(b->clk.src.ops->id, HPT_SOURCE_TSC);
	assert_int_equal(b->status[HPT_SOURCE_MMIO].reason, HPT_REASON_NOT_NEEDED);
	assert_string_equal(fake.registers_path, "");
	fake.hpt_mmio = NULL;
	b = boot();
	assert_int_equal(b->status[HPT_SOURCE_MMIO].reason, HPT_REASON_MMIO_UNDESCRIBED);
}

static void wrong_description_leaves_the_rest_of_the_choice(void **state)
{
	struct hpt_boot *b;

	(void)state;
	fake_cpu(not_constant);
	fake.hpt_mmio = "devmem=0x1e000000,width=64,frequency=0";
	b = boot();
	assert_int_equal(b->clk.src.ops->id, HPT_SOURCE_OS);
	assert_int_equal(b->status[HPT_SOURCE_MMIO].reason, HPT_REASON_MMIO_FREQUENCY);
	assert_int_equal(b->status[HPT_SOURCE_MMIO].error, EINVAL);
	assert_int_equal(fake.map_calls, 1); /* the HPET's turn */
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
	assert_true(b->clk.is_vetoed);
	assert_int_equal(b->clk.reason, HPT_REASON_KERNEL_DISAGREES);
	assert_int_equal(b->flags, 0);
	assert_int_equal(fake.map_calls, 0);
	assert_true(b->clk.anchor.n >= 2);
	assert_int_equal(b->clk.load_reads.n, HPT_LOAD_READS / 2); /* timed, although no verdict needs it */
	assert_string_equal(b->own.kernel_clocksource, "kvm-clock");
}

static void trusted_tsc_by_request_is_in_order(void **state)
{
	struct hpt_boot *b;

	(void)state;
	fake.hpt_source = "tsc";
	b = boot();
	assert_false(b->clk.is_vetoed);
	assert_int_equal(b->clk.reason, HPT_REASON_REQUESTED_ENV);
	assert_int_equal(b->status[HPT_SOURCE_OS].usable, 1); /* although it was not tried */
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

/*
 * A microsecond per load, as on real hardware. A counter updated by a thread may be late, so that 320 reads see no
 * tick.
 */
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
	assert_int_equal(b->clk.src.u.hpet.period_fs, FAKE_HPET_PERIOD);
	take_hpet();
	assert_int_equal(fake.unmap_calls, 1);
}
#endif

static void hpet_by_request_is_used(void **state)
{
	struct hpt_boot *b;

	(void)state;
	give_hpet(1);
	fake.hpt_source = "hpet";
	b = boot();
	assert_int_equal(b->clk.src.ops->id, HPT_SOURCE_HPET);
	assert_int_equal(b->clk.reason, HPT_REASON_REQUESTED_ENV);
	assert_false(b->clk.is_vetoed);
	assert_int_equal(b->flags, 0);
	take_hpet();
}

static int64_t fine_clock(clockid_t id)
{
	(void)id;
	fake_hpet_wait_tick();
	return ++fake.clock_now;
}

/* No counter follows a replaced clock. The HPET is unmapped without being timed. */
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

#define case(name) cmocka_unit_test_setup(name, setup)

int main(void)
{
	const struct CMUnitTest tests[] = {
		case(trusted_tsc_never_opens_the_hpet),
		case(unsure_lfence_is_not_timed),
		case(os_by_request_touches_nothing),
		case(absent_hpet_by_request_falls_back),
		case(sources_that_no_build_opens_fall_back),
		case(described_counter_rivals_the_os_clock),
		case(a_trusted_tsc_opens_no_described_counter),
		case(wrong_description_leaves_the_rest_of_the_choice),
		case(unknown_request_is_recorded_and_ignored),
		case(auto_and_empty_are_no_request),
		case(vetoed_tsc_by_request_says_so),
		case(trusted_tsc_by_request_is_in_order),
		case(forbidden_tsc_gives_os_by_system_call),
		case(hpet_that_loses_is_unmapped),
#ifdef __x86_64__
		case(hpet_that_wins_stays_mapped),
#endif
		case(hpet_by_request_is_used),
		case(interposed_clock_leaves_os),
		case(dead_hpet_leaves_os),
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
