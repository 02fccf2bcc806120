# SPDX-License-Identifier: MIT

#: lib/sleep/margin.c
s/bin > 0 ? bin \/ HPT_OCTAVE_PLACES : 0/bin \/ HPT_OCTAVE_PLACES/
s/late_ns > EARLIEST_NS ? (uint64_t)late_ns : EARLIEST_NS/(uint64_t)late_ns/
s/return bin < HPT_MARGIN_BINS ? (uint32_t)bin : HPT_MARGIN_BINS - 1;/return (uint32_t)bin % HPT_MARGIN_BINS;/
s/((int32_t)bin + 1 - LEVEL_BIN)/((int32_t)bin - LEVEL_BIN)/
s/place < first ? first : place/place/
s/place < LATEST_PLACE ? place : LATEST_PLACE/place/
s/samples += m->bins\[i\] \/= 2;/samples += m->bins[i] -= m->bins[i] > 0;/
s/m->samples = (uint16_t)samples;/m->samples = 0;/
s/if (m->samples >= window \* HPT_MARGIN_SAMPLE)/if (m->samples > 2 * window * HPT_MARGIN_SAMPLE)/
s/ \&\& edge_ns(m, i) <= cap_ns; i++)/; i++)/
s/i < HPT_MARGIN_BINS - 1 \&\& edge_ns(m, i) <= cap_ns/i < HPT_MARGIN_BINS \&\& edge_ns(m, i) <= cap_ns/
s/later -= m->bins\[i\];/;/
s/cost = (uint64_t)edge_ns(m, i) \* samples + /cost = /
s/ + worth_ns \* later;/;/
s/least = worth_ns \* samples;/least = UINT64_MAX;/
s/if (ns < guess_ns)/if (1)/
s/if (samples < HPT_MARGIN_ENOUGH \* HPT_MARGIN_SAMPLE)/if (1)/
s/if (samples < HPT_MARGIN_ENOUGH \* HPT_MARGIN_SAMPLE)/if (0)/
s/if (ns < HPT_LEAST_WAIT_NS)/if (0)/
s/return ns < cap_ns ? ns : cap_ns;/return ns;/
s/sooner < samples \/ 4/sooner < samples \/ 2/
s/spin_percent ? early/1 ? early/
s/(4000 + (early_ns) \/ 20 \* 13)/(4000)/
s/(4000 + (early_ns) \/ 20 \* 13)/((early_ns) \/ 20 * 13)/
s/	if (!m->samples)/	if (0)/
s/% (LEVEL_HIGHEST + 1)//

#: lib/sleep/margin.h
s/#define HPT_MARGIN_SAMPLE 4/#define HPT_MARGIN_SAMPLE 1/
