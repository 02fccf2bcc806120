// SPDX-License-Identifier: MIT
/*
 * Children sleep as their parents do, however they were made: by fork(), also in a sleep of another thread, by vfork(),
 * posix_spawn() and exec(), and into a time namespace.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <spawn.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/wait.h>

#include "namespaces.h"
#include "process.h"
#include "sleeper.h"

#ifndef CLONE_NEWTIME
#define CLONE_NEWTIME 0x80
#endif

extern char **environ;

static const char *own_path;

/* A time namespace moves the child's CLOCK_MONOTONIC alone. */
static clockid_t clock_of(const struct sleeper *s)
{
	return s->clock == CLOCK_MONOTONIC ? CLOCK_MONOTONIC_RAW : s->clock;
}

/* The rates of the kernel's clocks differ by 500 ppm. */
static bool sleeps_right(const struct sleeper *s, int64_t ns)
{
	int64_t left_ns, length_ns = sleeper_round(s, ns), began_ns = kernel_ns(clock_of(s)), took_ns;
	int r = s->sleep(length_ns, &left_ns);

	took_ns = kernel_ns(clock_of(s)) - began_ns;
	CHECK(!r && took_ns >= length_ns - length_ns / 1000 && took_ns < length_ns + 3 * S,
	      "%s of %lld ns: %d after %lld", s->name, (long long)length_ns, r, (long long)took_ns);
	return !failures;
}

/* All functions, some lengths. */
static int child_main(void)
{
	for (int i = 0; i < sleepers_n; i++)
		if (sleepers[i].unit_ns < S) {
			sleeps_right(&sleepers[i], 80 * US);
			sleeps_right(&sleepers[i], 5 * MS);
		}
	return failures != 0;
}

static void expect_good(pid_t child, const char *how)
{
	int status = -1;

	CHECK(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && !WEXITSTATUS(status),
	      "a child by %s: status %x", how, (unsigned)status);
}

static pid_t forked(int (*run)(void))
{
	pid_t child = fork();

	if (!child)
		_exit(run());
	return child;
}

static void forked_children_sleep(void)
{
	expect_good(forked(child_main), "fork");
}

static int grandchildren(void)
{
	for (int i = 0; i < 3; i++)
		expect_good(forked(child_main), "two forks");
	return failures != 0;
}

static void grandchildren_sleep(void)
{
	expect_good(forked(grandchildren), "fork");
}

/* It has its parent's memory: what the object keeps must suit both. */
static void vforked_children_sleep(void)
{
	for (int volatile i = 0; i < 20; i++) {
		pid_t child = vfork();

		if (!child) {
			usleep(i % 2 ? 200 : 2000);
			_exit(0);
		}
		expect_good(child, "vfork");
		sleeps_right(&sleepers[i % 2], 300 * US);
	}
}

static void spawned_children_sleep(void)
{
	char path[4096], *argv[] = { path, (char[]){ "child" }, NULL };
	pid_t child = -1;

	snprintf(path, sizeof(path), "%s", own_path);
	CHECK(!posix_spawn(&child, path, NULL, NULL, argv, environ), "posix_spawn");
	expect_good(child, "posix_spawn");
	child = fork();
	if (!child) {
		execv(path, argv);
		_exit(127);
	}
	expect_good(child, "exec");
}

/* ---- Next to other threads ------------------------------------------------------------------------------------ */

static _Atomic bool is_over;

static void *sleep_on(void *arg)
{
	for (int i = 0; !atomic_load(&is_over); i++) {
		const struct sleeper *s = &sleepers[i % sleepers_n];

		if (s->unit_ns < S)
			sleeps_right(s, i % 7 ? 70 * US : 2 * MS);
	}
	return arg;
}

static int brief_child(void)
{
	for (int i = 0; i < sleepers_n; i++)
		if (sleepers[i].unit_ns < S)
			sleeps_right(&sleepers[i], 100 * US);
	return failures != 0;
}

static void children_of_sleeping_threads_sleep(void)
{
	pthread_t threads[2];

	for (int i = 0; i < 2; i++)
		CHECK(!pthread_create(&threads[i], NULL, sleep_on, NULL), "no thread");
	for (int i = 0; i < 40; i++)
		expect_good(forked(brief_child), "fork next to threads");
	atomic_store(&is_over, true);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
}

/* ---- In a time namespace ---------------------------------------------------------------------------------------- */

static int child_in_another_time(void)
{
	child_main();
	sleeps_right(sleeper_named("nanosleep"), 100 * MS);
	sleeps_right(sleeper_named("monotonic-abs"), 100 * MS);
	sleeps_right(sleeper_named("real-abs"), 100 * MS);
	return failures != 0;
}

/* In a child of its own, since the offsets cannot be set twice. */
static int namespaced(void)
{
	if (enter_namespaces(CLONE_NEWTIME) || write_text("/proc/self/timens_offsets", "monotonic -5 0\n"))
		return SKIP;
	expect_good(forked(child_in_another_time), "fork into a time namespace");
	return failures != 0;
}

static void children_in_another_time_sleep(void)
{
	pid_t child;
	int status = -1;

	if (kernel_ns(CLOCK_MONOTONIC) < 10 * S) {
		fputs("left out: the machine has not been up for long enough to set its clock back\n", stderr);
		return;
	}
	child = forked(namespaced);
	waitpid(child, &status, 0);
	if (WIFEXITED(status) && WEXITSTATUS(status) == SKIP)
		fputs("left out: no permission for a time namespace here\n", stderr);
	else
		CHECK(WIFEXITED(status) && !WEXITSTATUS(status), "in a time namespace: status %x", (unsigned)status);
}

int main(int argc, char **argv)
{
	own_path = argv[0];
	if (argc > 1)
		return child_main();
	child_main();
	forked_children_sleep();
	grandchildren_sleep();
	vforked_children_sleep();
	spawned_children_sleep();
	children_of_sleeping_threads_sleep();
	children_in_another_time_sleep();
	return failures != 0;
}
