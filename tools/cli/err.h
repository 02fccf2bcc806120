/* SPDX-License-Identifier: MIT */
/* Messages on standard error. Alone in err.c, so that a test can replace it. */
#ifndef HPT_TOOLS_ERR_H
#define HPT_TOOLS_ERR_H

/* Prints one line on stderr, whatever bytes the arguments contain. */
void err_print(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
