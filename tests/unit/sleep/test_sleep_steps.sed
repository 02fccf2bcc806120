# SPDX-License-Identifier: MIT

#: lib/sleep/settle.c
s/return passed < 0 || (!f->is_known \&\& passed > HPT_SPIN_GAP_NS) ? 0 : passed;/return passed;/

#: lib/sleep/watchdog.c
s/if (!hpt_record_is_exact(rec) \&\& rec->rate.error_ppb < w->rate.error_ppb)/if (1)/

#: lib/sleep/sleep_check.c
s/return lost < -HPT_DIVERGED_NS ? lost : 0;/return 0;/
s/else if (f->is_new \&\& rec->state == HPT_STATE_DISRUPTED \&\& hpt_deadline_is_on_timeline(&sl->asked))/else if (0)/

#: lib/sleep/kernel_phase.c
s/if ((!sl->watch.is_checked \&\& hpt_sleep_check(sl) < 0)/if ((!sl->watch.is_checked \&\& hpt_sleep_check(sl) < 0 \&\& 0)/

#: lib/sleep/sleep.c
s/(int64_t)(sl->spin.now - sl->spin.deadline) <= (int64_t)sl->spin.gap \&\&/1 \&\&/
s/	if (hpt_sleep_check(sl) < 0)/	if (hpt_sleep_check(sl) < 0 \&\& 0)/

#: lib/clock/timekeeper.c
s/return hpt_seqlatch_read_old(&clk->latch/return 0 \&\& hpt_seqlatch_read_old(\&clk->latch/

#: lib/sleep/spin.c
s/if (unlikely(passed > sp->gap))/if (0)/
