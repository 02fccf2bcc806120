# SPDX-License-Identifier: MIT

#: lib/preload/frozen.c
s/ns_of(&st.stx_mtime) == ns_of(&st.stx_atime) ? 0 : //
s/version == 1 ? "\/freezer.state"/version == 2 ? "\/freezer.state"/
s/	if (ns > \*latest_ns)/	if (!*latest_ns)/
s/	if (ns > \*latest_ns)/	if (ns)/
s/ + t->tv_nsec;/;/
