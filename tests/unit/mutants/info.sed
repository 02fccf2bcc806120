# SPDX-License-Identifier: MIT

#: lib/clock/info.c
s/memset(ret, 0, size);/;/
