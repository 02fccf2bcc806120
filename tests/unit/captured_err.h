/* SPDX-License-Identifier: MIT */
/* Captures the command's messages on standard error. */
#ifndef HPT_TEST_CAPTURED_ERR_H
#define HPT_TEST_CAPTURED_ERR_H

#include "unit.h"

#include "err.h"

static char captured[512];
static unsigned times_captured;

void hpt_err(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(captured, sizeof(captured), fmt, ap);
	va_end(ap);
	times_captured++;
}

#endif
