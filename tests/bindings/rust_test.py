#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
bindings/rust as its users get it: with an installed library, with the library compiled in, and from packages away from
the checkout. The arguments are those of tests/consumer/consumer_test.py. With --all also: the oldest rustc that the
crates state. With --brief only the tests with an installed library, and versions.
"""
import json
import pathlib
import shutil
import tempfile

import binding_lab
import rust_msrv
import rust_package as package
from project import skip
from rust_lab import Lab, linked

INSTALLED = {"HPT_VENDORED": "0"}
VENDORED = {"HPT_VENDORED": "1"}


def test_programs(output):
    """The test programs that cargo has run, from its lines "Running tests/NAME.rs (PATH)"."""
    return [line.rpartition("(")[2].rstrip(")") for line in output.splitlines() if line.strip().startswith("Running ")]


def check_tests(lab, library):
    """Whether a program has the shared library among its needs shows which library it was."""
    output = lab.tests("with the installed library", "--workspace", "--locked", "--features", "hpt/serde,hpt/tokio",
                       **library, **INSTALLED)
    wanted = [linked(lab, lab.workspace / path) for path in test_programs(output)]
    lab.equal("they run with libhpt.so.1", any("libhpt.so.1" in names for names in wanted), True)


def check_ticks(lab, library):
    """On an OS clock whose tick is no nanosecond, as that of a counter: one that is taken for the other is seen."""
    lab.tests("with an OS clock of 19.2 MHz", "--workspace", "--locked", HPT_SOURCE="os", HPT_OS_HZ="19200000",
              **library, **INSTALLED)


def check_vendored(lab):
    """The same tests, with the library inside"""
    output = lab.tests("with the library inside", "--workspace", "--locked", "--all-features", **VENDORED)
    wanted = [linked(lab, lab.workspace / path) for path in test_programs(output)]
    lab.equal("they need no libhpt.so.1", [bool(wanted), any("libhpt.so.1" in names for names in wanted)],
              [True, False])


def check_examples(lab, library):
    for path in sorted((lab.workspace / "hpt/examples").glob("*.rs")):
        lab.good(f"example {path.stem}", "run", "-q", "-p", "hpt", "--example", path.stem, **library, **INSTALLED)


def check_text(lab, folder, library):
    """Formatting and lints"""
    if lab.has("fmt"):
        lab.good(f"{folder.name}: cargo fmt", "fmt", "--all", "--check", cwd=folder)
    else:
        lab.skip(f"{folder.name}: cargo fmt", "no rustfmt")
    if lab.has("clippy"):
        lints = ["clippy", "--workspace", "--all-targets", "--locked"]
        lab.good(f"{folder.name}: clippy", *lints, "--", "-D", "warnings", cwd=folder, **library)
        lab.good(f"{folder.name}: clippy, all features", *lints, "--all-features", "--", "-D", "warnings", cwd=folder)
    else:
        lab.skip(f"{folder.name}: clippy", "no clippy")


def check_documentation(lab):
    lab.good("documentation", "doc", "--workspace", "--no-deps", "--all-features", "--locked",
             RUSTDOCFLAGS="-D warnings")


def check_versions(lab):
    packages = json.loads(lab.cargo("metadata", "--format-version", "1", "--no-deps").stdout)["packages"]
    for crate in packages:
        name = crate["name"]
        lab.equal(f"{name}: its version is the library's", crate["version"], lab.version)
        lab.equal(f"{name}: rust-version", crate["rust_version"], rust_msrv.VERSION)
        ours = [d["req"] for d in crate["dependencies"] if d["name"] == "hpt-sys"]
        lab.equal(f"{name}: the hpt-sys that it asks for", set(ours), {f"^{lab.version}"} if name == "hpt" else set())
    lab.equal("the crates", sorted(crate["name"] for crate in packages), ["hpt", "hpt-sys"])


def check_choices(lab, library):
    """Which library a build takes, and what it says where there is none."""
    build = ["check", "-p", "hpt-sys"]
    hint = "the feature \"vendored\" builds the library instead"
    lab.refused("no library: the sentence names the feature", hint, *build)
    lab.refused("HPT_VENDORED=0 without a library", "HPT_VENDORED=0 asks for the installed library", *build,
                "--features", "vendored", **INSTALLED)
    lab.refused("HPT_VENDORED=1 without the feature", "HPT_VENDORED=1 needs the feature \"vendored\"", *build,
                **library, **VENDORED)
    lab.refused("HPT_VENDORED=yes", "HPT_VENDORED is 0 or 1, not \"yes\"", *build, **library, HPT_VENDORED="yes")
    major, minor, patch = map(int, lab.version.split("."))
    others = {f"{major}.{minor - 1}.9": False, f"{major}.{minor}.{patch + 1}": True, f"{major}.{minor + 1}.0": False}
    for version, fits in others.items():
        folder = lab.scratch / f"pkgconfig-{version}"
        folder.mkdir()
        text = f"Name: libhpt\nDescription: for a test\nVersion: {version}\nLibs: -lhpt\nCflags: -I/nonexistent\n"
        (folder / "libhpt.pc").write_text(text, encoding="utf-8")
        if fits:
            lab.good(f"libhpt {version} fits", *build, PKG_CONFIG_LIBDIR=str(folder))
        else:
            lab.refused(f"libhpt {version} does not fit", f"no libhpt of version {lab.version} or later", *build,
                        PKG_CONFIG_LIBDIR=str(folder))


def check_bench(lab, library):
    """The benchmark measures, if only for a moment. (Its figures are no test.)"""
    folder = lab.workspace / "bench"
    why = lab.cannot_build(folder)
    if why:
        lab.skip("the benchmark", why)
        return
    check_text(lab, folder, library)
    done = lab.cargo("run", "-q", "--release", "--locked", "--", "--json", "--rounds", "2", cwd=folder, **library,
                     **INSTALLED)
    try:
        results = json.loads(done.stdout)
    except ValueError:
        results = {}
    good = done.returncode == 0 and results.get("reads") and results.get("sleeps")
    lab.result(good, "the benchmark runs", () if good else done.stdout.splitlines()[-40:])


def check_more(lab, library):
    check_text(lab, lab.workspace, library)
    check_documentation(lab)
    check_ticks(lab, library)
    check_vendored(lab)
    check_examples(lab, library)
    check_choices(lab, library)
    package.check(lab)
    check_bench(lab, library)


def main():
    args, extent = binding_lab.arguments()
    for program in ("cargo", "cc", "readelf", "nm"):
        if not shutil.which(program):
            skip(f"no {program}")
    with tempfile.TemporaryDirectory(prefix="hpt-rust-") as scratch:
        lab = Lab(args, pathlib.Path(scratch))
        why = lab.cannot_build(lab.workspace)
        if why:
            skip(why)
        library = lab.install_library()
        check_versions(lab)
        check_tests(lab, library)
        if extent != "brief":
            check_more(lab, library)
        if extent == "all":
            rust_msrv.check(lab, library)
        lab.finish()


main()
