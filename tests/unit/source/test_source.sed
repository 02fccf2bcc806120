# SPDX-License-Identifier: MIT

#: lib/source/source.c
s/if (!ops)/if (0)/
s/env->clock_ns_syscall : env->clock_ns;/env->clock_ns : env->clock_ns;/
s/batch < COUNTING_BATCHES/batch >= 0/
