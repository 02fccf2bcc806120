# SPDX-License-Identifier: MIT

#: lib/machine/quota.c
s/\*c <= '9' \&\& n < TIME_MAX_US; c++/*c <= '9'; c++/
s/	if (c == \*text || n >= TIME_MAX_US)/	if (n >= TIME_MAX_US)/
s/	if (c == \*text || n >= TIME_MAX_US)/	if (c == *text)/
s/	return !\*text || !strcmp(text, "\\n");/	return 1;/
s/	if (!quota_us || !period_us)/	if (!period_us)/
s/	if (!quota_us || !period_us)/	if (!quota_us)/
s/quota_us \* 1000 + period_us - 1/quota_us * 1000/
s/		millicpus = UINT32_MAX;/		;/
s/	if (!\*least || millicpus < \*least)/	if (!*least)/
s/	if (!\*least || millicpus < \*least)/	if (1)/
s/ \&\& \*c++ == ' ' \&\&/ \&\& *c++ \&\&/
s/	    take_decimal(\&c, \&period_us) \&\& is_end(c))/	    take_decimal(\&c, \&period_us))/
s/take_decimal(\&c, ret) \&\& is_end(c);/take_decimal(\&c, ret);/

#: lib/machine/cgroup.c
s/	char \*at = text ? strchr(text, c) : NULL;/	char *at = strchr(text, c);/
s/		char \*rest = cut(list, ',');/		char *rest = NULL;/
s/		if (!strcmp(list, word))/		if (!strncmp(list, word, strlen(word)))/
s/is_octal(text\[2\]) \&\& is_octal(text\[3\])/1/
s/	if (g->looks < HPT_CGROUP_LOOKS) {/	if (1) {/
/^COLD bool hpt_cgroup_read/,/^}/s/		g->folder\[g->length\] = '\\0';/		;/
s/	if (n < 0 || (size_t)n >= size)/	if ((size_t)n > size)/
s/	if (length + HPT_CGROUP_NAME_SIZE > sizeof(g->folder))/	if (0)/
s/		if (length <= top)/		if (1)/
s/		while (length > top \&\& g->folder\[--length\] != '\/')/		while (g->folder[--length] != '\/' || length > top)/
s/((\*path)\[3\] == '\/' || !(\*path)\[3\])/1/
s/	if (!strcmp(root, "\/"))/	if (0)/
s/return root_ups > path_ups \&\& !\*root ? "" : NULL;/return NULL;/
s/return root_ups > path_ups \&\& !\*root ? "" : NULL;/return root_ups > path_ups ? "" : NULL;/
s/return root_ups > path_ups \&\& !\*root ? "" : NULL;/return !*root ? "" : NULL;/
s/ \&\& (path\[n\] == '\/' || !path\[n\]) ? path + n : NULL;/ ? path + n : NULL;/
s/ || \*path != '\/' || strlen/ || strlen/
s/ || strlen(path) >= HPT_CGROUP_PATH_SIZE)/)/
s/has_word(controllers, g->controller) ? 1 : 0;/1;/
s/	while (tag \&\& strncmp(tag, "- ", 2))/	while (0)/
s/	if (!options)/	if (!type)/
s/\&\& has_word(options, g->controller) ? 1 : 0;/? 1 : 0;/
s/	if (!version || !g->path\[version - 1\]\[0\])/	if (!version)/
s/	unescape(root);/	;/
s/	unescape(point);/	;/
s/	hpt_lines_close(\&lines);/	;/
