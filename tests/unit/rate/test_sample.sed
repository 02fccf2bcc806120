# SPDX-License-Identifier: MIT

#: lib/rate/sample.h
s/a.lo_ns > b.hi_ns || //
s/ || a.hi_ns < b.lo_ns//

#: lib/rate/sample.c
s/tries < OFFSET_TRIES/tries < 1/
s/#define OFFSET_TRIES 3/#define OFFSET_TRIES 2/
s/if (!tries || /if (/
s/if (!tries || .*/if (1)/
s/unix_ns - after_ns - 1/unix_ns - after_ns/
s/after_ns - 1, unix_ns - before_ns + 1 };/after_ns - 1, unix_ns - before_ns };/
s/<= OFFSET_NS)$/<= 0)/
s/#define OFFSET_NS    2000/#define OFFSET_NS    1980/
s/memset(ret, 0, sizeof(\*ret));/;/
s/if (src->rate.origin != HPT_ORIGIN_EXACT)/if (1)/
s/^	if (ret->n_raw)$/	if (1)/
s/hpt_brackets_take(src, CLOCK_REALTIME/hpt_brackets_take(src, CLOCK_MONOTONIC_RAW/
