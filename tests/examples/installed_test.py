#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
Installs the build into a scratch folder, and makes each example there by the command in its first comment, as a
stranger would. As C99 and as C++11 it compiles without a warning. The C code of commit_wait/README.md compiles too. The
arguments are those of consumer_test.py.
"""
import os
import pathlib
import re
import shlex
import shutil
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "consumer"))
import consumer_test as consumer  # noqa: E402
from consumer_test import check, failed, run  # noqa: E402
from installed_lab import arguments, command_of, environment, flags  # noqa: E402

# A short run of each. Without words it needs a server, and says with exit code 2 how it is used.
WORDS = {
    "audio_callback": ["75"],
    "commit_wait": [],
    "control_loop": ["0.1"],
    "epoll_server": ["0.1"],
    "ntp_feed": [],
    "tracer": ["record", "trace", "1000"],
    "udp_pacer": ["1000", "0.1"],
}
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only"]


def offer_libpq(args, tree, destdir):
    """Lets pkg-config find libpq, if it is on this machine. To pkg-config all is below destdir."""
    done = run([args.pkgconfig, "--variable=includedir", "libpq"])
    if done.returncode:
        return False
    headers = pathlib.Path(done.stdout.strip())
    link = destdir / headers.relative_to("/")
    link.parent.mkdir(parents=True, exist_ok=True)
    if not link.exists():
        link.symlink_to(headers)
    pathlib.Path(tree.environ["PKG_CONFIG_LIBDIR"], "libpq.pc").write_text(
        f"Name: libpq\nDescription: libpq\nVersion: 1\nCflags: -I{headers}\nLibs: -lpq\n", encoding="ascii")
    return True


def check_page(page, cflags, environ, folder):
    """Each block of C on the page compiles by itself."""
    blocks = re.findall(r"^```c\n(.*?)^```$", page.read_text(encoding="utf-8"), re.M | re.S)
    check(blocks, f"{page.parent.name}/{page.name} has C code")
    for number, block in enumerate(blocks, 1):
        source = folder / f"block{number}.c"
        source.write_text(block, encoding="utf-8")
        done = run(["cc", "-std=gnu99", *WARNINGS, "-Wno-unused-function", *cflags, source], env=environ)
        check(done.returncode == 0, f"{page.parent.name}/{page.name}: block {number} of C compiles", done.stdout)


def check_example(args, environ, source, folder, cflags):
    name = source.stem
    shutil.copy(source, folder)
    commands = command_of(source)
    if not check(len(commands) == 1 and f"-o {name} {name}.c " in commands[0], f"{name}: the comment has its command",
                 commands):
        return
    done = run(["sh", "-c", commands[0]], cwd=folder, env=environ)
    if not check(done.returncode == 0 and not done.stdout, f"{name}: {commands[0]}", done.stdout):
        return
    done = run([folder / name, *WORDS[name]], cwd=folder, env=environ)
    check(done.returncode == (0 if WORDS[name] else 2), f"{name}: runs", f"exit {done.returncode}\n{done.stdout}")
    languages = [["cc", "-std=gnu99"]] + ([args.cxx + args.args + ["-x", "c++", "-std=c++11"]] if args.cxx else [])
    for compiler in languages:
        done = run([*compiler, *WARNINGS, *cflags, source], env=environ)
        check(done.returncode == 0, f"{name}: no warnings: {shlex.join(map(str, compiler))}", done.stdout)


def main():
    args = arguments()
    examples = pathlib.Path(args.root, "examples")
    sources = sorted([*examples.glob("*.c"), examples / "commit_wait" / "commit_wait.c"], key=lambda path: path.stem)
    check([source.stem for source in sources] == sorted(WORDS), "each example has a test", sources)
    table = re.findall(r"^\| `(\w+)(?:\.c|/)`", (examples / "README.md").read_text(encoding="utf-8"), re.M)
    check(sorted(table) == sorted(WORDS), "README.md lists each example", table)
    with tempfile.TemporaryDirectory(prefix="hpt-examples-") as scratch:
        destdir, folder = pathlib.Path(scratch, "dest"), pathlib.Path(scratch, "work")
        folder.mkdir()
        consumer.install(args, destdir)
        tree = consumer.Installed(destdir, args.pkgconfig)
        environ = environment(args, tree, destdir, folder)
        has_libpq = offer_libpq(args, tree, destdir)
        for source in sources:
            if source.stem == "commit_wait" and not has_libpq:
                print("    libpq is not installed: commit_wait is not compiled")
                continue
            check_example(args, environ, source, folder, flags(args, environ, "libhpt", *["libpq"] * has_libpq))
        check_page(examples / "commit_wait" / "README.md", flags(args, environ, "libhpt"), environ, folder)
    print(f"{len(failed)} failed" if failed else "all well")
    sys.exit(bool(failed))


main()
