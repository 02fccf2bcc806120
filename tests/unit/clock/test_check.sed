# SPDX-License-Identifier: MIT

#: lib/clock/read.c
s/ns = rec.read.line_span ? /ns = 1 ? /

#: lib/rate/next_record.c
s/^	if (hpt_record_serves(old, start))$/	if (0)/
s/return rec->state == HPT_STATE_DEMOTED || hpt_record_is_learning(rec);/return false;/
s/return rec->state == HPT_STATE_DEMOTED || hpt_record_is_learning(rec);/return rec->state == HPT_STATE_DEMOTED;/
#: lib/rate/event.c
s/hpt_record_is_learning(old) || old->state == HPT_STATE_DEMOTED/hpt_record_is_learning(old)/
s/samples->is_demoted \&\& !is_demoted/samples->is_demoted/
s/samples->is_confirmed \&\& is_demoted/is_demoted/
s/samples->is_confirmed \&\& is_demoted/samples->is_confirmed/
s/state = event == HPT_EVENT_TRUSTED ? HPT_STATE_OK/state = event == HPT_EVENT_TRUSTED ? HPT_STATE_REANCHORED/
s/else if (rec->state != HPT_STATE_DEMOTED || event == HPT_EVENT_TRUSTED)/else/
#: lib/rate/estimate.c
s/est->flags \&= ~HPT_ESTIMATE_STATED;/;/
#: lib/rate/next_record.c
s/rec->flags |= HPT_CLOCK_RATE_CONTRADICTED;/;/
s/if (rec->state == HPT_STATE_DEMOTED)/if (0)/
#: lib/rate/event.c
s/if (samples->is_disrupted) /if (samples->is_disrupted \&\& !moved) /
#: lib/rate/estimate.c
s/if (est->error_ppb < DEMOTED_PPB)/if (0)/
s/if (est->error_ppb < error_ppb)/if (0)/
s/est->safe = hpt_rates_either(part, est->safe);/;/
/^COLD void hpt_estimate_demote/,/^}/s/hpt_estimate_distrust(est);/;/

#: lib/clock/check.c
s/if (!clk->is_clocksource)/if (0)/
s/samples->is_demoted = now == HPT_KERNEL_OTHER/samples->is_demoted = now != HPT_KERNEL_AGREES/
s/samples->is_confirmed = now == HPT_KERNEL_AGREES/samples->is_confirmed = now != HPT_KERNEL_OTHER/
s/if ((!is_tsc(clk) \&\& clk->src.ops->id != HPT_SOURCE_ARCH) || !hpt_vm_marker/if (!hpt_vm_marker/
s/(rec->flags \& HPT_RECORD_VM_MARKER) \&\& //
s/ \&\& marker != rec->vm_marker//
s/if (!(rec->rate.flags \& HPT_ESTIMATE_STATED))/if (1)/
s/	errno = saved;/	(void)saved;/

#: lib/rate/calibrate.h
s/#define HPT_STATED_PPB 1000000/#define HPT_STATED_PPB 800000/
s/#define HPT_STATED_PPB 1000000/#define HPT_STATED_PPB 1300000/

#: lib/clock/info.c
s/if (clk->is_vetoed)/if (0)/
