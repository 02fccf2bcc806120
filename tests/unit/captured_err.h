/* SPDX-License-Identifier: MIT */
/* What the command would have said on standard error. */
#ifndef HPT_TEST_CAPTURED_ERR_H
#define HPT_TEST_CAPTURED_ERR_H

#include "unit.h"

#include "err.h"

static char told[512];
static unsigned times_told;

void hpt_err(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(told, sizeof(told), fmt, ap);
	va_end(ap);
	times_told++;
}

#endif
