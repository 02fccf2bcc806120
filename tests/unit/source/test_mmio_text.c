// SPDX-License-Identifier: MIT
/* HPT_MMIO as text: each field, its limits, and the reason that names a wrong one. */
#include <string.h>

#include "unit.h"

#include "hpt/hpt.h"
#include "hpt/mmio.h"
#include "source/mmio_text.h"

_Static_assert(sizeof(struct hpt_mmio) == HPT_MMIO_SIZE_V0, "hpt_mmio");
_Static_assert(offsetof(struct hpt_mmio, flags) == 4 && offsetof(struct hpt_mmio, frequency_hz) == 8 &&
	       offsetof(struct hpt_mmio, address) == 16 && offsetof(struct hpt_mmio, offset) == 24 &&
	       offsetof(struct hpt_mmio, uio) == 32, "one layout on all architectures");

#define NAME_63 "a23456789012345678901234567890123456789012345678901234567890123"

static const struct hpt_mmio untouched = { .width = 4711, .flags = 815, .frequency_hz = 42, .uio = "untouched" };

static void check(const char *text, struct hpt_mmio want)
{
	struct hpt_mmio got = untouched;

	assert_int_equal(hpt_mmio_parse(text, &got), HPT_REASON_NONE);
	assert_memory_equal(&got, &want, sizeof(got));
}

static void every_field_is_taken(void **state)
{
	(void)state;
	check("uio=a9-global-timer,width=64,frequency=100000000",
	      (struct hpt_mmio){ .width = 64, .frequency_hz = 100000000, .uio = "a9-global-timer" });
	check("frequency=1000000,polled,direction=down,width=32,offset=0x24,devmem=0x10011000",
	      (struct hpt_mmio){ .width = 32, .flags = HPT_MMIO_DOWN | HPT_MMIO_POLLED, .frequency_hz = 1000000,
				 .address = 0x10011000, .offset = 0x24 });
	check("uio=" NAME_63 ",width=0X10,frequency=1000,direction=up,offset=00012",
	      (struct hpt_mmio){ .width = 16, .frequency_hz = 1000, .offset = 12, .uio = NAME_63 });
	check("devmem=0x7fffffFFFFFFFf00,width=64,frequency=10000000000,",
	      (struct hpt_mmio){ .width = 64, .frequency_hz = UINT64_C(10000000000),
				 .address = UINT64_C(0x7fffffffffffff00) });
	check("uio=two words: a / and 'quotes',width=32,frequency=24000000",
	      (struct hpt_mmio){ .width = 32, .frequency_hz = 24000000, .uio = "two words: a / and 'quotes'" });
}

static void each_error_names_the_field(void **state)
{
	static const struct {
		const char *text;
		uint32_t reason;
	} rows[] = {
		{ "", HPT_REASON_MMIO_PLACE },
		{ ",", HPT_REASON_MMIO_FIELD },
		{ "uio=a,,width=64,frequency=1000000", HPT_REASON_MMIO_FIELD },
		{ "uio=a,Width=64,frequency=1000000", HPT_REASON_MMIO_FIELD },
		{ "uio=a,widt=64,frequency=1000000", HPT_REASON_MMIO_FIELD },
		{ "uio=a,width ,frequency=1000000", HPT_REASON_MMIO_FIELD },
		{ "uio=a,width=64,width=64,frequency=1000000", HPT_REASON_MMIO_FIELD },
		{ "uio=a,uio=b,width=64,frequency=1000000", HPT_REASON_MMIO_FIELD },
		{ "uio=a,width=64,frequency=1000000,polled,polled", HPT_REASON_MMIO_FIELD },
		{ "uio=a,width=64,frequency=1000000,polled=1", HPT_REASON_MMIO_FIELD },
		{ "uio=a,width=64,frequency=1000000,polled=", HPT_REASON_MMIO_FIELD },
		{ "width=64,frequency=1000000", HPT_REASON_MMIO_PLACE },
		{ "uio=a,devmem=4,width=64,frequency=1000000", HPT_REASON_MMIO_PLACE },
		{ "uio=,width=64,frequency=1000000", HPT_REASON_MMIO_UIO },
		{ "uio=" NAME_63 "4,width=64,frequency=1000000", HPT_REASON_MMIO_UIO },
		{ "devmem=0,width=64,frequency=1000000", HPT_REASON_MMIO_DEVMEM },
		{ "devmem=,width=64,frequency=1000000", HPT_REASON_MMIO_DEVMEM },
		{ "devmem=0x,width=64,frequency=1000000", HPT_REASON_MMIO_DEVMEM },
		{ "devmem=12a4,width=64,frequency=1000000", HPT_REASON_MMIO_DEVMEM },
		{ "devmem=0x1e000202,width=64,frequency=1000000", HPT_REASON_MMIO_DEVMEM },
		{ "devmem=0x10000000000000004,width=64,frequency=1000000", HPT_REASON_MMIO_DEVMEM },
		{ "devmem=18446744073709551620,width=64,frequency=1000000", HPT_REASON_MMIO_DEVMEM },
		{ "devmem=0xfffffffffffffffc,width=64,frequency=1000000", HPT_REASON_MMIO_OFFSET },
		{ "devmem=0xfffffffffffffffc,offset=4,width=64,frequency=1000000", HPT_REASON_MMIO_OFFSET },
		{ "uio=a,offset=0x7ffffffffffffff8,width=64,frequency=1000000", HPT_REASON_MMIO_OFFSET },
		{ "uio=a,offset=-4,width=64,frequency=1000000", HPT_REASON_MMIO_OFFSET },
		{ "uio=a,offset=,width=64,frequency=1000000", HPT_REASON_MMIO_OFFSET },
		{ "uio=a,offset=2,width=16,frequency=1000000", HPT_REASON_MMIO_OFFSET },
		{ "uio=a,frequency=1000000", HPT_REASON_MMIO_WIDTH },
		{ "uio=a,width=24,frequency=1000000", HPT_REASON_MMIO_WIDTH },
		{ "uio=a,width=+32,frequency=1000000", HPT_REASON_MMIO_WIDTH },
		{ "uio=a,width=4294967328,frequency=1000000", HPT_REASON_MMIO_WIDTH },
		{ "uio=a,width=64", HPT_REASON_MMIO_FREQUENCY },
		{ "uio=a,width=64,frequency=0", HPT_REASON_MMIO_FREQUENCY },
		{ "uio=a,width=64,frequency=999", HPT_REASON_MMIO_FREQUENCY },
		{ "uio=a,width=64,frequency=10000000001", HPT_REASON_MMIO_FREQUENCY },
		{ "uio=a,width=64,frequency=24MHz", HPT_REASON_MMIO_FREQUENCY },
		{ "uio=a,width=64,frequency=1000000,direction=", HPT_REASON_MMIO_DIRECTION },
		{ "uio=a,width=64,frequency=1000000,direction=downwards", HPT_REASON_MMIO_DIRECTION },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct hpt_mmio got = untouched;
		uint32_t reason = hpt_mmio_parse(rows[i].text, &got);

		if (reason != rows[i].reason)
			fail_msg("'%s': %s", rows[i].text, hpt_reason_text(reason));
		assert_memory_equal(&got, &untouched, sizeof(got));
	}
}

static void structs_have_the_same_limits(void **state)
{
	struct hpt_mmio good = { .width = 64, .frequency_hz = 1000, .uio = "a" }, bad;

	(void)state;
	assert_int_equal(hpt_mmio_validate(&good), HPT_REASON_NONE);
	bad = good;
	memset(bad.uio, 'a', sizeof(bad.uio)); /* not terminated */
	assert_int_equal(hpt_mmio_validate(&bad), HPT_REASON_MMIO_UIO);
	bad = good;
	bad.flags = 4;
	assert_int_equal(hpt_mmio_validate(&bad), HPT_REASON_MMIO_FIELD);
	bad = good;
	bad.address = 4;
	assert_int_equal(hpt_mmio_validate(&bad), HPT_REASON_MMIO_PLACE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_field_is_taken),
		cmocka_unit_test(each_error_names_the_field),
		cmocka_unit_test(structs_have_the_same_limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
