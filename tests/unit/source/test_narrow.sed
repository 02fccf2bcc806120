# SPDX-License-Identifier: MIT

#: lib/source/narrow.c
s/#define PARTS 16u/#define PARTS 2u/
s/#define PARTS 16u/#define PARTS 8u/
s/atomic_init(&n->base, n->span);/atomic_init(\&n->base, 0);/
s/& (span - 1));/\& (2 * span - 1));/
s/atomic_compare_exchange_strong_explicit(&n->base, &base, next, memory_order_relaxed, memory_order_relaxed);/(void)base, atomic_store(\&n->base, next);/
s/value, n->span, n->span \/ 2), part/value, n->span, 0), part/
s/value, n->span, n->span \/ 2), part/value, n->span, n->span), part/
s/renew(n, base, tick - ticks);/;/
s/raise_base(n, base, tick);/;/
s/raise_base(n, base, tick);/renew(n, base, tick);/
s/while ((int64_t)(next - base) > 0 \&\&/while (/
s/eighth = n->span \/ 8/eighth = n->span \/ 2/
s/tick_near(base, value, n->span, eighth);/tick_near(base, value, n->span, 0);/
s/n->flip = is_down ? UINT32_MAX : 0;/n->flip = 0;/
