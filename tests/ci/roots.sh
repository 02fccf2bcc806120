# SPDX-License-Identifier: MIT
# Sourced by scripts that work in minimal Debian roots: the options -k and -n, new_root, indexes, inside, quiet,
# install, install_rust, step, pass_over and totals.
#   -k  keep the roots and print their paths      -n  make a new bare root
# Needs root, on Debian or a relative. The bare root is made once and kept under ${TMPDIR:-/tmp}.

keep= fresh=
while getopts kn option; do
	case $option in k) keep=1 ;; n) fresh=1 ;; *) exit 2 ;; esac
done
script=$(basename "$0")
[ "$(id -u)" = 0 ] || { echo "$script needs root" >&2; exit 1; }
command -v apt-get >/dev/null || { echo "$script needs apt-get" >&2; exit 1; }

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
release=$(. /etc/os-release && echo "${VERSION_CODENAME:?}")
bare=${TMPDIR:-/tmp}/hpt-fresh-root-$release
log=$(mktemp) root= roots=()
cleanup() {
	rm -f "$log"
	if [ -n "$keep" ]; then echo "kept: ${roots[*]}"; else rm -rf --one-file-system "${making:-}" "${roots[@]}"; fi
}
trap cleanup EXIT

# ---- The bare root -------------------------------------------------------------------------------

make_bare() { # DIR
	local site
	command -v debootstrap >/dev/null || { apt-get update && apt-get install -y debootstrap; } </dev/null
	# apt knows this machine's package sources, whatever their form.
	site=$(apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' 'Identifier: Packages' |
		awk -v release="$release" '!site && $2 == release && $3 == "main" { site = $1 } END { print site }')
	[ -n "$site" ] || { echo "no package source for $release in apt's configuration"; return 1; }
	debootstrap --variant=minbase --include=git,ca-certificates "$release" "$1" "$site" || return 1
	# Replace its sources.list by the sources, keys and download settings of this machine.
	rm -f "$1/etc/apt/sources.list"
	cp -rL /etc/apt/sources.list /etc/apt/sources.list.d /etc/apt/keyrings /etc/apt/trusted.gpg.d \
		"$1/etc/apt/" 2>/dev/null || true
	cp -rnL /usr/share/keyrings "$1/usr/share/" 2>/dev/null || true
	grep -ls '^Acquire' /etc/apt/apt.conf /etc/apt/apt.conf.d/* |
		while IFS= read -r f; do cp "$f" "$1/etc/apt/apt.conf.d/"; done || true
	if compgen -G '/usr/local/share/ca-certificates/*' >/dev/null; then
		cp -r /usr/local/share/ca-certificates "$1/usr/local/share/"
		chroot "$1" update-ca-certificates
	fi
}

[ -z "$fresh" ] || rm -rf --one-file-system "$bare"
if [ ! -O "$bare/bin" ]; then
	echo "making a bare $release root (about half a minute)"
	making=$(mktemp -d "$bare.XXXXXX")
	make_bare "$making" >"$log" 2>&1 || { tail -n 5 "$log" >&2; exit 1; }
	chmod 755 "$making"
	mv -T "$making" "$bare"
	making=
fi

# ---- Roots for a run -------------------------------------------------------------------------

# new_root: a copy of the bare root with a clone of this tree in /src; it becomes $root
new_root() {
	root=$(mktemp -d "${TMPDIR:-/tmp}/hpt-fresh-root.XXXXXX")
	roots+=("$root")
	chmod 755 "$root"
	cp -a "$bare/." "$root/"
	cp -L /etc/resolv.conf "$root/etc/resolv.conf" 2>/dev/null || true
	git -c safe.directory="$top" -c safe.directory="$top/.git" clone -q --no-local "$top" "$root/src"
	git -C "$root/src" remote remove origin
}

# indexes: the root's pip and cargo reach their package indexes as this machine's do
indexes() {
	[ ! -e /etc/pip.conf ] || cp -L /etc/pip.conf "$root/etc/"
	mkdir -p "$root/root/.cargo"
	[ ! -e "$HOME/.cargo/config.toml" ] || cp -L "$HOME/.cargo/config.toml" "$root/root/.cargo/"
}

# inside COMMAND...: run in the root, in /src, with its own environment and mounts. /dev is its own too: as root,
# autopkgtest replaces /dev/stdout.
inside() {
	ROOT=$root unshare --mount --propagation private bash -c '
		mount -t proc proc "$ROOT/proc"
		mount --rbind /sys "$ROOT/sys"
		mount -t tmpfs -o mode=755 dev "$ROOT/dev"
		for device in null zero full random urandom tty; do
			: >"$ROOT/dev/$device" && mount --bind "/dev/$device" "$ROOT/dev/$device"
		done
		mkdir -m 1777 "$ROOT/dev/shm" && mkdir "$ROOT/dev/pts"
		mount -t devpts -o newinstance,ptmxmode=0666 devpts "$ROOT/dev/pts" && ln -s pts/ptmx "$ROOT/dev/ptmx"
		ln -s /proc/self/fd "$ROOT/dev/fd"
		ln -s /proc/self/fd/0 "$ROOT/dev/stdin"
		ln -s /proc/self/fd/1 "$ROOT/dev/stdout"
		ln -s /proc/self/fd/2 "$ROOT/dev/stderr"
		cd /
		exec env -i HOME=/root TERM="${TERM:-dumb}" LANG=C.UTF-8 ${http_proxy:+http_proxy="$http_proxy"} \
			${https_proxy:+https_proxy="$https_proxy"} ${no_proxy:+no_proxy="$no_proxy"} \
			PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
			chroot "$ROOT" sh -c "cd /src && exec \"\$@\"" sh "$@"' bash "$@" </dev/null
}

# quiet COMMAND...: in the root; shows the end of its output if it fails
quiet() { inside "$@" >"$log" 2>&1 || { tail -n 20 "$log"; return 1; }; }

# install PACKAGE...: in the root
install() { quiet env DEBIAN_FRONTEND=noninteractive apt-get -q install -y --no-install-recommends "$@"; }

# Debian 12 has a newer Rust as cargo-web. The cargo of 2022 would load the whole history of the package index.
install_rust() {
	local package=cargo
	if inside sh -c 'apt-cache policy cargo-web | grep -q "Candidate: [0-9]"'; then package=cargo-web; fi
	install "$package"
	inside sh -c 'cargo --version; rustc --version'
}

# ---- Steps ---------------------------------------------------------------------------------------

passed=0 failed=0 skipped=0 named=
pass_over() { # TITLE REASON
	skipped=$((skipped + 1))
	printf '\n== %s: skipped: %s\n' "$1" "$2"
}
step() { # TITLE COMMAND...
	local title=$1 start=$SECONDS rc=0 output
	shift
	output=$(mktemp)
	printf '\n== %s\n' "$title"
	"$@" 2>&1 | tee "$output" || rc=${PIPESTATUS[0]}
	if [ "$rc" = 0 ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		named+="$title: exit $rc"$'\n'"$(tail -n 15 "$output" | sed 's/^/    /')"$'\n'
	fi
	rm -f "$output"
	printf '== %s: %s in %d s\n' "$title" "$([ "$rc" = 0 ] && echo pass || echo "FAIL (exit $rc)")" \
		$((SECONDS - start))
}

# totals: the names of failed steps, as of tests/ci/count, and the last line of the script's output
totals() {
	[ -z "$named" ] || printf '\nFailed tests:\n%s' "$named"
	printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
	[ "$failed" = 0 ]
}
