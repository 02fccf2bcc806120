// SPDX-License-Identifier: MIT
/* What failed calls mean for a question to a source. */
#include "unit.h"

#include <errno.h>

#include "machine/env.h"
#include "wall/wall_source.h"

static void failed_calls_have_reasons(void **state)
{
	static const struct {
		int err;
		uint32_t reason;
	} rows[] = {
		{ ENOENT, HPT_WALL_REASON_ABSENT }, { ENOTDIR, HPT_WALL_REASON_ABSENT },
		{ ENODEV, HPT_WALL_REASON_ABSENT }, { ENXIO, HPT_WALL_REASON_ABSENT },
		{ ECONNREFUSED, HPT_WALL_REASON_ABSENT }, { EACCES, HPT_WALL_REASON_DENIED },
		{ EPERM, HPT_WALL_REASON_DENIED }, { ETIMEDOUT, HPT_WALL_REASON_NO_ANSWER },
		{ EOPNOTSUPP, HPT_WALL_REASON_NOT_DEVICE }, { ERANGE, HPT_WALL_REASON_ABSURD },
		{ EIO, HPT_WALL_REASON_FAILED }, { ENOSYS, HPT_WALL_REASON_FAILED }, { EINVAL, HPT_WALL_REASON_FAILED },
		{ ENAMETOOLONG, HPT_WALL_REASON_FAILED }, { ELOOP, HPT_WALL_REASON_FAILED },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct hpt_wall_ask ask = { .error = 77 };

		assert_int_equal(hpt_wall_ask_failed(&ask, -rows[i].err), rows[i].reason);
		assert_int_equal(ask.error, rows[i].err);
	}
}

/* HPT_ENOTDEVICE is the library's own: nobody else knows it. */
static void other_kinds_of_files_are_no_device(void **state)
{
	struct hpt_wall_ask ask = { 0 };

	(void)state;
	assert_int_equal(hpt_wall_ask_failed(&ask, -HPT_ENOTDEVICE), HPT_WALL_REASON_NOT_DEVICE);
	assert_int_equal(ask.error, ENODEV);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(failed_calls_have_reasons),
		cmocka_unit_test(other_kinds_of_files_are_no_device),
	};

	return cmocka_run_group_tests_name("wall_source", tests, NULL, NULL);
}
