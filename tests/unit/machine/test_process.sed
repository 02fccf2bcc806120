# SPDX-License-Identifier: MIT

#: lib/machine/process.c
s/!madvise(page, PAGE_SIZE_MIN, MADV_WIPEONFORK)/1/
s/			number = none;/			;/
s/atomic_fetch_add_explicit(&last_number, 1, memory_order_relaxed) + 1/1/
s/	errno = saved;//
s/return word \&\& word != &no_word ? hpt_process() : 1;/return 1;/
