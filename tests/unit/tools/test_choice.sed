# SPDX-License-Identifier: MIT

#: tools/bench/choice.c
s/if (n > \*ret_length \&\& /if (!*ret_length \&\& /
s/ \&\& (list\[n\] == ',' || !list\[n\])//
s/			return;/			continue;/
s/	return !c->n;/	return false;/
s/list += length + 1;/list += length;/
s/		nearest_offer(&near, name(i));/		;/
