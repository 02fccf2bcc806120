# SPDX-License-Identifier: MIT

#: lib/sleep/deadline.h
s/^\t\treturn CLOCK_BOOTTIME;/\t\treturn CLOCK_MONOTONIC;/
s/^\t\treturn CLOCK_TAI;/\t\treturn CLOCK_REALTIME;/
s/^	return kind >= HPT_DEADLINE_UNIX_NS;/	return kind == HPT_DEADLINE_UNIX_NS;/

#: lib/sleep/deadline.c
s/kind <= HPT_DEADLINE_TAI_NS; kind++/kind < HPT_DEADLINE_TAI_NS; kind++/
s/^	return -EINVAL;/	return 0;/

#: lib/sleep/kernel_wait.c
s/ || kind == HPT_DEADLINE_TAI_NS ? CLOCK_REALTIME/ ? CLOCK_REALTIME/
s/	at_ns = hpt_sum(at_ns, off_ns);/	;/
s/id == CLOCK_BOOTTIME ? hpt_sum(now_ns, BOOTTIME_LOOK_NS) : INT64_MAX/INT64_MAX/
s/is_by_os ? hpt_kernel_wait_end_ns(sl, end_ns, &is_cut) : end_ns/end_ns/

#: lib/sleep/sleep.c
s/return hpt_now_boottime_ns(clk);/return hpt_now_monotonic_ns(clk);/
s/return hpt_now_tai_ns(clk);/return hpt_now_unix_ns(clk);/
s/return r ? r : sleep_alone(clk, kind, at, 0);/return r ? r : sleep_alone(clk, HPT_DEADLINE_UNIX_NS, at, 0);/

#: lib/sleep/waiter.c
s/return r ? r : waiter_sleep(w, kind, at, 0);/return r ? r : waiter_sleep(w, HPT_DEADLINE_UNIX_NS, at, 0);/
