# SPDX-License-Identifier: MIT

#: lib/sleep/margin.c
s/if (late_ns < FIRST_NS)/if (0)/
s/return bin < HPT_MARGIN_BINS ? bin : HPT_MARGIN_BINS - 1;/return bin % HPT_MARGIN_BINS;/
s/(bin - 1) % 8 + 1) << (octave - 3)/(bin - 1) % 8) << (octave - 3)/
s/samples += m->bins\[i\] \/= 2;/samples += m->bins[i] -= m->bins[i] > 0;/
s/m->samples = (uint16_t)samples;/m->samples = 0;/
s/if (++m->samples >= window)/if (++m->samples > 2 * window)/
s/ \&\& edge_ns(i) <= cap_ns; i++)/; i++)/
s/later -= m->bins\[i\];/;/
s/cost = (uint64_t)edge_ns(i) \* samples + /cost = /
s/ + worth_ns \* later;/;/
s/least = worth_ns \* samples;/least = UINT64_MAX;/
s/if (samples < HPT_MARGIN_ENOUGH \&\& ns < guess_ns)/if (samples < HPT_MARGIN_ENOUGH)/
s/if (samples < HPT_MARGIN_ENOUGH \&\& ns < guess_ns)/if (ns < guess_ns)/
s/if (ns < HPT_LEAST_WAIT_NS)/if (0)/
s/return ns < cap_ns ? ns : cap_ns;/return ns;/
