// SPDX-License-Identifier: MIT
/* Bins of eight per octave, and places between their edges. */
#include "unit.h"

#include "math/octave.h"

static void every_number_is_in_the_bin_below_its_edge(void **state)
{
	(void)state;
	for (uint64_t x = 0; x < INT64_MAX / 2; x += 1 + x / 50) {
		uint32_t bin = hpt_octave_bin(x);

		assert_true((int64_t)x < hpt_octave_edge(bin));
		assert_true(!bin || (int64_t)x >= hpt_octave_edge(bin - 1));
		assert_true(bin < 16 || hpt_octave_edge(bin) - hpt_octave_edge(bin - 1) <= (int64_t)x / 8);
	}
}

static void places_divide_bins_by_sixteen(void **state)
{
	(void)state;
	for (uint64_t x = 128; x < INT64_MAX / 2; x += 1 + x / 500) {
		uint32_t place = hpt_octave_place(x);

		assert_int_equal(place / HPT_OCTAVE_PLACES, hpt_octave_bin(x));
		assert_true(hpt_octave_at(place) <= (int64_t)x);
		assert_true(hpt_octave_at(place + 1) > (int64_t)x);
		assert_int_equal(hpt_octave_place((uint64_t)hpt_octave_at(place)), place);
	}
}

static void as_many_places_more_are_twice_as_much(void **state)
{
	(void)state;
	for (uint32_t place = hpt_octave_place(128); place < 6000; place++)
		assert_int_equal(hpt_octave_at(place + 8 * HPT_OCTAVE_PLACES), 2 * hpt_octave_at(place));
}

static void highest_number_has_a_place(void **state)
{
	(void)state;
	assert_true(hpt_octave_place(INT64_MAX) <= 8191);
	assert_int_equal(hpt_octave_at(7000), INT64_C(216) << 49);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_number_is_in_the_bin_below_its_edge),
		cmocka_unit_test(places_divide_bins_by_sixteen),
		cmocka_unit_test(as_many_places_more_are_twice_as_much),
		cmocka_unit_test(highest_number_has_a_place),
	};

	return cmocka_run_group_tests_name("octave", tests, NULL, NULL);
}
