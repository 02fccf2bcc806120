# SPDX-License-Identifier: MIT

#: tools/wall/wall_advice.c
s/rows\[i\].reason == reason && //
s/rows\[i\].source == source || //
s/ || rows\[i\].source == ANY//
s/{ HPT_WALL_SOURCE_KERNEL, HPT_WALL_REASON_NOT_USED,/{ HPT_WALL_SOURCE_KERNEL, HPT_WALL_REASON_NONE,/
s/{ HPT_WALL_SOURCE_CHRONY, HPT_WALL_REASON_NO_ANSWER,/{ ANY, HPT_WALL_REASON_NO_ANSWER,/
s/--phc-error how/--phc-err how/
