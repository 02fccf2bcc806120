# SPDX-License-Identifier: MIT

#: lib/rate/sample.h
s/a.lo_ns > b.hi_ns || //
s/ || a.hi_ns < b.lo_ns//

#: lib/rate/sample.c
s/tries < OFFSET_TRIES/tries < 1/
s/#define OFFSET_TRIES 3/#define OFFSET_TRIES 2/
s/		if (o.hi_ns - o.lo_ns < best.hi_ns - best.lo_ns)/		if (1)/
s/{ ns - last_ns - 1, ns - first_ns + 1 };/{ ns - last_ns, ns - first_ns + 1 };/
s/{ ns - last_ns - 1, ns - first_ns + 1 };/{ ns - last_ns - 1, ns - first_ns };/
s/best.hi_ns - best.lo_ns > OFFSET_NS;/1;/
s/#define OFFSET_NS    2000/#define OFFSET_NS    1980/
s/memset(ret, 0, sizeof(\*ret));/;/
s/if (src->rate.origin != HPT_ORIGIN_EXACT)/if (1)/
s/^	if (ret->n_raw)$/	if (1)/
s/hpt_brackets_take(src, CLOCK_REALTIME/hpt_brackets_take(src, CLOCK_MONOTONIC_RAW/
s/ || hpt_sample_clock(src, id, &ns) ||/ || (hpt_sample_clock(src, id, \&ns), 0) ||/
s/	if (id != CLOCK_BOOTTIME \&\& id != CLOCK_TAI)/	if (1)/
s/	return src->clock_ns(id == CLOCK_TAI ? CLOCK_REALTIME : CLOCK_MONOTONIC);/	return src->clock_ns(id);/
s/ret->boot = take_other(src, CLOCK_BOOTTIME, CLOCK_MONOTONIC);/ret->boot = hpt_unix_offset_none;/
s/ret->tai = take_other(src, CLOCK_TAI, CLOCK_REALTIME);/ret->tai = take_other(src, CLOCK_TAI, CLOCK_MONOTONIC);/
#: lib/rate/sample.c os_lines
s/int64_t first_ns = before_ns < after_ns ? before_ns : after_ns;/int64_t first_ns = before_ns;/
s/int64_t last_ns = before_ns < after_ns ? after_ns : before_ns;/int64_t last_ns = after_ns;/
