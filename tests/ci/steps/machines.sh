# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Sourced by .ci/run: emulated machines.

# need_vm: prepares $gcc for emulated PCs, once; otherwise skips or fails the step
need_vm() {
	local kernel
	[ -z "${vm_ready-}" ] || return 0
	if [ "$(uname -m)" != x86_64 ]; then
		skip "not an x86-64 machine"
	elif ! quiet sh tests/ci/packages vm; then
		skip "no emulator can be installed"
	elif ! kernel=$(tests/vm/fetch-kernel "$work/kernel" 2>"$log" </dev/null | tail -n 1); then
		skip "no kernel can be downloaded: $(tail -n 1 "$log")"
	elif need_gcc && quiet meson setup --reconfigure "$work/$gcc" -Dvm_kernel="$kernel"; then
		vm_ready=1
		return 0
	else
		fail
	fi
	return 1
}

emulated() {
	heading "emulated PCs with an HPET"
	need_vm || return
	# $few unquoted: words
	local few="--no-suite long"
	[ -z "$with_full" ] || few=
	MESON_TESTTHREADS=$(nproc) suite "$gcc" --suite vm $few
}

emulated_walls() {
	heading "emulated PCs whose clock chronyd, ntpd and timesyncd keep"
	need_vm || return
	if ! tests/wall/fetch-daemons "$work/kernel" >"$log" 2>&1 </dev/null; then
		skip "no daemons can be downloaded: $(tail -n 1 "$log")"
	else
		MESON_TESTTHREADS=$(nproc) suite "$gcc" --setup full --suite wall-vm
	fi
}

# with_kernel DIR CROSS_FILE KERNEL: prepare $work/DIR, where cross_library has compiled the library, for the machine
with_kernel() {
	if [ -e "$work/$1/lib/libhpt.so" ]; then
		quiet meson setup --reconfigure "$work/$1" -Dvm_kernel="$3"
	else
		alone "$1" --cross-file "tests/cross/$2.ini" -Dvm_kernel="$3"
	fi
}

# machine NAME CROSS_FILE ARGUMENT...: the library on an emulated machine of another architecture, by Debian's name; the
# arguments choose the tests
machine() {
	local name=$1 cross=$2 dir=${apart}lib-$2 kernel
	shift 2
	heading "emulated machine: $name"
	if ! kernel=$(tests/vm/fetch-kernel "$work/kernel" "$name" 2>"$log" </dev/null | tail -n 1); then
		skip "no kernel can be downloaded: $(tail -n 1 "$log")"
	elif with_kernel "$dir" "$cross" "$kernel"; then
		MESON_TESTTHREADS=$(nproc) suite "$dir" "$@"
		grep -h '^# .* ratio ' "$work/$dir"/meson-logs/testlog*.txt
	else
		fail
	fi
}

machines() {
	heading "emulators and compilers of other architectures"
	if [ "$(uname -m)" != x86_64 ]; then
		skip "not an x86-64 machine"
		return
	elif ! quiet sh tests/ci/packages machines; then
		skip "they cannot be installed"
		return
	fi
	pass
	machine arm64 aarch64 --suite vm
	machine s390x s390x --suite vm
	if [ -n "$with_full" ]; then
		machine armhf armhf --suite vm
		machine ppc64el ppc64le --suite vm
		machine riscv64 riscv64 --suite vm
	else
		machine armhf armhf --setup full 'board Sabrelite'
	fi
}
