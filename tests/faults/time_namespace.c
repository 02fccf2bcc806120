// SPDX-License-Identifier: MIT
/*
 * A process in a time namespace: its nanoseconds are on the namespace's own line. It starts there, or is forked into
 * it after load and before its first conversion, when the constructor's anchor is of the old line.
 */
#include <sched.h>
#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "namespaces.h"
#include "process.h"

#ifndef CLONE_NEWTIME
#define CLONE_NEWTIME 0x80
#endif

/* About 32 years; more than any machine has been up. */
#define OFFSET_S 1000000000

static int check_inside(void)
{
	struct timespec ts;

	CHECK(!clock_gettime(CLOCK_MONOTONIC_RAW, &ts) && ts.tv_sec >= OFFSET_S, "not in the namespace");
	CHECK(hpt_now_ns(NULL) >= (int64_t)OFFSET_S * 1000000000, "%lld ns", (long long)hpt_now_ns(NULL));
	failures += check_clock(NULL);
	return failures != 0;
}

static int start(char *program)
{
	char self[] = "/proc/self/exe", inside[] = "inside";
	char *args[] = { program, inside, NULL };

	execv(self, args);
	return 1;
}

/* Only children are in the new namespace. */
static int go_inside(bool exec, char *program)
{
	pid_t pid = fork();
	int status = 0;

	if (!pid)
		_exit(exec ? start(program) : check_inside());
	CHECK(pid > 0 && waitpid(pid, &status, 0) == pid, "no child");
	CHECK(WIFEXITED(status) && !WEXITSTATUS(status), "status %#x", (unsigned)status);
	return failures != 0;
}

int main(int argc, char **argv)
{
	const char *how = argc == 2 ? argv[1] : "";
	char text[64];

	if (!strcmp(how, "inside"))
		return check_inside();
	if (strcmp(how, "started") && strcmp(how, "forked"))
		return 2;
	if (enter_namespaces(CLONE_NEWTIME))
		return skip("no time namespace for us here");
	snprintf(text, sizeof(text), "monotonic %d 0\n", OFFSET_S);
	if (write_text("/proc/self/timens_offsets", text))
		return skip("the clocks of a time namespace cannot be set here");
	return go_inside(!strcmp(how, "started"), argv[0]);
}
