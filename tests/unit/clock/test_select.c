// SPDX-License-Identifier: MIT
/* The choice between sources: the papers' rows, their 25 % rule at its edge, requests. */
#include <string.h>

#include "unit.h"

#include "hpt/hpt.h"
#include "clock/select.h"

#define R(x) HPT_REASON_##x

enum { TSC = HPT_SOURCE_TSC, HPET = HPT_SOURCE_HPET, OS = HPT_SOURCE_OS };

struct row {
	uint64_t hpet_mean, hpet_stddev, os_mean, os_stddev;
	uint32_t source, hpet_reason, os_reason;
};

static void fill(struct hpt_candidate c[HPT_SOURCE_IDS])
{
	memset(c, 0, HPT_SOURCE_IDS * sizeof(c[0]));
	for (uint32_t id = 0; id < HPT_SOURCE_IDS; id++)
		c[id].reason = R(NOT_BUILT);
	c[TSC].reason = R(TSC_ABSENT);
	c[HPET] = (struct hpt_candidate){ .usable = true, .trusted = true, .shortest_ps = 70000 };
	c[OS] = (struct hpt_candidate){ .usable = true, .trusted = true, .shortest_ps = 70000 };
}

static void check(const struct row *row)
{
	struct hpt_candidate c[HPT_SOURCE_IDS];
	struct hpt_choice choice;

	fill(c);
	c[HPET].mean_ps = row->hpet_mean;
	c[HPET].stddev_ps = row->hpet_stddev;
	c[OS].mean_ps = row->os_mean;
	c[OS].stddev_ps = row->os_stddev;
	hpt_select(c, HPT_SOURCE_AUTO, &choice);
	if (choice.source != row->source || choice.reason[HPET] != row->hpet_reason ||
	    choice.reason[OS] != row->os_reason)
		fail_msg("hpet %llu/%llu os %llu/%llu: source %u, reasons %u %u; wanted %u, %u %u",
			 (unsigned long long)row->hpet_mean, (unsigned long long)row->hpet_stddev,
			 (unsigned long long)row->os_mean, (unsigned long long)row->os_stddev, choice.source,
			 choice.reason[HPET], choice.reason[OS], row->source, row->hpet_reason, row->os_reason);
	assert_false(choice.vetoed);
	assert_false(choice.refused);
	assert_int_equal(choice.reason[TSC], R(TSC_ABSENT));
}

static void papers_rows_choose_as_in_the_papers(void **state)
{
	static const struct row rows[] = {
		{ 1112500, 307300, 1129400, 358200, HPET, R(LOWER_STDDEV), R(HIGHER_STDDEV) },
		{ 1117900, 376400, 1142300, 529200, HPET, R(LOWER_STDDEV), R(HIGHER_STDDEV) },
		{ 1063300, 207900, 1117400, 374300, HPET, R(LOWER_STDDEV), R(HIGHER_STDDEV) },
		{ 598720, 76000, 102200, 530, OS, R(HIGHER_MEAN), R(LOWER_MEAN) },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++)
		check(&rows[i]);
}

static void draw_ends_at_25_percent_of_the_larger_mean(void **state)
{
	static const struct row rows[] = {
		/* 24.9 %: a draw, the steadier wins */
		{ 751, 1, 1000, 2, HPET, R(LOWER_STDDEV), R(HIGHER_STDDEV) },
		{ 751, 2, 1000, 1, OS, R(HIGHER_STDDEV), R(LOWER_STDDEV) },
		{ 1000, 1, 751, 2, HPET, R(LOWER_STDDEV), R(HIGHER_STDDEV) },
		/* 25.0 %: no draw */
		{ 750, 2, 1000, 1, HPET, R(LOWER_MEAN), R(HIGHER_MEAN) },
		{ 1000, 1, 750, 2, OS, R(HIGHER_MEAN), R(LOWER_MEAN) },
		/* 25.1 % */
		{ 749, 2, 1000, 1, HPET, R(LOWER_MEAN), R(HIGHER_MEAN) },
		{ 1000, 1, 749, 2, OS, R(HIGHER_MEAN), R(LOWER_MEAN) },
		/* not a multiple of four: 25 % of 1001, 1002, 1003 are 250.25, 250.5, 250.75 */
		{ 751, 1, 1001, 2, HPET, R(LOWER_STDDEV), R(HIGHER_STDDEV) },
		{ 1001, 1, 750, 2, OS, R(HIGHER_MEAN), R(LOWER_MEAN) },
		{ 1002, 1, 752, 2, HPET, R(LOWER_STDDEV), R(HIGHER_STDDEV) },
		{ 1002, 1, 751, 2, OS, R(HIGHER_MEAN), R(LOWER_MEAN) },
		{ 1003, 1, 753, 2, HPET, R(LOWER_STDDEV), R(HIGHER_STDDEV) },
		{ 1003, 1, 752, 2, OS, R(HIGHER_MEAN), R(LOWER_MEAN) },
		/* relative to the larger, not to the smaller: 250 is 20 % of 1250, but 25 % of 1000 */
		{ 1250, 1, 1000, 2, HPET, R(LOWER_STDDEV), R(HIGHER_STDDEV) },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++)
		check(&rows[i]);
}

static void equal_stddev_goes_to_os(void **state)
{
	static const struct row rows[] = {
		{ 1000, 5, 1000, 5, OS, R(HIGHER_STDDEV), R(LOWER_STDDEV) },
		{ 900, 5, 1000, 5, OS, R(HIGHER_STDDEV), R(LOWER_STDDEV) },
		{ 900, 0, 1000, 0, OS, R(HIGHER_STDDEV), R(LOWER_STDDEV) },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++)
		check(&rows[i]);
}

/* Two counters that never moved while they were timed cost the same: a draw of 0 %. */
static void means_of_zero_are_a_draw(void **state)
{
	static const struct row row = { 0, 1, 0, 2, HPET, R(LOWER_STDDEV), R(HIGHER_STDDEV) };

	(void)state;
	check(&row);
}

static void huge_costs_do_not_overflow(void **state)
{
	const uint64_t max = UINT64_MAX;
	const struct row rows[] = {
		{ max, 1, max, 2, HPET, R(LOWER_STDDEV), R(HIGHER_STDDEV) },
		{ max, max, max - 1, max, OS, R(HIGHER_STDDEV), R(LOWER_STDDEV) },
		{ max - max / 4, 2, max, 1, OS, R(HIGHER_STDDEV), R(LOWER_STDDEV) },
		{ max - max / 4 - 1, 2, max, 1, HPET, R(LOWER_MEAN), R(HIGHER_MEAN) },
		{ 1, 2, max, 1, HPET, R(LOWER_MEAN), R(HIGHER_MEAN) },
		{ max, 1, 0, 2, OS, R(HIGHER_MEAN), R(LOWER_MEAN) },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++)
		check(&rows[i]);
}

static uint32_t choose_by_step(uint64_t hpet_step, uint64_t os_step, uint32_t *ret_hpet, uint32_t *ret_os)
{
	struct hpt_candidate c[HPT_SOURCE_IDS];
	struct hpt_choice choice;

	fill(c);
	c[HPET].mean_ps = hpet_step > os_step ? 100 : 1000; /* the coarser is the cheaper */
	c[OS].mean_ps = hpet_step > os_step ? 1000 : 100;
	c[HPET].shortest_ps = hpet_step;
	c[OS].shortest_ps = os_step;
	hpt_select(c, HPT_SOURCE_AUTO, &choice);
	*ret_hpet = choice.reason[HPET];
	*ret_os = choice.reason[OS];
	return choice.source;
}

static void ten_times_coarser_never_wins_on_cost(void **state)
{
	uint32_t hpet, os;

	(void)state;
	assert_int_equal(choose_by_step(70000, 1000, &hpet, &os), OS);
	assert_int_equal(hpet, R(COARSER));
	assert_int_equal(os, R(FINER));
	assert_int_equal(choose_by_step(70000, 4000000000, &hpet, &os), HPET);
	assert_int_equal(hpet, R(FINER));
	assert_int_equal(os, R(COARSER));
	assert_int_equal(choose_by_step(UINT64_MAX, 1, &hpet, &os), OS);
	assert_int_equal(choose_by_step(1, UINT64_MAX, &hpet, &os), HPET);
}

static void exactly_ten_times_coarser_may_still_win(void **state)
{
	uint32_t hpet, os;

	(void)state;
	assert_int_equal(choose_by_step(70000, 7000, &hpet, &os), HPET);
	assert_int_equal(hpet, R(LOWER_MEAN));
	assert_int_equal(choose_by_step(7000, 70000, &hpet, &os), OS);
	assert_int_equal(os, R(LOWER_MEAN));
}

static void just_over_ten_times_coarser_does_not_win(void **state)
{
	uint32_t hpet, os;

	(void)state;
	assert_int_equal(choose_by_step(70009, 7000, &hpet, &os), OS);
	assert_int_equal(hpet, R(COARSER));
	assert_int_equal(choose_by_step(7000, 70009, &hpet, &os), HPET);
	assert_int_equal(os, R(COARSER));
}

static void trusted_tsc_beats_everything(void **state)
{
	struct hpt_candidate c[HPT_SOURCE_IDS];
	struct hpt_choice choice;

	(void)state;
	fill(c);
	c[TSC] = (struct hpt_candidate){ .usable = true, .trusted = true, .reason = R(TSC_FAMILY) };
	hpt_select(c, HPT_SOURCE_AUTO, &choice);
	assert_int_equal(choice.source, TSC);
	assert_int_equal(choice.reason[TSC], R(TSC_FAMILY));
	assert_int_equal(choice.reason[HPET], R(BETTER_TSC));
	assert_int_equal(choice.reason[OS], R(BETTER_TSC));
	assert_int_equal(choice.reason[HPT_SOURCE_ARCH], R(NOT_BUILT));
	assert_int_equal(choice.reason[HPT_SOURCE_MMIO], R(NOT_BUILT));

	c[HPET] = (struct hpt_candidate){ .reason = R(NOT_NEEDED) };
	hpt_select(c, HPT_SOURCE_AUTO, &choice);
	assert_int_equal(choice.source, TSC);
	assert_int_equal(choice.reason[HPET], R(NOT_NEEDED));
}

static void untrusted_tsc_is_passed_over(void **state)
{
	struct hpt_candidate c[HPT_SOURCE_IDS];
	struct hpt_choice choice;

	(void)state;
	fill(c);
	c[TSC] = (struct hpt_candidate){ .usable = true, .reason = R(KERNEL_DISAGREES) };
	c[HPET] = (struct hpt_candidate){ .reason = R(HPET_NOENT) };
	hpt_select(c, HPT_SOURCE_AUTO, &choice);
	assert_int_equal(choice.source, OS);
	assert_int_equal(choice.reason[OS], R(ONLY_ONE));
	assert_int_equal(choice.reason[TSC], R(KERNEL_DISAGREES));
	assert_int_equal(choice.reason[HPET], R(HPET_NOENT));
}

static void untrusted_hpet_is_passed_over(void **state)
{
	struct hpt_candidate c[HPT_SOURCE_IDS];
	struct hpt_choice choice;

	(void)state;
	fill(c);
	c[HPET] = (struct hpt_candidate){ .usable = true, .reason = R(INTERPOSED), .mean_ps = 1 };
	c[OS].mean_ps = 1000000;
	hpt_select(c, HPT_SOURCE_AUTO, &choice);
	assert_int_equal(choice.source, OS);
	assert_int_equal(choice.reason[OS], R(ONLY_ONE));
	assert_int_equal(choice.reason[HPET], R(INTERPOSED));
}

static void other_architectures_own_counter_beats_everything(void **state)
{
	struct hpt_candidate c[HPT_SOURCE_IDS];
	struct hpt_choice choice;

	(void)state;
	fill(c);
	c[HPT_SOURCE_ARCH] = (struct hpt_candidate){ .usable = true, .trusted = true, .reason = R(ARCH_TRUSTED) };
	hpt_select(c, HPT_SOURCE_AUTO, &choice);
	assert_int_equal(choice.source, HPT_SOURCE_ARCH);
	assert_int_equal(choice.reason[HPT_SOURCE_ARCH], R(ARCH_TRUSTED));
	assert_int_equal(choice.reason[HPET], R(BETTER_ARCH));
	assert_int_equal(choice.reason[OS], R(BETTER_ARCH));

	c[HPT_SOURCE_ARCH].trusted = false;
	c[HPT_SOURCE_ARCH].reason = R(ARCH_NOT_VIRTUAL);
	hpt_select(c, HPT_SOURCE_AUTO, &choice);
	assert_int_not_equal(choice.source, HPT_SOURCE_ARCH);
	assert_int_equal(choice.reason[HPT_SOURCE_ARCH], R(ARCH_NOT_VIRTUAL));
}

static void request_is_met(void **state)
{
	struct hpt_candidate c[HPT_SOURCE_IDS];
	struct hpt_choice choice;

	(void)state;
	fill(c);
	c[TSC] = (struct hpt_candidate){ .usable = true, .trusted = true, .reason = R(TSC_TRUSTED) };
	hpt_select(c, HPET, &choice);
	assert_int_equal(choice.source, HPET);
	assert_int_equal(choice.reason[HPET], R(REQUESTED_ENV));
	assert_int_equal(choice.reason[TSC], R(OTHER_REQUESTED));
	assert_int_equal(choice.reason[OS], R(OTHER_REQUESTED));
	assert_int_equal(choice.reason[HPT_SOURCE_ARCH], R(NOT_BUILT));
	assert_false(choice.vetoed);
	assert_false(choice.refused);
	hpt_select(c, OS, &choice);
	assert_int_equal(choice.source, OS);
	assert_int_equal(choice.reason[OS], R(REQUESTED_ENV));
	hpt_select(c, TSC, &choice);
	assert_int_equal(choice.source, TSC);
	assert_int_equal(choice.reason[TSC], R(REQUESTED_ENV));
	assert_false(choice.vetoed);
}

static void vetoed_tsc_is_had_on_request(void **state)
{
	struct hpt_candidate c[HPT_SOURCE_IDS];
	struct hpt_choice choice;

	(void)state;
	fill(c);
	c[TSC] = (struct hpt_candidate){ .usable = true, .reason = R(TSC_NOT_CONSTANT) };
	hpt_select(c, TSC, &choice);
	assert_int_equal(choice.source, TSC);
	assert_true(choice.vetoed);
	assert_false(choice.refused);
	assert_int_equal(choice.reason[TSC], R(TSC_NOT_CONSTANT));
	assert_int_equal(choice.reason[OS], R(OTHER_REQUESTED));
}

static void refused_request_falls_back_to_the_rule(void **state)
{
	struct hpt_candidate c[HPT_SOURCE_IDS];
	struct hpt_choice choice;

	(void)state;
	fill(c);
	c[TSC] = (struct hpt_candidate){ .usable = true, .trusted = true, .reason = R(TSC_TRUSTED) };
	c[HPET] = (struct hpt_candidate){ .reason = R(HPET_BUSY) };
	hpt_select(c, HPET, &choice);
	assert_true(choice.refused);
	assert_false(choice.vetoed);
	assert_int_equal(choice.source, TSC);
	assert_int_equal(choice.reason[HPET], R(HPET_BUSY));
	assert_int_equal(choice.reason[TSC], R(TSC_TRUSTED));
	hpt_select(c, HPT_SOURCE_ARCH, &choice);
	assert_true(choice.refused);
	assert_int_equal(choice.source, TSC);
	assert_int_equal(choice.reason[HPT_SOURCE_ARCH], R(NOT_BUILT));

	fill(c);
	c[HPET].mean_ps = 100;
	c[OS].mean_ps = 1000;
	hpt_select(c, TSC, &choice);
	assert_true(choice.refused);
	assert_int_equal(choice.source, HPET);
	assert_int_equal(choice.reason[HPET], R(LOWER_MEAN));
}

/* HPT_MMIO describes one: it takes the HPET's place in the rule. */
static void described_counter_rivals_the_os_clock(void **state)
{
	struct hpt_candidate c[HPT_SOURCE_IDS];
	struct hpt_choice choice;

	(void)state;
	fill(c);
	c[HPET].mean_ps = 1;
	c[OS].mean_ps = 102200;
	c[HPT_SOURCE_MMIO] = (struct hpt_candidate){
		.usable = true, .trusted = true, .shortest_ps = 70000, .mean_ps = 50000,
	};
	hpt_select(c, HPT_SOURCE_AUTO, &choice);
	assert_int_equal(choice.source, HPT_SOURCE_MMIO);
	assert_int_equal(choice.reason[HPT_SOURCE_MMIO], R(LOWER_MEAN));
	assert_int_equal(choice.reason[OS], R(HIGHER_MEAN));
	c[HPT_SOURCE_MMIO].mean_ps = 200000;
	hpt_select(c, HPT_SOURCE_AUTO, &choice);
	assert_int_equal(choice.source, OS);
	assert_int_equal(choice.reason[HPT_SOURCE_MMIO], R(HIGHER_MEAN));
	c[HPT_SOURCE_MMIO].trusted = false; /* replaced clocks */
	hpt_select(c, HPT_SOURCE_AUTO, &choice);
	assert_int_equal(choice.source, HPET);
	c[HPT_SOURCE_MMIO].trusted = true;
	hpt_select(c, HPT_SOURCE_MMIO, &choice);
	assert_int_equal(choice.source, HPT_SOURCE_MMIO);
	assert_int_equal(choice.reason[HPT_SOURCE_MMIO], R(REQUESTED_ENV));
	c[TSC] = (struct hpt_candidate){ .usable = true, .trusted = true, .reason = R(TSC_TRUSTED) };
	hpt_select(c, HPT_SOURCE_AUTO, &choice);
	assert_int_equal(choice.source, TSC);
	assert_int_equal(choice.reason[HPT_SOURCE_MMIO], R(BETTER_TSC));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(papers_rows_choose_as_in_the_papers),
		cmocka_unit_test(described_counter_rivals_the_os_clock),
		cmocka_unit_test(draw_ends_at_25_percent_of_the_larger_mean),
		cmocka_unit_test(equal_stddev_goes_to_os),
		cmocka_unit_test(means_of_zero_are_a_draw),
		cmocka_unit_test(huge_costs_do_not_overflow),
		cmocka_unit_test(ten_times_coarser_never_wins_on_cost),
		cmocka_unit_test(exactly_ten_times_coarser_may_still_win),
		cmocka_unit_test(just_over_ten_times_coarser_does_not_win),
		cmocka_unit_test(trusted_tsc_beats_everything),
		cmocka_unit_test(untrusted_tsc_is_passed_over),
		cmocka_unit_test(untrusted_hpet_is_passed_over),
		cmocka_unit_test(other_architectures_own_counter_beats_everything),
		cmocka_unit_test(request_is_met),
		cmocka_unit_test(vetoed_tsc_is_had_on_request),
		cmocka_unit_test(refused_request_falls_back_to_the_rule),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
