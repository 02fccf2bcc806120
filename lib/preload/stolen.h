/* SPDX-License-Identifier: MIT */
/* How long the host has run others on the CPUs of this virtual machine: /proc/stat. */
#ifndef HPT_STOLEN_H
#define HPT_STOLEN_H

#include <stddef.h>
#include <stdint.h>

#include "machine/env.h"

/*
 * ret[N]: of CPU N since the machine's start, in steps of 10 ms; negative: not known. `line` is a buffer. May change
 * errno. Callable from signal handlers.
 */
void hpt_stolen_read(const struct hpt_env *env, int64_t *ret, size_t n, char *line, size_t size);

#endif
