# SPDX-License-Identifier: MIT

#: tools/cli/cpus.c
s/sched_getaffinity(0, sizeof(cpus.set), cpus.set)/sched_getaffinity(0, sizeof(cpu_set_t), cpus.set)/
s/return value < CPUS_COUNT_MAX;/return true;/
s/if (\*\*text < '0' || \*\*text > '9')/if (0)/
s/return first <= last;/return true;/
s/if (\*text)/if (0)/
s/cpu <= last; cpu++)/cpu < last; cpu++)/
s/cpus_bind(thread, before);/;/
s/return cpus_bind(thread, &one);/return 0;/
s/return cpus_parse(list, ret) ? read_stat(ret) : 0;/return cpus_of_thread(ret);/
