# SPDX-License-Identifier: MIT

#: lib/sleep/deadline.c
s/if (off_ns < -HPT_PARTED_NS || off_ns > HPT_PARTED_NS) {/if (0) {/
s/allowed = HPT_PARTED_NS + passed \/ HPT_PARTED_SHARE/allowed = HPT_PARTED_NS/

#: lib/sleep/kernel_phase.c
s/#define EARLY_SHARE      1024/#define EARLY_SHARE      1000000/
s/#define EARLY_SHARE_LONG 16/#define EARLY_SHARE_LONG 1024/
s/^\thpt_nap_set_end(n);$/\t;/
s/n->wall_ahead_ns - ahead_ns/-ahead_ns/

#: lib/sleep/sleep.c
s/		if (is_early(n))/		if (0)/

#: lib/sleep/spin.c
s/HPT_PARTED_NS + sp->rest_ns \/ HPT_PARTED_SHARE/sp->rest_ns \/ HPT_PARTED_SHARE - 900000/
