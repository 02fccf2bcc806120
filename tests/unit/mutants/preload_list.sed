# SPDX-License-Identifier: MIT

#: tools/run/preload_list.c
s/#define SEPARATORS " :"/#define SEPARATORS ":"/
s/#define SEPARATORS " :"/#define SEPARATORS " "/
s/return \*path \&\& !strpbrk/return !strpbrk/
s/len == n \&\& !memcmp/!memcmp/
s/ \&\& !memcmp(list, path, n)//
s/list += len + (list\[len\] != '\\0')/list += len/
s/first = first \&\& !has(existing, first)/first = first/
s/last = last \&\& !has(existing, last)/last = last/
s/existing = existing ? existing : ""/existing = existing/
s/(\*existing || \*last) ? ":"/*existing ? ":"/
s/\*existing \&\& \*last ? ":"/*last ? ":"/
