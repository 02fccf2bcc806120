# SPDX-License-Identifier: MIT

#: lib/wall/vmclock.c vmclock vmclock_page
s/^#define PAGE_AT_TIME_MAXERROR   96/#define PAGE_AT_TIME_MAXERROR   88/
s/^#define PAGE_AT_PERIOD_MAXERROR 64/#define PAGE_AT_PERIOD_MAXERROR 56/
s/^#define FLAG_PERIOD_MAXERROR (UINT64_C(1) << 4)/#define FLAG_PERIOD_MAXERROR 0/
s/^#define FLAG_TIME_MAXERROR   (UINT64_C(1) << 6)/#define FLAG_TIME_MAXERROR   0/
s/^#define FLAG_TAI_OFFSET      UINT64_C(1)/#define FLAG_TAI_OFFSET      0/
s/return hpt_vmclock_word(page, PAGE_AT_MAGIC) == PAGE_MAGIC \&\&/return/
s/^\t       hpt_vmclock_word(page, PAGE_AT_SIZE) >= LEAST_SIZE \&\&$/\t       1 \&\&/
s/(hpt_vmclock_word(page, PAGE_AT_VERSION) \& 0xffff) == PAGE_VERSION;/1;/
s/^		env->unmap_registers(page, MAPPED);/		;/
s/r = env->try_words(page, MAPPED \/ 4);/r = 0;/
s/return r ? hpt_wall_ask_failed(ask, r) : HPT_WALL_REASON_FORMAT;/return HPT_WALL_REASON_FORMAT;/
s/return !(\*ret_seq \& 1);/return true;/
s/return hpt_vmclock_word(page, HPT_VMCLOCK_SEQ) == seq;/return true;/
s/ || !has_flags(c, FLAGS_OF_BOUND) ||/ ||/
s/if (c->words\[PAGE_AT_SIZE \/ 4\] < TIME_SIZE || /if (/
s/^	    byte_at(c, PAGE_AT_COUNTER) == COUNTER_NONE)/	    false)/
s/return clk->src.ops->id == HPT_SOURCE_OWN \&\& /return /
s/ \&\& byte_at(c, PAGE_AT_COUNTER) == ARCH_VMCLOCK_COUNTER;/;/
s/if (status != STATUS_SYNCHRONIZED \&\& status != STATUS_FREERUNNING)/if (status > STATUS_FREERUNNING)/
s/if (status != STATUS_SYNCHRONIZED \&\& status != STATUS_FREERUNNING)/if (status < STATUS_SYNCHRONIZED)/
s/ || type == TYPE_SMEARED || / || type >= TYPE_SMEARED || /
s/(type == TYPE_TAI \&\& has_flags(c, FLAG_TAI_OFFSET))/type == TYPE_TAI/
s/return byte_at(c, PAGE_AT_PERIOD_SHIFT) > MOST_SHIFT || /return /
s/ > MOST_SHIFT || error >= period || / > MOST_SHIFT || /
s/ || period + error < period ||/ ||/
s/long_at(c, PAGE_AT_TIME_SEC) >= MOST_SEC || /false || /
s/ || long_at(c, PAGE_AT_TIME_MAXERROR) > MOST_ERROR_NS ||/ ||/
s/byte_at(c, PAGE_AT_LEAP) > LEAP_POST_NEG || /false || /
s/ || (int64_t)(c->tick - long_at(c, PAGE_AT_COUNTER_VALUE)) < 0 ||/ ||/
s/ \&\& !hpt_leap_is_tai_offset(tai_offset_s(c)))/ \&\& 0)/
s/return byte_at(c, PAGE_AT_LEAP) == LEAP_POS ? HPT_WALL_REASON_LEAP : HPT_WALL_REASON_NONE;/return HPT_WALL_REASON_NONE;/
s/if (rounds_up \&\& rest \&\& !++s.frac)/if (false)/
s/\.lo = period_ns(period - error, shift, false)/.lo = period_ns(period, shift, false)/
s/\.hi = period_ns(period + error, shift, true)/.hi = period_ns(period, shift, true)/
s/return (band->lo.whole || band->lo.frac) \&\& /return /
s/ \&\& band->hi.whole < MOST_PERIOD_NS;/;/
s/sec -= (uint64_t)tai_offset_s(c);/sec += (uint64_t)tai_offset_s(c);/
s/if (byte_at(c, PAGE_AT_TIME_TYPE) == TYPE_TAI)$/if (false)/
s/return ask->config->max_age_ns ? ask->config->max_age_ns : /return /
s/age_ns <= max_age_ns(ask);/true;/
s/hpt_sum((int64_t)lo.ns, -error_ns);/hpt_sum((int64_t)lo.ns + 2, -error_ns);/
s/hpt_sum((int64_t)lo.ns, -error_ns);/(int64_t)lo.ns;/
s/hpt_sum((int64_t)(hi.ns + (hi.frac != 0)), error_ns)/hpt_sum((int64_t)hi.ns, error_ns)/
s/hpt_sum((int64_t)(hi.ns + (hi.frac != 0)), error_ns)/(int64_t)(hi.ns + (hi.frac != 0))/
s/leap == LEAP_PRE_POS ? HPT_WALL_LEAP_INSERTED : HPT_WALL_LEAP_LEFT_OUT/HPT_WALL_LEAP_INSERTED/
s/return ret->sample.latest_ns < ret->leap_at_ns - HPT_LEAP_NEAR_NS;/return true;/
s/if (leap != LEAP_PRE_POS \&\& leap != LEAP_PRE_NEG)/if (leap != LEAP_PRE_POS)/
s/if (!hpt_wall_is_plausible(ret->sample.earliest_ns, ret->sample.latest_ns))/if (false)/
s/TYPE_SMEARED ? HPT_WALL_FLAG_SMEARED : 0;/TYPE_SMEARED ? 0 : 0;/
s/ret->tai_offset_s = has_flags(c, FLAG_TAI_OFFSET) ? tai_offset_s(c) : 0;/ret->tai_offset_s = tai_offset_s(c);/
s/ret->is_holdover = byte_at(c, PAGE_AT_STATUS) == STATUS_FREERUNNING;/ret->is_holdover = false;/
s/ret->has_rate = true;/ret->has_rate = false;/
s/if (!ask->vmclock)/if (false)/
s/^#define PAGE_AT_GENERATION      104/#define PAGE_AT_GENERATION      96/
s/^#define GENERATION_SIZE 112/#define GENERATION_SIZE 104/
s/^#define FLAG_GENERATION      (1u << 8)/#define FLAG_GENERATION      (1u << 7)/
s/hpt_vmclock_word(page, PAGE_AT_SIZE) >= GENERATION_SIZE \&\&/true \&\&/
s/hpt_vmclock_word(page, PAGE_AT_SIZE) >= GENERATION_SIZE \&\&/hpt_vmclock_word(page, PAGE_AT_SIZE) > GENERATION_SIZE \&\&/
s/^	if (m.has_generation)/	if (1)/

#: lib/wall/vmclock.h vmclock vmclock_page
s/return !((now ^ seq) | marker);/return !(now ^ seq);/
s/return !((now ^ seq) | marker);/return !marker;/
