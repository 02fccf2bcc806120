# SPDX-License-Identifier: MIT

#: tools/cli/cpus.c
s/sched_getaffinity(0, sizeof(cpus.set), cpus.set)/sched_getaffinity(0, sizeof(cpu_set_t), cpus.set)/
s/return value < HPT_CPUS_MAX;/return true;/
s/if (\*\*text < '0' || \*\*text > '9')/if (0)/
s/return first <= last;/return true;/
s/if (\*text)/if (0)/
s/cpu <= last; cpu++)/cpu < last; cpu++)/
s/hpt_cpus_bind(thread, before);/;/
s/r = hpt_cpus_bind(thread, &one);/r = 0;/
s/return hpt_cpus_parse(list, ret) ? read_stat(ret) : 0;/return hpt_cpus_of_thread(ret);/
