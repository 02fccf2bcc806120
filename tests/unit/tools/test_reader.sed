# SPDX-License-Identifier: MIT

#: tools/trace/reader_lines.c
s/return at == text + n || \*at == '#' ? READER_NOTHING : READER_WRONG;/return READER_NOTHING;/
s/if (!at || (at < text + n \&\& \*at != ' ' \&\& \*at != '\\t'))/if (!at)/
s/(!\*end || \*end == ' ' || \*end == '\\t') ? scan_blanks(end)/1 ? scan_blanks(end)/
s/\&\& !\*scan_blanks(end) //
s/ \&\& ret->latest_ns >= ret->earliest_ns//
#: tools/trace/reader_perf.c
s/at\[-1\] != '\/'/at[-1] != '!'/
s/if (at < end \&\& \*at != '\[')/if (1)/
s/if (strlen(text) != n)/if (0)/
s/if (scan_int(at, \&period) == word \&\& \*word)/if (0)/
s/(!end\[1\] || scan_is_blank(end\[1\]))/1/
s/return end > word \&\& end == scan_word(word) \&\& /return /
s/end == scan_word(word) \&\& //
s/ \&\& (\*text == '\\t' || end - text >= 8 + 16)//
s/end - text >= 8 + 16/0/
s/ || text\[2\] == ' ')/)/
s/	if (word == text)/	if (0)/
s/!strncmp(word, "BPF output:", 11) || //
s/ || !strncmp(word, "BPF string:", 11)//
s/ == 4 \&\& word\[4\] == ':' / > 2 \&\& word[strspn(word, "0123456789abcdef")] == ':' /
s/return text\[n - 1\] == '\]';/return true;/
s/return text\[n\] \&\& text\[n - 1\] == ':';/return text[n - 1] == ':';/
s/return text\[n\] \&\& text\[n - 1\] == ':';/return text[n];/
s/	ret->stamp = 1;/	;/
s/return ret->stamp > 0 ? READER_LOST : READER_NOTHING;/return READER_LOST;/
s/		return READER_EVENT;/		;/
s/	while (at > from \&\& !scan_is_blank(at\[-1\]))/	while (0)/
s/end = before_blanks(from, at);/end = at;/
s/ret->thread = end > from ? from : NULL;/ret->thread = from;/
s/	const char \*from = scan_blanks(text), \*end;/	const char *from = text, *end;/
s/		ret->track = 0;/		;/
#: tools/trace/reader_ftrace.c
s/ret->thread = is_known ? from : NULL;/ret->thread = from;/
s/bool is_known = end > from \&\& strncmp/bool is_known = strncmp/
s/	const char \*from = scan_blanks(text);/	const char *from = text;/
s/read_task(text, at - 1, ret);/read_task(text, at, ret);/
s/end \&\& \*end == '\]' \&\& scan_is_blank(end\[1\])/end/
s/if (end \&\& scan_is_blank(\*end))/if (end)/
s/#define CPUS_MOST 4/#define CPUS_MOST 3/
s/		if (after)/		if (true)/
s/return ret->event.stamp > 0 ? READER_LOST : READER_NOTHING;/return READER_LOST;/
s/ret->event.stamp = 1;/ret->event.stamp = 0;/
s/|| written <= kept/|| written < kept/
s/ret->event.stamp = written - kept;/ret->event.stamp = written;/
s/ || !strcmp(at, "E")//
s/if (strlen(text) != n)/if (0)/
#: tools/trace/reader_lttng.c
s/n + 2 > sizeof(text) || //
s/|| \*at == '('//
s/return ret->name_length > 0;/return true;/
s/number_of(after, "vtid = ", number_of(after, "cpu_id = ", 0))/number_of(after, "cpu_id = ", 0)/
s/if (strlen(text) != n)/if (0)/
#: tools/trace/reader.c
s/\[EVENT_RAW\] = "raw"/[EVENT_RAW] = "mono_raw"/
