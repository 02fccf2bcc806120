/* SPDX-License-Identifier: MIT */
/* The style sheet of a report's page, without that of its plots. */
#ifndef HPT_TOOLS_PAGE_STYLE_H
#define HPT_TOOLS_PAGE_STYLE_H

extern const char page_style[];

#endif
