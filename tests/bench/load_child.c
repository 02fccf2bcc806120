// SPDX-License-Identifier: MIT
/* A new process that times one dlopen() and writes the nanoseconds to its standard output. */
#include <dlfcn.h>
#include <unistd.h>

#include "bench.h"

int main(int argc, char **argv)
{
	int64_t start, ns;

	if (argc != 2)
		return 2;
	bench_ns(); /* takes its own page faults, which are not the library's */
	start = bench_ns();
	if (!dlopen(argv[1], RTLD_NOW))
		return 1;
	ns = bench_ns() - start;
	return write(STDOUT_FILENO, &ns, sizeof(ns)) == sizeof(ns) ? 0 : 1;
}
