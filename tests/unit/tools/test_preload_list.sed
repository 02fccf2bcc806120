# SPDX-License-Identifier: MIT

#: tools/run/preload_list.c
s/#define SEPARATORS " :"/#define SEPARATORS ":"/
s/#define SEPARATORS " :"/#define SEPARATORS " "/
s/return \*path \&\& !strpbrk/return !strpbrk/
s/len == n \&\& !memcmp/!memcmp/
s/ \&\& !memcmp(list, path, n)//
s/list += len + (list\[len\] != '\\0')/list += len/
s/path = has(existing, path) ? "" : path/path = path/
s/existing = existing ? existing : ""/existing = existing/
s/\*existing \&\& \*path ? ":"/*path ? ":"/
s/\*existing \&\& \*path ? ":"/*existing ? ":"/
