# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Sourced by .ci/run: the library alone, and the unit tests, for this processor and for others.

# needs FILE LIBRARY...: it needs these and no others
needs() {
	local needed
	needed=$(readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\].*/\1/p' | paste -sd ' ')
	echo "NEEDED: $needed"
	shift
	[ "$needed" = "$*" ]
}

# loads_with_old_glibc OBJECT: programs may bring their own C library, from glibc 2.28 on
loads_with_old_glibc() {
	local newest
	newest=$(readelf -VW "$1" | sed -n 's/.*Name: GLIBC_\([^ ]*\).*/\1/p' | sort -V | tail -n 1)
	echo "$1: newest version GLIBC_$newest"
	[ -n "$newest" ] && [ "$(printf '%s\n' "$newest" 2.28 | sort -V | tail -n 1)" = 2.28 ]
}

# alone NAME OPTION...: build only the library
alone() { build "$@" -Ddebug=false -Dtools=disabled -Dtests=disabled -Dman=disabled; }

# smoke NAME COMPILER...: run a program linked with the library of $work/NAME, shared and static
smoke() {
	local dir=$work/$1
	shift
	"$@" -Wall -Werror -Iinclude -o "$work/smoke" tests/ci/smoke.c -L"$dir/lib" -lhpt "-Wl,-rpath,$dir/lib" &&
		"$work/smoke" && HPT_SOURCE=os "$work/smoke" &&
		"$@" -Wall -Werror -Iinclude -o "$work/smoke" tests/ci/smoke.c "$dir/lib/libhpt.a" && "$work/smoke"
}

# print_size NAME STRIP FILE: a figure of that compiler, no limit
print_size() {
	local by stripped=$work/stripped.so
	"$2" -o "$stripped" "$3" || return 1
	by=$(readelf -p .comment "$3" | sed -n 's/^ *\[ *0\] *//p')
	echo "$1: $(stat -c %s "$stripped") bytes stripped, by $by"
}

# Meson's default is -O2.
library_alone() {
	local CC=gcc
	export CC
	alone alone -Dpreload=disabled && needs "$work/alone/lib/libhpt.so" libc.so.6 &&
		print_size "libhpt.so -O2" strip "$work/alone/lib/libhpt.so" && smoke alone gcc
}

m32() {
	alone m32 --cross-file tests/cross/i686.ini && needs "$work/m32/lib/libhpt.so" libc.so.6 &&
		loads_with_old_glibc "$work/m32/lib/preload/libhpt-preload.so" && smoke m32 gcc -m32
}

library_32bit() {
	heading "the library alone, 32 bits"
	if [ "$(uname -m)" != x86_64 ]; then
		skip "not an x86-64 machine"
	elif ! quiet sh tests/ci/packages m32; then
		skip "no 32-bit compiler can be installed"
	elif shown m32; then
		pass
	else
		fail
	fi
}

# Without 64-bit atomic instructions: libatomic has them, also for the static library by what pkg-config says.
i486() {
	local flags
	alone i486 --cross-file tests/cross/i686.ini -Dc_args=-march=i486 &&
		needs "$work/i486/lib/libhpt.so" libatomic.so.1 libc.so.6 || return 1
	flags=$(PKG_CONFIG_PATH=$work/i486/meson-uninstalled pkg-config --cflags --libs --static libhpt) || return 1
	# $flags unquoted: a list of words.
	gcc -m32 -march=i486 -static -o "$work/smoke" tests/ci/smoke.c $flags && "$work/smoke" &&
		gcc -m32 -Iinclude -o "$work/smoke" tests/ci/smoke.c -L"$work/i486/lib" -lhpt \
			"-Wl,-rpath,$work/i486/lib" && "$work/smoke"
}

library_i486() {
	heading "the library alone, i486, with libatomic"
	if [ "$(uname -m)" != x86_64 ] || ! quiet sh tests/ci/packages m32; then
		skip "no 32-bit programs here"
	elif shown i486; then
		pass
	else
		fail
	fi
}

cross_processors="aarch64 armhf ppc64le riscv64 s390x"

# binary NAME KEY: the command of that key in tests/cross/NAME.ini
binary() { sed -n "s/^$2 = '\(.*\)'/\1/p" "tests/cross/$1.ini"; }

# cross_library NAME: it and the object of "hpt run" on libc alone; prints its size
cross_library() {
	alone "lib-$1" --cross-file "tests/cross/$1.ini" && needs "$work/lib-$1/lib/libhpt.so" libc.so.6 &&
		needs "$work/lib-$1/lib/preload/libhpt-preload.so" libc.so.6 &&
		loads_with_old_glibc "$work/lib-$1/lib/preload/libhpt-preload.so" &&
		print_size "$1" "$(binary "$1" strip)" "$work/lib-$1/lib/libhpt.so"
}

# The layouts are compared for all of them: none may be skipped.
cross_libraries() {
	local name layouts
	for name in $cross_processors; do
		cross_library "$name" || { echo "$name"; return 1; }
	done
	layouts=$(python3 tests/abi/layout_test.py --include include --cross tests/cross --cc gcc)
	echo "$layouts" | grep -v -e '^ok' -e '^1\.\.'
	for name in $cross_processors; do
		[[ $layouts == *"the same layouts for $name"$'\n'* ]] || return 1
	done
	! [[ $layouts == *"not ok"* ]]
}

library_cross() {
	heading "the library and the layouts on $cross_processors"
	if ! quiet sh tests/ci/packages cross; then
		skip "no cross compilers can be installed"
	elif shown cross_libraries; then
		pass
	else
		fail
	fi
}

# get_cmocka NAME COMPILER...: sets $cmocka, or prints to $log why not
get_cmocka() { cmocka=$(tests/cross/cmocka "$work/cmocka" "$@" 2>"$log" | tail -n 1) && [ -n "$cmocka" ]; }

# configure_units NAME: for the unit tests by the cross file of that name
configure_units() {
	configure "units-$1" --cross-file "tests/cross/$1.ini" -Dpkg_config_path="$cmocka" -Ddebug=false \
		-Dtools=disabled -Dman=disabled -Dtests=enabled
}

# compile_units NAME COMPILER...: for units(), which says what failed
compile_units() {
	local cmocka dir=$work/units-$1
	get_cmocka "$@" && configure_units "$1" || return
	# All targets would be the programs of the other tests as well. Unquoted: a list.
	quiet ninja -C "$dir" $(ninja -C "$dir" -t targets all | sed -n 's,^\(tests/unit/test_[a-z0-9_]*\):.*,\1,p')
}

# units NAME COMPILER...: the unit tests by the cross file of that name; with --full also with one file of the library
units() {
	local cmocka name=$1
	if ! get_cmocka "$@"; then
		skip "no cmocka: $(tail -n 1 "$log")"
	elif configure_units "$name"; then
		suite "units-$name" --suite unit ${with_full:+--suite onefile} --timeout-multiplier 5
	else
		fail
	fi
}

# The command of tests/cross/i686.ini.
compiler_32bit=(gcc -m32 -idirafter /usr/include/x86_64-linux-gnu)

compile_units_32bit() { compile_units i686 "${compiler_32bit[@]}"; }

compile_units_emulated() { compile_units "$1" "$(binary "$1" c)"; }

# units_emulated NAME: the unit tests under QEMU's user emulation
units_emulated() {
	heading "unit tests on $1, emulated"
	if ! quiet sh tests/ci/packages cross; then
		skip "no cross compilers or no emulator can be installed"
	else
		units "$1" "$(binary "$1" c)"
	fi
}

units_32bit() {
	heading "unit tests, 32 bits"
	if [ "$(uname -m)" != x86_64 ]; then
		skip "not an x86-64 machine"
	elif ! quiet sh tests/ci/packages m32; then
		skip "no 32-bit compiler can be installed"
	else
		units i686 "${compiler_32bit[@]}"
	fi
}

units_musl() {
	heading "unit tests with musl"
	if [ "$(uname -m)" != x86_64 ]; then
		skip "not an x86-64 machine"
	elif ! quiet sh tests/ci/packages musl; then
		skip "musl cannot be installed"
	else
		units musl musl-gcc
	fi
}
