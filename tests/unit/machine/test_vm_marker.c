// SPDX-License-Identifier: MIT
/* The hypervisor's marker in files that are VMClock's page, or other things. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "open_files.h"

#include "fake_env.h"
#include "machine/vm_marker.h"

/* struct vmclock_abi of version 1, up to its marker. */
static const unsigned char vmclock[64] = {
	'V', 'C', 'L', 'K', 0x00, 0x10, 0, 0, 1, 0, 1, 0, 6, 0, 0, 0x80, 0xf8, 0xf7, 0xf6, 0xf5, 0xf4, 0xf3, 0xf2, 0xf1,
	0xee, 0xee,
};

static bool marker_of(const char *path, uint64_t *ret)
{
	uint32_t before = open_files();
	bool ok;

	fake_env_place("/dev/vmclock0", path);
	*ret = 4711;
	alarm(10); /* a reader that waits for a writer would wait for ever */
	ok = hpt_vm_marker(&fake_env, ret);
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
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(marker_is_read_where_the_page_is_whole_and_at_rest),
		cmocka_unit_test(whatever_else_is_there_has_no_marker_and_does_not_hang),
	};

	return cmocka_run_group_tests(tests, fake_env_setup, NULL);
}
