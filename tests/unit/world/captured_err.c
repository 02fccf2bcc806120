// SPDX-License-Identifier: MIT
/* The captured message: tests/unit/world/captured_err.h. */
#include "captured_err.h"

#include <stdarg.h>
#include <stdio.h>

char captured[512];
unsigned times_captured;

void err_print(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(captured, sizeof(captured), fmt, ap);
	va_end(ap);
	times_captured++;
}
