// SPDX-License-Identifier: MIT
/* The verdict on the architecture's counter by all combinations of facts, and at the limits of the costs. */
#include "unit.h"

#include "hpt/hpt.h"
#include "clock/arch_trust.h"

#define R(reason) HPT_REASON_##reason

/* 8 reads in 100 ticks, 16 of the OS clock in 300, 8 system calls in 3000. */
static const struct hpt_arch_facts good = {
	.kernel = HPT_KERNEL_AGREES, .own_ticks = 100, .twice_os_ticks = 300, .raw_ticks = 3000,
};

static void check(struct hpt_arch_facts facts, uint32_t reason)
{
	struct hpt_verdict verdict = hpt_arch_trust(&facts);

	assert_int_equal(verdict.reason, reason);
	assert_int_equal(verdict.trusted, reason == R(ARCH_TRUSTED));
}

static uint32_t expected(enum hpt_kernel_source kernel, bool interposed, bool is_virtual, bool cheap)
{
	if (kernel != HPT_KERNEL_AGREES)
		return kernel == HPT_KERNEL_OTHER ? R(KERNEL_DISAGREES) : R(ARCH_ALONE);
	if (interposed)
		return R(INTERPOSED);
	if (!is_virtual)
		return R(ARCH_NOT_VIRTUAL);
	return cheap ? R(ARCH_TRUSTED) : R(ARCH_EXPENSIVE);
}

static void each_fact_has_its_reason(void **state)
{
	static const enum hpt_kernel_source kernels[] = {
		HPT_KERNEL_UNREADABLE, HPT_KERNEL_AGREES, HPT_KERNEL_OTHER,
	};

	(void)state;
	for (size_t i = 0; i < COUNT(kernels); i++)
		for (uint32_t bits = 0; bits < 8; bits++) {
			bool interposed = bits & 1, is_virtual = bits & 2, cheap = bits & 4;
			struct hpt_arch_facts facts = good;

			facts.kernel = kernels[i];
			facts.interposed = interposed;
			facts.raw_ticks = is_virtual ? 3000 : 150;
			facts.own_ticks = cheap ? 100 : 5000;
			check(facts, expected(kernels[i], interposed, is_virtual, cheap));
		}
}

static void limits_are_exact(void **state)
{
	struct hpt_arch_facts facts = good;

	(void)state;
	facts.raw_ticks = 301;
	check(facts, R(ARCH_TRUSTED));
	facts.raw_ticks = 300;
	check(facts, R(ARCH_NOT_VIRTUAL));
	facts = good;
	facts.own_ticks = 299;
	check(facts, R(ARCH_TRUSTED));
	facts.own_ticks = 300;
	check(facts, R(ARCH_EXPENSIVE));
}

/* A counter so coarse that the calls take none of its ticks shows nothing. */
static void no_tick_at_all_proves_nothing(void **state)
{
	(void)state;
	check((struct hpt_arch_facts){ .kernel = HPT_KERNEL_AGREES }, R(ARCH_NOT_VIRTUAL));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_fact_has_its_reason),
		cmocka_unit_test(limits_are_exact),
		cmocka_unit_test(no_tick_at_all_proves_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
