// SPDX-License-Identifier: MIT
/*
 * The standard files are closed before the library's constructor runs. The library leaves no file open under their
 * numbers, where a program would read it as its input or write its output into it.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <unistd.h>

#include "check.h"
#include "process.h"
#include "hpt/system.h"

static bool closed[3];

static void preinit(int argc, char **argv, char **envp)
{
	(void)envp;
	for (const char *fd = argc == 2 ? argv[1] : ""; *fd >= '0' && *fd <= '2'; fd++)
		closed[*fd - '0'] = !close(*fd - '0');
	errno = ELOOP;
}

AT_PREINIT(preinit);

static void check_closed(const char *when)
{
	for (int fd = 0; fd < 3; fd++)
		CHECK(!closed[fd] || (fcntl(fd, F_GETFD) == -1 && errno == EBADF), "%s: file %d is open", when, fd);
}

/* Every source that can be opened stays open until all are. */
static void use_sources(void)
{
	hpt_clock *clk[HPT_SOURCE_MMIO + 1] = { NULL };
	struct hpt_cpu_info cpu;

	for (uint32_t id = HPT_SOURCE_AUTO; id <= HPT_SOURCE_MMIO; id++)
		if (!hpt_clock_open(id, 0, &clk[id]))
			failures += check_clock(clk[id]);
	CHECK(hpt_cpu_get_info(&cpu, sizeof(cpu)) <= 0, "the processor");
	check_closed("with clocks open");
	for (uint32_t id = HPT_SOURCE_AUTO; id <= HPT_SOURCE_MMIO; id++)
		hpt_clock_close(clk[id]);
}

int main(int argc, char **argv)
{
	int error = errno;

	(void)argv;
	if (argc != 2)
		return 2;
	CHECK(error == ELOOP, "the constructor made errno %d", error);
	check_closed("after load");
	failures += check_clock(NULL);
	use_sources();
	check_closed("at the end");
	return failures != 0;
}
