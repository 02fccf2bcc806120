# SPDX-License-Identifier: MIT

#: tools/cli/disturbance.c
s/t.busy = t.total - v\[IDLE\] - v\[IOWAIT\] - v\[STEAL\];/t.busy = t.total - v[IDLE] - v[IOWAIT];/
s/	if (!t.total)/	if (0)/
s/if (!before->total || after->total <= before->total || after->steal < before->steal)/if (!before->total)/
s/after->cpus.busy < before->cpus.busy || //
s/double others_ns = busy_ns - .*/double others_ns = busy_ns;/
s/return others_ns > 0 ? /return 1 ? /
s/ret->is_disturbed = ret->steal_ppm > STEAL_MAX_PPM || /ret->is_disturbed = /
s/ret->others_ppm > OTHERS_MAX_PPM ||/0 ||/
s/ret->is_preempted = !is_crowded \&\& /ret->is_preempted = /
s/			    ret->is_preempted;/			    0;/
s/	if (d->others_ppm > OTHERS_MAX_PPM)/	if (d->is_disturbed)/
s/	if (d->steal_ppm > STEAL_MAX_PPM)/	if (d->is_disturbed)/
s/	if (d->is_preempted)/	if (d->is_disturbed)/
s/	if (!d->is_known)/	if (0)/
s/strncmp(line, "cpu ", 4) != 0 ||/0 ||/
