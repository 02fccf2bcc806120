# SPDX-License-Identifier: MIT

#: lib/sleep/margin.c
s/if (late_ns < HPT_CONTENTION_QUEUED_NS)/if (1)/
s/note_alike(m, farther) ? LEVEL_PART : MEAN_PART/LEVEL_PART/
s/note_alike(m, farther) ? LEVEL_PART : MEAN_PART/MEAN_PART/
s/note_alike(m, farther) ? LEVEL_PART : MEAN_PART/note_alike(m, farther) ? MEAN_PART : LEVEL_PART/
s/limit(farther, LEVEL_MOST)/farther/
s/1024 \* side \* before/1024 * side/
s/#define MEAN_PART  64/#define MEAN_PART  8/
