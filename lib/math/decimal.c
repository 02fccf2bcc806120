// SPDX-License-Identifier: MIT
/* Prints numbers in decimal: lib/math/decimal.h. */
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
