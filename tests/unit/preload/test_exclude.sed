# SPDX-License-Identifier: MIT

#: lib/preload/exclude.c
s/slash ? slash + 1 : path/path/
s/length == n \&\& !strncmp/!strncmp/
s/ \&\& !strncmp(list, name, n)//
s/ + (list\[length\] == ':')//
s/while (n \&\& list/while (list/
s/while (n \&\& list \&\& \*list)/while (n \&\& *list)/
s/size_t n = name ? strlen(name) : 0;/size_t n = strlen(name);/
