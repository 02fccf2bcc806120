# SPDX-License-Identifier: MIT

#: tools/check/exam.c
s/if (exam->pairs\[i\].backwards)/if (0)/
s/exam->error || //
s/ || !all_are_compared(exam)//
s/exam->pairs\[i\].cpu_a == exam->cpus\[0\] \&\& //
s/warp_pair_width(pair) < exam->width_limit_ticks/1/
s/pair->backwards || (/(/
s/ ? direct : most + second/ ? direct : direct/
s/!exam_rate_ok(exam) || //
s/!is_sound(&exam->before) || //
s/ || !is_sound(&exam->after)//
s/clock->state == HPT_STATE_OK \&\& //
s/ \&\& !(clock->flags & HPT_CLOCK_VETOED)//
s/exam->after.generation != exam->before.generation/0/
s/allowed >= UINT32_MAX/0/
s/ || exam->drift.raw_ns <= 0//
s/ \&\& size - allowed > doubt//
s/doubt > allowed/doubt >= allowed/
s/size <= allowed - doubt/size < allowed - doubt/
s/info->source == HPT_SOURCE_OS ? ntp_ppb() : //
s/exam->knows_online = !cpus_online(&all);/exam->knows_online = true;/
s/CPU_OR_S(sizeof(all.set), all.set, all.set, allowed.set);/;/
s/!exam->knows_online || //
s/leave_out(c->exam, cpu, r);/;/
s/exam->left_out\[exam->n_left_out++\] = (struct exam_refusal){ cpu, error };/;/
