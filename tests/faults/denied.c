// SPDX-License-Identifier: MIT
/*
 * System calls that a sandbox denies already before the library's constructor runs. The filter is installed in
 * .preinit_array: by then the loader has opened everything that it needs.
 */
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "check.h"
#include "filter.h"
#include "process.h"

#ifdef SYS_open
#define OPEN SYS_openat, SYS_open
#else
#define OPEN SYS_openat
#endif

static const struct fault {
	const char *name;
	bool no_files, no_tsc;
	size_t n;
	long calls[8];
} faults[] = {
#define CALLS(...) sizeof((long[]){ __VA_ARGS__ }) / sizeof(long), { __VA_ARGS__ }
	{ "open",     true,  false, CALLS(OPEN) },
	{ "prctl",    false, false, CALLS(SYS_prctl) },
	{ "clock",    false, false, CALLS(CLOCK) },
	{ "affinity", false, false, CALLS(SYS_sched_setaffinity) },
	{ "all",      true,  false, CALLS(OPEN, SYS_prctl, CLOCK, SYS_sched_setaffinity) },
	/* Without the TSC the vDSO's clocks raise SIGSEGV, and the system call that could replace them is denied. */
	{ "notsc",    false, true,  CALLS(CLOCK) },
};

static const struct fault *fault;
static int denied_errno;
static bool installed, tsc_refused;
static enum kernel_word word;

static void preinit(int argc, char **argv, char **envp)
{
	(void)envp;
	for (size_t i = 0; argc == 3 && i < sizeof(faults) / sizeof(faults[0]); i++)
		if (!strcmp(faults[i].name, argv[1]))
			fault = &faults[i];
	if (!fault)
		return;
	word = fault->no_files ? KERNEL_UNREADABLE : kernel_word();
	denied_errno = !strcmp(argv[2], "EPERM") ? EPERM : ENOSYS;
	if (fault->no_tsc)
		tsc_refused = !prctl(PR_SET_TSC, PR_TSC_SIGSEGV, 0, 0, 0);
	installed = filter_deny(fault->calls, fault->n, denied_errno);
	errno = ELOOP;
}

AT_PREINIT(preinit);

static void check_filter(void)
{
	for (size_t i = 0; i < fault->n; i++) {
		errno = 0;
		CHECK(syscall(fault->calls[i], -1, 0, 0, 0) == -1 && errno == denied_errno, "call %ld is not denied",
		      fault->calls[i]);
	}
}

/* ENOSYS from open(2) has no reason of its own: errno and stage identify it. */
static void check_without_files(void)
{
	uint32_t reason = denied_errno == EPERM ? HPT_REASON_HPET_ACCESS : HPT_REASON_HPET_UNKNOWN;
	struct refusal hpet = { reason, (uint32_t)denied_errno, HPT_STAGE_OPEN };

	failures += check_choice(word, &hpet);
	failures += check_not_opened(HPT_SOURCE_HPET, &hpet);
}

static void check_without_tsc(void)
{
	static const struct refusal tsc = { HPT_REASON_TSC_FORBIDDEN, EPERM, HPT_STAGE_CPU };

	failures += check_refused(HPT_SOURCE_TSC, &tsc);
	failures += check_not_opened(HPT_SOURCE_TSC, &tsc);
}

static int check(void)
{
	hpt_clock *clk = NULL;

	check_filter();
	if (fault->no_files)
		check_without_files();
	else if (fault->no_tsc)
		check_without_tsc();
	else
		failures += check_choice(word, NULL);
	failures += check_clock(NULL);
	CHECK(!hpt_clock_open(HPT_SOURCE_OS, 0, &clk), "the OS clock does not open");
	failures += check_clock(clk);
	hpt_clock_close(clk);
	return failures != 0;
}

int main(void)
{
	int error = errno;

	if (!fault)
		return 2;
	if (!installed)
		return skip("no seccomp here");
	if (fault->no_tsc && !tsc_refused)
		return skip("no PR_SET_TSC here");
	if (!getauxval(AT_SYSINFO_EHDR))
		return skip("no vDSO here: without the system call there is no clock at all");
	CHECK(error == ELOOP, "the constructor made errno %d", error);
	return check();
}
