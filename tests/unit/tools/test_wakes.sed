# SPDX-License-Identifier: MIT

#: tools/bench/wakes.c
s/plan->rounds < 1 || //
s/plan->period_ns < PERIOD_MIN_NS || //
s/plan->ticker_ns >= plan->period_ns \&\& //
s/plan->ticker_ns \/ plan->period_ns <= WAKES_TICKS_MAX/true/
s/if (cpus_count(&allowed) > 1)/if (1)/
s/cpus_add(&allowed, plan->cpu);/;/
s/return n > 0;/return true;/
s/least_of(k->late_ps + n - quarter, quarter) - least_of(k->late_ps, quarter)/least_of(k->late_ps, quarter) - least_of(k->late_ps + n - quarter, quarter)/
s/k->cpu_ppm = k->elapsed_ns > 0 ? /k->cpu_ppm = 0 ? /
