// SPDX-License-Identifier: MIT
/* Composes the value of ASAN_OPTIONS: tools/run/asan_options.h. */
#include "run/asan_options.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "cli/util.h"

/* As FlagParser in compiler-rt/lib/sanitizer_common/sanitizer_flag_parser.cpp splits its text. */
#define SEPARATORS " ,:\n\t\r"
#define OPTION     "verify_asan_link_order"

/* The end of a value, which may be quoted. */
static const char *value_end(const char *value)
{
	char quote[2] = { *value, '\0' };

	if (*value != '\'' && *value != '"')
		return value + strcspn(value, SEPARATORS);
	value += 1 + strcspn(value + 1, quote);
	return value + (*value != '\0');
}

static bool has_option(const char *text)
{
	while (*(text += strspn(text, SEPARATORS))) {
		size_t n = strcspn(text, "=" SEPARATORS);

		if (n == strlen(OPTION) && !memcmp(text, OPTION, n) && text[n] == '=')
			return true;
		text += n;
		if (*text == '=')
			text = value_end(text + 1);
	}
	return false;
}

char *asan_options_new(const char *existing)
{
	existing = existing ? existing : "";
	if (has_option(existing))
		return NULL;
	return xasprintf("%s%s" OPTION "=0", existing, *existing ? ":" : "");
}
