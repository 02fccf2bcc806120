# SPDX-License-Identifier: MIT

#: tools/cli/stopwatch.c
s/info.flags & HPT_CLOCK_VETOED/false/
s/info.source == HPT_SOURCE_TSC \&\& has_rdtscp()/has_rdtscp()/
s/info.source == HPT_SOURCE_TSC \&\& has_rdtscp()/info.source == HPT_SOURCE_TSC/
s/return stopwatch_on(hpt_clock_default());/return stopwatch_finest();/
s/own.source == HPT_SOURCE_TSC || //
s/finest.is_vetoed ? stopwatch_of_default() : finest/finest/
s/return stopwatch_on(tsc);/return own;/

#: tools/bench/stopwatch_report.c
s/out_json_bool(o, "vetoed", w->is_vetoed);/out_json_bool(o, "vetoed", false);/
s/if (w->is_vetoed)/if (!w->is_vetoed)/
s/w->is_tsc ? "RDTSCP" : "hpt_now()"/"RDTSCP"/
