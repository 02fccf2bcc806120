# SPDX-License-Identifier: MIT

#: lib/sleep/ticker.c
s/^\t\t\tt->next_ns = after_ns;.*/\t\t\t;/
