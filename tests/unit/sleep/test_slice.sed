# SPDX-License-Identifier: MIT

#: lib/sleep/slice.c
s/#define SLICE_NS 100000/#define SLICE_NS 200000/
s/#define SHORT_NS 500000/#define SHORT_NS 500001/
s/#define SHORT_NS 500000/#define SHORT_NS 499999/
s/if (kernels_ns != ns)/if (0)/
s/hpt_slice_restore(env, s);/;/
s/before_ns == s->kernels_ns ? 0 : before_ns/before_ns/
s/before_ns == s->kernels_ns ? 0 : before_ns/0/
s/|| s->is_short)/)/
/another scheduling class/,/return/s/s->kind = HPT_SLICE_NONE;/;/
s/s->is_short = false;/;/
s/change_slice_ns(SLICE_NS, before_ns)/change_slice_ns(0, before_ns)/

#: lib/sleep/slice.c kernel_phase
s/if (ns <= 0)/if (0)/

#: lib/sleep/kernel_phase.c
s/ \&\& !had_slice//
s/^\t\thpt_slice_shorten.*/\t\t;/
s/if (!p->is_plain)$/if (1)/
s/ || p->habits->slice.is_short))/))/
s/hpt_contention_needs_slice(&p->habits->contention) || p->habits->slice.is_short/p->habits->slice.is_short/
s/hpt_contention_note(&h->contention, wake->waited_ns, /hpt_contention_note(\&h->contention, 0, /
s/^\thpt_contention_note(&h->contention, .*/\t;/
