// SPDX-License-Identifier: MIT
/* The boot's id from texts that are UUIDs, and others. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "open_files.h"
#include "temp_folder.h"

#include "fake_env.h"
#include "machine/boot_id.h"
#include "machine/live.h"

static bool id_of(const char *text, uint8_t ret[16])
{
	uint32_t before = open_files();
	bool is_good;

	temp_make();
	if (text)
		temp_write("data", text, strlen(text));
	fake_env_place("/proc/sys/kernel/random/boot_id", temp_path("data"));
	memset(ret, 0x5a, 16);
	is_good = hpt_boot_id(&fake_env, ret);
	assert_int_equal(open_files(), before);
	return is_good;
}

static void id_is_the_uuids_bytes(void **state)
{
	static const uint8_t want[16] = { 0xa7, 0x2d, 0x9f, 0x67, 0x6b, 0x9f, 0x4e, 0x0c,
					  0xa5, 0xa2, 0x98, 0xa0, 0xa6, 0xa1, 0xd0, 0xff };
	uint8_t id[16];

	(void)state;
	assert_true(id_of("a72d9f67-6b9f-4e0c-a5a2-98a0a6a1d0ff\n", id));
	assert_memory_equal(id, want, 16);
	assert_true(id_of("a72d9f67-6b9f-4e0c-a5a2-98a0a6a1d0ff", id));
	assert_memory_equal(id, want, 16);
}

static void other_texts_are_none(void **state)
{
	static const char good[] = "a72d9f67-6b9f-4e0c-a5a2-98a0a6a1d0ff";
	static const uint8_t zeros[16];
	uint8_t id[16];

	(void)state;
	for (size_t n = 0; n < sizeof(good); n++) {
		char text[sizeof(good)];

		strcpy(text, good);
		text[n] = '\0'; /* cut short */
		assert_int_equal(id_of(text, id), n == sizeof(good) - 1);
		if (n == sizeof(good) - 1)
			break;
		assert_memory_equal(id, zeros, 16);
		strcpy(text, good);
		text[n] = good[n] == '-' ? '0' : n & 1 ? '-' : 'g';
		assert_false(id_of(text, id));
		assert_memory_equal(id, zeros, 16);
	}
	assert_false(id_of(NULL, id));
	assert_memory_equal(id, zeros, 16);
}

static void this_boot_has_one(void **state)
{
	uint8_t a[16], b[16];

	(void)state;
	assert_int_equal(hpt_boot_id(&hpt_env_live, a), hpt_boot_id(&hpt_env_live, b));
	assert_memory_equal(a, b, 16);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(id_is_the_uuids_bytes),
		cmocka_unit_test(other_texts_are_none),
		cmocka_unit_test(this_boot_has_one),
	};

	return cmocka_run_group_tests(tests, fake_env_setup, NULL);
}
