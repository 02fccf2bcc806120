# SPDX-License-Identifier: MIT

#: tools/bench/answer.c
s/		if (row->call->is_default)/		if (0)/
s/disturbances\[i\]->others_ppm < 0)/0)/
s/is_bad || is_interrupted ? " bad"/is_bad ? " bad"/
s/	if (d->is_preempted)/	if (0)/
s/	if (d->steal_ppm > STEAL_MAX_PPM) {/	if (0) {/
