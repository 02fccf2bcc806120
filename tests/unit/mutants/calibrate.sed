# SPDX-License-Identifier: MIT

#: lib/rate/calibrate.c
s/(ns - step.ns) < \*hi)/(ns - step.ns) < *hi \&\& 0)/
s/(double)ref_step_ns, .ticks/1, .ticks/
s/if (!ref_step_ns || lo > hi || /if (/
s/b->before - a->after/b->after - a->after/
s/(b->after - a->before) + step.ticks/(b->after - a->before)/
s/off > part + far || //
s/ || off < -part - far//
s/off > part + far/off > far/
s/if (off > part || off < -part)/if (off < -part)/
s/if (off > part || off < -part)/if (off > part)/
s/(part + (off < 0 ? -off : off))/(part)/
s/(double)stated->frequency_uhz \* 1e9 + 1;/f * 1e9 + 1;/
s/measured->error_ppb = error_ppb < (double)UINT32_MAX ? (uint32_t)error_ppb : UINT32_MAX;/measured->error_ppb = (uint32_t)error_ppb;/
