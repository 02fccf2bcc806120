# SPDX-License-Identifier: MIT

#: lib/sleep/spin.c
s/if (unlikely(hpt_sleeper_is_interrupted(sp->s)))/if (0)/
s/#define SPIN_LOOKS 4/#define SPIN_LOOKS 1/
s/is_interrupted = hpt_sleeper_is_interrupted(sp->s);/;/
s/found ? WARM_TURNS : HPT_SPIN_PAUSES \/ SPIN_LOOKS/found ? WARM_TURNS : HPT_SPIN_PAUSES/

#: lib/sleep/spin.h
s/if (unlikely(hpt_sleeper_is_interrupted(sp->s)))/if (0)/

#: lib/sleep/watchdog.c
s/if (hpt_sum(most, allowed) < passed)/if (1)/
