// SPDX-License-Identifier: MIT
/* What the command's parts say on standard error, of which tools/hpt.c has the other one: TAP's comments. */
#include <stdarg.h>
#include <stdio.h>

#include "err.h"

void hpt_err(const char *fmt, ...)
{
	va_list ap;

	printf("# ");
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	printf("\n");
}
