# SPDX-License-Identifier: MIT

#: lib/source/read_cost.c
s/ret->step_ticks = \*kept ? hpt_read_cost_step(kept, left) : ret->shortest_ticks;/ret->step_ticks = hpt_read_cost_step(kept, left);/
s/d \* d \/ (n - 1)/d * d \/ n/
s/i + 1 >= SAMPLES_MIN && //
s/left \&\& \*kept < 0/0/
s/twice_median = lower + /twice_median = 2 * lower + /
s/deltas\[i - 1\] > DELTA_MAX/0/
s/sorted\[i\] - sorted\[i - 1\] > 1/sorted[i] - sorted[i - 1] > 0/
