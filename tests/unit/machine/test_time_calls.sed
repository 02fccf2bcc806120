# SPDX-License-Identifier: MIT

#: lib/machine/time_calls.c
s/return syscall(SYS_clock_getres, id, &ts_long) ? INT64_MAX : .*/return INT64_MAX;/
s/		syscall(SYS_nanosleep, &ts_long, NULL);/		(void)0;/

#: lib/machine/timerfd.c time_calls
s/return syscall(SYS_timerfd_settime, fd, flags, at_long, NULL) ? -errno : 0;/return -errno;/
s/return syscall(SYS_timerfd_settime, fd, flags, at_long, NULL) ? -errno : 0;/return syscall(SYS_timerfd_settime, fd, flags, at_long, NULL), 0;/
s/at.tv_sec < LONG_MAX ? at.tv_sec : LONG_MAX/0/

#: lib/machine/timex.c time_calls
s/		state = (int)syscall(SYS_adjtimex, &old);/		;/
s/		tx.maxerror = old.maxerror;/		tx.maxerror = -1;/
s/		tx.tick = old.tick;/		;/

#: lib/machine/live_calls.c time_calls
/^static bool read_clock/,/^}/s/return hpt_sys_clock_ns(id, ret_ns);/return false;/
/^static COLD int64_t coarse_ns/,/^}/s/ ? ns : 0;/ ? 0 : 0;/
s/id == CLOCK_REALTIME ? CLOCK_REALTIME_COARSE : CLOCK_MONOTONIC_COARSE, &ns/CLOCK_MONOTONIC_COARSE, \&ns/
/^int64_t hpt_live_clock_ns_syscall/,/^}/s/: coarse_ns(id)/: 0/

#: lib/rate/sample.c
s/return !ns \&\& hpt_sample_clock(src, id, &ns);/return !ns;/
s/(src->rate.origin != HPT_ORIGIN_EXACT \&\& is_lost/(is_lost/
s/	       (src->rate.origin != HPT_ORIGIN_EXACT \&\& is_lost/	       (0 \&\& is_lost/
/^static bool is_lost/,/^}/s/	errno = saved;/	;/
