# SPDX-License-Identifier: MIT

#: tools/cli/doc.c
s/	if (!text || !\*text)/	if (0)/
s/(at > text \&\& is_in_word(at\[-1\])) || //
s/ || is_in_word(at\[n\])))/))/
s/		if (may_break \&\& strchr("(_", \*text))/		if (0)/
