// SPDX-License-Identifier: MIT
/*
 * A sandbox that kills for any system call but those of hpt_source(7), "Containers and sandboxes", in force already
 * before the library's constructor runs. With HPT_SOURCE=os, load and reads survive it.
 */
#include <errno.h>
#include <stdbool.h>
#include <sys/syscall.h>

#include "check.h"
#include "filter.h"
#include "process.h"

static bool installed;

static void preinit(int argc, char **argv, char **envp)
{
	/* The clock may be a system call on this machine; this program itself needs the other two to print and exit. */
	static const long calls[] = {
		SYS_clock_gettime,
#ifdef SYS_clock_gettime64
		SYS_clock_gettime64,
#endif
		SYS_write, SYS_exit_group,
	};

	(void)argc, (void)argv, (void)envp;
	installed = filter_allow_only(calls, sizeof(calls) / sizeof(calls[0]));
	errno = ELOOP;
}

AT_PREINIT(preinit);

int main(void)
{
	static const struct refusal skipped = { HPT_REASON_SKIPPED_ENV, 0, HPT_STAGE_UNTRIED };
	struct hpt_clock_info info = { 0 };
	int error = errno;

	if (!installed) {
		fputs("skipped: no seccomp here\n", stderr);
		return SKIP;
	}
	CHECK(error == ELOOP, "the constructor made errno %d", error);
	CHECK(!hpt_clock_get_info(NULL, &info, sizeof(info)), "no info");
	CHECK(info.source == HPT_SOURCE_OS && info.reason == HPT_REASON_REQUESTED_ENV, "source %u, reason %u",
	      info.source, info.reason);
#if defined(__x86_64__) || defined(__i386__)
	failures += check_refused(HPT_SOURCE_TSC, &skipped);
	failures += check_refused(HPT_SOURCE_HPET, &skipped);
#else
	(void)skipped;
#endif
	failures += check_clock(NULL);
	return failures != 0;
}
