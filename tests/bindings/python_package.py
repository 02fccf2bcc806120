# SPDX-License-Identifier: MIT
"""For python_test.py: what is in the packages, and how they are built and installed."""
import json
import re
import shutil
import tarfile
import zipfile

FACTS = "import hpt; print(hpt.__version__, hpt.now_ns() > 0, hpt.__file__)"


def check_extension(lab, interpreter, name, linked):
    """The extension exports what Python looks up, and needs libhpt.so.1 only if it is linked with it."""
    path = interpreter.extension()
    lab.holds(path is not None, f"{interpreter.name}: {name}: one extension", [interpreter.folder])
    if path is None:
        return
    exported = re.findall(r"\s(\S+)$", lab.run(["nm", "-D", "--defined-only", path]).stdout, re.M)
    lab.equal(f"{interpreter.name}: {name}: exported", exported, ["PyInit__native"])
    needed = re.findall(r"NEEDED.*\[(.*)\]", lab.run(["readelf", "-d", path]).stdout)
    lab.equal(f"{interpreter.name}: {name}: needs libhpt.so.1", "libhpt.so.1" in needed, linked)


def check_facts(lab, interpreter, name, **environ):
    """The installed package is the one that is imported, and has the version of the header."""
    got = interpreter.ask(FACTS, **environ).split()
    lab.equal(f"{interpreter.name}: {name}: version", got[:2], [lab.version, "True"])
    lab.holds(got[-1].startswith(str(interpreter.folder)), f"{interpreter.name}: {name}: imported from site-packages",
              got)


# 31 of the suite's 48 s of CPU time: closes that race with other threads, and objects counted as they are freed.
STORMS = ["test_native_close.py", "test_native_lifetime.py"]

# Methods that return None, many times more often than None has references where it is not immortal.
NONE = """import sys
from hpt import _native
clock, waiter, gate, ticker = _native.Clock.manual(10**9), _native.Waiter(), _native.Gate(), _native.Ticker(None, 1000)
before = sys.getrefcount(None)
for _ in range(20000):
    clock.advance(1)
    waiter.interrupt()
    waiter.clear()
    waiter.learn_ns(1, 1)
    waiter.set_policy(0, 0)
    gate.notify_all()
    ticker.set_missed(0, 0)
    _native.Waiter().close()
print("lost or leaked" if abs(sys.getrefcount(None) - before) > 1000 else "kept")
"""


def check_none(lab, interpreter, how, **environ):
    """Before 3.12 None is counted; later the calls are made all the same."""
    lab.equal(f"{interpreter.name}: {how}: references to None", interpreter.ask(NONE, **environ), "kept")


def check_installed(lab, interpreter, library, is_brief):
    """pip install ./bindings/python with the library installed"""
    interpreter.pip("pip install ./bindings/python[test], library installed", "install", f"{lab.package}[test]",
                    "build", "setuptools", "wheel", **library)
    check_extension(lab, interpreter, "linked", True)
    check_facts(lab, interpreter, "linked", **library)
    check_none(lab, interpreter, "linked", **library)
    check_readme(lab, interpreter, library)
    check_bench(lab, interpreter, library)
    interpreter.test("linked", *(STORMS if is_brief else []), **library)


def check_readme(lab, interpreter, library):
    """The program of the package's README.md, all its parts"""
    text = (lab.package / "README.md").read_text(encoding="utf-8")
    program = "".join(re.findall(r"```python\n(.*?)```", text, re.S))
    done = lab.run([interpreter.python, "-I", "-W", "error", "-c", program], **library)
    lab.holds(done.returncode == 0 and "<Wake.REACHED: 0>\n" in done.stdout, "README.md: its program",
              done.stdout.splitlines())


def check_bench(lab, interpreter, library):
    """A short run: a row for each candidate. No time is judged."""
    short = "--json --rounds 1 --sleeps 2 --blocks 2 --calls 10 --ticks 100 --load 1".split()
    done = lab.run([interpreter.python, lab.package / "bench.py", *short], **library)
    try:
        rows = json.loads(done.stdout)["results"]
    except (ValueError, KeyError):
        rows = []
    lab.holds(len({(row["part"], row["name"]) for row in rows}) == len(rows) == 21, "bench.py: its rows",
              done.stdout.splitlines()[-20:])
    lab.holds(all(row["p10"] <= row["median"] <= row["p90"] for row in rows), "bench.py: medians in their spread", rows)


def library_files(lab):
    """The library's files that a source package has to hold."""
    found = [path for part in ("lib", "include") for path in (lab.root / part).rglob("*.[ch]")
             if path.parent.name != "preload"]
    return sorted(str(path.relative_to(lab.root)) for path in found) + ["LICENSE"]


def check_packages(lab, interpreter):
    """The source package, and the wheel that is built of it away from the checkout. Returns their paths."""
    folder = lab.scratch / "dist"
    lab.command(f"{interpreter.name}: source package and wheel",
                [interpreter.python, "-m", "build", "-o", folder, lab.package])
    sdist, wheel = (next(folder.glob(pattern)) for pattern in ("*.tar.gz", "*.whl"))
    with tarfile.open(sdist) as archive:
        names = [name.split("/", 1)[-1] for name in archive.getnames() if archive.getmember(name).isfile()]
    lab.equal("source package: the library's files",
              sorted(name[7:] for name in names if name.startswith("libhpt/")), sorted(library_files(lab)))
    own = [str(path.relative_to(lab.package)) for part in ("src", "tests") for path in (lab.package / part).rglob("*")
           if path.is_file() and ".egg-info" not in str(path)]
    lab.equal("source package: its own files left out", sorted(set(own) - set(names)), [])
    lab.equal("nothing is left in the checkout", (lab.package / "libhpt").exists(), False)
    lab.equal("wheel: its name", re.sub(r"linux_\w+", "linux", wheel.name),
              f"hpt-{lab.version}-{interpreter.tag()}-linux.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    lab.equal("wheel: typed", [name for name in names if name.endswith(("py.typed", "_native.pyi"))],
              ["hpt/_native.pyi", "hpt/py.typed"])
    return sdist, wheel


def check_vendored(lab, interpreter, wheel):
    """The wheel with the library inside; no libhpt can be found."""
    interpreter.pip("pip install of the wheel", "install", "--force-reinstall", "--no-deps", wheel)
    check_extension(lab, interpreter, "vendored", False)
    check_facts(lab, interpreter, "vendored")
    interpreter.test("vendored")


def wheel_log(lab, interpreter, folder, **environ):
    """Builds a wheel without isolation. Returns the exit status, the output and the wheel."""
    command = [interpreter.python, "-m", "pip", "wheel", "-v", "--no-deps", "--no-build-isolation", "-w", folder,
               lab.package]
    done = lab.run(command, **environ)
    return done.returncode, done.stdout, next(folder.glob("*.whl"), None)


def check_refused(lab, interpreter, name, sentence, **environ):
    """A build that must fail with a sentence that says what to do."""
    code, output, _ = wheel_log(lab, interpreter, lab.scratch / "refused", **environ)
    lab.holds(code != 0 and sentence in output, f"refused: {name}", output.splitlines()[-30:])


def check_prefix(lab, interpreter):
    """A package without the library's sources takes none from a prefix above it, as /usr/local may be."""
    package = lab.scratch / "prefix/share/python"
    shutil.copytree(lab.package, package, ignore=shutil.ignore_patterns("libhpt"))
    shutil.copytree(lab.root / "include", lab.scratch / "prefix/include")
    done = lab.run(["env", "-C", package, interpreter.python, "setup.py", "--version"])
    lab.holds(done.returncode != 0 and "no sources of the library" in done.stdout, "refused: no sources inside",
              done.stdout.splitlines()[-30:])


def check_choices(lab, interpreter, library):
    """Which library a build takes."""
    check_prefix(lab, interpreter)
    missing = "HPT_VENDORED=0, and pkg-config finds no libhpt"
    check_refused(lab, interpreter, "HPT_VENDORED=0 without a library", missing, HPT_VENDORED="0")
    check_refused(lab, interpreter, "HPT_VENDORED=yes", "HPT_VENDORED=yes: 0 or 1 is expected", HPT_VENDORED="yes")
    check_refused(lab, interpreter, "no C compiler", "no C compiler (/nonexistent/cc)", CC="/nonexistent/cc")
    other = lab.scratch / "pc"
    other.mkdir()
    major, minor, _ = lab.version.split(".")
    (other / "libhpt.pc").write_text(f"Name: libhpt\nDescription: a later one\nVersion: {major}.{int(minor) + 1}.0\n",
                                     encoding="ascii")
    check_refused(lab, interpreter, "HPT_VENDORED=0 with a library of another minor version", missing,
                  HPT_VENDORED="0", PKG_CONFIG_LIBDIR=str(other))
    _, output, wheel = wheel_log(lab, interpreter, lab.scratch / "forced", HPT_VENDORED="1", **library)
    lab.holds(wheel is not None and "clock/open.c" in output and "-lhpt" not in output,
              "HPT_VENDORED=1 with a library: vendored", output.splitlines()[-30:])


def check_distribution(lab):
    """Without the package index: Debian's own setuptools and wheel"""
    name, python = "the distribution's setuptools", "/usr/bin/python3"
    versions = lab.run([python, "-I", "-c", "import setuptools, wheel; print(setuptools.__version__)"])
    if versions.returncode:
        lab.skip(name, f"{python} has no setuptools or no wheel")
        return
    folder = lab.scratch / "distribution"
    lab.command(f"{name}, {versions.stdout.strip()}: venv", [python, "-m", "venv", "--system-site-packages", folder])
    lab.command(f"{name}: pip install --no-build-isolation",
                [folder / "bin/python", "-m", "pip", "install", "--no-index", "--no-deps", "--no-build-isolation",
                 lab.package])
    printed = lab.run([folder / "bin/python", "-I", "-c", FACTS]).stdout.split()
    lab.equal(f"{name}: version", printed[:2], [lab.version, "True"])
