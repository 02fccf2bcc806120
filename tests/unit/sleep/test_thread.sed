# SPDX-License-Identifier: MIT

#: lib/sleep/thread.c
s/if (ns < 0)/if (0)/
s/ns < SLICE_MIN_NS ? SLICE_MIN_NS : //
s/ns > SLICE_MAX_NS ? SLICE_MAX_NS : //
s/^\t\tprctl(PR_SET_TIMERSLACK.*/\t\t;/
s/^\tpthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);/\tcancel = PTHREAD_CANCEL_ENABLE;/
s/if (max_us < 0)/if (0)/
s/^\t\tforget_slice(h);/\t\t(void)forget_slice;/
s/^\tif (!r)$/\tif (1)/
s/^\t\th->contention = .*/\t\t;/
