# SPDX-License-Identifier: MIT

#: lib/clock/clock.c
s/clk->src.ops->id == HPT_SOURCE_OS || //

#: lib/sleep/kernel_phase.c sleep_os sleep_events
s/return gained < 0 \&\& r != -EINTR/return 0 \&\& r != -EINTR/

#: lib/sleep/kernel_wait.c
s/	at_ns = hpt_sum(at_ns, off_ns);/	;/
