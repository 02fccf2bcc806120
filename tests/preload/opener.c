// SPDX-License-Identifier: MIT
/*
 * Opens a library in one way, and sleeps in it and outside of it.
 *
 * usage: opener local|global|deep|namespace LIBRARY
 * prints how many of the library's sleeps it skipped itself: in its own nap(), after a sleep of the program, and after
 * one by each address that the dynamic linker gives for nanosleep
 */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

typedef int nanosleep_fn(const struct timespec *length, struct timespec *rem);

static struct timespec ms = { .tv_nsec = 1000000 };

static void sleep_by(void *address)
{
	nanosleep_fn *function;

	memcpy(&function, &address, sizeof(function));
	if (function)
		function(&ms, NULL);
}

static void *open_library(const char *way, const char *path)
{
	if (!strcmp(way, "namespace"))
		return dlmopen(LM_ID_NEWLM, path, RTLD_NOW);
	return dlopen(path, RTLD_NOW | (!strcmp(way, "global") ? RTLD_GLOBAL : RTLD_LOCAL) |
			    (!strcmp(way, "deep") ? RTLD_DEEPBIND : 0));
}

int main(int argc, char **argv)
{
	void *library = argc == 3 ? open_library(argv[1], argv[2]) : NULL;
	void *found = library ? dlsym(library, "nap") : NULL;
	int (*nap)(void);

	if (!found) {
		fprintf(stderr, "opener: %s\n", argc == 3 ? dlerror() : "usage: opener WAY LIBRARY");
		return 2;
	}
	memcpy(&nap, &found, sizeof(nap));
	printf("%d", nap());
	nanosleep(&ms, NULL);
	printf(" %d", nap());
	sleep_by(dlsym(RTLD_DEFAULT, "nanosleep"));
	printf(" %d", nap());
	sleep_by(dlsym(library, "nanosleep"));
	printf(" %d\n", nap());
	return 0;
}
