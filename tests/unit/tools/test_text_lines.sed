# SPDX-License-Identifier: MIT

#: tools/trace/text_lines.c
s/l->to -= l->from;/l->to -= 0;/
s/(state == LINES_WHOLE)/1/
s/\*n > LINES_MOST ? LINES_LONG : state/state/
s/at + seen, '\\n'/at + seen + 1, '\\n'/
s/l->error = errno;/l->error = 0;/
s/l->from = (size_t)(end - l->bytes) + 1;/l->from = (size_t)(end - l->bytes);/
s/if (l->bytes_read >= most)/if (l->bytes_read > LINES_MOST)/
s/		l->from = l->to = 0;/		l->to = 0;/
