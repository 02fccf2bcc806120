# SPDX-License-Identifier: MIT

#: lib/sleep/spin.c
s/if (unlikely(hpt_sleeper_is_interrupted(sp->s)))/if (0)/

#: lib/sleep/spin.h
s/if (unlikely(hpt_sleeper_is_interrupted(sp->s)))/if (0)/

#: lib/sleep/deadline.c
s/if (hpt_sum(most, allowed) < passed)/if (1)/
