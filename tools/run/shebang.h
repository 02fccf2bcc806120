/* SPDX-License-Identifier: MIT */
/* The first line of a script, as the kernel takes it. Pure functions. */
#ifndef HPT_TOOLS_SHEBANG_H
#define HPT_TOOLS_SHEBANG_H

#include <stdbool.h>
#include <stddef.h>

/* The kernel looks at the first 256 bytes of a file: BINPRM_BUF_SIZE, include/uapi/linux/binfmts.h. */
#define SHEBANG_MAX 256

/*
 * Takes the interpreter's path from the first @n bytes of a file, at most SHEBANG_MAX. False: the file is no
 * script, or the kernel would refuse its first line.
 */
bool shebang_parse(const char *head, size_t n, char ret[SHEBANG_MAX]);

#endif
