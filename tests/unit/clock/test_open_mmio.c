// SPDX-License-Identifier: MIT
/* Memory-mapped counters by their description: those that this machine has not. */
#include <errno.h>

#include "unit.h"

#include "hpt/hpt.h"
#include "hpt/mmio.h"

#define UNTOUCHED ((hpt_clock *)&untouched)
static char untouched;

static void check_mmio(int r, int error, uint32_t reason)
{
	struct hpt_source_info info;

	assert_int_equal(r, error);
	assert_int_equal(hpt_source_get_info(HPT_SOURCE_MMIO, &info, sizeof(info)), 0);
	assert_int_equal(info.usable, 0);
	assert_int_equal(info.reason, reason);
	assert_int_equal(info.error, -error);
}

static void a_counter_without_description_is_invalid(void **state)
{
	hpt_clock *clk = UNTOUCHED;

	(void)state;
	check_mmio(hpt_clock_open(HPT_SOURCE_MMIO, 0, &clk), -EINVAL, HPT_REASON_MMIO_UNDESCRIBED);
	check_mmio(hpt_clock_set_default_source(HPT_SOURCE_MMIO, 0), -EINVAL, HPT_REASON_MMIO_UNDESCRIBED);
	assert_ptr_equal(clk, UNTOUCHED);
}

static void wrong_descriptions_open_nothing(void **state)
{
	struct {
		struct hpt_mmio now;
		uint8_t later[8];
	} m = { .now = { .width = 32, .frequency_hz = 1000000, .uio = "a name that no device of this machine has" } };
	hpt_clock *clk = UNTOUCHED;

	(void)state;
	check_mmio(hpt_clock_open_mmio(&m.now, sizeof(m), 0, &clk), -ENODEV, HPT_REASON_MMIO_NO_UIO);
	check_mmio(hpt_clock_open_mmio(&m.now, sizeof(m.now), 0, &clk), -ENODEV, HPT_REASON_MMIO_NO_UIO);
	m.later[7] = 1;
	assert_int_equal(hpt_clock_open_mmio(&m.now, sizeof(m), 0, &clk), -EINVAL);
	assert_int_equal(hpt_clock_open_mmio(&m.now, HPT_MMIO_SIZE_V0 - 1, 0, &clk), -EINVAL);
	assert_int_equal(hpt_clock_open_mmio(NULL, sizeof(m.now), 0, &clk), -EINVAL);
	assert_int_equal(hpt_clock_open_mmio(&m.now, sizeof(m.now), 0, NULL), -EINVAL);
	m.now.width = 31;
	check_mmio(hpt_clock_open_mmio(&m.now, sizeof(m.now), 0, &clk), -EINVAL, HPT_REASON_MMIO_WIDTH);
	assert_ptr_equal(clk, UNTOUCHED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_counter_without_description_is_invalid),
		cmocka_unit_test(wrong_descriptions_open_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
