// SPDX-License-Identifier: MIT
/* The live environment: its clocks and facts, and the files that may be in the place of a device. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "open_files.h"

#include "fake_env.h"
#include "hpt/hpt.h"
#include "machine/live.h"
#include "machine/sys_clock.h"

static void auxiliary_vector_is_read(void **state)
{
	(void)state;
	assert_int_equal(hpt_env_live.auxval(AT_PAGESZ), getpagesize());
	assert_int_equal(hpt_env_live.auxval(UINT32_MAX), 0);
}

static void random_bits_differ(void **state)
{
	uint64_t one = hpt_env_live.random(), two = hpt_env_live.random(), either = one | two;

	(void)state;
	assert_int_not_equal(one, two);
	for (int i = 0; i < 62; i++)
		either |= hpt_env_live.random();
	assert_int_equal(either, UINT64_MAX);
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
		cmocka_unit_test(auxiliary_vector_is_read),
		cmocka_unit_test(random_bits_differ),
		cmocka_unit_test(only_the_device_is_mapped),
		cmocka_unit_test(device_numbers_are_compared_whole),
		cmocka_unit_test(only_character_devices_are_mapped_as_registers),
		cmocka_unit_test(coarse_clock_steps_by_jiffies),
		cmocka_unit_test(live_clocks_tell_the_time),
		cmocka_unit_test(environment_is_read),
		cmocka_unit_test(kernels_own_clock_lies_between_two_of_libcs),
		cmocka_unit_test(glibcs_own_facts_are_used),
		cmocka_unit_test(cached_facts_are_cpuids),
	};

	return cmocka_run_group_tests(tests, fake_env_setup, NULL);
}
