# SPDX-License-Identifier: MIT

#: lib/clock/read.c
s/if (rec.read.line_span)/if (1)/

#: lib/rate/next_record.c
s/else if (!hpt_record_serves(old, start))/else/
s/rec->state == HPT_STATE_DEMOTED || rec->origin == HPT_ORIGIN_NONE ? 0/0 ? 0/
#: lib/rate/event.c
s/is_exact(old) || old->state == HPT_STATE_DEMOTED/is_exact(old)/
s/samples->is_demoted \&\& old->state != HPT_STATE_DEMOTED/samples->is_demoted/
s/else if (rec->state != HPT_STATE_DEMOTED)/else/
#: lib/rate/estimate.c
s/rec->flags \&= ~HPT_RECORD_STATED;/;/
#: lib/rate/next_record.c
s/rec->flags |= HPT_CLOCK_RATE_CONTRADICTED;/;/
#: lib/rate/event.c
s/if (samples->is_disrupted) /if (samples->is_disrupted \&\& !moved) /
#: lib/rate/estimate.c
s/rec->error_ppb + age_ns \/ (uint64_t)(NS_PER_S \/ DEMOTED_PPB)/rec->error_ppb/
s/rec->bound.lo_uhz = now.lo_uhz < grown.lo_uhz ? now.lo_uhz : grown.lo_uhz;/rec->bound.lo_uhz = grown.lo_uhz;/

#: lib/clock/check.c
s/return clk->kernel_is_tsc \&\& /return /
s/== HPT_KERNEL_OTHER/!= HPT_KERNEL_TSC/
s/if (!is_tsc(clk) || !hpt_vm_marker/if (!hpt_vm_marker/
s/(rec->flags \& HPT_RECORD_VM_MARKER) \&\& //
s/ \&\& marker != rec->vm_marker//
s/if (!(rec->flags \& HPT_RECORD_STATED))/if (1)/
s/	errno = saved;/	(void)saved;/

#: lib/rate/calibrate.h
s/#define HPT_STATED_PPB 1000000/#define HPT_STATED_PPB 800000/
s/#define HPT_STATED_PPB 1000000/#define HPT_STATED_PPB 1300000/

#: lib/clock/info.c
s/if (clk->is_vetoed)/if (0)/
