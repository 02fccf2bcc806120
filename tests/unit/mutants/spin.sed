# SPDX-License-Identifier: MIT

#: lib/sleep/spin.c
s/if (unlikely(hpt_sleeper_is_interrupted(sp->s)))/if (0)/
s/ || (int64_t)(after - sp->deadline) >= 0)/)/

#: lib/sleep/spin.h
s/if (unlikely(hpt_sleeper_is_interrupted(sp->s)))/if (0)/

#: lib/sleep/sleep.c
s/ \&\& has_jumped(sl) ? end_diverged(sl)/ ? end_diverged(sl)/
