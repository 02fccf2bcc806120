# SPDX-License-Identifier: MIT

#: lib/sleep/thread.c
s/pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel)/cancel = 0/
