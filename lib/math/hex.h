/* SPDX-License-Identifier: MIT */
/* Hexadecimal digits, as the kernel prints them. */
#ifndef HPT_HEX_H
#define HPT_HEX_H

/* The value of a hexadecimal digit in lower case, or -1. */
static inline int hpt_hex_digit(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

#endif
