# SPDX-License-Identifier: MIT

#: lib/sleep/waiter.c
s/w->clk = hpt_clock_ref(clk);/w->clk = hpt_clock_default(), w->clk = clk ? clk : w->clk;/
s/^\thpt_clock_close(w->clk);/\t;/
s/waiter_sleep(w, HPT_DEADLINE_NS, ns,/waiter_sleep(w, HPT_DEADLINE_AFTER_NS, ns,/
s/waiter_sleep(w, HPT_DEADLINE_UNIX_NS, unix_ns,/waiter_sleep(w, HPT_DEADLINE_NS, unix_ns,/
s/at < INT64_MAX ? left : INT64_MAX/left/
s/left == INT64_MAX ? INT64_MAX : hpt_ticks_to_ns/hpt_ticks_to_ns/
s/hpt_ticks_to_ns(w->clk, left)/left/
s/if (!w || !ret)/if (!w)/

#: lib/sleep/waiter.h
s/_Alignas(64) _Atomic uint32_t seen;/_Atomic uint32_t seen;/
s/uint32_t process = hpt_process(), owner = 0;/uint32_t process = 7, owner = 0;/
s/^\t\tif (owner == process)/\t\tif (1)/
s/hpt_waiter_leave(w, r < 0 ? left : 0);/hpt_waiter_leave(w, left);/
s/\&w->left, left > 0 ? left : 0/\&w->left, left/
s/while (seen - value > HPT_WAITER_RACE/while (seen != value/
