# SPDX-License-Identifier: MIT
"""For rust_test.py: the crates' packages, and a program that depends on them, away from the checkout."""
import shutil
import tarfile

from rust_lab import exported, linked

APP = """[package]
name = "app"
version = "0.0.0"
edition = "2021"

[dependencies]
hpt = {{ version = "{version}", features = ["vendored"] }}
hpt-sys = "{version}"

[lib]
crate-type = ["cdylib"]

# In the place of a registry.
[patch.crates-io]
hpt = {{ path = "{folder}/hpt-{version}" }}
hpt-sys = {{ path = "{folder}/hpt-sys-{version}" }}
"""

PROGRAM = """fn main() {
    let before = hpt::Instant::now();
    hpt::sleep(std::time::Duration::from_millis(1));
    assert!(before.elapsed() >= std::time::Duration::from_millis(1));
    println!("slept");
}
"""

# Reaches most of the library, so that the linker keeps it.
LIBRARY = """#[no_mangle]
pub extern "C" fn app_now() -> i64 {
    hpt::sleep(std::time::Duration::from_micros(1));
    unsafe { hpt_sys::hpt_now_ns(std::ptr::null_mut()) }
}
"""


def unpacked(lab, target):
    """A folder with the files of both packages"""
    folder = lab.scratch / "packages"
    for name in ("hpt-sys", "hpt"):
        with tarfile.open(target / "package" / f"{name}-{lab.version}.crate") as archive:
            archive.extractall(folder)
    return folder


def check_files(lab, folder):
    """The licence is a file, and the copied sources are those of the tree."""
    for name in ("hpt-sys", "hpt"):
        text = (folder / f"{name}-{lab.version}" / "LICENSE").read_text(encoding="utf-8")
        lab.equal(f"{name}: the licence", text, (lab.root / "LICENSE").read_text(encoding="utf-8"))
    copy = folder / f"hpt-sys-{lab.version}" / "libhpt"
    for part in ("lib", "include"):
        sources = [path.relative_to(lab.root) for path in (lab.root / part).rglob("*.[ch]")
                   if path.parent.name != "preload"]
        wrong = [str(path) for path in sources
                 if not (copy / path).is_file() or (copy / path).read_bytes() != (lab.root / path).read_bytes()]
        lab.empty(f"hpt-sys: the library's {part} inside", wrong)


def check_program(lab, folder):
    """A program and a shared library of another project."""
    app = lab.scratch / "app"
    (app / "src").mkdir(parents=True)
    (app / "Cargo.toml").write_text(APP.format(version=lab.version, folder=folder), encoding="utf-8")
    (app / "src/main.rs").write_text(PROGRAM, encoding="utf-8")
    (app / "src/lib.rs").write_text(LIBRARY, encoding="utf-8")
    output = lab.good("a program with the packages", "run", "-q", cwd=app)
    lab.equal("it runs", output.splitlines()[-1:], ["slept"])
    target = lab.scratch / "target/debug"
    lab.equal("it needs no libhpt.so.1", "libhpt.so.1" in linked(lab, target / "app"), False)
    lab.good("a shared library with the packages", "build", "-q", "--lib", cwd=app)
    # Two such libraries in one process must not see each other's libhpt.
    names = [name for name in exported(lab, target / "libapp.so") if not name.startswith(("rust_", "_R"))]
    lab.equal("it exports its own function alone", names, ["app_now"])


def check(lab):
    if lab.version_of("cargo") < (1, 90):
        lab.skip("packages", "cargo before 1.90 makes no packages of crates that need each other")
        return
    target = lab.scratch / "package-target"
    done = lab.run(["sh", lab.workspace / "package"], CARGO_TARGET_DIR=str(target))
    lab.result(done.returncode == 0, "packages: made, and built of their own files",
               done.stdout.splitlines()[-60:] if done.returncode else ())
    copies = [copy for copy in ("hpt-sys/libhpt", "hpt-sys/LICENSE", "hpt/LICENSE") if (lab.workspace / copy).exists()]
    lab.equal("packages: the copies are gone", copies, [])
    if done.returncode:
        return
    folder = unpacked(lab, target)
    check_files(lab, folder)
    check_program(lab, folder)
    lab.tests("packages: hpt-sys's own tests", "--features", "vendored", cwd=folder / f"hpt-sys-{lab.version}")
    # Three folders above it are an installed library's headers, as in /usr/local, and a program's sources.
    bare = lab.scratch / "prefix/share/cargo/bare"
    for foreign in ("include/hpt/version.h", "lib/program/main.c"):
        (lab.scratch / "prefix" / foreign).parent.mkdir(parents=True)
        (lab.scratch / "prefix" / foreign).touch()
    shutil.copytree(folder / f"hpt-sys-{lab.version}", bare, ignore=shutil.ignore_patterns("libhpt"))
    lab.refused("packages: without the sources inside", "the feature \"vendored\" needs the library's sources", "check",
                "--features", "vendored", cwd=bare)
