# SPDX-License-Identifier: MIT

#: tools/cli/amount.c
s/size < 9.995 ? 2/size < 9.995 ? 1/
s/i > sign \&\& (n - i) % 3 == 0/(n - i) % 3 == 0/
s/	if (is_exact)/	if (1)/
s/units\[u\].ps \* 0.9995/units[u].ps/
s/	if (percent != 0 \&\& fabs(percent) < 0.001)/	if (0)/
s/floor(log10(fabs(v))) - 2/floor(log10(fabs(v))) - 1/
