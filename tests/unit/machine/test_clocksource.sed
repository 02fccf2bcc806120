# SPDX-License-Identifier: MIT

#: lib/machine/clocksource.c
s/strcmp(line, own)/!strstr(line, own)/
s/if (len >= size)/if (0)/
