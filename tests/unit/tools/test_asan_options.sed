# SPDX-License-Identifier: MIT

#: tools/run/asan_options.c
s/#define SEPARATORS " ,:/#define SEPARATORS ",:/
s/#define SEPARATORS " ,:/#define SEPARATORS " :/
s/#define SEPARATORS " ,:/#define SEPARATORS " ,/
s/:\\n\\t\\r"/:\\t\\r"/
s/\*value != '\\'' \&\& \*value != '"'/1/
s/\*value != '\\'' \&\& \*value/*value/
s/return value + (\*value != '\\0');/return value + 1;/
s/return value + (\*value != '\\0');/return value;/
s/n == strlen(OPTION) \&\& !memcmp/!memcmp/
s/ \&\& !memcmp(text, OPTION, n)//
s/ \&\& text\[n\] == '='//
s/	if (\*text == '=')/	if (0)/
s/existing = existing ? existing : ""/existing = existing/
s/	if (has_option(existing))/	if (0)/
s/\*existing ? ":" : ""/":"/
