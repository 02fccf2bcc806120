# SPDX-License-Identifier: MIT

#: lib/math/batch.c
s/ + (lo >> 63); \/\* to/; \/* to/
s/hi += away \* whole + /hi += /
s/ret\[i\] = (int64_t)(is_down ? ns - hi : ns + hi);/ret[i] = (int64_t)(ns + hi);/
s/if (away > span)/if (0)/
s/if (!done) {/if (0) {/
s/int64_t ret = hpt_wide_is_negative(ns) ? INT64_MIN : INT64_MAX;/int64_t ret = INT64_MAX;/
s/return span < most ? span : most;/return span;/
s/(room < INT64_MAX ? room : INT64_MAX) \/ (slope.whole + 1)/(room < INT64_MAX ? room : INT64_MAX)/
s/bool is_before = \*ticks < p->before.tick;/bool is_before = *ticks <= p->before.tick + 1;/
s/\*ticks < p->after.tick ? /*ticks <= p->after.tick ? /
s/if (to > from) /if (1) /
s/ret->before = piece_down(a->tick, from, slope);/ret->before = piece_down(a->tick, from, a->lines[line].slope);/
s/ret->between = piece_up(a->tick, from, chord, b->tick - 1);/ret->between = piece_up(a->tick, from, slope, b->tick - 1);/
s/if (!first || !ticks || !ret || /if (!first || !ret || /
s/if (!first || !ticks || !ret || /if (!first || !ticks || /
s/if (!first || !ticks || !ret || /if (!ticks || !ret || /
s/			r = hpt_timebase_pair(&a, &b);/			;/
s/return convert_line(first, last, HPT_TIMEBASE_UNIX/return convert_line(first, last, HPT_TIMEBASE_NS/
