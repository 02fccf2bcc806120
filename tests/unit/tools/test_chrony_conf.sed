# SPDX-License-Identifier: MIT

#: tools/wall/chrony_conf.c
s/if (\*address != '\/' && /if (/
s/ && strncmp(address, "127.", 4)//
s/ && strncmp(address, "\[::1\]:", 6)//
s/"\[::1\]:", 6/"[::1]:", 4/
s/access(debian, F_OK) ? others/!access(debian, F_OK) ? others/
s/#define BLANKS " \\t/#define BLANKS " /
s/end != value && port >= 0/port >= 0/
s/ && port >= 0//
s/port <= 65535/port < 65535/
s/ && port <= 65535//
s/end != value && ppm >= 0/ppm >= 0/
s/ && ppm >= 0//
s/ && ppm < 1e6//
s/(ppm \* 1000)/(ppm)/
s/if (inet_pton(AF_INET, value, &ip) == 1)/if (inet_pton(AF_INET, value, \&ip) >= 0)/
s/if (!strcasecmp(name, "cmdport"))/if (!strcmp(name, "cmdport"))/
s/ || !strcasecmp(name, "leapseclist")//
s/!strcasecmp(name, "leapsectz") || //
s/		c->has_allow = true;/		c->has_allow = c->has_smoothtime = true;/
s/\*end ? end + 1 : end/end/
s/failed && failed != GLOB_NOMATCH/failed/
s/return error == EACCES/return 0/
s/i < found.gl_pathc/i + 1 < found.gl_pathc/
s/\/\*\.conf"/\/*"/
s/while (\*(folder/if (*(folder/
s/if (depth > DEPTH_MOST || !r->files_left)/if (!r->files_left)/
s/if (depth > DEPTH_MOST || /if (depth >= DEPTH_MOST || /
s/if (depth > DEPTH_MOST || !r->files_left)/if (depth > DEPTH_MOST)/
s/return S_ISREG(st.st_mode) ? NULL : "Not a file"/return NULL/
s/	r->conf->is_whole \&= !wrong;//
s/	if (!depth)$/	if (true)/
s/	r->conf->has_included |= depth > 0;/	r->conf->has_included = true;/
s/	r->conf->has_included |= depth > 0;/	;/
s/"%s%s\/\*.conf", ROOTED(folder))/"%s\/*.conf", folder)/
s/sizeof(pattern), "%s%s", ROOTED(path))/sizeof(pattern), "%s", path)/
s/if (!lines.left)/if (false)/
s/c->is_whole = true;/(void)c;/
s/		if (!access(other, F_OK))/		if (0)/
s/		length += (size_t)snprintf/		(void)snprintf/
s/	if (!r->patterns_left)/	if (0)/
