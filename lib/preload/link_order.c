// SPDX-License-Identifier: MIT
/* Whether AddressSanitizer's shared runtime comes first among a process's objects: lib/preload/link_order.h. */
#include "preload/link_order.h"

static bool begins_with(const char *text, const char *word)
{
	while (*word && *text == *word)
		text++, word++;
	return !*word;
}

static bool has(const char *text, const char *word)
{
	while (*text && !begins_with(text, word))
		text++;
	return *text;
}

/* The page of code that the kernel maps has no name, or this one. */
static bool is_vdso(const char *name)
{
	return !*name || begins_with(name, "linux-");
}

/* gcc's, and clang's with -shared-libasan. */
static bool is_asan(const char *name)
{
	return has(name, "libasan.so") || has(name, "libclang_rt.asan");
}

bool hpt_link_order_take(struct hpt_link_order *o, const char *name, bool does_count)
{
	/* The first is the program. */
	if (!o->taken++ || is_vdso(name) || !does_count)
		return false;
	o->is_asan_first = is_asan(name);
	return true;
}
