// SPDX-License-Identifier: MIT
/* The TSC's driver on fake CPUs: the read that it uses, and the reasons why it does not open. */
#include <errno.h>

#include "unit.h"

#include "arch/arch.h"
#include "fake_env.h"
#include "hpt/hpt.h"
#include "hpt/system.h"
#include "machine/live.h"
#include "source/tsc.h"

#ifdef HPT_ARCH_X86

static int open_tsc(struct hpt_source *src)
{
	return hpt_source_open(src, &hpt_source_tsc, &fake_env);
}

static void rdtscp_is_the_ordered_read(void **state)
{
	struct hpt_source src;

	(void)state;
	assert_int_equal(open_tsc(&src), 0);
	assert_int_equal(src.order, HPT_OWN_FIRST); /* RDTSCP, until the costs are compared */
	assert_int_equal(src.orders, HPT_OWN_FIRST | HPT_OWN_SECOND);
	assert_ptr_not_equal(src.read_unordered, src.read);
	assert_int_equal(src.bits, 64);
	assert_int_equal(src.u.tsc.cpu_class, HPT_CPU_INVARIANT);
	assert_false(src.u.tsc.is_guest);
	assert_int_equal(src.rate.origin, HPT_ORIGIN_NONE);
	assert_int_equal(src.stage, HPT_STAGE_USABLE);
}

/* AMD's CPUs without the bit of CPUID: LFENCE may not wait, so it is used only where there is no RDTSCP. */
static void unsure_lfence_is_the_last_resort(void **state)
{
	struct hpt_source src;

	(void)state;
	fake_cpu(amd);
	assert_int_equal(open_tsc(&src), 0);
	assert_int_equal(src.order, HPT_OWN_FIRST);
	assert_int_equal(src.orders, HPT_OWN_FIRST);
	fake_cpu(amd_no_rdtscp);
	assert_int_equal(open_tsc(&src), 0);
	assert_int_equal(src.order, HPT_OWN_SECOND);
	assert_int_equal(src.orders, HPT_OWN_SECOND);
}

static void lfence_stands_in_for_rdtscp(void **state)
{
	struct hpt_source src;
	uint64_t last = 0;

	(void)state;
	fake_cpu(no_rdtscp);
	assert_int_equal(open_tsc(&src), 0);
	assert_int_equal(src.order, HPT_OWN_SECOND);
	assert_int_equal(src.orders, HPT_OWN_SECOND);
	for (int i = 0; i < 10000; i++) {
		uint64_t now = src.read(&src);

		assert_true(now >= last);
		last = now;
	}
}

static void neither_is_not_supported(void **state)
{
	struct hpt_source src;

	(void)state;
	fake_cpu(no_order);
	assert_int_equal(open_tsc(&src), -ENOTSUP);
	assert_int_equal(src.stage, HPT_STAGE_CPU);
	assert_int_equal(src.reason, HPT_REASON_TSC_NOT_ORDERED);
}

static void absent_tsc_is_no_device(void **state)
{
	struct hpt_source src;

	(void)state;
	fake_cpu(no_tsc);
	assert_int_equal(open_tsc(&src), -ENODEV);
	assert_int_equal(src.stage, HPT_STAGE_CPU);
	assert_int_equal(src.reason, HPT_REASON_TSC_ABSENT);
}

static void no_cpuid_at_all_is_no_device(void **state)
{
	struct hpt_source src;

	(void)state;
	fake.n_leaves = 0;
	assert_int_equal(open_tsc(&src), -ENODEV);
	assert_int_equal(src.reason, HPT_REASON_TSC_ABSENT);
}

static void forbidden_tsc_is_not_executed(void **state)
{
	struct hpt_source src;

	(void)state;
	fake.forbidden = true;
	assert_int_equal(open_tsc(&src), -EPERM);
	assert_int_equal(src.stage, HPT_STAGE_CPU);
	assert_int_equal(src.reason, HPT_REASON_TSC_FORBIDDEN);
	assert_null(src.read); /* never even set */
}

static void class_and_hypervisor_are_noted(void **state)
{
	struct hpt_source src;

	(void)state;
	fake_cpu(guest);
	assert_int_equal(open_tsc(&src), 0);
	assert_true(src.u.tsc.is_guest);
	fake_cpu(family);
	assert_int_equal(open_tsc(&src), 0);
	assert_int_equal(src.u.tsc.cpu_class, HPT_CPU_CONSTANT_BY_FAMILY);
	fake_cpu(not_constant); /* trust is not the driver's business */
	assert_int_equal(open_tsc(&src), 0);
	assert_int_equal(src.u.tsc.cpu_class, HPT_CPU_NOT_CONSTANT);
}

static bool cached_says_invariant(struct hpt_cpu *ret)
{
	*ret = (struct hpt_cpu){ .tsc = true, .rdtscp = true, .invariant = true, .sse2 = true, .hypervisor = true };
	return true;
}

static bool cached_knows_nothing(struct hpt_cpu *ret)
{
	*ret = (struct hpt_cpu){ .tsc = true, .rdtscp = true };
	return false;
}

static void cached_facts_save_the_instruction(void **state)
{
	struct hpt_env env = fake_env;
	struct hpt_source src;

	(void)state;
	env.cached_cpu = cached_says_invariant;
	assert_int_equal(hpt_source_open(&src, &hpt_source_tsc, &env), 0);
	assert_int_equal(fake.cpuid_calls, 0);
	assert_true(src.u.tsc.is_guest);
	env.cached_cpu = cached_knows_nothing;
	fake_cpu(family);
	assert_int_equal(hpt_source_open(&src, &hpt_source_tsc, &env), 0);
	assert_in_range(fake.cpuid_calls, 1, 5);
	assert_int_equal(src.u.tsc.cpu_class, HPT_CPU_CONSTANT_BY_FAMILY);
}

static void unordered_read_counts_too(void **state)
{
	struct hpt_source src;
	uint64_t before, between, after;

	(void)state;
	assert_int_equal(open_tsc(&src), 0);
	for (int i = 0; i < 1000; i++) {
		before = src.read(&src);
		between = src.read_unordered(&src);
		after = src.read(&src);
		assert_true(before <= after);
		assert_true(between <= after); /* RDTSCP waits for it */
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(rdtscp_is_the_ordered_read, fake_env_setup),
		cmocka_unit_test_setup(unsure_lfence_is_the_last_resort, fake_env_setup),
		cmocka_unit_test_setup(lfence_stands_in_for_rdtscp, fake_env_setup),
		cmocka_unit_test_setup(neither_is_not_supported, fake_env_setup),
		cmocka_unit_test_setup(absent_tsc_is_no_device, fake_env_setup),
		cmocka_unit_test_setup(no_cpuid_at_all_is_no_device, fake_env_setup),
		cmocka_unit_test_setup(forbidden_tsc_is_not_executed, fake_env_setup),
		cmocka_unit_test_setup(class_and_hypervisor_are_noted, fake_env_setup),
		cmocka_unit_test_setup(cached_facts_save_the_instruction, fake_env_setup),
		cmocka_unit_test_setup(unordered_read_counts_too, fake_env_setup),
	};
	struct hpt_cpu cpu;

	/* On this very machine the reads must not fault. */
	hpt_cpu_read(hpt_env_live.cpuid, hpt_env_live.cpuid_ctx, &cpu);
	if (!cpu.tsc || !cpu.rdtscp || !cpu.sse2 || hpt_env_live.tsc_forbidden())
		return skip_all("no TSC that a program may read, with RDTSCP and SSE2");
	return cmocka_run_group_tests(tests, NULL, NULL);
}

#else
int main(void)
{
	return skip_all("for x86 only");
}
#endif
