# SPDX-License-Identifier: MIT

#: lib/wall/wall_names.c
s/"feed\\0clockbound/"clockbound\\0feed/
s/kernel\\0vmclock/kernel/
s/hpt_wall_source_place(source), "unknown")/hpt_wall_source_place(source) + 1, "unknown")/
s/	if (!hpt_wall_source_is_known(source))/	if (!source)/
s/stale\\0disrupted/disrupted\\0stale/
s/^\treturn \*names ? names : unknown;$/\treturn names;/
s/"no answer in time\\0"/""/
s/"permission is denied\\0"/"a system call failed\\0"/
