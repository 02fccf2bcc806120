// SPDX-License-Identifier: MIT
/*
 * A sandbox that denies clock_gettime() on a machine whose vDSO knows only the coarse clocks, as with clocksource hpet.
 * A filter denies the system call; libc's function is replaced, since this machine's vDSO may know more clocks.
 */
#include <dlfcn.h>
#include <errno.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "filter.h"
#include "process.h"

static int (*libc_clock_gettime)(clockid_t id, struct timespec *ret);
static unsigned denied;
static bool installed;

static void preinit(int argc, char **argv, char **envp)
{
	static const long calls[] = { SYS_clock_gettime };

	(void)argc, (void)argv, (void)envp;
	libc_clock_gettime = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
	installed = filter_deny(calls, 1, EPERM);
}

AT_PREINIT(preinit);

int clock_gettime(clockid_t id, struct timespec *ret)
{
	if (id == CLOCK_REALTIME_COARSE || id == CLOCK_MONOTONIC_COARSE)
		return libc_clock_gettime(id, ret);
	denied++;
	errno = EPERM;
	return -1;
}

int main(void)
{
	hpt_clock *clk = NULL;

	if (!installed)
		return skip("no seccomp here");
	CHECK(denied > 0, "no clock was denied at load");
	failures += check_choice(kernel_word(), NULL);
	failures += check_clock(NULL);
	CHECK(!hpt_clock_open(HPT_SOURCE_OS, 0, &clk), "the OS clock does not open");
	failures += check_clock(clk);
	hpt_clock_close(clk);
	return failures != 0;
}
