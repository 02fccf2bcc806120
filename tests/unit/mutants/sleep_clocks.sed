# SPDX-License-Identifier: MIT

#: lib/sleep/deadline.c
s/if (off_ns < -HPT_DIVERGED_NS || off_ns > HPT_DIVERGED_NS) {/if (0) {/
s/allowed = HPT_DIVERGED_NS + passed \/ HPT_DIVERGED_SHARE/allowed = HPT_DIVERGED_NS/

#: lib/sleep/kernel_phase.c
s/#define EARLY_PART      1024/#define EARLY_PART      1000000/
s/#define EARLY_PART_LONG 16/#define EARLY_PART_LONG 1024/
s/^\thpt_deadline_set_end(sl);$/\t;/
s/sl->wall_ahead_ns - ahead_ns/-ahead_ns/

#: lib/sleep/sleep.c
s/		if (is_early(sl))/		if (0)/

#: lib/sleep/spin.c
s/HPT_DIVERGED_NS + sp->rest_ns \/ HPT_DIVERGED_SHARE/sp->rest_ns \/ HPT_DIVERGED_SHARE - 900000/
