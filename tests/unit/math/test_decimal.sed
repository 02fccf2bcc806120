# SPDX-License-Identifier: MIT

#: lib/math/decimal.c
s/number % 10/number % 9/
s/while (number \/= 10);/while ((number \/= 10) > 1);/
s/	\*at = '\\0';/	*at = '0';/
