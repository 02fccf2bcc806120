# SPDX-License-Identifier: MIT

#: lib/rate/step.h
s/return !moves->repeats || moves->times >= HPT_STEP_TIMES/return 1/
s/#define HPT_STEP_TIMES       3/#define HPT_STEP_TIMES       2/
s/#define HPT_STEP_EQUAL_TIMES 16/#define HPT_STEP_EQUAL_TIMES 15/
s/step.size + 2 \* step.unit/step.size + step.unit/

#: lib/rate/step.c
s/moves->readings++ \&\& move/moves->readings++, move/
s/move < 0 ? 0 - (uint64_t)move : (uint64_t)move/(uint64_t)move/
s/moves->divisor = hpt_common_divisor(moves->divisor, move)/moves->divisor = 1/
s/ || move < moves->least) {/) {/
s/move + 1 == moves->least ? moves->times + 1 : 1/1/
s/move + 1 == moves->least ? moves->times + 1 : 1/moves->times + 1/
s/moves->times += move - moves->least <= 1/moves->times += move == moves->least/
s/moves->times += move - moves->least <= 1/moves->times++/
s/moves->repeats |= moves->readings \&\& /moves->repeats |= /
s/moves->repeats |= moves->readings \&\& reading == moves->last/(void)0/
s/if (hpt_bracket_width(\&g.b\[i\]) <= limit)/if (1)/
s/#define STEP_WIDTH_TIMES 3/#define STEP_WIDTH_TIMES 2/
s/(a < b ? a : b)/a/
s/(a < b ? a : b)/b/
s/if (step \&\& divisor > 1)/if (0)/
s/if (step \&\& divisor > 1)/if (divisor > 1)/
s/return step \&\& step < UNEQUAL_MIN ? 1 : step/return step/
s/#define UNEQUAL_MIN 3/#define UNEQUAL_MIN 4/
s/#define UNEQUAL_MIN 3/#define UNEQUAL_MIN 2/

s/step.size = moves->divisor;/step.size = 1;/
s/if (step.unit == step.size)/if (0)/
s/step.size > 1 \&\& moves->times/moves->times/
s/step.size > 1 \&\& moves->times < HPT_STEP_EQUAL_TIMES/0/
s/if (!step.size || moves->repeats)/if (!step.size)/
s/step.unit = moves->divisor % step.size != 0/step.unit = 0/
s/step.unit = moves->divisor % step.size != 0/step.unit = 1/
s/moves->repeats ? step_of_moves(moves) : //
