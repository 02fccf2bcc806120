#!/bin/sh
# SPDX-License-Identifier: MIT
# musl.sh MUSL_GCC SOURCE_ROOT LIBRARY_SOURCE...: builds the library and tests/process/loading.c with musl. dlopen() has
# to load the library there too.
set -eu

cc=$1 top=$2
shift 2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# folder_of HEADER: the folder that gcc finds it in
folder_of() {
	printf '#include <%s>\n' "$1" | gcc -E -x c - | sed -n "s|^# 1 \"\\(.*\\)/${1##*/}\" 1.*|\\1|p" | head -n 1
}

# musl-gcc does not find the kernel's headers, which are no part of musl.
for header in linux/futex.h asm/unistd.h asm-generic/unistd.h; do
	ln -s "$(folder_of "$header")" "$dir/${header%/*}"
done

"$cc" -shared -fPIC -O1 -std=gnu11 -D_GNU_SOURCE -I"$dir" -I"$top/include" -I"$top/lib" -Wl,-z,defs -Wl,-z,now \
	-Wl,-soname,libhpt.so.1 -o "$dir/libhpt.so.1" "$@"
"$cc" -O1 -std=gnu11 -D_GNU_SOURCE -I"$top/include" -o "$dir/loading" "$top/tests/process/loading.c"
"$dir/loading" "+$dir/libhpt.so.1"
