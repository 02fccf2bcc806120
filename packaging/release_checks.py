# SPDX-License-Identifier: MIT
"""For packaging/release: what has to hold of a tree that is released. Each check gives sentences, one a fault."""
import datetime
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests/abi"))
import api  # noqa: E402 pylint: disable=wrong-import-position
from headers import map_nodes  # noqa: E402 pylint: disable=wrong-import-position

HTTPS = r"https://[^\s@]+[^\s@/]"
FIELDS = {"URL": HTTPS, "DOWNLOAD": HTTPS, "VCS": HTTPS, "CONTACT": r"[^<>]+ <[^\s<>@]+@[^\s<>@]+>",
          "KEY": "[0-9A-F]{40}"}
CRATE = r'^name = "hpt(?:-sys)?"\nversion = "(.*)"'
# (file, what stands for the version, how often)
COPIES = (
    ("NEWS", r"\A.*?^(\d\S*) \(", 1),
    ("bindings/rust/hpt/Cargo.toml", r'^version = "(.*?)"', 1),
    ("bindings/rust/hpt/Cargo.toml", r'^hpt-sys = \{ version = "(.*?)"', 1),
    ("bindings/rust/hpt-sys/Cargo.toml", r'^version = "(.*?)"', 1),
    ("bindings/rust/hpt-sys/src/constants.rs", r'HPT_VERSION_STRING: &str = "(.*)"', 1),
    ("bindings/rust/Cargo.lock", CRATE, 2),
    ("bindings/rust/bench/Cargo.lock", CRATE, 2),
)


def read(path):
    return (ROOT / path).read_text(encoding="utf-8")


def header():
    """Returns {the name of a number of version.h: it, as text}."""
    return dict(re.findall(r'^#define (HPT_\w+)\s+"?([\d.]+)', read("include/hpt/version.h"), flags=re.M))


def version_h():
    of = header()
    major, minor, patch = (of[f"HPT_VERSION_{part}"] for part in ("MAJOR", "MINOR", "PATCH"))
    if of["HPT_VERSION_STRING"] != f"{major}.{minor}.{patch}":
        yield f"version.h: HPT_VERSION_STRING is {of['HPT_VERSION_STRING']}, and the parts are {major}.{minor}.{patch}."
    number = 10000 * int(major) + 100 * int(minor) + int(patch)
    if int(of["HPT_VERSION_NUMBER"]) != number:
        yield f"version.h: HPT_VERSION_NUMBER is {of['HPT_VERSION_NUMBER']}, and the parts give {number}."
    if (of["HPT_ABI_MAJOR"], of["HPT_ABI_MINOR"]) != (major, minor):
        yield (f"version.h: the library would be libhpt.so.{of['HPT_ABI_MAJOR']}.{of['HPT_ABI_MINOR']}, "
               f"and version {major}.{minor} has libhpt.so.{major}.{minor}.")


def copies(version):
    for path, pattern, count in COPIES:
        found = re.findall(pattern, read(path), flags=re.M | re.S if path == "NEWS" else re.M)
        if found != [version] * count:
            yield f"{path} has {', '.join(found) or 'no version'}, and version.h has {version}."
    if '"version"' not in re.search(r"^dynamic = (.*)$", read("bindings/python/pyproject.toml"), flags=re.M)[1]:
        yield "bindings/python/pyproject.toml has a version of its own, and should take that of version.h."


def news_day():
    """Returns the day of the newest entry of NEWS; None if it has no day."""
    found = re.search(r"^\d\S* \((\d{4}-\d\d-\d\d)\)$", read("NEWS"), flags=re.M)
    first = re.search(r"^\d\S* \(.*$", read("NEWS"), flags=re.M)
    if not found or not first or found[0] != first[0]:
        return None
    try:
        return datetime.date.fromisoformat(found[1])
    except ValueError:
        return None


def packaged_nodes(symbols):
    """Returns {symbol: (node, version, number of the dependency)} of Debian's list, without the nodes' own names."""
    found = re.findall(r"^ (hpt_\w+)@(\S+) (\S+)(?: (\d))?$", symbols, flags=re.M)
    return {name: (node, version, which) for name, node, version, which in found}


def parts(version):
    return [int(part) for part in version.split(".")]


def differing_nodes(path, packaged, of_map):
    differ = sorted(name for name in packaged.keys() | of_map.keys()
                    if packaged.get(name, ("nowhere",))[0] != of_map.get(name))
    if differ:
        name = differ[0]
        yield (f"{path} has {name} in {packaged.get(name, ('no node',))[0]}, and lib/libhpt.map in "
               f"{of_map.get(name, 'no node')}; {len(differ)} functions differ.")


def young_package(path, major, young):
    """What uses a young function depends on a package that a library with another young node does not provide."""
    package = f"libhpt{major}-young-{young[0].rpartition('_')[2]}" if len(young) == 1 else "one package"
    places = ((path, f"\n| {package}\n"), ("packaging/debian/control", f"\nProvides: {package}\n"))
    for place, line in places:
        if line not in read(place):
            yield f"{place} does not name {package}, and lib/libhpt.map has {', '.join(young)}."
    wrong = sorted(name for name, (node, _, which) in packaged_nodes(read(path)).items()
                   if (node in young) != (which == "1"))
    if wrong:
        yield f"{path}: {wrong[0]} has the dependency of the other node; {len(wrong)} functions have."


def nodes(version):
    major = version.partition(".")[0]
    path = f"packaging/debian/libhpt{major}.symbols"
    if not (ROOT / path).exists():
        yield f"{path} does not exist, and the soname is libhpt.so.{major}."
        return
    if not read(path).startswith(f"libhpt.so.{major} libhpt{major} #MINVER#\n"):
        yield f"{path} is not of libhpt.so.{major}."
    of_map = map_nodes(read("lib/libhpt.map"))
    yield from differing_nodes(path, packaged_nodes(read(path)), of_map)
    young = sorted({node for node in of_map.values() if node.startswith("LIBHPT_YOUNG_")})
    yield from young_package(path, major, young)
    for node in sorted(set(of_map.values()) - set(young)):
        if parts(node.partition("_")[2]) > parts(version)[:2]:
            yield f"lib/libhpt.map has the node {node}, which is of a later release than {version}."


def git(*words):
    return subprocess.run(["git", "-c", f"safe.directory={ROOT}", "-C", str(ROOT), *words], check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, universal_newlines=True).stdout


def against(agreed, now, release):
    """What a minor release must not do, by the lists of two releases."""
    gone, _ = api.broken(agreed, now)
    soname = [line for line in agreed if line.startswith("HPT_ABI_MAJOR ")]
    if gone and soname[0] in now:
        yield f"This breaks programs for {release}, and the soname is the same: {gone[0]} (and {len(gone) - 1} more)."
    young = [line for line in api.changes(agreed, now)[0] if api.is_young(line)]
    grown = [f"struct {name} at " for name in api.grown(agreed, now)]
    young = [line for line in young if not line.startswith(tuple(grown))]
    named = {line.rpartition("; ")[2] for line in agreed if "; LIBHPT_YOUNG_" in line}
    if young and named & {line.rpartition("; ")[2] for line in now}:
        yield f"The young node needs the next number, since this changed after {release}: {young[0]}."


def interface(version):
    last = git("describe", "--tags", "--match", "v[0-9]*", "--exclude", f"v{version}", "--abbrev=0").strip()
    if last:
        before = [line for line in git("show", f"{last}:tests/abi/api.txt").splitlines()
                  if line and not line.startswith("#")]
        now, complaint = api.api(ROOT, "gcc")
        yield from complaint.splitlines() or against(before, now, last)


def tag(version):
    if git("rev-parse", "-q", "--verify", f"refs/tags/v{version}") and \
            git("rev-parse", f"v{version}^{{commit}}") != git("rev-parse", "HEAD"):
        yield f"The tag v{version} is another commit: a version is released once."


def fields():
    return dict(re.findall(r"^(\w+)=(.*)$", read("packaging/release.conf"), flags=re.M))


def empty_fields(values):
    return [f"{name} of packaging/release.conf is empty." for name in FIELDS if not values.get(name)]


def wrong_fields(values):
    for name, pattern in FIELDS.items():
        if values.get(name) and not re.fullmatch(pattern, values[name]):
            yield f"{name} of packaging/release.conf is not of the form that its comment has: {values[name]}"


def faults():
    """Returns what forbids a release, and a rehearsal too."""
    version = header()["HPT_VERSION_STRING"]
    return [*tag(version), *version_h(), *copies(version), *nodes(version), *wrong_fields(fields()),
            *interface(version)]


def unfinished():
    """Gives what a rehearsal passes over."""
    if git("status", "--porcelain"):
        yield "The tree has changes, and a release is made of a commit."
    if not news_day():
        yield "The newest entry of NEWS has no day: (YYYY-MM-DD) in the place of (unreleased)."
    if sorted(api.read_list(ROOT / "tests/abi/api.txt")) != sorted(api.api(ROOT, "gcc")[0]):
        yield "tests/abi/api.txt is not the list of this tree: run tests/abi/renew.py, and see what it changes."
    yield from empty_fields(fields())
