# SPDX-License-Identifier: MIT

#: tools/bench/reads.c reads candidates_read
s/if (call->source \&\& r->plan.source \&\& call->source != r->plan.source)/if (0)/
s/if (call->is_usable \&\& !call->is_usable())/if (0)/
s/ticks = run->ticks\[i\] - stopwatch_ticks;/ticks = run->ticks[i];/
s/to\[i\] = ticks > 0 ? to_ps(run, ticks) : 0;/to[i] = to_ps(run, ticks);/
s/shuffle(.*/;/
s/share(run->r->plan.reads, run->r->plan.rounds) :/share(run->r->plan.reads, run->r->plan.rounds) + 1 :/
s/if (!choice_has(&plan->only, i) || /if (/
s/return (n_calls + 2) \* reads/return n_calls * reads/
