#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""packaging/release in a copy of the tree whose fields are filled: what it makes, and why it refuses."""
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile

from project import ROOT, Check, skip

sys.path.insert(0, str(ROOT / "packaging"))
import release_checks as checks  # noqa: E402 pylint: disable=wrong-import-position

VERSION = checks.header()["HPT_VERSION_STRING"]
MAJOR = VERSION.partition(".")[0]
CONF, NEWS, HEADER, MAP = "packaging/release.conf", "NEWS", "include/hpt/version.h", "lib/libhpt.map"
SYMBOLS, CONTROL = f"packaging/debian/libhpt{MAJOR}.symbols", "packaging/debian/control"
CRATES = "bindings/rust"
FILLED = {"URL": "https://example.org/hpt", "DOWNLOAD": "https://example.org/hpt/archives",
          "VCS": "https://example.org/hpt.git", "CONTACT": "The Authors <hpt@example.org>", "KEY": "0123456789ABCDEF" * 2
          + "01234567"}
DAY = ("NEWS", r"\(unreleased\)|(?<=^\d\.\d\.\d )\([\d-]+\)", "(2026-12-01)")

# (file, what is there, what is put there, the sentence)
REFUSED = [(CONF, rf"^{name}=.*", f"{name}=", f"{name} of {CONF} is empty.") for name in FILLED] + [
    (CONF, "^KEY=.*", "KEY=12", f"KEY of {CONF} is not of the form that its comment has: 12"),
    (CONF, "^URL=https:.*", "URL=http://example.org", f"URL of {CONF} is not of the form that its comment has: "),
    (CONF, "^CONTACT=.*", "CONTACT=nobody", f"CONTACT of {CONF} is not of the form that its comment has: nobody"),
    (NEWS, r"\(2026-12-01\)", "(unreleased)", "The newest entry of NEWS has no day"),
    (NEWS, r"\(2026-12-01\)", "(2026-02-30)", "The newest entry of NEWS has no day"),
    (NEWS, rf"^{re.escape(VERSION)} ", "9.8.7 ", f"NEWS has 9.8.7, and version.h has {VERSION}."),
    (HEADER, r"(HPT_VERSION_PATCH )\s*\d+", r"\g<1> 98", "version.h: HPT_VERSION_NUMBER is",
     f"version.h: HPT_VERSION_STRING is {VERSION}, and the parts are"),
    (HEADER, r"(HPT_VERSION_NUMBER )\d+", r"\g<1>98", "version.h: HPT_VERSION_NUMBER is 98, and the parts give"),
    (HEADER, r"(HPT_ABI_MAJOR )\d+", r"\g<1>9", "tests/abi/api.txt is not",
     "version.h: the library would be libhpt.so.9."),
    (f"{CRATES}/hpt/Cargo.toml", '^version = ".*?"', 'version = "9.8.7"', f"{CRATES}/hpt/Cargo.toml has 9.8.7,"),
    (f"{CRATES}/hpt/Cargo.toml", '(^hpt-sys.*version = )".*?"', r'\1"9.8.7"', f"{CRATES}/hpt/Cargo.toml has 9.8.7,"),
    (f"{CRATES}/hpt-sys/Cargo.toml", '^version = ".*?"', 'version = "9.8.7"',
     f"{CRATES}/hpt-sys/Cargo.toml has 9.8.7,"),
    (f"{CRATES}/hpt-sys/src/constants.rs", '(STRING: &str = ").*"', r'\g<1>9.8.7"',
     f"{CRATES}/hpt-sys/src/constants.rs has 9.8.7,"),
    (f"{CRATES}/Cargo.lock", '(name = "hpt"\nversion = )".*"', r'\1"9.8.7"',
     f"{CRATES}/Cargo.lock has 9.8.7, {VERSION},"),
    (f"{CRATES}/bench/Cargo.lock", '(name = "hpt-sys"\nversion = )".*"', r'\1"9.8.7"',
     f"{CRATES}/bench/Cargo.lock has {VERSION}, 9.8.7,"),
    ("bindings/python/pyproject.toml", r'"version", ', "", "bindings/python/pyproject.toml has a version of its own"),
    (SYMBOLS, r"^ hpt_now@.*\n", "",
     f"{SYMBOLS} has hpt_now in no node, and {MAP} in LIBHPT_1.0; 1 functions differ."),
    (SYMBOLS, r"(^ hpt_wall_now@.*) 1$", r"\1", f"{SYMBOLS}: hpt_wall_now has the dependency of the other node"),
    (SYMBOLS, r"#MINVER#", "(>= 1)", f"{SYMBOLS} is not of libhpt.so.{MAJOR}."),
    (CONTROL, r"(^Provides: libhpt\d+-young-)\d", r"\g<1>9", f"{CONTROL} does not name libhpt{MAJOR}-young-1"),
    (SYMBOLS, r"(^\| libhpt\d+-young-)\d", r"\g<1>9", f"{SYMBOLS} does not name libhpt{MAJOR}-young-1"),
    (MAP, r"\Z", "LIBHPT_9.8 {\nglobal:\n\thpt_new;\n} LIBHPT_1.0;\n", "differ.", "tests/abi/api.txt",
     f"{MAP} has the node LIBHPT_9.8, which"),
    ("tests/abi/api.txt", r"^HPT_SLEEP_STRICT .*\n", "", "tests/abi/api.txt is not the list of this tree"),
]


class Copy:
    """A git repository with this tree's files, and the fields filled."""

    def __init__(self, check, folder):
        self.check, self.folder = check, folder
        listed = check.command("git ls-files", ["git", "-c", f"safe.directory={ROOT}", "-C", ROOT, "ls-files"])
        for name in listed.splitlines():
            if (ROOT / name).is_file():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / name, folder / name)
        self.git("init", "-q")
        self.git("add", "-A")
        self.commit()

    def git(self, *words):
        return subprocess.run(["git", "-C", self.folder, *words], check=True, stdout=subprocess.PIPE,
                              universal_newlines=True).stdout

    def edit(self, path, pattern, new):
        text, count = re.subn(pattern, new, (self.folder / path).read_text(encoding="utf-8"), count=1, flags=re.M)
        if not count:
            raise RuntimeError(f"{path} has no {pattern}")
        (self.folder / path).write_text(text, encoding="utf-8")

    def commit(self):
        self.git("commit", "-q", "--allow-empty", "-a", "-m", "a commit")

    def release(self, out, *options):
        return self.check.run([self.folder / "packaging/release", *options, out])


def check_refused(check, copy):
    """By the checks themselves: one run of the command for each would take a minute."""
    checks.ROOT = copy.folder
    for path, pattern, new, *sentences in REFUSED:
        before = (copy.folder / path).read_text(encoding="utf-8")
        copy.edit(path, pattern, new)
        said = [line for line in [*checks.faults(), *checks.unfinished()]
                if not line.startswith("The tree has changes")]
        (copy.folder / path).write_text(before, encoding="utf-8")
        check.result(len(said) == len(sentences) and all(any(text in line for line in said) for text in sentences),
                     f"refused: {path}: {sentences[-1]}", said)
    checks.ROOT = ROOT
    check.empty("the copy itself is good", copy.git("status", "--porcelain").splitlines())


def refused(check, copy, scratch, sentence):
    done = copy.release(scratch / "refused")
    check.result(done.returncode == 1 and done.stdout.startswith(f"release: {sentence}")
                 and done.stdout.count("\n") == 1 and not (scratch / "refused").exists(),
                 f"refused: {sentence}", done.stdout.splitlines())


def check_repository(check, copy, scratch):
    (copy.folder / "left.txt").touch()
    refused(check, copy, scratch, "The tree has changes")
    (copy.folder / "left.txt").unlink()
    copy.git("tag", f"v{VERSION}", "HEAD~1")
    refused(check, copy, scratch, f"The tag v{VERSION} is another commit")
    copy.git("tag", "-d", f"v{VERSION}")
    copy.edit(CONF, "^KEY=.*", "KEY=")
    copy.commit()
    refused(check, copy, scratch, f"KEY of {CONF} is empty.")
    copy.git("reset", "-q", "--hard", "HEAD~1")
    # A release before this one, which had one function more.
    copy.edit("tests/abi/api.txt", r"^int hpt_sleep_ns", "int hpt_old(void); LIBHPT_1.0\nint hpt_sleep_ns")
    copy.commit()
    copy.git("tag", "v0.9.0")
    copy.git("revert", "--no-edit", "HEAD")
    refused(check, copy, scratch, "This breaks programs for v0.9.0, and the soname is the same: int hpt_old(void);")
    copy.git("tag", "-d", "v0.9.0")
    (scratch / "full").mkdir()
    (scratch / "full/file").touch()
    done = copy.release(scratch / "full")
    check.result(done.returncode == 1 and "is not empty." in done.stdout, "refused: a folder that is not empty",
                 done.stdout.splitlines())


def check_promise(check):
    """What two releases of one soname may differ in."""
    old = checks.api.read_list(ROOT / "tests/abi/api.txt")
    young = next(line for line in old if line.endswith("; LIBHPT_YOUNG_1"))
    constant = next(line for line in old if line.startswith("HPT_SLEEP_STRICT "))
    tail = next(line for line in old if line.startswith("struct hpt_sleep_info at "))

    def said(now):
        return list(checks.against(old, now, "v1"))

    without_young, without_constant = ([line for line in old if line != gone] for gone in (young, constant))
    renamed = [line.replace("YOUNG_1", "YOUNG_2") for line in without_young]
    other = ["HPT_ABI_MAJOR 9u" if line.startswith("HPT_ABI_MAJOR ") else line for line in without_constant]
    check.equal("two releases: the same", said(old), [])
    more = ["int hpt_new(void); LIBHPT_1.1", tail.replace("at", "at 999", 1)]
    check.equal("two releases: more", said(old + more), [])
    check.equal("two releases: a young function is gone", said(without_young),
                [f"The young node needs the next number, since this changed after v1: {young}."])
    check.equal("two releases: and the node has the next number", said(renamed), [])
    check.equal("two releases: a constant is gone", said(without_constant),
                [f"This breaks programs for v1, and the soname is the same: {constant} (and 0 more)."])
    check.equal("two releases: with another soname", said(other), [])


def contents(folder):
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def member(folder, name):
    """The text of a file of Debian's folder; None if it does not exist"""
    with tarfile.open(next(folder.glob("*.debian.tar.xz"))) as archive:
        return archive.extractfile(name).read().decode() if name in archive.getnames() else None


# (file, a line of it)
LINES = (
    ("PKGBUILD", f"pkgver={VERSION}"),
    ("PKGBUILD", f"url='{FILLED['URL']}'"),
    ("PKGBUILD", f'source=("{FILLED["DOWNLOAD"]}/libhpt-$pkgver.tar.xz")'),
    ("libhpt.spec", f"Version:        {VERSION}"),
    ("libhpt.spec", f"URL:            {FILLED['URL']}"),
    ("libhpt.spec", f"Source0:        {FILLED['DOWNLOAD']}/libhpt-%{{version}}.tar.xz"),
    (f"libhpt_{VERSION}-1.dsc", f"Homepage: {FILLED['URL']}"),
    (f"libhpt_{VERSION}-1.dsc", f"Vcs-Git: {FILLED['VCS']}"),
    (f"libhpt_{VERSION}-1.dsc", f"Maintainer: {FILLED['CONTACT']}"),
)


def check_made(check, copy, scratch):
    one, two = scratch / "one", scratch / "two"
    check.command("a release", [copy.folder / "packaging/release", one])
    # From a clone, by somebody else with other habits.
    check.command("a clone", ["git", "clone", "-q", copy.folder, scratch / "clone"])
    (scratch / ".gitconfig").write_text("[tar]\n\tumask = user\n[core]\n\tautocrlf = true\n", encoding="utf-8")
    check.command("a release of the clone",
                  ["sh", "-c", 'umask 077; "$0" "$1"', scratch / "clone/packaging/release", two],
                  TZ="Asia/Tokyo", LC_ALL="C", HOME=str(scratch))
    check.equal("its files", sorted(contents(one)), sorted([
        "PKGBUILD", "SHA256SUMS", "libhpt.spec", f"libhpt-{VERSION}-onefile.tar.xz", f"libhpt-{VERSION}-site.tar.xz",
        f"libhpt-{VERSION}.tar.xz",
        f"libhpt_{VERSION}.orig.tar.xz", f"libhpt_{VERSION}-1.debian.tar.xz", f"libhpt_{VERSION}-1.dsc"]))
    check.equal("the same bytes twice", contents(one), contents(two))
    check.command("its program takes the file along", ["sh", "-c", 'cd "$1" && tar -xf "$0" && cd libhpt-*-onefile && '
                  "cc -O2 -Iclock verdict.c clock/hpt.c -o verdict && ./verdict",
                  one / f"libhpt-{VERSION}-onefile.tar.xz", scratch])
    check.command("sha256sum -c", ["sh", "-c", 'cd "$0" && sha256sum -c SHA256SUMS', one])
    digest = hashlib.sha256((one / f"libhpt-{VERSION}.tar.xz").read_bytes()).hexdigest()
    for name, line in (*LINES, ("PKGBUILD", f"sha256sums=({digest})")):
        lines = (one / name).read_text(encoding="utf-8").splitlines()
        check.result(line in lines, f"{name}: {line}", lines)
    check.result(FILLED["DOWNLOAD"] + "/ " in member(one, "debian/watch"), "debian/watch: where archives are")
    check.equal("debian/upstream/metadata", member(one, "debian/upstream/metadata"),
                f"Repository: {FILLED['VCS']}\nContact: {FILLED['CONTACT']}\n")


def check_rehearsal(check, copy, scratch):
    """Empty fields leave no trace in the recipes."""
    out = scratch / "rehearsal"
    for name in FILLED:
        copy.edit(CONF, rf"^{name}=.*", f"{name}=")
    copy.edit(NEWS, r"\(2026-12-01\)", "(unreleased)")
    copy.commit()
    done = copy.release(out, "--dry-run")
    check.equal("a rehearsal says what is missing", [line for line in done.stdout.splitlines() if " is empty." in line],
                [f"not a release: {name} of {CONF} is empty." for name in FILLED])
    check.equal("a rehearsal succeeds", done.returncode, 0)
    texts = {path.name: path.read_text(encoding="utf-8") for path in out.iterdir() if path.suffix != ".xz"}
    texts["control"] = member(out, "debian/control")
    wrong = [f"{name}: {line}" for name, text in texts.items() for line in text.splitlines()
             if re.match(r"(Homepage|Vcs-\w+|URL|url)\b|.*@[A-Z_/]+@|.*validpgpkeys", line)]
    check.empty("no line of an empty field is left", wrong)
    check.equal("nor a file", [member(out, "debian/watch"), member(out, "debian/upstream/metadata")], [None, None])
    check.command("bash -n PKGBUILD", ["bash", "-n", out / "PKGBUILD"])
    if shutil.which("rpmspec"):
        check.command("rpmspec", ["rpmspec", "-q", out / "libhpt.spec"])


def main():
    for program in ("git", "tar", "gcc", "dpkg-source", "mandoc"):
        if not shutil.which(program):
            skip(f"no {program}")
    if not checks.git("rev-parse", "--verify", "-q", "HEAD"):
        skip("not a git checkout")
    who = {f"GIT_{role}_{part}": text for role in ("AUTHOR", "COMMITTER")
           for part, text in (("NAME", "Builder"), ("EMAIL", "builder@example.org"))}
    os.environ.update(who)
    for name in ("DEBFULLNAME", "DEBEMAIL"):
        os.environ.pop(name, None)
    check = Check()
    with tempfile.TemporaryDirectory(prefix="hpt-release-test-") as folder:
        scratch = pathlib.Path(folder).resolve()
        copy = Copy(check, scratch / "tree")
        for name, value in FILLED.items():
            copy.edit(CONF, rf"^{name}=.*", f"{name}={value}")
        copy.edit(*DAY)
        copy.commit()
        check_made(check, copy, scratch)
        check_refused(check, copy)
        check_repository(check, copy, scratch)
        check_promise(check)
        check_rehearsal(check, copy, scratch)
    check.finish()


main()
