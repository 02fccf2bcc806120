// SPDX-License-Identifier: MIT
/* The counter's rate from a fake device tree. */
#include <stdlib.h>
#include <unistd.h>

#include "open_files.h"

#include "fake_env.h"
#include "machine/counter_hz.h"

#define TIMEBASE "/proc/device-tree/cpus/timebase-frequency"

/* The rate that a property of these bytes states, in a kernel that states 77 Hz itself. */
static uint64_t rate_of(const char *bytes, size_t n)
{
	char path[] = "/tmp/hpt-timebase-XXXXXX";
	uint32_t before = open_files();
	int fd = mkstemp(path);
	uint64_t hz;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, n), n);
	close(fd);
	fake_env_place(TIMEBASE, path);
	fake.counter_hz = 77;
	hz = hpt_counter_hz(&fake_env);
	unlink(path);
	assert_int_equal(open_files(), before);
	return hz;
}

static void counters_rate_is_big_endian(void **state)
{
	(void)state;
	assert_int_equal(rate_of("\x00\x98\x96\x80", 4), 10000000);
	assert_int_equal(rate_of("\xff\xff\xff\xfe", 4), UINT32_MAX - 1);
	assert_int_equal(rate_of("\x00\x00\x00\x00\x00\x98\x96\x80", 8), 10000000);
	assert_int_equal(rate_of("\x01\x02\x03\x04\x05\x06\x07\x08", 8), UINT64_C(0x0102030405060708));
}

static void rate_of_another_length_is_not_taken(void **state)
{
	struct hpt_env env = fake_env;

	(void)state;
	for (size_t n = 0; n <= 12; n++)
		if (n != 4 && n != 8)
			assert_int_equal(rate_of("\x00\x98\x96\x80\x00\x98\x96\x80\x00\x98\x96\x80", n), 77);
	env.counter_hz = NULL;
	fake_env_place(TIMEBASE, NULL);
	assert_int_equal(hpt_counter_hz(&env), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counters_rate_is_big_endian),
		cmocka_unit_test(rate_of_another_length_is_not_taken),
	};

	return cmocka_run_group_tests(tests, fake_env_setup, NULL);
}
