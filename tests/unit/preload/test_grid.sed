# SPDX-License-Identifier: MIT

#: lib/preload/grid.c
s/if (slack_ns < 0)/if (0)/
s/return slack_ns < GRID_MOST_NS ? slack_ns : GRID_MOST_NS;/return slack_ns;/
s/return slack_ns < GRID_MOST_NS ? slack_ns : GRID_MOST_NS;/return GRID_MOST_NS;/
s/return past_ns > 0 \&\& at_ns <= INT64_MAX - grid_ns ?/return past_ns > 0 ?/
s/return past_ns > 0 \&\& at_ns <= INT64_MAX - grid_ns ?/return at_ns <= INT64_MAX - grid_ns ?/
s/at_ns - past_ns + grid_ns : at_ns;/at_ns - past_ns : at_ns;/
