/* SPDX-License-Identifier: MIT */
/* Captures the command's messages on standard error: replaces tools/cli/err.c. */
#ifndef HPT_TEST_CAPTURED_ERR_H
#define HPT_TEST_CAPTURED_ERR_H

#include "cli/err.h"

/* The latest message, and how many there were. */
extern char captured[512];
extern unsigned times_captured;

#endif
