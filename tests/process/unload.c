// SPDX-License-Identifier: MIT
/* dlclose() while a thread is reading: the library stays loaded, as -z nodelete promises. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <unistd.h>

#include <hpt/hpt.h>

#include "process.h"

static __typeof__(&hpt_now_ns) now_ns;
static _Atomic uint64_t reads;
static _Atomic bool stop;

static void *keep_reading(void *arg)
{
	int64_t last = 0;

	while (!atomic_load(&stop)) {
		int64_t ns = now_ns(NULL);

		CHECK(ns >= last, "went back");
		last = ns;
		atomic_fetch_add(&reads, 1);
	}
	return arg;
}

static void wait_for_reads(uint64_t more)
{
	uint64_t goal = atomic_load(&reads) + more;

	while (atomic_load(&reads) < goal)
		usleep(100);
}

int main(int argc, char **argv)
{
	void *library = argc == 2 ? dlopen(argv[1], RTLD_NOW) : NULL;
	pthread_t thread;

	if (!library)
		return 2;
	now_ns = (__typeof__(now_ns))dlsym(library, "hpt_now_ns");
	CHECK(!pthread_create(&thread, NULL, keep_reading, NULL), "no thread");
	wait_for_reads(1000);
	CHECK(!dlclose(library), "dlclose");
	wait_for_reads(1000);
	atomic_store(&stop, true);
	pthread_join(thread, NULL);
	return failures != 0;
}
