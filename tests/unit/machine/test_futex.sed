# SPDX-License-Identifier: MIT

#: lib/machine/futex.c
s/id == CLOCK_REALTIME ? FUTEX_CLOCK_REALTIME : 0/0/
s/if (until_ns < 0)/if (0)/
s/syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);/;/
/^void hpt_futex_wake/,/^}/s/errno = saved;/errno = saved + 1;/
s/ || r == -EINTR || r == -EAGAIN;/ || r == -EINTR;/
s/ || r == -EINTR || r == -EAGAIN;/ || r == -EAGAIN;/
s/	return r == -EAGAIN ? 0 : r;/	return r;/
s/return id == HPT_DURATION ? sleep_for(word, value, until_ns) : /return /
s/		return FUTEX_WAIT_PRIVATE;/		return FUTEX_WAIT_BITSET_PRIVATE;/
/^static COLD int sleep_for/,/^}/s/if (atomic_load(word) != value)/if (0)/
/^static COLD int sleep_for/,/^}/s/ns > 0 \&\& r == -ETIMEDOUT/ns > 0/
/^static COLD int sleep_for/,/^}/s/ns > 0 \&\& r == -ETIMEDOUT/r == -ETIMEDOUT/
/^static int sleep_piece/,/^}/s/return r == -ETIMEDOUT ? 0 : r;/return r;/
s/syscall(SYS_prctl, PR_SET_TIMERSLACK, (unsigned long)ns, 0, 0, 0);/(void)ns;/
s/syscall(SYS_prctl, PR_GET_TIMERSLACK/prctl(PR_GET_TIMERSLACK/
