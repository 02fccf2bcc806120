// SPDX-License-Identifier: MIT
/* Threads of fresh processes race: two use the default clock for the first time, one asks for another source. */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <hpt/hpt.h>

#include "process.h"

static pthread_barrier_t start;
static uint32_t wanted;
static int answer;

static void *use(void *ret)
{
	pthread_barrier_wait(&start);
	*(hpt_clock **)ret = hpt_clock_default();
	return NULL;
}

static void *ask(void *unused)
{
	pthread_barrier_wait(&start);
	answer = hpt_clock_set_default_source(wanted, 0);
	return unused;
}

/* Both users got the same clock, and it is on the source asked for exactly if the request succeeded. */
static int race(void)
{
	hpt_clock *used[2] = { NULL, NULL };
	struct hpt_clock_info info = { 0 };
	pthread_t threads[3];

	pthread_barrier_init(&start, NULL, 3);
	CHECK(!pthread_create(&threads[0], NULL, use, &used[0]) && !pthread_create(&threads[1], NULL, use, &used[1]) &&
	      !pthread_create(&threads[2], NULL, ask, NULL), "no thread");
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	CHECK(used[0] == used[1] && used[0] == hpt_clock_default(), "two default clocks");
	CHECK(!hpt_clock_get_info(NULL, &info, sizeof(info)), "no info");
	CHECK(info.flags & HPT_CLOCK_IS_DEFAULT, "not the default");
	CHECK(answer == (info.source == wanted ? 0 : -EBUSY), "answer %d, source %u", answer, info.source);
	CHECK(hpt_clock_set_default_source(wanted, 0) == answer, "the answer changed");
	return failures != 0;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 100, status;
	struct hpt_source_info info;
	pid_t pid;

	/* Facts do not fix the default, which each child then fixes for itself. */
	if (hpt_source_get_info(HPT_SOURCE_OS, &info, sizeof(info)) || info.chosen)
		return skip("the default is the OS clock already");
	wanted = HPT_SOURCE_OS;
	for (int i = 0; i < n && !failures; i++) {
		if (i == n / 2) { /* from here on the clock asked for exists, and both sides of the race are quick */
			CHECK(!hpt_clock_set_default_source(wanted, 0), "fixed too early");
			CHECK(!hpt_clock_set_default_source(HPT_SOURCE_AUTO, 0), "fixed too early");
		}
		pid = fork();
		if (!pid)
			_exit(race());
		CHECK(pid > 0 && waitpid(pid, &status, 0) == pid && !status, "child %d", i);
	}
	return failures != 0;
}
