// SPDX-License-Identifier: MIT
/* The kernel's clocksource from a fake /sys. */
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "open_files.h"

#include "fake_env.h"
#include "machine/clocksource.h"

static enum hpt_kernel_source ask(char name[32])
{
	uint32_t before = open_files();
	enum hpt_kernel_source answer;

	memset(name, 'x', 32);
	answer = hpt_kernel_clocksource(&fake_env, "tsc", name, 32);
	assert_int_equal(open_files(), before);
	assert_non_null(memchr(name, '\0', 32));
	return answer;
}

static void kernels_word_is_taken_whole(void **state)
{
	static const struct {
		const char *text, *name;
		enum hpt_kernel_source answer;
	} rows[] = {
		{ "tsc\n", "tsc", HPT_KERNEL_AGREES },
		{ "tsc", "tsc", HPT_KERNEL_AGREES },
		{ "tsc \n", "tsc", HPT_KERNEL_AGREES },
		{ "hyperv_clocksource_tsc_page\n", "hyperv_clocksource_tsc_page", HPT_KERNEL_OTHER },
		{ "kvm-clock\n", "kvm-clock", HPT_KERNEL_OTHER },
		{ "tsc-early\n", "tsc-early", HPT_KERNEL_OTHER },
		{ "hpet\n", "hpet", HPT_KERNEL_OTHER },
		{ "TSC\n", "TSC", HPT_KERNEL_OTHER },
		{ "ts\n", "ts", HPT_KERNEL_OTHER },
		{ "", "", HPT_KERNEL_UNREADABLE },
		{ "\n", "", HPT_KERNEL_UNREADABLE },
		{ NULL, "", HPT_KERNEL_UNREADABLE },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		char name[32];

		fake_env_kernel(rows[i].text);
		assert_int_equal(ask(name), rows[i].answer);
		assert_string_equal(name, rows[i].name);
	}
}

static void each_counter_has_its_own_name(void **state)
{
	char name[32];

	(void)state;
	fake_env_kernel("arch_sys_counter\n");
	assert_int_equal(hpt_kernel_clocksource(&fake_env, "arch_sys_counter", name, 32), HPT_KERNEL_AGREES);
	assert_int_equal(hpt_kernel_clocksource(&fake_env, "arch_sys", name, 32), HPT_KERNEL_OTHER);
	assert_int_equal(hpt_kernel_clocksource(&fake_env, "tsc", name, 32), HPT_KERNEL_OTHER);
}

static void long_names_are_cut_not_overrun(void **state)
{
	char text[4096], name[32];

	(void)state;
	memset(text, 'a', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	fake_env_kernel(text);
	assert_int_equal(ask(name), HPT_KERNEL_OTHER);
	assert_int_equal(strlen(name), 31);
	memcpy(text, "tsc\n", 4); /* what follows the first line does not matter */
	fake_env_kernel(text);
	assert_int_equal(ask(name), HPT_KERNEL_AGREES);
}

static void odd_files_are_unreadable_and_do_not_hang(void **state)
{
	const char *path = fake_env_kernel_path();
	char name[32];

	(void)state;
	fake_env_kernel(NULL);
	assert_int_equal(mkdir(path, 0700), 0);
	assert_int_equal(ask(name), HPT_KERNEL_UNREADABLE);
	assert_int_equal(rmdir(path), 0);
	assert_int_equal(mkfifo(path, 0600), 0);
	alarm(10); /* a reader that waits for a writer would wait for ever */
	assert_int_equal(ask(name), HPT_KERNEL_UNREADABLE);
	alarm(0);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(symlink(path, path), 0);
	assert_int_equal(ask(name), HPT_KERNEL_UNREADABLE);
	assert_int_equal(unlink(path), 0);
	fake_env_place("/sys", NULL);
	assert_int_equal(ask(name), HPT_KERNEL_UNREADABLE);
	assert_string_equal(name, "");
	fake_env_reset();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kernels_word_is_taken_whole),
		cmocka_unit_test(each_counter_has_its_own_name),
		cmocka_unit_test(long_names_are_cut_not_overrun),
		cmocka_unit_test(odd_files_are_unreadable_and_do_not_hang),
	};

	return cmocka_run_group_tests(tests, fake_env_setup, NULL);
}
