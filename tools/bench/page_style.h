/* SPDX-License-Identifier: MIT */
/* The style sheet of a report's page, without that of its plots. */
#ifndef HPT_BENCH_PAGE_STYLE_H
#define HPT_BENCH_PAGE_STYLE_H

extern const char hpt_page_style[];

#endif
