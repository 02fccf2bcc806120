// SPDX-License-Identifier: MIT
/*
 * Files other than an HPET under the name /dev/hpet, put there in a mount namespace. The library refuses them at load
 * and at open, without a SIGBUS, without waiting, and without leaving a file open. The unit tests have a fake HPET that
 * counts (fake_hpet.c).
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "check.h"
#include "namespaces.h"
#include "process.h"

#define HPET "/dev/hpet"

/* ---- Nodes: each function returns 0 when it made one ------------------------------------------------- */

static int make_file(const void *content, size_t size)
{
	int fd = open(HPET, O_CREAT | O_WRONLY | O_CLOEXEC, 0644);

	return fd < 0 || write(fd, content, size) != (ssize_t)size || close(fd);
}

static int empty(void)
{
	return make_file("", 0);
}

static int zeros(void)
{
	static const char page[4096];

	return make_file(page, sizeof(page));
}

/* 64 bits, 14.318 MHz, enabled: registers without a fault. */
static int registers(void)
{
	static uint32_t page[1024];

	page[0] = 0x8086a201;
	page[1] = 69841279;
	page[4] = 1;
	page[0xf0 / 4] = 12345;
	return make_file(page, sizeof(page));
}

static int directory(void)
{
	return mkdir(HPET, 0755);
}

static int fifo(void)
{
	return mkfifo(HPET, 0644);
}

static int bound_socket(void)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX, .sun_path = HPET };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	return fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof(address)) || close(fd);
}

/* Character devices with other device numbers; the first can be mapped. */
static int link_to_zero(void)
{
	return symlink("/dev/zero", HPET);
}

static int link_to_null(void)
{
	return symlink("/dev/null", HPET);
}

static int dangling(void)
{
	return symlink("nowhere", HPET);
}

static int loop(void)
{
	return symlink(HPET, HPET);
}

static int absent(void)
{
	return 0;
}

#define NOT_DEVICE { HPT_REASON_HPET_NOT_DEVICE, ENODEV, HPT_STAGE_OPEN }

static const struct node {
	const char *name;
	int (*make)(void);
	struct refusal refusal;
} nodes[] = {
	{ "empty",     empty,        NOT_DEVICE },
	{ "zeros",     zeros,        NOT_DEVICE },
	{ "registers", registers,    NOT_DEVICE },
	{ "directory", directory,    NOT_DEVICE },
	{ "fifo",      fifo,         NOT_DEVICE },
	{ "zero",      link_to_zero, NOT_DEVICE },
	{ "null",      link_to_null, NOT_DEVICE },
	{ "socket",    bound_socket, { HPT_REASON_HPET_NODEV, ENXIO, HPT_STAGE_OPEN } },
	{ "loop",      loop,         { HPT_REASON_HPET_NOT_DEVICE, ELOOP, HPT_STAGE_OPEN } },
	{ "dangling",  dangling,     { HPT_REASON_HPET_NOENT, ENOENT, HPT_STAGE_OPEN } },
	{ "absent",    absent,       { HPT_REASON_HPET_NOENT, ENOENT, HPT_STAGE_OPEN } },
};

/* ---- Before and after exec ------------------------------------------------------------------------------ */

static int load_again(const struct node *node, char *program)
{
	char name[32], self[] = "/proc/self/exe", loaded[] = "loaded";
	char *args[] = { program, name, loaded, NULL };
	int r = enter_own_dev();

	if (r) {
		printf("%s\n", strerror(-r));
		return skip("no mount namespace with a /dev of its own");
	}
	CHECK(!node->make(), "%s: %s", node->name, strerror(errno));
	if (failures)
		return 1;
	snprintf(name, sizeof(name), "%s", node->name);
	setenv("HPT_SOURCE", "hpet", 1);
	execv(self, args);
	perror(self);
	return 1;
}

static int lowest_fd(void)
{
	int fd = dup(STDERR_FILENO);

	close(fd);
	return fd;
}

static int check_loaded(const struct node *node)
{
	struct hpt_clock_info info = { 0 };
	int fd = lowest_fd();

	CHECK(!hpt_clock_get_info(NULL, &info, sizeof(info)), "no info");
	CHECK(info.env_requested == HPT_SOURCE_HPET && info.flags & HPT_CLOCK_ENV_REFUSED, "flags %u", info.flags);
	CHECK(info.source == HPT_SOURCE_OS || info.source == HPT_SOURCE_TSC, "source %u", info.source);
	failures += check_refused(HPT_SOURCE_HPET, &node->refusal);
	for (int i = 0; i < 3; i++)
		failures += check_not_opened(HPT_SOURCE_HPET, &node->refusal);
	CHECK(lowest_fd() == fd, "a file stayed open");
	failures += check_clock(NULL);
	return failures != 0;
}

int main(int argc, char **argv)
{
	for (size_t i = 0; argc > 1 && i < sizeof(nodes) / sizeof(nodes[0]); i++)
		if (!strcmp(nodes[i].name, argv[1]))
			return argc == 2 ? load_again(&nodes[i], argv[0]) : check_loaded(&nodes[i]);
	return 2;
}
