// SPDX-License-Identifier: MIT
/* Replaces tools/cli/err.c: messages become comments in TAP. */
#include <stdarg.h>
#include <stdio.h>

#include "cli/err.h"

void err_print(const char *fmt, ...)
{
	va_list ap;

	printf("# ");
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	printf("\n");
}
