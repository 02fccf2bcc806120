# SPDX-License-Identifier: MIT

#: lib/sleep/slice.c
s/#define SLICE_NS 100003/#define SLICE_NS 200000/
s/#define SHORT_NS 500000/#define SHORT_NS 500001/
s/#define SHORT_NS 500000/#define SHORT_NS 499999/
s/#define RUN_MOST_NS 60000/#define RUN_MOST_NS 58000/
s/#define RUN_MOST_NS 60000/#define RUN_MOST_NS 62000/
s/#define RUNS     64/#define RUNS     128/
s/#define RUNS     64/#define RUNS     32/
s/65536 \/ 8)/65536 \/ 4)/
s/65536 \/ 8)/65536 \/ 64)/
s/if (kernels_ns != ns)/if (0)/
/^COLD void hpt_slice_ask/,/^}/s/^\trestore(env, s);/\t;/
s/env->change_slice_ns(SLICE_NS, 0);/;/
s/before_ns == s->kernels_ns || before_ns == SLICE_NS ? 0 : before_ns/before_ns/
s/before_ns == s->kernels_ns || before_ns == SLICE_NS ? 0 : before_ns/0/
s/ || before_ns == SLICE_NS ? 0/ ? 0/
s/ || s->kind != HPT_SLICE_SETTABLE)/)/
/^static void shorten/,/^}/s/s->kind = HPT_SLICE_NONE;/;/
/^static void restore/,/^}/s/s->kind = HPT_SLICE_NONE;/;/
/^static void restore/,/^}/s/s->is_short = true;/;/
/^static void restore/,/^}/s/s->is_short = false;/;/
s/change_slice_ns(SLICE_NS, before_ns)/change_slice_ns(0, before_ns)/
s/is_needed \&\& s->ran_long <= (.*/is_needed;/
s/is_right = is_needed \&\& /is_right = /
s/OFTEN : OFTEN \/ 2/OFTEN : OFTEN/
s/s->ended_ns = INT64_MAX;/;/
s/now_ns \&\& now_ns != SLICE_NS/0/
s/now_ns \&\& now_ns != SLICE_NS/now_ns/
s/now_ns \&\& now_ns != SLICE_NS/now_ns != SLICE_NS/

#: lib/sleep/slice.c kernel_phase
s/if (ns <= 0)/if (0)/

#: lib/sleep/kernel_phase.c
s/ \&\& !had_slice//
s/^\t\tfollow_slice(sl, p.habits);/\t\t;/
s/ \&\& !h->limits.must_not_spin \&\&$/ \&\&/
s/!hpt_spin_limits_forbid() \&\& //
s/ \&\& hpt_policy_kind(sl->s->policy) != HPT_SLEEP_SPIN;/;/
s/^\t\thpt_slice_check(sl->s->clk->src.env, .*/\t\t;/
s/^\t\tnote_end(sl, p.habits, r);/\t\t;/
s/bool spins = !r \&\& /bool spins = /
s/bool spins = !r \&\& .*/bool spins = !r;/
s/ + (left_ns > 0 ? left_ns : 0));/);/
s/return h \&\& (hpt_contention_needs_slice(&h->contention) || h->slice.is_short);/return h \&\& hpt_contention_needs_slice(\&h->contention);/
s/return h \&\& (hpt_contention_needs_slice(&h->contention) || h->slice.is_short);/return h \&\& h->slice.is_short;/
s/hpt_contention_note(&h->contention, wake->waited_ns, /hpt_contention_note(\&h->contention, 0, /
s/^\thpt_contention_note(&h->contention, .*/\t;/

#: lib/sleep/habits.h
s/h->slice.kind != HPT_SLICE_SHORT/h->slice.kind == HPT_SLICE_NONE/

#: lib/sleep/spin_limits.h
s/^\t       !atomic_load_explicit(&hpt_spin_limits.millicpus.*/\t       true;/
