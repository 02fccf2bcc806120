# SPDX-License-Identifier: MIT

#: tools/check/warp.c
s/if (after >= before)/if (1)/
s/p->most_ticks = ticks_smaller(p->most_ticks, /p->most_ticks = (/
s/p->least_ticks = ticks_larger(p->least_ticks, /p->least_ticks = (/
s/note_step(p, asked, answered);/;/
s/note_step(p, answered, back);/;/
s/note_step(p, last, now);/;/
s/g->error = cpus_move_to(g->cpu);/;/
s/\*ret_cpu = guests\[i\].cpu;/*ret_cpu = guests[n - 1].cpu;/
s/distance + 2/distance + 1/
s/!pthread_cond_timedwait(&m->one_ended, &m->lock, &until)/!pthread_cond_wait(\&m->one_ended, \&m->lock)/
s/cpus_bind(g->thread, allowed);/;/
s/ || is_late\[i\]//
s/if (!g->error \&\& !atomic_load(&m->over))/if (!g->error)/
s/ticks_minus(pair->least_ticks, step_ticks)/pair->least_ticks/
s/ticks_minus(pair->most_ticks, -step_ticks)/pair->most_ticks/
s/if (pair->least_ticks > INT64_MIN)/if (pair->least_ticks < 0)/

#: tools/cli/ticks.h
s/return a < b ? INT64_MIN : INT64_MAX;/return a - (unsigned long long)b;/
