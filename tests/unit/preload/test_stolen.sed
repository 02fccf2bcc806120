# SPDX-License-Identifier: MIT

#: lib/preload/stolen.c
s/#define STEAL 8/#define STEAL 7/
s/#define TICK_NS (10 \* NS_PER_MS)/#define TICK_NS NS_PER_MS/
s/	while (\*\*text == ' ')/	while (0)/
s/		if (ticks < 0)/		if (0)/
s/ticks < INT64_MAX \/ TICK_NS ? /1 ? /
s/		ret\[i\] = -1;/		;/
s/ \&\& !strncmp(text, "cpu", 3))/ \&\& *text)/
s/ \&\& (uint64_t)cpu < n)/)/
