# SPDX-License-Identifier: MIT

#: tools/bench/frontier.c
s/ > FRONTIER_LATE_NS \* PS_PER_NS/ >= FRONTIER_LATE_NS * PS_PER_NS/
s/policies\[way % FRONTIER_WAYS\]/HPT_SLEEP_BALANCED/
s/\[FRONTIER_STRICT\] = HPT_SLEEP_STRICT/[FRONTIER_STRICT] = HPT_SLEEP_FRUGAL/
/^static void leave/,/^}/s/	hpt_sleep_set_policy(HPT_SLEEP_BALANCED, 0);/	;/
s/	if (!paced_summarise(&f->paced))/	if (paced_summarise(\&f->paced), 0)/

#: tools/bench/frontier.h
s/rows\[0\]\[regime \* FRONTIER_WAYS + way\]/rows[0][way]/

#: tools/bench/frontier_report.c
s/frontier_row(f, regime, FRONTIER_KERNEL)->cpu_ns/frontier_row(f, 0, FRONTIER_KERNEL)->cpu_ns/
s/f->late\[regime\]\[way\], row->over, row->late.median/row->over, row->over, row->late.median/
