# SPDX-License-Identifier: MIT

#: tools/trace/placer.c
s/__builtin_sub_overflow(line.ns, f->offset_ns, \&line.ns)/0/
s/clock == (is_os ? EVENT_MONOTONIC : EVENT_RAW)/clock == EVENT_RAW/
s/p->bases->n_generations == 1 \&\& //
s/stamp < p->pair.last_fields->tick/true/
s/stamp >= p->pair.first_fields->tick/true/
s/|| pair.first != p->pair.first)/)/
s/events\[i\].generation = generation;/events[i].generation = 0;/
s/i < BATCH_EVENTS \&\& //
s/p->clock = bases->fields\[0\].source == HPT_SOURCE_OS ? EVENT_MONOTONIC : EVENT_RAW;/p->clock = EVENT_RAW;/
s/return clock == EVENT_MONOTONIC || (clock/return (clock/
s/\&\& t->fields\[0\].source != HPT_SOURCE_OS//
s/p->has_unix = bases || stamps == EVENT_REALTIME;/p->has_unix = bases;/
s/f->tick = line.ns;/f->tick += 0;/
