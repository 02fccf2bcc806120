// SPDX-License-Identifier: MIT
/* Prints and reads numbers in decimal: lib/math/decimal.h. */
#include "math/decimal.h"

#include <string.h>

#include "arch/arch.h"

COLD void hpt_decimal_append(char *text, uint32_t number)
{
	char digits[11], *at = digits + sizeof(digits) - 1;

	*at = '\0';
	do
		*--at = (char)('0' + number % 10);
	while (number /= 10);
	strcat(text, at);
}

COLD int64_t hpt_decimal_take(const char **text)
{
	const char *c = *text;
	int64_t n = 0;

	for (; *c >= '0' && *c <= '9'; c++)
		if (n < 0 || __builtin_mul_overflow(n, 10, &n) || __builtin_add_overflow(n, *c - '0', &n))
			n = -1;
	if (c == *text)
		return -1;
	*text = c;
	return n;
}
