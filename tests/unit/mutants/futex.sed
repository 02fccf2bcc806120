# SPDX-License-Identifier: MIT

#: lib/machine/futex.c
s/id == CLOCK_REALTIME ? FUTEX_CLOCK_REALTIME : 0/0/
s/if (until_ns < 0)/if (0)/
s/syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);/;/
/^void hpt_futex_wake/,/^}/s/errno = saved;/errno = saved + 1;/
s/	case -EAGAIN:/	case -ENOTSUP:/;s/return r == -ETIMEDOUT ? 0 : r;/return r;/
s/	case -EINTR:/	case -ENOTSUP:/
s/prctl(PR_SET_TIMERSLACK, (unsigned long)ns, 0, 0, 0);/(void)ns;/
s/syscall(SYS_prctl, PR_GET_TIMERSLACK/prctl(PR_GET_TIMERSLACK/
