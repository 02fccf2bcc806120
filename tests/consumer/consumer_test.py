#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Installs the build into a scratch folder and uses it from there like any other project: by pkg-config, in C, C++ and
Python, and with the examples of README.md and the manual."""
import argparse
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SKIP = 77
failed = []


def check(good, what, details=""):
    print(("ok: " if good else "FAILED: ") + what)
    if not good:
        failed.append(what)
        print(str(details).rstrip())
    return good


def run(command, **more):
    return subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          universal_newlines=True, check=False, **more)


# ---- The installed tree -------------------------------------------------------------------------------

class Installed:
    """The scratch folder. pkg-config alone says where things are."""

    def __init__(self, destdir, pkgconfig):
        files = sorted(destdir.rglob("libhpt.pc"))
        if not files:
            sys.exit("FAILED: no libhpt.pc was installed")
        self.pkgconfig = pkgconfig
        # No other folder: a libhpt that is installed on this machine must not be found.
        self.environ = dict(os.environ, PKG_CONFIG_LIBDIR=str(files[0].parent), PKG_CONFIG_PATH="")
        self.prefix = pathlib.Path(str(destdir) + self.ask("--variable=prefix", moved=False))
        self.libdir = pathlib.Path(self.ask("--variable=libdir"))
        self.includedir = pathlib.Path(self.ask("--variable=includedir"))

    def ask(self, *options, moved=True):
        command = [self.pkgconfig, *options, "libhpt"]
        if moved:
            command.insert(1, f"--define-variable=prefix={self.prefix}")
        done = run(command, env=self.environ)
        if done.returncode:
            sys.exit(f"FAILED: {shlex.join(map(str, command))}\n{done.stdout}")
        return done.stdout.strip()

    def flags(self, *options):
        return shlex.split(self.ask(*options))


def install(args, destdir):
    done = run(args.meson + ["install", "-C", args.build, "--no-rebuild", "--destdir", destdir])
    if not check(done.returncode == 0, "meson install", done.stdout):
        sys.exit(1)


def check_link(tree, name, target):
    path = tree.libdir / name
    check(path.is_symlink() and os.readlink(path) == target, f"{name} -> {target}", f"{path}")


def check_shared(tree):
    abi = tree.ask("--variable=abi_version")
    real, soname = f"libhpt.so.{abi}", f"libhpt.so.{abi.split('.')[0]}"
    check((tree.libdir / real).is_file(), f"{real} is there")
    check_link(tree, soname, real)
    check_link(tree, "libhpt.so", soname)
    if shutil.which("readelf"):
        dynamic = run(["readelf", "-W", "-d", tree.libdir / real]).stdout
        check(re.search(rf"SONAME.*\[{re.escape(soname)}\]", dynamic), f"its soname is {soname}", dynamic)
        check(not re.search(r"\((RPATH|RUNPATH)\)", dynamic), "it has no RPATH", dynamic)


def check_manual(tree, args):
    folder = tree.prefix / args.mandir
    if not args.man:
        check(not list(folder.rglob("hpt_*")), "no manual, as configured")
        return
    for name in args.man:
        path = folder / f"man{name[-1]}" / name
        check(path.is_file() and not path.is_symlink(), f"manual page {name}", path)
    for name in args.man_aliases:
        path = folder / f"man{name[-1]}" / name
        target = os.readlink(path) if path.is_symlink() else None
        check(target in args.man and re.search(rf"^\.Nm {name[:-2]}\b", path.read_text(encoding="utf-8"), re.M),
              f"{name} is a link to the page that documents it, {target}", path)


def check_pkgconfig(tree, args):
    done = run([tree.pkgconfig, "--validate", "libhpt"], env=tree.environ)
    check(done.returncode == 0 and not done.stdout, "libhpt.pc is valid", done.stdout)
    text = pathlib.Path(tree.environ["PKG_CONFIG_LIBDIR"], "libhpt.pc").read_text(encoding="utf-8")
    page = re.search(r"^URL: man:(\w+)\((\d)\)$", text, flags=re.M)
    if args.man:
        check(page and (tree.prefix / args.mandir / f"man{page[2]}" / f"{page[1]}.{page[2]}").is_file(),
              "its URL is an installed page of the manual", text)
    else:
        check(not page, "it has no URL, as there is no manual", text)


def check_tree(tree, args):
    check_pkgconfig(tree, args)
    for header in ("clock.h", "highpertimer.hpp", "hlc.h", "hpt.h", "hpt.hpp", "info.h", "mmio.h", "sleep.h",
                   "system.h", "system.hpp", "ticker.h", "time.h", "timebase.h", "version.h", "wait.h", "wait.hpp",
                   "waiter.h", "wall.h", "wall.hpp"):
        check((tree.includedir / "hpt" / header).is_file(), f"hpt/{header} is there")
    if args.library != "static":
        check_shared(tree)
    if args.library != "shared":
        check((tree.libdir / "libhpt.a").is_file(), "libhpt.a is there")
    check_manual(tree, args)


# ---- Programs -----------------------------------------------------------------------------------------

def build_and_run(tree, what, command, folder):
    program = folder / re.sub(r"\W", "_", what)
    done = run(command + ["-o", program])
    if not check(done.returncode == 0, f"{what}: builds", f"{shlex.join(map(str, command))}\n{done.stdout}"):
        return None
    environ = dict(os.environ, LD_LIBRARY_PATH=str(tree.libdir))
    # In a dynamic program .preinit_array runs before libc has its environment, and would miss this variable.
    environ.pop("HPT_SOURCE", None)
    done = run([program], env=environ)
    check(done.returncode == 0, f"{what}: runs", done.stdout)
    print("    " + done.stdout.rstrip().replace("\n", "\n    "))
    return done.stdout.strip()


def c_program(tree, args, what, source, folder, more=()):
    strict = ["-std=c99", "-Wall", "-Wextra", "-Werror"]
    command = args.cc + args.args + strict + [*more, source] + tree.flags("--cflags", "--libs")
    return build_and_run(tree, what, command, folder)


def cxx_program(tree, args, what, source, folder, more=()):
    if not args.cxx:
        print(f"skipped: {what}: no C++ compiler")
        return
    command = args.cxx + args.args + ["-std=c++11", "-Wall", "-Wextra", "-Werror", *more, source]
    build_and_run(tree, what, command + tree.flags("--cflags", "--libs"), folder)


def check_programs(tree, args, folder):
    c_program(tree, args, "consumer.c", HERE / "consumer.c", folder)
    printed = c_program(tree, args, "sleeper.c", HERE / "sleeper.c", folder)
    check(re.fullmatch(r"\d+ of 1000 rounds began within 1 us of their time", printed or ""),
          "sleeper.c counts its rounds", printed)
    c_program(tree, args, "wall.c", HERE / "wall.c", folder)
    cxx_program(tree, args, "consumer.cc", HERE / "consumer.cc", folder)


def check_python(tree, args):
    if args.library == "static":
        print("skipped: ctypes: there is no shared library")
        return
    done = run([sys.executable, HERE / "consumer_ctypes.py", tree.libdir / "libhpt.so"])
    print("    " + done.stdout.rstrip().replace("\n", "\n    "))
    check(done.returncode in (0, SKIP), "Python's ctypes")


def links(static, cc):
    """Can this compiler link fully static programs? Not every system has libc's archive."""
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder, "empty.c")
        source.write_text("int main(void) { return 0; }\n", encoding="utf-8")
        return run(cc + static + [source, "-o", pathlib.Path(folder, "empty")]).returncode == 0


def check_start(tree, args, folder):
    """start.c linked with the shared library, with the archive, and fully static."""
    compile_start = args.cc + args.args + ["-std=gnu11", "-Wall", "-Wextra", "-Werror", HERE / "start.c"]
    archive = tree.libdir / "libhpt.a"
    sources = {}
    if args.library != "static":
        command = compile_start + tree.flags("--cflags", "--libs")
        sources["shared"] = build_and_run(tree, "start.c with libhpt.so", command, folder)
    if args.library != "shared":
        command = compile_start + tree.flags("--cflags") + [archive]
        sources["archive"] = build_and_run(tree, "start.c with libhpt.a", command, folder)
        if links(["-static"], args.cc + args.args):
            command = compile_start + ["-static"] + tree.flags("--static", "--cflags", "--libs")
            sources["static"] = build_and_run(tree, "start.c fully static", command, folder)
        else:
            print("skipped: start.c fully static: this compiler links no static program")
    # Each process measures for itself whether HPET or OS is better. For the cost of a TSC start.c itself allows.
    found = {"hpet or os" if name in ("hpet", "os") else name for name in sources.values()}
    check(len(found) == 1, f"every way of linking gives the same source: {sources}")


# ---- Examples in the documentation --------------------------------------------------------------------

def readme_examples(text):
    return re.findall(r"^```c\n(.*?)^```", text, flags=re.M | re.S)


def page_examples(text):
    blocks = re.findall(r"^\.Bd -literal.*?\n(.*?)^\.Ed", text, flags=re.M | re.S)
    return [block.replace("\\&", "").replace("\\-", "-").replace("\\e", "\\") for block in blocks]


def check_examples(tree, args, folder, path, examples):
    programs = [e for e in examples(path.read_text(encoding="utf-8")) if "int main(" in e]
    check(programs, f"{path.name} has an example")
    for number, text in enumerate(programs, 1):
        what = f"example {number} of {path.name}"
        is_cxx = "<hpt/hpt.hpp>" in text
        source = folder / (re.sub(r"\W", "_", what) + (".cc" if is_cxx else ".c"))
        source.write_text(text, encoding="utf-8")
        more = ["-pthread"] if re.search("<pthread.h>|<thread>", text) else []
        (cxx_program if is_cxx else c_program)(tree, args, what, source, folder, more)


# ---- All of it ----------------------------------------------------------------------------------------

def arguments():
    parser = argparse.ArgumentParser()
    for name in ("root", "build", "library", "sanitize", "mandir"):
        parser.add_argument("--" + name, required=True)
    for name in ("meson", "pkgconfig", "cc", "cxx", "args"):
        parser.add_argument("--" + name, default="", help="a command line, quoted as in sh")
    parser.add_argument("--man", nargs="*", default=[], help="pages that must be installed")
    parser.add_argument("--man-aliases", nargs="*", default=[], help="links to these pages")
    args = parser.parse_args()
    for name in ("meson", "cc", "cxx", "args"):
        setattr(args, name, shlex.split(getattr(args, name)))
    return args


def skip(why):
    print(f"skipped: {why}")
    sys.exit(SKIP)


def main():
    args = arguments()
    if args.sanitize != "none":
        skip(f"this build is sanitized ({args.sanitize}), and a program that uses it would not be")
    if not args.pkgconfig or not args.meson:
        skip("no pkg-config" if args.meson else "no meson in PATH")
    root = pathlib.Path(args.root)
    with tempfile.TemporaryDirectory(prefix="hpt-consumer-") as scratch:
        destdir, folder = pathlib.Path(scratch, "dest"), pathlib.Path(scratch, "work")
        folder.mkdir()
        install(args, destdir)
        tree = Installed(destdir, args.pkgconfig)
        check_tree(tree, args)
        check_programs(tree, args, folder)
        check_python(tree, args)
        check_start(tree, args, folder)
        check_examples(tree, args, folder, root / "README.md", readme_examples)
        for page in sorted(root.glob("man/*.[37]")):
            # Each page of section 3 has examples; those of section 7 may.
            if page.suffix == ".3" or ".Sh EXAMPLES" in page.read_text(encoding="utf-8"):
                check_examples(tree, args, folder, page, page_examples)
    print(f"{len(failed)} failed" if failed else "all well")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
