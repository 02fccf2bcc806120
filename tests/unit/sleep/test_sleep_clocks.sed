# SPDX-License-Identifier: MIT

#: lib/sleep/watchdog.c
s/hpt_clock_kernel_ns(clk, CLOCK_MONOTONIC_RAW)/r->mono_ns/

#: lib/sleep/kernel_phase.c
s/sl->end.os_ahead_ns - ahead_ns/-ahead_ns/

#: lib/sleep/sleep.c
s/^	    !is_early(sl))/	    1)/
