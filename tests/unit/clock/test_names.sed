# SPDX-License-Identifier: MIT

#: lib/clock/names.c
/HPET stands still/s/HPET/TSC/
s/^\tif (!name || !ret)$/\tif (!name)/
s/^\treturn NAME(stage_names, stage);$/\treturn NAME(origin_names, stage);/
/^COLD const char \*hpt_state_name/,/^}/s/NAME(state_names, state)/state_names[state % 4]/
s/^\treturn HPT_VERSION_NUMBER;$/\treturn HPT_ABI_MINOR;/
