# SPDX-License-Identifier: MIT
# Shared by the tests of the recipes for packages. To be sourced: the folder is that of the source, $work is a
# temporary one, $version is HEAD's.

skip() {
	echo "skipped: $1"
	exit 77
}

cd -- "$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)"
git() { command git -c safe.directory="$PWD" "$@"; }
git rev-parse --verify -q HEAD >/dev/null || skip "not a git checkout"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
version=$(git show HEAD:include/hpt/version.h | sed -n 's/^#define HPT_VERSION_STRING "\(.*\)"/\1/p')

# sources: HEAD as a release has it, in $work
sources() {
	for program in gcc dpkg-source; do
		command -v "$program" >/dev/null || skip "no $program"
	done
	DEBFULLNAME=Builder DEBEMAIL=builder@example.org packaging/release --dry-run "$work" >/dev/null
}

# quiet COMMAND...: shows the end of its output if it fails
quiet() { "$@" >"$work/log" 2>&1 </dev/null || { tail -n 40 "$work/log"; exit 1; }; }

# have_tools: the libraries of the command are there
have_tools() {
	for module in jansson libelf smartcols; do
		pkg-config --exists "$module" || skip "no $module"
	done
}

# has LIST FILE...: the list of a package's files has each of these
has() {
	list=$1
	shift
	for file; do
		grep -q "/$file\$" "$list" || { echo "no package has $file"; exit 1; }
	done
}
