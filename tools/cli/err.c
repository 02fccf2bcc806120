// SPDX-License-Identifier: MIT
/* Prints messages on standard error: tools/cli/err.h. */
#include "cli/err.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void err_print(const char *fmt, ...)
{
	char *text;
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vasprintf(&text, fmt, ap); /* not xvasprintf(), which calls this function when memory is short */
	va_end(ap);
	if (n < 0)
		return;
	/* A file name may contain line ends and terminal sequences. */
	for (char *p = text; *p; p++)
		if (iscntrl((unsigned char)*p))
			*p = '?';
	fprintf(stderr, "hpt: %s\n", text);
	free(text);
}
