# SPDX-License-Identifier: MIT

#: tools/bench/granularity.c
s/if (b >= ROUNDED_MIN \&\& /if (0 \&\& /
s/return c->last == 1 \&\& c->n < n \/ 2 ? 0 : c->usual;/return c->usual;/
s/	if (still > n) {/	if (0) {/
s/while (moved\[n - 1\] - median > median)/while (0)/
s/gone_ns > TIME_MAX_NS || /0 || /
s/ \&\& moves.n >= MOVES_MIN))/))/
