# SPDX-License-Identifier: MIT

#: lib/clock/world.c
s/.choose = hpt_choose }/.choose = hpt_choose_os }/
