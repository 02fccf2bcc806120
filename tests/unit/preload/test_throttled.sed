# SPDX-License-Identifier: MIT

#: lib/preload/throttled.c
s/(strncmp(text, word, n) != 0 || text\[n\] != ' ')/strncmp(text, word, n) != 0/
s/	return us < INT64_MAX \/ NS_PER_US ? us \* NS_PER_US : INT64_MAX;/	return us * 1000;/
s/		t->ns = hpt_sum(t->ns, version == 1/		t->ns = hpt_sum(0, version == 1/
s/version == 1 ? number_after/version == 2 ? number_after/
s/mark_of(g->path\[1\], /mark_of("", /
s/	return number > 0 ? number : 0;/	return number;/
