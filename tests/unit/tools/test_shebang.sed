# SPDX-License-Identifier: MIT

#: tools/run/shebang.c
s/c == ' ' || c == '\\t'/c == ' '/
s/ || head\[1\] != '!'//
s/	while (at < n \&\& is_blank(head\[at\]))/	while (0)/
s/!is_blank(head\[end\]) \&\& //
s/ \&\& head\[end\] != '\\n'//
s/ \&\& head\[end\] != '\\0'//
s/end == at || //
s/ || end == SHEBANG_MAX//
s/	ret\[end - at\] = '\\0';//
