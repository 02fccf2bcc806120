// SPDX-License-Identifier: MIT
/* The verdict on the TSC: every combination of facts, and the edge of the cost rule. */
#include "unit.h"

#include "hpt/hpt.h"
#include "trust.h"

#define R(x) HPT_REASON_##x

/* [class][hypervisor][kernel: unreadable, tsc, other] */
static const uint32_t reasons[4][2][3] = {
	[HPT_CPU_NO_TSC] = {
		{ R(TSC_ABSENT), R(TSC_ABSENT), R(TSC_ABSENT) },
		{ R(TSC_ABSENT), R(TSC_ABSENT), R(TSC_ABSENT) },
	},
	[HPT_CPU_NOT_CONSTANT] = {
		{ R(TSC_NOT_CONSTANT), R(TSC_NOT_CONSTANT), R(KERNEL_DISAGREES) },
		{ R(TSC_NOT_CONSTANT), R(TSC_NOT_CONSTANT), R(KERNEL_DISAGREES) },
	},
	[HPT_CPU_CONSTANT_BY_FAMILY] = {
		{ R(TSC_FAMILY_ALONE), R(TSC_FAMILY), R(KERNEL_DISAGREES) },
		{ R(TSC_GUEST_FAMILY), R(TSC_GUEST_FAMILY), R(KERNEL_DISAGREES) },
	},
	[HPT_CPU_INVARIANT] = {
		{ R(TSC_UNCONTRADICTED), R(TSC_TRUSTED), R(KERNEL_DISAGREES) },
		{ R(TSC_GUEST_ALONE), R(TSC_TRUSTED), R(KERNEL_DISAGREES) },
	},
};

static bool is_yes(uint32_t reason)
{
	return reason == R(TSC_TRUSTED) || reason == R(TSC_FAMILY) || reason == R(TSC_UNCONTRADICTED);
}

static void every_combination_has_its_verdict(void **state)
{
	(void)state;
	for (uint32_t class = 0; class < 4; class++)
		for (uint32_t guest = 0; guest < 2; guest++)
			for (uint32_t kernel = 0; kernel < 3; kernel++) {
				struct hpt_tsc_facts facts = { class, guest, (enum hpt_kernel_source)kernel };
				struct hpt_trust trust = hpt_trust_tsc(&facts);
				uint32_t want = reasons[class][guest][kernel];

				if (trust.reason != want || trust.trusted != is_yes(want))
					fail_msg("class %u, guest %u, kernel %u: trusted %d, reason %u, wanted %u",
						 class, guest, kernel, trust.trusted, trust.reason, want);
			}
}

static void four_combinations_alone_are_trusted(void **state)
{
	uint32_t trusted = 0;

	(void)state;
	for (uint32_t i = 0; i < 24; i++) {
		struct hpt_tsc_facts facts = { i / 6, i / 3 % 2, (enum hpt_kernel_source)(i % 3) };

		trusted += hpt_trust_tsc(&facts).trusted;
	}
	/* invariant with the kernel's word, as host and guest; invariant host alone; family host with the kernel's word */
	assert_int_equal(trusted, 4);
}

static void unknown_class_is_not_trusted(void **state)
{
	struct hpt_tsc_facts facts = { 99, false, HPT_KERNEL_TSC };

	(void)state;
	assert_false(hpt_trust_tsc(&facts).trusted);
}

static void exactly_twice_the_os_cost_is_not_cheap(void **state)
{
	(void)state;
	/* the OS read alone costs the difference */
	assert_true(hpt_trust_tsc_cost(199, 299));
	assert_false(hpt_trust_tsc_cost(200, 300));
	assert_false(hpt_trust_tsc_cost(201, 301));
	assert_true(hpt_trust_tsc_cost(20, 45));
}

static void nonsense_is_not_cheap(void **state)
{
	(void)state;
	assert_false(hpt_trust_tsc_cost(10, 10));
	assert_false(hpt_trust_tsc_cost(11, 10));
	assert_false(hpt_trust_tsc_cost(0, 0));
	assert_false(hpt_trust_tsc_cost(INT64_MAX, 100));
	assert_false(hpt_trust_tsc_cost(UINT64_MAX, 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_combination_has_its_verdict),
		cmocka_unit_test(four_combinations_alone_are_trusted),
		cmocka_unit_test(unknown_class_is_not_trusted),
		cmocka_unit_test(exactly_twice_the_os_cost_is_not_cheap),
		cmocka_unit_test(nonsense_is_not_cheap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
