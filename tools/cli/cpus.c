// SPDX-License-Identifier: MIT
/* Lists CPUs of machine and thread, and binds threads to them: tools/cli/cpus.h. */
#include "cli/cpus.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/util.h"

#define ONLINE "/sys/devices/system/cpu/online"
#define STAT   "/proc/stat"

/* A file in sysfs has a page at most. */
#define LIST_MAX 4096

/* ---- Sets -------------------------------------------------------------------------------------------- */

int cpus_count(const struct cpus *cpus)
{
	return CPU_COUNT_S(sizeof(cpus->set), cpus->set);
}

/* The C library's macros know the size: a number beyond it, as a negative one, is in no set. */
bool cpus_has(const struct cpus *cpus, int cpu)
{
	return CPU_ISSET_S((size_t)cpu, sizeof(cpus->set), cpus->set);
}

void cpus_add(struct cpus *cpus, int cpu)
{
	CPU_SET_S((size_t)cpu, sizeof(cpus->set), cpus->set);
}

int cpus_next(const struct cpus *cpus, int cpu)
{
	while (++cpu < CPUS_COUNT_MAX)
		if (cpus_has(cpus, cpu))
			return cpu;
	return -1;
}

/* ---- The machine's ------------------------------------------------------------------------------------- */

/* False: no number of a CPU begins there. */
static bool take_number(const char **text, int *ret)
{
	unsigned long value;
	char *end;

	if (**text < '0' || **text > '9')
		return false;
	value = strtoul(*text, &end, 10);
	*text = end;
	*ret = (int)value;
	return value < CPUS_COUNT_MAX;
}

static bool take_range(const char **text, struct cpus *ret)
{
	int first, last;

	if (!take_number(text, &first))
		return false;
	last = first;
	if (**text == '-' && (++*text, !take_number(text, &last)))
		return false;
	for (int cpu = first; cpu <= last; cpu++)
		cpus_add(ret, cpu);
	return first <= last;
}

int cpus_parse(const char *text, struct cpus *ret)
{
	struct cpus cpus = { 0 };

	do
		if (!take_range(&text, &cpus))
			return -EINVAL;
	while (*text == ',' && text++);
	if (*text)
		return -EINVAL;
	*ret = cpus;
	return 0;
}

/* Lines "cpu0 ...", "cpu1 ...", of the CPUs that are online. */
static int read_stat(struct cpus *ret)
{
	struct cpus cpus = { 0 };
	FILE *f = fopen(STAT, "re");
	char *line = NULL;
	size_t size = 0;

	while (f && getline(&line, &size, f) > 0 && !strncmp(line, "cpu", 3)) {
		const char *number = line + 3;
		int cpu;

		if (take_number(&number, &cpu))
			cpus_add(&cpus, cpu);
	}
	free(line);
	if (f)
		fclose(f);
	if (!cpus_count(&cpus))
		return -ENOENT;
	*ret = cpus;
	return 0;
}

int cpus_online(struct cpus *ret)
{
	char list[LIST_MAX];

	read_first_line(ONLINE, list, sizeof(list));
	return cpus_parse(list, ret) ? read_stat(ret) : 0;
}

/* ---- Threads ------------------------------------------------------------------------------------------- */

int cpus_of_thread(struct cpus *ret)
{
	struct cpus cpus = { 0 };

	if (sched_getaffinity(0, sizeof(cpus.set), cpus.set))
		return -errno;
	*ret = cpus;
	return 0;
}

int cpus_bind(pthread_t thread, const struct cpus *cpus)
{
	return -pthread_setaffinity_np(thread, sizeof(cpus->set), cpus->set);
}

int cpus_move_to(int cpu)
{
	struct cpus one = { 0 };

	cpus_add(&one, cpu);
	return sched_setaffinity(0, sizeof(one.set), one.set) ? -errno : 0;
}

static void *await_release(void *mutex)
{
	pthread_mutex_lock(mutex);
	pthread_mutex_unlock(mutex);
	return NULL;
}

int cpus_bind_to(pthread_t thread, int cpu)
{
	struct cpus one = { 0 };

	cpus_add(&one, cpu);
	return cpus_bind(thread, &one);
}

/*
 * The kernel moves a thread that waits without running it. It is moved back before it is released, because on the other
 * CPU it might never run to its end.
 */
static int try_on(pthread_t thread, int cpu, const struct cpus *before)
{
	int r = cpus_bind_to(thread, cpu);

	cpus_bind(thread, before);
	return r;
}

int cpus_try(int cpu)
{
	pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;
	struct cpus before;
	int r = cpus_of_thread(&before), started;
	pthread_t thread;

	if (r)
		return r;
	pthread_mutex_lock(&held);
	started = pthread_create(&thread, NULL, await_release, &held);
	r = started ? -started : try_on(thread, cpu, &before);
	pthread_mutex_unlock(&held);
	if (!started)
		pthread_join(thread, NULL);
	return r;
}
