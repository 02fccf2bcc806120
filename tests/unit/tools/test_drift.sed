# SPDX-License-Identifier: MIT

#: tools/check/drift.c
s/ + middle(last) - middle(first)/ + middle(last)/
s/(middle(last) + middle(first) + 1)/(middle(last) + 1)/
s/ + (double)step_ns//
s/(double)(last->raw_step_ns > first->raw_step_ns ? last->raw_step_ns : first->raw_step_ns)/1/
s/repeats |= advance == 0/repeats = true/
s/ \&\& (!least || advance < least))/)/
s/if (d.raw_ns <= 0)/if (0)/
s/return ticks_larger(ticks_minus(m->after, m->before), 0)/return ticks_minus(m->after, m->before)/
