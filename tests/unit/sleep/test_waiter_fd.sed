# SPDX-License-Identifier: MIT

#: lib/sleep/waiter_fd.c
s/	if (is_new \&\& hpt_own_fd_is_rung(&w->own, &w->eventcount, &w->seen))/	if (0)/
s/EFD_CLOEXEC | //

#: lib/sleep/waiter.c
s/^	hpt_own_fd_close(&w->own);/	;/
s/^	hpt_own_fd_ring(&w->own);/	;/
s/^\t\thpt_own_fd_quiet(&w->own, &w->eventcount, &w->seen);/\t\t;/

#: lib/sleep/own_fd.c
s/	if (likely(fd < 0))/	if (1)/
s/	if (hpt_own_fd_is_rung(o, ec, seen))/	if (0)/
s/	syscall(SYS_read, fd, &unused, sizeof(unused));/	(void)unused;/
s/word \&\& word >> 32 == hpt_process()/word/
s/^\t\tforget_parents(o, ec);/\t\t;/

#: lib/sleep/own_fd.h
s/return (int32_t)(rung - value) > 0 || value != atomic_load(seen);/return value != atomic_load(seen);/
s/return (int32_t)(rung - value) > 0 || value != atomic_load(seen);/return (int32_t)(rung - value) > 0;/
s/^	atomic_fetch_add(&o->rung, 1);/	;/
