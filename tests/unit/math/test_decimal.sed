# SPDX-License-Identifier: MIT

#: lib/math/decimal.c
s/number % 10/number % 9/
s/while (number \/= 10);/while ((number \/= 10) > 1);/
s/	\*at = '\\0';/	*at = '0';/
s/__builtin_mul_overflow(n, 10, &n)/__builtin_mul_overflow(n, 8, \&n)/
s/		if (n < 0 || __builtin/		if (__builtin/
s/__builtin_add_overflow(n, \*c - '0', &n))/(n += *c - '0', 0))/
s/	if (c == \*text)/	if (0)/
s/	\*text = c;/	;/
