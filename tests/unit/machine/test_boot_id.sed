# SPDX-License-Identifier: MIT

#: lib/machine/boot_id.c
s/is_good = is_dash ? text\[i\] == '-' : digit >= 0;/is_good = is_dash || digit >= 0;/
s/is_good = is_dash ? text\[i\] == '-' : digit >= 0;/is_good = is_dash ? text[i] == '-' : 1;/
s/	if (!is_good)$/	if (0)/
s/ret\[n \/ 2\] << 4 | digit/digit << 4 | ret[n \/ 2]/
