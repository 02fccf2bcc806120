# SPDX-License-Identifier: MIT

#: lib/machine/uio.c
s/if (n < 0 || (size_t)n >= size)/if (n < 0 || (size_t)n > size)/
s/while (\*ret \&\& \*ret != '\\n')/while (*ret)/
s/ || text\[0\] != '0' ||/ ||/
s/ || !text\[2\]//
s/text\[1\] != 'x' || //
s/if (digit < 0 || value >> 60)/if (digit < 0)/
s/if (digit < 0 || value >> 60)/if (value >> 60)/
s/\&\& !strcmp(text, name)/\&\& !strncmp(text, name, strlen(name))/
s/number < HPT_UIO_DEVICES \&\&/number < HPT_UIO_DEVICES - 1 \&\&/
s/hpt_decimal_append(ret->path, number);/hpt_decimal_append(ret->path, 0);/
