# SPDX-License-Identifier: MIT

#: lib/sleep/waiter_fd.c
s/	if (is_new)/	if (0)/
s/EFD_CLOEXEC | //

#: lib/sleep/waiter.c
s/^	hpt_own_fd_close(&w->own);/	;/
s/^	hpt_own_fd_ring(&w->own);/	;/
s/^\t\thpt_own_fd_follow(&w->own, &w->eventcount, &w->seen);/\t\t;/

#: lib/sleep/own_fd.c
s/	if (likely(fd < 0))/	if (1)/
s/^\t\tif (is_rung)/\t\tif (0)/
s/^\t\tif (is_rung)/\t\tif (1)/
s/word \&\& word >> 32 == hpt_process()/word/
s/rung >> 32 == process ? (uint32_t)rung : hpt_eventcount_value(ec)/(uint32_t)rung/
s/return rung >> 32 == hpt_process() \&\& (int32_t)/return (int32_t)/
s/^\t\tnext = process << 32 | (begun + 1);/\t\tnext = process << 32 | begun;/

#: lib/sleep/own_fd.h
s/return hpt_own_fd_is_begun(o, ec) || hpt_eventcount_value(ec) != atomic_load(seen);/return hpt_eventcount_value(ec) != atomic_load(seen);/
s/return hpt_own_fd_is_begun(o, ec) || hpt_eventcount_value(ec) != atomic_load(seen);/return hpt_own_fd_is_begun(o, ec);/
