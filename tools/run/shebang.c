// SPDX-License-Identifier: MIT
/* Parses the first line of a script as fs/binfmt_script.c does: tools/run/shebang.h. */
#include "run/shebang.h"

#include <string.h>

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

bool shebang_parse(const char *head, size_t n, char ret[SHEBANG_MAX])
{
	size_t at = 2, end;

	if (n < 2 || head[0] != '#' || head[1] != '!')
		return false;
	while (at < n && is_blank(head[at]))
		at++;
	end = at;
	while (end < n && !is_blank(head[end]) && head[end] != '\n' && head[end] != '\0')
		end++;
	/* A path that goes on beyond these bytes is refused. A shorter file's last line needs no end. */
	if (end == at || end == SHEBANG_MAX)
		return false;
	memcpy(ret, head + at, end - at);
	ret[end - at] = '\0';
	return true;
}
