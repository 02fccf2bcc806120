// SPDX-License-Identifier: MIT
/*
 * copies PLUGIN...: a program that carries the file loads plugins that have the library in another way. Prints for each
 * whether its default clock is its own or the program's, which only the functions of the program can return.
 */
#include <dlfcn.h>
#include <stdio.h>

#include "hpt.h"

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		void *plugin = dlopen(argv[i], RTLD_NOW);
		hpt_clock *(*clock_of)(void);

		if (!plugin) {
			fprintf(stderr, "%s\n", dlerror());
			return 1;
		}
		*(void **)&clock_of = dlsym(plugin, "plugin_clock");
		if (!clock_of || !clock_of() || hpt_now(NULL) <= 0)
			return 1;
		puts(clock_of() == hpt_clock_default() ? "the program's" : "own");
	}
	return 0;
}
