# SPDX-License-Identifier: MIT

#: lib/sleep/deadline.c
s/return passed < 0 || (!f->is_known \&\& passed > HPT_SPIN_GAP_NS) ? 0 : passed;/return passed;/
s/passed < 0 || (!f->is_known \&\& passed > HPT_SPIN_GAP_NS)/passed < 0/
s/passed = by_counter < by_clock ? by_counter : by_clock/passed = by_counter/
s/passed = by_counter < by_clock ? by_counter : by_clock/passed = by_clock/
s/if (!f->is_known || sl->asked.kind != HPT_DEADLINE_TICK)/if (1)/
s/return (int64_t)(most - tick) < 0 ? most : tick;/return most;/
s/return f->is_known \&\& !f->stepped_ns ? sl->spin.deadline : clocks_tick(sl, f);/return sl->spin.deadline;/
s/return size_of(hpt_sum(gained, -wall_moved_ns)) < size_of(gained) \/ 2 ? 0 : gained;/return gained;/
s/if (f->gained_ns != f->stepped_ns)/if (0)/
s/^		hpt_timekeeper_resample(sl->s->clk);/		;/
s/if (is_large || rec->generation != sl->watch.generation) {/if (0) {/
s/if (is_large \&\& f.stepped_ns)/if (0)/
s/return lost_ns < -HPT_DIVERGED_NS ? lost_ns : 0;/return 0;/
s/else if (is_new \&\& rec->state == HPT_STATE_DISRUPTED \&\& is_on_timeline(sl))/else if (0)/
s/if (is_first || gained >= 0)/if (1)/
s/if (!hpt_record_is_exact(&rec) \&\& rec.error_ppb < sl->watch.rate.error_ppb)/if (1)/

#: lib/sleep/kernel_phase.c
s/if ((!sl->watch.is_checked \&\& hpt_deadline_check(sl) < 0)/if ((!sl->watch.is_checked \&\& hpt_deadline_check(sl) < 0 \&\& 0)/

#: lib/sleep/sleep.c
s/(int64_t)(sl->spin.now - sl->spin.deadline) <= (int64_t)sl->spin.gap \&\&/1 \&\&/
s/	if (hpt_deadline_check(sl) < 0)/	if (hpt_deadline_check(sl) < 0 \&\& 0)/

#: lib/clock/timekeeper.c
s/return hpt_seqlatch_read_old(&clk->latch/return 0 \&\& hpt_seqlatch_read_old(\&clk->latch/

#: lib/sleep/spin.c
s/if (unlikely(passed > sp->gap))/if (0)/
