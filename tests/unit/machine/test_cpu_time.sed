# SPDX-License-Identifier: MIT

#: lib/machine/cpu_time.c
s/	add_cpus(\&m, getpid());/	;/
s/m->words\[i\] |= own.words\[i\];/m->words[i] = own.words[i];/
s/return count_cpus(\&m) == 1;/return false;/
s/return count_cpus(\&m) == 1;/return true;/
s/__builtin_popcountl(m->words\[i\])/1/
s/limit.rlim_cur >= INT64_MAX \/ 1000/0/
s/(int64_t)limit.rlim_cur \* 1000/(int64_t)limit.rlim_cur/
s/(int)policy \& ~SCHED_RESET_ON_FORK/(int)policy/
s/return mode > 0 || (mode < 0/return mode \&\& (mode/
s/return mode > 0 || /return /
s/return hpt_cpu_time_is_filtered() || get_attributes/return get_attributes/
s/if (hpt_cpu_time_is_filtered() || /if (/
s/(!was_ns || was_ns == before_ns) \&\& //
s/!was_ns || was_ns == before_ns/was_ns == before_ns/
s/return before_ns;/return 1;/
