# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Sourced by .ci/run: this machine's compilers and sanitizers.

readme_command() {
	local command
	heading "README's test command with --full: all but long tests"
	if ! command="env -u MESON_TESTTHREADS $(sh tests/ci/readme-commands test) --full"; then
		fail
		return
	fi
	echo "\$ $command"
	shown sh -c "$command" </dev/null | without_steps
	local rc=${PIPESTATUS[0]} line
	line=$(tail -n 1 "$work/step")
	add "$line"
	if [ "$rc" != 0 ] && [[ $line == *" 0 failed,"* ]]; then fail "exit $rc"; fi
}

# As Ubuntu 24.04 builds: dpkg-buildflags, and what its gcc has on by default.
ubuntu_flags="-fno-omit-frame-pointer -fstack-protector-strong -fstack-clash-protection"
ubuntu_flags="$ubuntu_flags -Wformat -Werror=format-security -D_FORTIFY_SOURCE=3"
[ "$(uname -m)" != x86_64 ] || ubuntu_flags="$ubuntu_flags -fcf-protection=full" # gcc refuses it elsewhere

# configure_ubuntu NAME LEVEL OPTION...: with Ubuntu's flags, as a distribution gives them, optimised by -OLEVEL
configure_ubuntu() {
	local name=$1 flags="-O$2 $ubuntu_flags"
	shift 2
	CC=gcc CXX=g++ CFLAGS="$flags" CXXFLAGS="$flags" configure "$name" --prefix=/usr -Dbuildtype=plain \
		-Dtools=enabled -Dman=enabled -Dtests=enabled "$@"
}

# need_gcc: prepares $gcc, which several steps use: without assertions, of -O2 and -O3 the one that shows more
gcc=beside/gcc
need_gcc() {
	[ -e "$work/$gcc/build.ninja" ] ||
		configure_ubuntu "$gcc" 3 -Db_ndebug=true -Dcpuid_corpus="${HPT_CPUID_CORPUS-}"
}

# What later steps need of it; their own compilation says what failed.
compile_gcc() {
	local gcc=gcc
	need_gcc && quiet ninja -C "$work/$gcc" lib/libhpt.a tools/hpt tools/hpt-bench
}

optimised() {
	heading "gcc with Ubuntu's flags, -O3, no assertions: interface, processes, faults, the object of hpt run"
	if need_gcc; then
		suite "$gcc" --suite abi --suite process --suite faults --suite preload \
			${HPT_CPUID_CORPUS:+--suite cli} --no-suite slow --no-suite long
	else
		fail
	fi
}

ubuntu_o2() {
	heading "Ubuntu's flags and -O2: no warnings; units, interface and processes"
	if configure_ubuntu ubuntu-O2 2 && quiet meson compile -C "$work/ubuntu-O2"; then
		suite ubuntu-O2 --suite unit --suite abi --suite process --suite packaging \
			--no-suite slow --no-suite long
	else
		fail
	fi
}

# Parts that are left out take no others with them: lists of pages, of files and of tests.
without_parts() {
	heading "without the command, the object of hpt run and the manual: interface, pages, install"
	if configure bare -Dtools=disabled -Dpreload=disabled -Dman=disabled -Dtests=enabled; then
		suite bare --suite abi --suite docs --suite consumer --suite packaging --no-suite slow --no-suite long
	else
		fail
	fi
}

other_compiler() {
	# What clang compiles otherwise, as the instructions of reads, shows in these. "only" unquoted: a list of words.
	local only="--suite model --suite cpp --suite process --no-suite slow --no-suite long"
	[ -z "$with_full" ] || only=
	heading "clang: no warnings; ${only:+models, C++, processes of }the quick run"
	if CC=clang CXX=clang++ build clang -Ddebug=false -Dtools=enabled -Dman=enabled -Dtests=enabled; then
		suite clang $only
	else
		fail
	fi
}

address_sanitizer() {
	export ASAN_OPTIONS=strict_string_checks=1:detect_stack_use_after_return=1
	export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
	# -O1 compiles in half of the time, and leaves more accesses to check. It knows less of lengths of strings, and
	# warns of what fits. -g1 has the lines of traces, in three quarters of that time. "more" unquoted: a list of
	# words.
	local more="--no-suite slow"
	[ -z "$with_full" ] || more="--suite cli-bench"
	heading "AddressSanitizer and UndefinedBehaviorSanitizer: units, faults, the command, examples"
	if CC=gcc CXX=g++ configure asan -Db_sanitize=address,undefined -Db_lundef=false -Doptimization=1 \
			-Dc_args="-g1 -Wno-format-truncation" -Dcpp_args=-g1 -Dtools=enabled -Dman=disabled \
			-Dtests=enabled; then
		suite asan --timeout-multiplier 3 --suite unit --suite property --suite faults --suite cli \
			--suite examples ${with_full:+--suite process} --no-suite long $more
	else
		fail
	fi
	unset ASAN_OPTIONS UBSAN_OPTIONS
}

thread_sanitizer() {
	heading "ThreadSanitizer: memory that threads share"
	# gcc warns that TSan does not see fences; that only matters where data between fences is not atomic itself.
	if ! CC=gcc CXX=g++ configure tsan -Db_sanitize=thread -Db_lundef=false -Dc_args="-g1 -Wno-tsan" \
			-Dtools=enabled -Dman=disabled -Dtests=enabled; then
		fail
		return
	fi
	meson_test=(env TSAN_OPTIONS=halt_on_error=1 meson test)
	# The runtime of this gcc does not know the wide address randomisation of newer kernels.
	if setarch -R true 2>/dev/null; then meson_test=(setarch -R "${meson_test[@]}"); fi
	suite tsan --timeout-multiplier 3 --suite threads
	meson_test=(meson test)
}

# The unit tests alone, which say the most of lib/ in a minute.
coverage() {
	heading "lines of lib/ that the unit tests run"
	if shown python3 tests/ci/coverage.py "$work/coverage"; then pass; else fail; fi
}
