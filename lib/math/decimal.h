/* SPDX-License-Identifier: MIT */
/* Numbers in decimal, for the paths of numbered devices: printf() is not for signal handlers. */
#ifndef HPT_DECIMAL_H
#define HPT_DECIMAL_H

#include <stdint.h>

/* Appends up to 10 digits, which must fit. */
void hpt_decimal_append(char *text, uint32_t number);

#endif
