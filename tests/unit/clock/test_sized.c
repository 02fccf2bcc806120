// SPDX-License-Identifier: MIT
/* A struct of every size that a caller may know, older and newer than the library's. */
#include <string.h>

#include "unit.h"

#include "clock/sized.h"

#define LARGEST 48

/* The library's own version, with what an earlier one had first. */
struct known {
	uint32_t size, a;
	uint64_t b, c;
};

static void a_caller_gets_what_both_know_and_zeros(void **state)
{
	(void)state;
	for (size_t size = sizeof(uint32_t); size <= LARGEST; size++) {
		struct known info = { .a = 0x01020304, .b = UINT64_MAX, .c = UINT64_C(0x1122334455667788) };
		size_t filled = size < sizeof(info) ? size : sizeof(info);
		uint8_t given[LARGEST + 1], want[LARGEST + 1] = { 0 };
		struct known sized = info;

		sized.size = (uint32_t)filled;
		memcpy(want, &sized, filled);
		want[size] = 0xa5; /* after the caller's struct nothing is written */
		memset(given, 0xa5, sizeof(given));
		hpt_hand_out(given, size, &info, sizeof(info));
		assert_memory_equal(given, want, size + 1);
	}
}

static void a_struct_of_an_unknown_size_is_taken_if_its_tail_is_zeros(void **state)
{
	uint8_t given[LARGEST] = { [0] = 1, [sizeof(struct known) - 1] = 1 };

	(void)state;
	for (size_t size = 0; size <= LARGEST; size++)
		assert_int_equal(hpt_can_take(given, size, 16, sizeof(struct known)), size >= 16);
	for (size_t at = sizeof(struct known); at < LARGEST; at++) {
		given[at] = 1;
		assert_true(hpt_can_take(given, at, 16, sizeof(struct known)));
		assert_false(hpt_can_take(given, at + 1, 16, sizeof(struct known)));
		assert_false(hpt_can_take(given, LARGEST, 16, sizeof(struct known)));
		given[at] = 0;
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_caller_gets_what_both_know_and_zeros),
		cmocka_unit_test(a_struct_of_an_unknown_size_is_taken_if_its_tail_is_zeros),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
