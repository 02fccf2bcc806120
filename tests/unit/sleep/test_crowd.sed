# SPDX-License-Identifier: MIT

#: lib/sleep/crowd.c
s/if (before == process ||/if (before ||/
s/atomic_store(&c->windows\[i\], 0);/;/
s/atomic_store_explicit(&c->sleeps, 0, memory_order_relaxed);/;/
s/atomic_store_explicit(&c->per_ms, 0, memory_order_relaxed);/;/
s/return passed_ns >= HPT_CROWD_COUNTED_NS || passed_ns < -HPT_CROWD_COUNTED_NS;/return passed_ns >= HPT_CROWD_COUNTED_NS;/
s/|| passed_ns < -HPT_CROWD_COUNTED_NS;/|| passed_ns < 0;/
s/n = passed_ns > 0 ? (uint32_t)(n \* INT64_C(1000000) \/ passed_ns) : 0;/;/
s/n = passed_ns > 0 ?/n = 1 ?/
s/n = atomic_exchange_explicit(&c->sleeps, 0, memory_order_relaxed);/n = atomic_load(\&c->sleeps);/
s/return end << LENGTH_BITS | (length < LENGTH_MASK ? length : LENGTH_MASK);/return end << LENGTH_BITS | 1;/
s/uint64_t end = ((uint64_t)to_ns >> UNIT_BITS) + 1,/uint64_t end = ((uint64_t)to_ns >> UNIT_BITS) - 1,/
s/return end_of(window) <= now || end_of(window) > now + LENGTH_MASK;/return end_of(window) <= now;/
s/return end_of(window) <= now || end_of(window) > now + LENGTH_MASK;/return end_of(window) > now + LENGTH_MASK;/
s/return start_of(a) < end_of(b) \&\& start_of(b) < end_of(a);/return start_of(a) < end_of(b);/
s/return start_of(a) < end_of(b) \&\& start_of(b) < end_of(a);/return start_of(b) < end_of(a);/
s/return start_of(a) < end_of(b) \&\& start_of(b) < end_of(a);/return true;/
s/\*ret_free = (struct slot){ &c->windows\[i\], other };/;/
s/if (mine \&\& !is_past(mine, now))/if (0)/
s/if (to_ns - now_ns > HPT_CROWD_AHEAD_NS ||/if (/
s/if (to_ns - now_ns > HPT_CROWD_AHEAD_NS ||/if (to_ns - now_ns >= HPT_CROWD_AHEAD_NS ||/
s/if (!slot.window ||/if (/
s/if (overlapping(c, window, now, &ignored) <= places)/if (overlapping(c, window, now, \&ignored) < places)/

s/if (thread \&\& (atomic/if ((atomic/
s/ || only == thread))/))/
/^static void begin/,/^}/s/atomic_store_explicit(&c->only, 0, memory_order_relaxed);/;/
/^static void ask_again/,/^}/s/atomic_store_explicit(&c->only, 0, memory_order_relaxed);/;/
s/atomic_store_explicit(&c->only, HPT_CROWD_MANY, memory_order_relaxed);/;/
s/	if (asked_ns \&\& passed_ns >= 0 \&\& passed_ns/	if (asked_ns \&\& passed_ns/
s/	if (asked_ns \&\& passed_ns >= 0 \&\& passed_ns < HPT_CROWD_ASKED_NS)/	if (0)/
s/	if (asked_ns \&\& passed_ns >= 0 \&\& passed_ns < HPT_CROWD_ASKED_NS)/	if (asked_ns)/
s/^	if (asked_ns)$/	if (1)/
s/atomic_store_explicit(&c->asked_ns, now_ns, memory_order_relaxed);/;/
s/passed_ns < 2 \* HPT_CROWD_COUNTED_NS \&\&/passed_ns <= 2 * HPT_CROWD_COUNTED_NS \&\&/
s/\&\& passed_ns >= -HPT_CROWD_COUNTED_NS;/\&\& passed_ns > -HPT_CROWD_COUNTED_NS;/

#: lib/sleep/crowd.h
s/likely(thread \&\& atomic/likely(atomic/

#: lib/sleep/crowd.c crowd_race
s/if (overlapping(c, window, now, &ignored) <= places)/if (1)/
/return window;/,/return 0;/s/remove_window(c, window);/;/
s/atomic_compare_exchange_strong(slot.window, &slot.old, window)/((void)slot.old, atomic_store(slot.window, window), true)/
