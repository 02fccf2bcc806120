// SPDX-License-Identifier: MIT
/* The verdict on the TSC: every combination of facts, and the edge of the cost rule. */
#include "unit.h"

#include "hpt/hpt.h"
#include "hpt/system.h"
#include "clock/tsc_trust.h"

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

/* Combination i of 4 classes x host or guest x 3 verdicts of the kernel x interposed x expensive. */
#define COMBINATIONS (4 * 2 * 3 * 2 * 2)

static struct hpt_tsc_facts combination(uint32_t i)
{
	return (struct hpt_tsc_facts){
		.tsc_class = i / 24,
		.hypervisor = i / 12 % 2,
		.kernel = (enum hpt_kernel_source)(i / 4 % 3),
		.interposed = i / 2 % 2,
		.expensive = i % 2,
	};
}

/* A measurement can only reject a TSC that all other facts support. */
static uint32_t reason_for(const struct hpt_tsc_facts *f)
{
	uint32_t reason = reasons[f->tsc_class][f->hypervisor][f->kernel];

	if (!is_yes(reason))
		return reason;
	return f->interposed ? R(INTERPOSED) : f->expensive ? R(TSC_EXPENSIVE) : reason;
}

static void every_combination_has_its_verdict(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < COMBINATIONS; i++) {
		struct hpt_tsc_facts facts = combination(i);
		struct hpt_verdict trust = hpt_tsc_trust(&facts);
		uint32_t want = reason_for(&facts);

		if (trust.reason != want || trust.trusted != is_yes(want))
			fail_msg("class %u, guest %d, kernel %d, interposed %d, expensive %d: "
				 "trusted %d, reason %u, wanted %u",
				 facts.tsc_class, facts.hypervisor, facts.kernel, facts.interposed, facts.expensive,
				 trust.trusted, trust.reason, want);
	}
}

static void four_combinations_alone_are_trusted(void **state)
{
	uint32_t trusted = 0;

	(void)state;
	for (uint32_t i = 0; i < COMBINATIONS; i++) {
		struct hpt_tsc_facts facts = combination(i);

		trusted += hpt_tsc_trust(&facts).trusted;
	}
	/* where the kernel uses it: invariant host and guest, family host; kernel unreadable: invariant host */
	assert_int_equal(trusted, 4);
}

static void unknown_class_is_not_trusted(void **state)
{
	struct hpt_tsc_facts facts = { .tsc_class = 99, .kernel = HPT_KERNEL_AGREES };

	(void)state;
	assert_false(hpt_tsc_trust(&facts).trusted);
}

static void libc_clock_has_the_kernels_between_its_own(void **state)
{
	(void)state;
	assert_true(hpt_tsc_trust_libc_clock(100, 150, 200));
	assert_true(hpt_tsc_trust_libc_clock(100, 100, 100));
	assert_true(hpt_tsc_trust_libc_clock(-5, -4, -3)); /* a time namespace may lie before zero */
	assert_false(hpt_tsc_trust_libc_clock(101, 100, 200));
	assert_false(hpt_tsc_trust_libc_clock(100, 201, 200));
	assert_false(hpt_tsc_trust_libc_clock(INT64_MAX, 0, INT64_MAX));
}

static void exactly_twice_the_os_cost_is_not_cheap(void **state)
{
	(void)state;
	/* the OS read alone costs the difference */
	assert_true(hpt_tsc_trust_cost(199, 299));
	assert_false(hpt_tsc_trust_cost(200, 300));
	assert_false(hpt_tsc_trust_cost(201, 301));
	assert_true(hpt_tsc_trust_cost(20, 45));
}

static void nonsense_is_not_cheap(void **state)
{
	(void)state;
	assert_false(hpt_tsc_trust_cost(10, 10));
	assert_false(hpt_tsc_trust_cost(11, 10));
	assert_false(hpt_tsc_trust_cost(0, 0));
	assert_false(hpt_tsc_trust_cost(INT64_MAX, 100));
	assert_false(hpt_tsc_trust_cost(UINT64_MAX, 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_combination_has_its_verdict),
		cmocka_unit_test(four_combinations_alone_are_trusted),
		cmocka_unit_test(unknown_class_is_not_trusted),
		cmocka_unit_test(libc_clock_has_the_kernels_between_its_own),
		cmocka_unit_test(exactly_twice_the_os_cost_is_not_cheap),
		cmocka_unit_test(nonsense_is_not_cheap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
