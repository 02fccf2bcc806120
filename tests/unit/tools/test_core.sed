# SPDX-License-Identifier: MIT

#: tools/info/core.c
s/	return v > MOST ? -1 : v;/	return v;/
s/ \&\& v <= MOST \/ units\[i\].bytes//
s/khz = block == at->cpu ? core_parse_mhz(line) : 0;/khz = core_parse_mhz(line);/
s/	if (!ret->khz)/	if (0)/
s/return khz > 0 \&\& !\*end ? khz : 0;/return khz;/
s/return ret->level \&\& ret->bytes \&\& \*ret->type;/return true;/
s/mhz > 0 \&\& mhz < MOST \/ 1e3/mhz > 0/
s/khz ? json_integer(khz \* KHZ_TO_HZ)/khz ? json_integer(khz)/
