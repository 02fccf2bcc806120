# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Sourced by .ci/run: counts, times and failures of its steps, and runs of tests.

passed=0 failed=0 skipped=0 failures=()
step=
start=0
start_cpu_s=0

heading() {
	rm -f "$log" "$work/step"
	step=$1
	start=$SECONDS
	get_cpu_s
	start_cpu_s=$cpu_s
	printf '\n==== %s\n' "$step"
}

# get_cpu_s: sets $cpu_s to the CPU time of what this shell has run; $(...) would be another shell
get_cpu_s() {
	times >"$work/times"
	cpu_s=$(tail -n 1 "$work/times" | tr ms '  ' | awk '{ printf "%d", ($1 + $3) * 60 + $2 + $4 }')
}

took() {
	get_cpu_s
	printf '     (%d s, CPU time %d s)\n' $((SECONDS - start)) $((cpu_s - start_cpu_s))
}

# Where steps that run beside others have built, below $work; for these steps that is $work itself.
apart=beside/
pass() { passed=$((passed + 1)); echo "pass: $step"; took; }
fail() { failed=$((failed + 1)); note "$step${1:+: $1}"; echo "FAIL: $step${1:+: $1}"; took; }
skip() { skipped=$((skipped + 1)); echo "skip: $step: $1"; took; }

# quiet COMMAND...: shows the end of its output if it fails
quiet() {
	"$@" >"$log" 2>&1 </dev/null || { local rc=$?; tail -n 60 "$log"; return $rc; }
	rm -f "$log"
}

# shown COMMAND...: what it prints is kept in $work/step, too
shown() {
	"$@" 2>&1 | tee -a "$work/step"
	return "${PIPESTATUS[0]}"
}

# without_steps: all lines but those of Ninja's steps
without_steps() { grep --line-buffered -v '^\[[0-9]*/[0-9]*\] '; }

# note FAILURE: keeps it for the end of this run, with what tests/ci/count has said of failed tests, otherwise with the
# end of the step's output or that of the "quiet" command that failed
note() {
	local output=$work/step
	failures+=("$1")
	[ -s "$output" ] || output=$log
	[ -s "$output" ] || return
	printf '\n---- %s\n' "$1" >>"$work/report"
	if grep -qx 'Failed tests:' "$output"; then
		# What follows the last such line, without the totals.
		tac "$output" | sed '1d; /^Failed tests:$/,$d' | tac >"$work/named"
		head -n 80 "$work/named" >>"$work/report"
		mapfile -t -O "${#failures[@]}" failures < <(sed -n 's/^[^ ]/    &/p' "$work/named")
	else
		without_steps <"$output" | tail -n 25 >>"$work/report"
	fi
}

# check TITLE COMMAND...: a step that is one test
check() {
	heading "$1"
	shift
	if shown "$@"; then pass; else fail; fi
}

# add LINE: adds "N passed, N failed, N skipped" to the totals; any other line is a failure
add() {
	if [[ $1 =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed,\ ([0-9]+)\ skipped$ ]]; then
		passed=$((passed + BASH_REMATCH[1])) skipped=$((skipped + BASH_REMATCH[3]))
		failed=$((failed + BASH_REMATCH[2]))
		[ "${BASH_REMATCH[2]}" = 0 ] || note "$step: failed: ${BASH_REMATCH[2]}"
		echo "$1: $step"
		took
	else
		fail "no count of tests"
	fi
}

# configure NAME OPTION...: prepare $work/NAME; compiler warnings are errors
configure() {
	local dir=$work/$1
	shift
	quiet meson setup "$dir" "$top" -Dwerror=true "$@"
}

# build NAME OPTION...: configure and compile everything
build() { configure "$@" && quiet meson compile -C "$work/$1"; }

# Runs "meson test"; a step may put more words before it.
meson_test=(meson test)

# has_tests DIR ARGUMENT...: each suite that the arguments name has a test, so that a renamed one is noticed
has_tests() {
	local dir=$1 word tests name=
	shift
	for word; do
		if [ -n "$name" ]; then
			tests=$(meson test -C "$dir" --no-rebuild --list --suite "$word" 2>/dev/null)
			[[ $tests == *' / '* ]] || { fail "suite $word has no test"; return 1; }
		fi
		name=
		case $word in --suite|--no-suite) name=1 ;; esac
	done
}

# suite NAME ARGUMENT...: build and run the tests of $work/NAME that "meson test" is told to, and count them
suite() {
	local dir=$work/$1 rc count line
	shift
	has_tests "$dir" "$@" || return
	rm -f "$dir"/meson-logs/testlog*.txt
	shown "${meson_test[@]}" -C "$dir" --print-errorlogs --quiet "$@" </dev/null | without_steps
	rc=${PIPESTATUS[0]}
	count=$(sh tests/ci/count "$dir"/meson-logs/testlog*.txt) || true
	echo "$count" >>"$work/step"
	line=${count##*$'\n'}
	[ "$count" = "$line" ] || echo "${count%$'\n'*}"
	add "$line"
	# Meson may also fail without a failed test.
	if [ "$rc" != 0 ] && [[ $line == *" 0 failed,"* ]]; then fail "meson test: exit $rc"; fi
}

# start_beside NICENESS STEP...: run these steps in the background, with a work folder and counts of their own
start_beside() {
	local out=$work/beside niceness=$1
	shift
	mkdir -p "$out"
	rm -f "$out"/{failures,counts,report}
	set -m # its own process group, which an interrupted run can kill
	(
		[ "$niceness" = 0 ] || renice -n "$niceness" -p "$BASHPID" >/dev/null
		work=$out log=$out/log apart= passed=0 failed=0 skipped=0 failures=()
		# $words unquoted: a function and its arguments.
		for words; do $words; done
		printf '%s\n' "${failures[@]}" >"$out/failures"
		echo "$passed $failed $skipped" >"$out/counts"
	) >"$out/output" 2>&1 </dev/null &
	beside=$!
	set +m
}

# end_beside: waits for them, shows their output and adds their counts
end_beside() {
	local out=$work/beside counts
	wait "$beside"
	beside=
	cat "$out/output"
	heading "these steps beside the others ended"
	if read -r -a counts <"$out/counts"; then
		passed=$((passed + counts[0])) failed=$((failed + counts[1])) skipped=$((skipped + counts[2]))
		[ "${counts[1]}" = 0 ] || mapfile -t -O "${#failures[@]}" failures <"$out/failures"
		[ ! -e "$out/report" ] || cat "$out/report" >>"$work/report"
		pass
	else
		fail
	fi
}
