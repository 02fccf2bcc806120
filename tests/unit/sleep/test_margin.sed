# SPDX-License-Identifier: MIT

#: lib/sleep/margin.c
s/bin = bin > FIRST_BIN ? bin - FIRST_BIN : 0;/bin = bin - FIRST_BIN;/
s/late_ns > 0 ? (uint64_t)late_ns : 0/(uint64_t)late_ns/
s/return bin < HPT_MARGIN_BINS ? bin : HPT_MARGIN_BINS - 1;/return bin % HPT_MARGIN_BINS;/
s/return hpt_octave_edge(FIRST_BIN + bin);/return hpt_octave_edge(FIRST_BIN + bin - 1);/
s/samples += m->bins\[i\] \/= 2;/samples += m->bins[i] -= m->bins[i] > 0;/
s/m->samples = (uint16_t)samples;/m->samples = 0;/
s/if (m->samples >= window \* HPT_MARGIN_SAMPLE)/if (m->samples > 2 * window * HPT_MARGIN_SAMPLE)/
s/ \&\& edge_ns(i) <= cap_ns; i++)/; i++)/
s/later -= m->bins\[i\];/;/
s/cost = (uint64_t)edge_ns(i) \* samples + /cost = /
s/ + worth_ns \* later;/;/
s/least = worth_ns \* samples;/least = UINT64_MAX;/
s/if (samples < HPT_MARGIN_ENOUGH \* HPT_MARGIN_SAMPLE \&\& ns < guess_ns)/if (samples < HPT_MARGIN_ENOUGH * HPT_MARGIN_SAMPLE)/
s/if (samples < HPT_MARGIN_ENOUGH \* HPT_MARGIN_SAMPLE \&\& ns < guess_ns)/if (ns < guess_ns)/
s/if (ns < HPT_LEAST_WAIT_NS)/if (0)/
s/worth_ns = contended_worth_ns(worth_ns);/;/
s/if (hpt_margin_is_contended(m) \&\& window > CONTENDED_WINDOW)/if (0)/
s/#define QUEUED_MOST      1400/#define QUEUED_MOST      4000/
s/#define QUEUED_CONTENDED 700/#define QUEUED_CONTENDED 500/
s/#define QUEUED_CONTENDED 700/#define QUEUED_CONTENDED 1000/
s/late_ns > QUEUED_NS ?/late_ns >= QUEUED_NS ?/
/^	if (hpt_margin_is_contended(m)) {/s/hpt_margin_is_contended(m)/0/
/^	if (hpt_margin_is_contended(m)) {/s/hpt_margin_is_contended(m)/1/
s/sooner < samples \/ 4/sooner < samples \/ 2/
s/return ns < cap_ns ? ns : cap_ns;/return ns;/

#: lib/sleep/margin.h
s/#define HPT_MARGIN_SAMPLE 4/#define HPT_MARGIN_SAMPLE 1/
