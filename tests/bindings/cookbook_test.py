#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
cookbook_test.py --language=Python|Rust ...: the recipes of examples/cookbook in that language, made and run as their
first comments say, with the package that holds the library. What an index does not have here is skipped. The other
arguments are those of tests/consumer/consumer_test.py.
"""
import json
import pathlib
import re
import sys
import tempfile

from binding_lab import arguments
from project import ROOT, skip
from python_lab import Interpreter
from python_lab import Lab as PythonLab
from rust_lab import Lab as RustLab

COOKBOOK = ROOT / "examples/cookbook"

# What a recipe prints to its end. Counts alone: load may delay anything.
PRINTS = {
    "asyncio_ticks.py": r"(?:[5-9]\d|\d{3,}) ticks; no sleep was early: True\n",
    "trio_ticks.py": r"(?:[5-9]\d|\d{3,}) ticks, \d+ missed\n",
    "gevent_ticks.py": r"(?:[5-9]\d|\d{3,}) ticks; the other greenlet ran too: True\n",
    "tokio_ticks.rs": r"no sleep was early: true\n(?:[5-9]\d|\d{3,}) ticks\n",
    "criterion_timer.rs": r"(?s).*checksum +time: +\[\d.*\nby (?:tsc|hpet|os|arch|mmio)\n",
}
# What else a recipe needs of an index.
NEEDS = {"trio_ticks.py": ["trio"], "gevent_ticks.py": ["gevent"], "pytest_timer.py": ["pytest", "pytest-benchmark"]}
# criterion 0.5 and tokio 1 of today.
RUST_LEAST = (1, 85)


def expect(lab, name, done):
    good = done.returncode == 0 and re.fullmatch(PRINTS[name], done.stdout)
    lab.result(good, f"{name}: what it prints",
               () if good else [f"exit {done.returncode}", *done.stdout.splitlines()[-30:]])


# ---- Python -------------------------------------------------------------------------------------------

def run_benchmark(lab, python, source):
    """The times that pytest-benchmark writes are of the recipe's timer."""
    written = lab.scratch / "benchmark.json"
    done = lab.run([python, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--benchmark-json={written}",
                    "--benchmark-max-time=0.1", source])
    if done.returncode:
        lab.result(False, f"{source.name}: passes", done.stdout.splitlines()[-30:])
        return
    rows = json.loads(written.read_text(encoding="utf-8"))["benchmarks"]
    lab.equal(f"{source.name}: by its timer", [(row["name"], row["options"]["timer"]) for row in rows],
              [(f"test_{name}", "seconds") for name in ("crc", "sort", "read")])
    medians = [row["stats"]["median"] for row in rows]
    lab.result(all(median > 0 for median in medians), f"{source.name}: times above 0", [str(medians)])


def check_python(scratch, args):
    lab = PythonLab(args, pathlib.Path(scratch))
    own = Interpreter(lab, sys.executable)
    why = own.cannot()
    if why:
        skip(why)
    own.pip("pip install", "install", "-q", lab.package, HPT_VENDORED="1")
    for source in sorted(COOKBOOK.glob("*.py")):
        needs = NEEDS.get(source.name, [])
        if needs and lab.run([own.python, "-m", "pip", "install", "-q", *needs]).returncode:
            lab.skip(source.name, f"pip installs no {' '.join(needs)} here")
        elif source.name == "pytest_timer.py":
            run_benchmark(lab, own.python, source)
        else:
            expect(lab, source.name, lab.run([own.python, source]))
    lab.finish()


# ---- Rust ---------------------------------------------------------------------------------------------

def dependencies(lab, source):
    """The lines of Cargo.toml that the recipe's first comment has, with the path of this checkout."""
    text = source.read_text(encoding="utf-8")
    lines = re.search(r"^//! ```toml\n((?://! .*\n)+)//! ```$", text, re.M)[1].replace("//! ", "")
    return lines.replace("libhpt/bindings/rust/hpt", str(lab.workspace / "hpt"))


def make_crate(lab, source):
    crate = lab.scratch / source.stem
    (crate / "src").mkdir(parents=True)
    (crate / "src/main.rs").write_text(source.read_text(encoding="utf-8"), encoding="utf-8")
    (crate / "Cargo.toml").write_text(f'[package]\nname = "{source.stem}"\nversion = "1.0.0"\nedition = "2021"\n\n'
                                      f"[dependencies]\n{dependencies(lab, source)}", encoding="utf-8")
    return crate


def check_rust(scratch, args):
    lab = RustLab(args, pathlib.Path(scratch))
    if lab.version_of("cargo") < RUST_LEAST:
        skip(f"no cargo of version {'.'.join(map(str, RUST_LEAST))} or later")
    for source in sorted(COOKBOOK.glob("*.rs")):
        crate = make_crate(lab, source)
        done = lab.cargo("fetch", cwd=crate)
        if done.returncode:
            lab.skip(source.name, f"cargo fetches no packages here: {done.stdout.strip().splitlines()[-1:]}")
            continue
        lab.good(f"{source.name}: cargo build", "build", "-q", "--release", cwd=crate, RUSTFLAGS="-Dwarnings")
        words = ["--bench"] if "criterion" in source.name else []
        program = lab.scratch / "target/release" / source.stem
        if program.is_file():
            expect(lab, source.name, lab.run([program, *words]))
    lab.finish()


def main():
    languages = [word for word in sys.argv[1:] if word.startswith("--language=")]
    sys.argv = [word for word in sys.argv if word not in languages]
    args, _ = arguments()
    with tempfile.TemporaryDirectory(prefix="hpt-cookbook-") as scratch:
        {"--language=Python": check_python, "--language=Rust": check_rust}[languages[0]](scratch, args)


main()
