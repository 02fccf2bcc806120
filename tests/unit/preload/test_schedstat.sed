# SPDX-License-Identifier: MIT

#: lib/preload/schedstat.c
s/(queued = hpt_decimal_take(&text)) < 0/(queued = hpt_decimal_take(\&text), 0)/
s/ || strcmp(text, "\\n") != 0)/)/
s/	if (own.process == process \&\& /	if (/
s/(may_open || own.tried_by != process)/may_open/
s/(may_open || own.tried_by != process)/(own.tried_by != process)/
s/(may_open || own.tried_by != process)/1/
s/	if (!r || r == -ESRCH)/	if (0)/
/high = fcntl/,/return high/s/	call(SYS_close, fd, NULL, 0, 0);$/	;/
s/	if (atomic_load(&table\[own.place\].owner) == me) {/	if (0) {/
