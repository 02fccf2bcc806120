// SPDX-License-Identifier: MIT
/* For LD_PRELOAD: raises SIGINT after the creation of each temporary file. */
#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>

/* With 64-bit file offsets glibc's header renames both this function and the calls of it. */
int mkostemp(char *template, int flags)
{
	int (*real)(char *, int) = (int (*)(char *, int))dlsym(RTLD_NEXT, "mkostemp");
	int fd = real(template, flags);

	raise(SIGINT);
	return fd;
}
