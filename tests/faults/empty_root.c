// SPDX-License-Identifier: MIT
/* A root directory without /proc, /sys and /dev, entered before the library's constructor runs. */
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "namespaces.h"
#include "process.h"
#include "hpt/system.h"

static int entered = -EPERM;

/* The directory is removed before it becomes the root: it is empty and stays empty, and no file is left over. */
static int enter_empty_root(void)
{
	char path[] = "/tmp/hpt-empty-root-XXXXXX";

	if (!mkdtemp(path))
		return -errno;
	if (chdir(path) || rmdir(path) || chroot("."))
		return -errno;
	return 0;
}

static void preinit(int argc, char **argv, char **envp)
{
	(void)argc, (void)argv, (void)envp;
	entered = gain_chroot();
	if (!entered)
		entered = enter_empty_root();
	errno = ELOOP;
}

AT_PREINIT(preinit);

int main(void)
{
	static const struct refusal hpet = { HPT_REASON_HPET_NOENT, ENOENT, HPT_STAGE_OPEN };
	struct hpt_cpu_info cpu = { .cores_online = 1 };
	int error = errno;

	if (entered)
		return skip("no permission to chroot here");
	CHECK(error == ELOOP, "the constructor made errno %d", error);
	CHECK(access("/sys", F_OK) && access("/proc", F_OK) && access("/dev", F_OK), "the root is not empty");
	failures += check_choice(KERNEL_UNREADABLE, &hpet);
#if defined(__x86_64__) || defined(__i386__)
	failures += check_not_opened(HPT_SOURCE_HPET, &hpet);
#endif
	failures += check_clock(NULL);
	CHECK(hpt_cpu_get_info(&cpu, sizeof(cpu)) == -ENOTSUP || cpu.cores_online >= 1,
	      "%u processors", cpu.cores_online);
	return failures != 0;
}
