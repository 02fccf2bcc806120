/* SPDX-License-Identifier: MIT */
/* Whether AddressSanitizer's shared runtime comes first among a process's objects. Pure functions. */
#ifndef HPT_LINK_ORDER_H
#define HPT_LINK_ORDER_H

#include <stdbool.h>
#include <stddef.h>

/* Begins as zeros. */
struct hpt_link_order {
	size_t taken;           /* objects so far */
	bool is_asan_first;     /* the answer, once hpt_link_order_take() returned true */
};

/*
 * Takes the next object in the order of dl_iterate_phdr(), as the runtime's own FindFirstDSOCallback() does in
 * compiler-rt/lib/asan/asan_linux.cpp, but passes over those that do not count. True: the answer is known. Calls no
 * function of the C library: the runtime replaces those for strings, and has not begun.
 */
bool hpt_link_order_take(struct hpt_link_order *o, const char *name, bool does_count);

#endif
