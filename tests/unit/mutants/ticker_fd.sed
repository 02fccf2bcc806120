# SPDX-License-Identifier: MIT

#: lib/sleep/ticker.c
s/^\tif (r < 0 || hpt_now_ns(t->waiter.clk) >= t->armed_ns)$/\tif (0)/
