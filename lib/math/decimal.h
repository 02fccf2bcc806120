/* SPDX-License-Identifier: MIT */
/* Numbers in decimal, as text: printf() and strtoll() are not for signal handlers, or for what programs set. */
#ifndef HPT_DECIMAL_H
#define HPT_DECIMAL_H

#include <stdint.h>

/* Appends up to 10 digits, which must fit. */
void hpt_decimal_append(char *text, uint32_t number);

/* The number of the digits with which *text begins, which moves after them. Negative: no digits, or more than int64. */
int64_t hpt_decimal_take(const char **text);

#endif
