// SPDX-License-Identifier: MIT
/* What goes to standard error: one line, whatever bytes it is about. */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "cmd.h"

void hpt_err(const char *fmt, ...)
{
	char *text;
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vasprintf(&text, fmt, ap);
	va_end(ap);
	if (n < 0)
		return;
	/* A file may be named with line ends and terminal sequences. */
	for (char *p = text; *p; p++)
		if (iscntrl((unsigned char)*p))
			*p = '?';
	fprintf(stderr, "hpt: %s\n", text);
	free(text);
}
