// SPDX-License-Identifier: MIT
/* The kernel's clocksource from a fake /sys, and the files that may be in the place of /dev/hpet. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unit.h"

#include "fake_env.h"
#include "hpt/hpt.h"
#include "machine/live.h"
#include "machine/sys_clock.h"
#include "source/source.h"

static uint32_t open_files(void)
{
	DIR *dir = opendir("/proc/self/fd");
	uint32_t n = 0;

	assert_non_null(dir);
	while (readdir(dir))
		n++;
	closedir(dir);
	return n;
}

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

/* The rate that a property of these bytes states, in a kernel that states 77 Hz itself. */
static uint64_t rate_of(const char *bytes, size_t n)
{
	char path[] = "/tmp/hpt-timebase-XXXXXX";
	struct hpt_env env = fake_env;
	uint32_t before = open_files();
	int fd = mkstemp(path);
	uint64_t hz;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, n), n);
	close(fd);
	env.timebase_path = path;
	fake.counter_hz = 77;
	hz = hpt_counter_hz(&env);
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
	env.timebase_path = "/nonexistent";
	assert_int_equal(hpt_counter_hz(&env), 0);
	assert_string_equal(hpt_env_live.timebase_path, "/proc/device-tree/cpus/timebase-frequency");
}

static void auxiliary_vector_is_read(void **state)
{
	(void)state;
	assert_int_equal(hpt_env_live.auxval(AT_PAGESZ), getpagesize());
	assert_int_equal(hpt_env_live.auxval(UINT32_MAX), 0);
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
	char name[32], longest[400];

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
	memset(longest, '/', sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = '\0';
	fake_env.sysfs_root = longest;
	assert_int_equal(ask(name), HPT_KERNEL_UNREADABLE);
	fake_env_reset();
	fake_env.sysfs_root = "/nonexistent";
	assert_int_equal(ask(name), HPT_KERNEL_UNREADABLE);
	assert_string_equal(name, "");
	fake_env_reset();
}

/* ---- In the place of /dev/hpet --------------------------------------------------------------------- */

static void check_hpet(const char *path, int want, uint32_t want_stage)
{
	const volatile void *page = &want;
	uint32_t before = open_files(), stage = 99;
	int r;

	alarm(10);
	r = hpt_env_live.map_hpet(path, &page, &stage);
	alarm(0);
	if (r != want || stage != want_stage)
		fail_msg("%s: %d at stage %u, wanted %d at %u", path, r, stage, want, want_stage);
	assert_ptr_equal(page, &want);
	assert_int_equal(open_files(), before);
}

static void only_the_device_is_mapped(void **state)
{
	char dir[] = "/tmp/hpt-env-XXXXXX", path[64], other[64], zeros[4096] = { 0 };
	int fd;

	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/hpet", dir);
	snprintf(other, sizeof(other), "%s/file", dir);
	check_hpet(path, -ENOENT, HPT_STAGE_OPEN);
	check_hpet("", -ENOENT, HPT_STAGE_OPEN);
	check_hpet(dir, -HPT_ENOTDEVICE, HPT_STAGE_OPEN);
	check_hpet("/dev/zero", -HPT_ENOTDEVICE, HPT_STAGE_OPEN); /* a character device, and it can be mapped */
	check_hpet("/dev/null", -HPT_ENOTDEVICE, HPT_STAGE_OPEN);

	fd = open(path, O_CREAT | O_WRONLY, 0600);
	check_hpet(path, -HPT_ENOTDEVICE, HPT_STAGE_OPEN); /* empty: a mapping would be a SIGBUS */
	assert_int_equal(write(fd, zeros, sizeof(zeros)), sizeof(zeros));
	close(fd);
	check_hpet(path, -HPT_ENOTDEVICE, HPT_STAGE_OPEN);
	assert_int_equal(rename(path, other), 0);
	assert_int_equal(symlink(other, path), 0);
	check_hpet(path, -HPT_ENOTDEVICE, HPT_STAGE_OPEN);
	unlink(path);
	assert_int_equal(symlink("/dev/zero", path), 0);
	check_hpet(path, -HPT_ENOTDEVICE, HPT_STAGE_OPEN);
	unlink(path);
	assert_int_equal(symlink("nowhere", path), 0);
	check_hpet(path, -ENOENT, HPT_STAGE_OPEN);
	unlink(path);
	snprintf(path, sizeof(path), "%s/file/hpet", dir);
	check_hpet(path, -ENOTDIR, HPT_STAGE_OPEN);
	snprintf(path, sizeof(path), "%s/hpet", dir);
	assert_int_equal(mkfifo(path, 0600), 0);
	check_hpet(path, -HPT_ENOTDEVICE, HPT_STAGE_OPEN);
	unlink(path);
	unlink(other);
	rmdir(dir);
}

static void device_numbers_are_compared_whole(void **state)
{
	static const struct {
		unsigned major, minor;
	} wrong[] = { { 10, 229 }, { 11, 228 }, { 228, 10 }, { 1, 5 } };
	char path[] = "/tmp/hpt-node-XXXXXX";
	int fd = mkstemp(path);

	(void)state;
	close(fd);
	unlink(path);
	for (size_t i = 0; i < COUNT(wrong); i++) {
		const volatile void *page = NULL;
		uint32_t stage;

		if (mknod(path, S_IFCHR | 0600, (dev_t)(wrong[i].major << 8 | wrong[i].minor)))
			return; /* not root: /dev/zero above must do */
		/* Opened or not (no such driver), it is never mapped. */
		assert_true(hpt_env_live.map_hpet(path, &page, &stage) < 0);
		assert_int_equal(stage, HPT_STAGE_OPEN);
		assert_null(page);
		unlink(path);
	}
}

/* ---- The hypervisor's marker ------------------------------------------------------------------------ */

/* struct vmclock_abi of version 1, up to its marker. */
static const unsigned char vmclock[64] = {
	'V', 'C', 'L', 'K', 0x00, 0x10, 0, 0, 1, 0, 1, 0, 6, 0, 0, 0x80, 0xf8, 0xf7, 0xf6, 0xf5, 0xf4, 0xf3, 0xf2, 0xf1,
	0xee, 0xee,
};

static bool marker_of(const char *path, uint64_t *ret)
{
	struct hpt_env env = fake_env;
	uint32_t before = open_files();
	bool ok;

	env.vmclock_path = path;
	*ret = 4711;
	alarm(10); /* a reader that waits for a writer would wait for ever */
	ok = hpt_vm_marker(&env, ret);
	alarm(0);
	assert_int_equal(open_files(), before);
	assert_true(ok || *ret == 4711);
	return ok;
}

/* Reads the marker from a file with the first n bytes, one of them changed. */
static bool marker_in(size_t n, size_t at, unsigned char changed, uint64_t *ret)
{
	char path[] = "/tmp/hpt-vmclock-XXXXXX";
	unsigned char page[sizeof(vmclock)];
	int fd = mkstemp(path);
	bool ok;

	memcpy(page, vmclock, sizeof(page));
	page[at] = changed;
	assert_true(fd >= 0);
	assert_int_equal(write(fd, page, n), n);
	close(fd);
	ok = marker_of(path, ret);
	unlink(path);
	return ok;
}

static void only_character_devices_are_mapped_as_registers(void **state)
{
	char path[] = "/tmp/hpt-registers-XXXXXX";
	uint32_t before = open_files(), stage = 99;
	const volatile void *at = path;
	int fd = mkstemp(path);

	(void)state;
	assert_int_equal(ftruncate(fd, 8192), 0);
	close(fd);
	assert_int_equal(hpt_env_live.map_registers(path, 0, 8, &at, &stage), -HPT_ENOTDEVICE);
	assert_int_equal(stage, HPT_STAGE_OPEN);
	unlink(path);
	assert_int_equal(hpt_env_live.map_registers(path, 0, 8, &at, &stage), -ENOENT);
	assert_int_equal(hpt_env_live.map_registers("/dev/null", 0, 8, &at, &stage), -ENODEV);
	assert_int_equal(stage, HPT_STAGE_MAP);
	assert_ptr_equal(at, path);

	assert_int_equal(hpt_env_live.map_registers("/dev/zero", 65536 * 3 + 0x204, 0x20000, &at, &stage), 0);
	assert_int_equal((uintptr_t)at % 4096, 0x204);
	assert_int_equal(((const volatile char *)at)[0x1ffff], 0);
	hpt_env_live.unmap_registers(at, 0x20000);
	assert_int_equal(open_files(), before);
	if (is_emulated()) /* QEMU keeps the address space of 32 bits mapped */
		return;
	assert_int_equal(msync((void *)((uintptr_t)at - 0x204), 4096, MS_ASYNC), -1);
	assert_int_equal(msync((void *)((uintptr_t)at - 0x204 + 0x20000), 4096, MS_ASYNC), -1);
}

static void coarse_clock_steps_by_jiffies(void **state)
{
	int64_t step = hpt_env_live.coarse_step_ns();

	(void)state;
	assert_true(step >= 1 && step <= 10000000);
}

static void marker_is_read_where_the_page_is_whole_and_at_rest(void **state)
{
	uint64_t marker;

	(void)state;
	assert_true(marker_in(64, 63, 0, &marker));
	assert_true(marker == UINT64_C(0xf1f2f3f4f5f6f7f8));
	assert_true(marker_in(24, 23, 0, &marker));
	assert_true(marker == UINT64_C(0x00f2f3f4f5f6f7f8));
	assert_false(marker_in(23, 0, 'V', &marker));
	assert_false(marker_in(0, 0, 'V', &marker));
	for (size_t i = 0; i < 4; i++)
		assert_false(marker_in(64, i, 'X', &marker)); /* another magic */
	assert_false(marker_in(64, 12, 7, &marker)); /* being updated */
	assert_true(marker_in(64, 12, 8, &marker));
	assert_true(marker_in(64, 13, 1, &marker));
	assert_true(marker_in(64, 11, 1, &marker) && marker_in(64, 24, 1, &marker)); /* the fields beside it */
}

static void whatever_else_is_there_has_no_marker_and_does_not_hang(void **state)
{
	char dir[] = "/tmp/hpt-vmclock-XXXXXX", path[64];
	uint64_t marker;

	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/vmclock0", dir);
	assert_false(marker_of(path, &marker));
	assert_false(marker_of(dir, &marker));
	assert_false(marker_of("/dev/zero", &marker));
	assert_false(marker_of("/dev/null", &marker));
	assert_false(marker_of("", &marker));
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_false(marker_of(path, &marker));
	unlink(path);
	assert_int_equal(symlink(path, path), 0);
	assert_false(marker_of(path, &marker));
	unlink(path);
	rmdir(dir);
	assert_string_equal(hpt_env_live.vmclock_path, "/dev/vmclock0");
}

static void live_clocks_tell_the_time(void **state)
{
	(void)state;
	for (int i = 0; i < 100; i++) {
		int64_t a = hpt_env_live.clock_ns(CLOCK_MONOTONIC), b = hpt_env_live.clock_ns_syscall(CLOCK_MONOTONIC);
		int64_t c = hpt_env_live.clock_ns(CLOCK_MONOTONIC);

		assert_true(0 < a && a <= b && b <= c);
	}
}

static void environment_is_read(void **state)
{
	(void)state;
	setenv("HPT_TEST_VARIABLE", "value", 1);
	assert_string_equal(hpt_env_live.getenv("HPT_TEST_VARIABLE"), "value");
	unsetenv("HPT_TEST_VARIABLE");
	assert_null(hpt_env_live.getenv("HPT_TEST_VARIABLE"));
}

static void kernels_own_clock_lies_between_two_of_libcs(void **state)
{
	static const clockid_t ids[] = { CLOCK_MONOTONIC, CLOCK_MONOTONIC_RAW };
	int64_t before, kernel = -1, after;

	(void)state;
	for (size_t i = 0; i < COUNT(ids); i++) {
		before = hpt_env_live.clock_ns(ids[i]);
		assert_true(hpt_env_live.kernel_ns(ids[i], &kernel));
		after = hpt_env_live.clock_ns(ids[i]);
		assert_true(before <= kernel && kernel <= after);
		assert_true(hpt_sys_clock_long_ns(ids[i], &kernel)); /* what 32-bit machines had before Linux 5.1 */
		assert_true(before <= kernel && kernel <= hpt_env_live.clock_ns(ids[i]));
	}
	kernel = -1;
	assert_false(hpt_env_live.kernel_ns(12345, &kernel));
	assert_int_equal(kernel, -1);
}

/* By any recipe: the source itself looks for the headers. */
static void glibcs_own_facts_are_used(void **state)
{
	(void)state;
#if defined(__GLIBC__) && (defined(__x86_64__) || defined(__i386__))
#if __GLIBC_PREREQ(2, 33)
	assert_non_null(hpt_env_live.cached_cpu);
#endif
#elif defined(__GLIBC__) && defined(__powerpc64__)
	assert_non_null(hpt_env_live.counter_hz);
#else
	note("this libc keeps none");
#endif
}

static void cached_facts_are_cpuids(void **state)
{
	struct hpt_cpu cached, asked;

	(void)state;
	hpt_cpu_read(hpt_env_live.cpuid, hpt_env_live.cpuid_ctx, &asked);
	if (!hpt_env_live.cached_cpu) {
		note("this libc keeps no CPUID words");
		return;
	}
	if (!hpt_env_live.cached_cpu(&cached)) {
		note("no invariant TSC, or a vendor that this libc does not know");
		return;
	}
	assert_int_equal(cached.family, asked.family);
	assert_int_equal(cached.model, asked.model);
	assert_int_equal(cached.stepping, asked.stepping);
	assert_int_equal(cached.tsc, asked.tsc);
	assert_int_equal(cached.rdtscp, asked.rdtscp);
	assert_int_equal(cached.sse2, asked.sse2);
	assert_int_equal(cached.hypervisor, asked.hypervisor);
	assert_int_equal(cached.invariant, asked.invariant);
	assert_int_equal(cached.lfence_orders, cached.sse2 && hpt_cpu_lfence_orders_by_family(cached.family));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kernels_word_is_taken_whole),
		cmocka_unit_test(each_counter_has_its_own_name),
		cmocka_unit_test(counters_rate_is_big_endian),
		cmocka_unit_test(rate_of_another_length_is_not_taken),
		cmocka_unit_test(auxiliary_vector_is_read),
		cmocka_unit_test(long_names_are_cut_not_overrun),
		cmocka_unit_test(odd_files_are_unreadable_and_do_not_hang),
		cmocka_unit_test(only_the_device_is_mapped),
		cmocka_unit_test(device_numbers_are_compared_whole),
		cmocka_unit_test(only_character_devices_are_mapped_as_registers),
		cmocka_unit_test(coarse_clock_steps_by_jiffies),
		cmocka_unit_test(marker_is_read_where_the_page_is_whole_and_at_rest),
		cmocka_unit_test(whatever_else_is_there_has_no_marker_and_does_not_hang),
		cmocka_unit_test(live_clocks_tell_the_time),
		cmocka_unit_test(environment_is_read),
		cmocka_unit_test(kernels_own_clock_lies_between_two_of_libcs),
		cmocka_unit_test(glibcs_own_facts_are_used),
		cmocka_unit_test(cached_facts_are_cpuids),
	};

	return cmocka_run_group_tests(tests, fake_env_setup, NULL);
}
