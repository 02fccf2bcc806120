# SPDX-License-Identifier: MIT

#: lib/preload/schedstat.c
s/	if (c == \*text)/	if (0)/
s/ || strcmp(text, "\\n") != 0)/)/
s/queued < INT64_MAX ? (int64_t)queued : INT64_MAX/(int64_t)queued/
s/	if (own.process == process \&\& /	if (/
s/(may_open || own.tried_by != process)/may_open/
s/(may_open || own.tried_by != process)/(own.tried_by != process)/
s/(may_open || own.tried_by != process)/1/
s/	if (!r || r == -ESRCH)/	if (0)/
/high = fcntl/,/return high/s/	call(SYS_close, fd, NULL, 0, 0);$/	;/
