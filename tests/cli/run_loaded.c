// SPDX-License-Identifier: MIT
/* An object that says that it was loaded. */
#include <stdio.h>

__attribute__((constructor)) static void say(void)
{
	fputs("loaded\n", stderr);
}
