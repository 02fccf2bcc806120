// SPDX-License-Identifier: MIT
#include "namespaces.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

int write_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC), r = 0;

	if (fd < 0)
		return -errno;
	if (write(fd, text, strlen(text)) < 0)
		r = -errno;
	close(fd);
	return r;
}

static int map_to_root(const char *path, unsigned id)
{
	char text[32];

	snprintf(text, sizeof(text), "0 %u 1", id);
	return write_text(path, text);
}

int enter_namespaces(int clone_flags)
{
	unsigned uid = geteuid(), gid = getegid();
	int r;

	if (!unshare(clone_flags))
		return 0;
	if (unshare(CLONE_NEWUSER | clone_flags))
		return -errno;
	write_text("/proc/self/setgroups", "deny"); /* required before gid_map; kernels before 3.19 do not have it */
	r = map_to_root("/proc/self/uid_map", uid);
	return r ? r : map_to_root("/proc/self/gid_map", gid);
}

int gain_chroot(void)
{
	return chroot("/") ? enter_namespaces(CLONE_NEWUSER) : 0;
}

/* A user namespace cannot create a device node, but it can bind-mount an existing one. */
static int show(int fd, const char *path)
{
	char from[32];
	int file = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0666);

	snprintf(from, sizeof(from), "/proc/self/fd/%d", fd);
	if (file < 0 || mount(from, path, NULL, MS_BIND, NULL))
		return -errno;
	return close(file) | close(fd);
}

int enter_own_dev(void)
{
	int r = enter_namespaces(CLONE_NEWNS), zero, null;

	if (r)
		return r;
	if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL))
		return -errno;
	zero = open("/dev/zero", O_PATH | O_CLOEXEC);
	null = open("/dev/null", O_PATH | O_CLOEXEC);
	if (mount("tmpfs", "/dev", "tmpfs", 0, "mode=755"))
		return -errno;
	r = show(zero, "/dev/zero");
	return r ? r : show(null, "/dev/null");
}
