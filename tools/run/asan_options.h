/* SPDX-License-Identifier: MIT */
/* The value of ASAN_OPTIONS for programs that get another object than the runtime first. Pure but for memory. */
#ifndef HPT_TOOLS_ASAN_OPTIONS_H
#define HPT_TOOLS_ASAN_OPTIONS_H

/*
 * Returns "EXISTING:verify_asan_link_order=0", to be freed. NULL: the existing value has a word on that already.
 * @existing: NULL or "": there is none.
 */
char *asan_options_new(const char *existing);

#endif
