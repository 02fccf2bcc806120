// SPDX-License-Identifier: MIT
/*
 * dlopen() of several libraries after another, as plug-ins and other languages load them: each has to load, and those
 * that have libhpt's functions have to work, sleeps too.
 *
 * usage: loading [+]LIBRARY...    (+: it has libhpt's functions)
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>

#include <hpt/hpt.h>

#include "process.h"

#define SLEEP_NS INT64_C(5000000) /* long enough for the kernel, where a thread claims its slot of habits */

/* A sleep in which the thread is stopped until the deadline makes no wait. */
#define SLEEPS_MOST 100

static void *must(void *found)
{
	if (!found) {
		fprintf(stderr, "%s\n", dlerror());
		exit(1);
	}
	return found;
}

#define CALL(library, name) ((__typeof__(&name))must(dlsym(library, #name)))

static void check(void *library)
{
	int64_t start = CALL(library, hpt_now_ns)(NULL);
	struct hpt_sleep_info info;

	int n = 0;

	do {
		CHECK(!CALL(library, hpt_sleep_ns)(NULL, SLEEP_NS), "a sleep failed");
		CHECK(!CALL(library, hpt_sleep_get_info)(&info, sizeof(info)), "no info");
	} while (++n < 3 || (info.waits < 3 && n < SLEEPS_MOST));
	CHECK(CALL(library, hpt_now_ns)(NULL) - start >= n * SLEEP_NS, "a sleep was short");
	CHECK(info.waits >= 3, "%u waits", (unsigned)info.waits);
}

int main(int argc, char **argv)
{
	if (argc < 2)
		return 2;
	for (int i = 1; i < argc; i++) {
		const char *path = argv[i] + (argv[i][0] == '+');
		void *library = must(dlopen(path, RTLD_NOW | RTLD_LOCAL));

		if (path != argv[i])
			check(library);
	}
	return failures != 0;
}
