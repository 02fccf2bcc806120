# SPDX-License-Identifier: MIT

#: lib/preload/link_order.c
s/return !\*word;/return true;/
s/	while (\*text \&\& !begins_with(text, word))/	while (0)/
s/return !\*name || begins_with/return begins_with/
s/ || begins_with(name, "linux-")//
s/has(name, "libasan.so") || //
s/ || has(name, "libclang_rt.asan")//
s/"libclang_rt.asan"/"libclang_rt."/
s/"libasan.so"/"libasan.s"/
s/"libasan.so"/"san.so"/
s/!o->taken++ || //
s/is_vdso(name) || //
s/ || !does_count)/)/
s/o->is_asan_first = is_asan(name);/;/
