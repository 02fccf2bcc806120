# SPDX-License-Identifier: MIT

#: lib/clock/anchor.c
s/!hpt_wall_offset_differs(clk->anchor_offset.*/1;/
s/ \&\& !is_too_old(clk)//
s/ \&\& !hpt_clock_is_interposed(clk)//
