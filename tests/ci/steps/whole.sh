# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Sourced by .ci/run: what is installed, packaged and used, and the tree itself.

# installed_targets DIR: the files that Ninja builds in DIR and Meson installs
installed_targets() {
	meson introspect --targets "$1" | python3 -c '
import json, os, sys
for target in json.load(sys.stdin):
    if target["installed"]:
        print(*(os.path.relpath(name, sys.argv[1]) for name in target["filename"]))' "$1"
}

scratch_install() {
	local dest=$work/dest flags
	need_gcc && quiet ninja -C "$work/$gcc" $(installed_targets "$work/$gcc") || return 1
	DESTDIR=$dest quiet meson install -C "$work/$gcc" --no-rebuild || return 1
	(cd "$dest" && find . ! -type d | LC_ALL=C sort)
	local f
	for f in usr/bin/hpt usr/libexec/hpt/hpt-bench usr/include/hpt/hpt.hpp \
			usr/include/hpt/{clock,hpt,info,mmio,sleep,ticker,time,timebase,version,waiter,wall}.h; do
		[ -f "$dest/$f" ] || { echo "$f is not installed"; return 1; }
	done
	local object
	object=$(find "$dest" -path '*/hpt/libhpt-preload.so')
	[ -n "$object" ] || { echo "libhpt-preload.so is not installed"; return 1; }
	LD_DEBUG=bindings LD_PRELOAD=$object sleep 0.01 2>&1 | grep "file sleep .* to $object .*nanosleep" || return 1
	for f in bash-completion/completions/hpt zsh/site-functions/_hpt fish/vendor_completions.d/hpt.fish; do
		[ -f "$dest/usr/share/$f" ] || { echo "usr/share/$f is not installed"; return 1; }
	done
	flags=$(PKG_CONFIG_SYSROOT_DIR=$dest PKG_CONFIG_LIBDIR=$(dirname "$(find "$dest" -name libhpt.pc)") \
		pkg-config --cflags --libs libhpt) || return 1
	local lib
	lib=$(dirname "$(find "$dest" -name 'libhpt.so.1' | head -n 1)")
	# $flags unquoted: a list of words.
	gcc -o "$work/smoke" tests/ci/smoke.c $flags && LD_LIBRARY_PATH=$lib "$work/smoke" &&
		LD_LIBRARY_PATH=$lib "$dest/usr/bin/hpt" --version &&
		LD_LIBRARY_PATH=$lib "$dest/usr/bin/hpt" help bench read >/dev/null
}

manual_pages() {
	heading "manual pages: mandoc -Tlint"
	if ! compgen -G 'man/*.[1-8]' >/dev/null; then
		skip "there are none"
	elif shown mandoc -Tlint -W warning man/*.[1-8]; then
		pass
	else
		fail
	fi
}

patches() {
	heading "patches in real programs: redis, iperf3, libuv"
	quiet sh tests/ci/packages patches
	if need_gcc && quiet meson setup --reconfigure "$work/$gcc" -Dpatches=true; then
		suite "$gcc" --suite patches
		grep -h '^# |' "$work/$gcc"/meson-logs/testlog*.txt
	else
		fail
	fi
}

# Those of minutes, and those with the programs of other projects. README's test command has shorter ones.
long_tests() {
	heading "long tests: ClockBound, PostgreSQL, more repetitions, each compiler and standard"
	need_gcc || { fail; return; }
	suite "$gcc" --setup full --suite long --no-suite vm --no-suite bindings # which have steps of their own
}

# README's test command has the bindings with one Python and one Rust, where the library is installed.
bindings() {
	heading "bindings: all Pythons, wheels, the oldest Rust"
	need_gcc || { fail; return; }
	suite "$gcc" --setup full --suite bindings --test-args=--all
}

# README's test command has the quick ones.
real_programs() {
	heading "programs under hpt run: suites of CPython and stress-ng, Java, Node, fio and more"
	need_gcc || { fail; return; }
	suite "$gcc" --setup full --suite programs --test-args=--all
}

fresh_root() {
	heading "README's commands in a fresh root"
	shown tests/ci/fresh-root </dev/null
	add "$(tail -n 1 "$work/step")"
}

# in_fresh_roots SCRIPT TITLE...: needs root, as the roots do
in_fresh_roots() {
	local script=$1
	shift
	heading "in fresh roots: $*"
	if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
		skip "needs root and apt-get"
		return
	fi
	shown "$script" </dev/null
	add "$(tail -n 1 "$work/step")"
}

tree_clean() {
	local after
	after=$(tree_state) || return 1
	[ "$after" = "$before" ] || { printf 'before:\n%s\nafter:\n%s\n' "$before" "$after"; return 1; }
}

# README's test command has 300000 of them.
many_worlds() {
	heading "walls in 10^7 random worlds"
	if need_gcc && quiet ninja -C "$work/$gcc" tests/property/walls &&
			shown "$work/$gcc/tests/property/walls" 10000000; then
		pass
	else
		fail
	fi
}
