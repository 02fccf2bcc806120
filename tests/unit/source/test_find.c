// SPDX-License-Identifier: MIT
/* The table of drivers, lib/source/drivers.c, by the function that looks into it. */
#include "unit.h"

#include "hpt/hpt.h"
#include "source/arch_counter.h"
#include "source/find.h"
#include "source/hpet.h"
#include "source/mmio.h"
#include "source/os.h"
#include "source/tsc.h"

static void table_has_the_built_drivers(void **state)
{
	(void)state;
	assert_ptr_equal(hpt_source_find(HPT_SOURCE_OS), &hpt_source_os);
#ifdef HPT_ARCH_X86
	assert_ptr_equal(hpt_source_find(HPT_SOURCE_TSC), &hpt_source_tsc);
	assert_ptr_equal(hpt_source_find(HPT_SOURCE_HPET), &hpt_source_hpet);
#endif
#ifdef HPT_ARCH_COUNTER
	assert_ptr_equal(hpt_source_find(HPT_SOURCE_ARCH), &hpt_source_arch);
#else
	assert_null(hpt_source_find(HPT_SOURCE_ARCH));
#endif
	assert_null(hpt_source_find(HPT_SOURCE_AUTO));
	assert_ptr_equal(hpt_source_find(HPT_SOURCE_MMIO), &hpt_source_mmio);
	assert_null(hpt_source_find(HPT_SOURCE_IDS));
	assert_null(hpt_source_find(UINT32_MAX));
	for (uint32_t id = 0; id < HPT_SOURCE_IDS; id++)
		if (hpt_source_find(id)) {
			assert_int_equal(hpt_source_find(id)->id, id);
			assert_string_equal(hpt_source_find(id)->name, hpt_source_name(id));
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(table_has_the_built_drivers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
