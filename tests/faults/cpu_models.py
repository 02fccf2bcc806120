#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""cpu_models.py [--all] FOLDER [ARCH...]: runs the library on other processors than this machine's.

QEMU's user emulation plays these. FOLDER holds model_ARCH and control_ARCH; ARCH is x86_64 or i386, both if none is
named. --all: every model that QEMU knows; these need only run and give the verdict that follows from their facts."""
import argparse
import concurrent.futures
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

# tap.py's folder, when Meson does not name it.
sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "abi"))
from tap import Tap  # noqa: E402

TRUSTED, FAMILY, UNCONTRADICTED = 1, 2, 3
ABSENT, NOT_ORDERED, NOT_CONSTANT, GUEST_FAMILY, FAMILY_ALONE, GUEST_ALONE, DISAGREES = 50, 51, 53, 54, 55, 56, 57
NOT_NEEDED, NOT_DEVICE = 20, 81
ENODEV, EOPNOTSUPP = 19, 95

# QEMU's emulation offers no invariant TSC; constant by family is the best class here.
# Model (with options after commas, as for QEMU's -cpu), the kernel's clocksource, class (None: QEMU's versions
# differ), RDTSCP, reason of the TSC.
EXPECTED = {
    "x86_64": (
        ("qemu64", "tsc", "not-constant", 0, NOT_CONSTANT),
        ("qemu64,-tsc", "tsc", "no-tsc", 0, ABSENT),
        ("qemu64,vendor=CentaurHauls", "tsc", "constant-by-family", 0, GUEST_FAMILY),
        ("qemu64,vendor=CentaurHauls,-hypervisor", "tsc", "constant-by-family", 0, FAMILY),
        ("Opteron_G1", "tsc", "not-constant", 0, NOT_CONSTANT),
        ("phenom", "tsc", "not-constant", 1, NOT_CONSTANT),
        ("kvm64", "tsc", "constant-by-family", 0, GUEST_FAMILY),
        ("Conroe", "tsc", "constant-by-family", 0, GUEST_FAMILY),
        ("Conroe,-hypervisor", "tsc", "constant-by-family", 0, FAMILY),
        ("Nehalem,-hypervisor", "hpet", "constant-by-family", 0, DISAGREES),
        ("Nehalem,-hypervisor", "", "constant-by-family", 0, FAMILY_ALONE),
        ("SandyBridge,-hypervisor", "tsc", "constant-by-family", 1, FAMILY),
        ("Haswell,-hypervisor", "tsc", "not-constant", 1, NOT_CONSTANT),
        ("EPYC", "tsc", "not-constant", 1, NOT_CONSTANT),
        ("max", "kvm-clock", None, 1, DISAGREES),
    ),
    "i386": (
        ("athlon", "tsc", "not-constant", 0, NOT_CONSTANT),
        ("pentium3", "tsc", "not-constant", 0, NOT_ORDERED),
        ("qemu32,-tsc", "tsc", "no-tsc", 0, ABSENT),
        ("coreduo,-hypervisor", "tsc", "constant-by-family", 0, FAMILY),
        ("n270", "tsc", "constant-by-family", 0, GUEST_FAMILY),
    ),
}


def verdict(facts, word):
    """Follows the table of hpt_source(7), "The TSC"."""
    if facts["class"] == "no-tsc":
        return ABSENT
    if not facts["rdtscp"] and not facts["sse2"]:
        return NOT_ORDERED
    if word not in ("tsc", ""):
        return DISAGREES
    if facts["class"] == "invariant":
        return TRUSTED if word else GUEST_ALONE if facts["hypervisor"] else UNCONTRADICTED
    if facts["class"] == "not-constant":
        return NOT_CONSTANT
    if facts["hypervisor"]:
        return GUEST_FAMILY
    return FAMILY if word else FAMILY_ALONE


class Root:
    """The files that the emulated process sees in place of /sys and /dev/hpet: QEMU searches here first (-L)."""

    def __init__(self, folder, word):
        self.folder = pathlib.Path(folder, word or "unreadable")
        clocksource = self.folder / "sys/devices/system/clocksource/clocksource0/current_clocksource"
        (self.folder / "dev").mkdir(parents=True)
        (self.folder / "dev/hpet").touch()
        if word:
            clocksource.parent.mkdir(parents=True)
            clocksource.write_text(word + "\n", encoding="ascii")
        else:
            clocksource.mkdir(parents=True)


class Emulator:
    def __init__(self, arch, folder):
        self.arch = arch
        self.command = shutil.which(f"qemu-{arch}") or shutil.which(f"qemu-{arch}-static")
        self.programs = {name: folder / f"{name}_{arch}" for name in ("model", "control")}

    def missing(self):
        if not self.programs["model"].exists():
            return "no compiler makes static programs for it"
        return None if self.command else f"no qemu-{self.arch}"

    def models(self):
        text = subprocess.run([self.command, "-cpu", "help"], stdout=subprocess.PIPE, universal_newlines=True,
                              check=False).stdout  # the exit status is 1 although it answers
        listed = text.split("Available CPUs:\n")[1].split("\n\n")[0].splitlines()
        return [line.split()[line.startswith("x86 ")] for line in listed]

    def run(self, name, model, root):
        command = [self.command, "-L", root.folder, "-cpu", model, self.programs[name]]
        return subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              universal_newlines=True, check=False, env={**os.environ, "HPT_SOURCE": "auto"})


def compare(wrong, what, found, want):
    if found != want:
        wrong.append(f"{what}: {found}, wanted {want}")


def judge(facts, row, word):
    """Returns the errors in the facts of a run: among themselves, and against the row expected of this model."""
    wrong = []
    reason = facts["tsc_reason"]
    compare(wrong, "reason of the TSC", reason, verdict(facts, word))
    compare(wrong, "errno of the TSC", facts["tsc_errno"], {ABSENT: ENODEV, NOT_ORDERED: EOPNOTSUPP}.get(reason, 0))
    trusted = reason in (TRUSTED, FAMILY, UNCONTRADICTED)
    compare(wrong, "source", facts["source"], "tsc" if trusted else "os")
    compare(wrong, "reason of the HPET", facts["hpet_reason"], NOT_NEEDED if trusted else NOT_DEVICE)
    if row:
        compare(wrong, "class and RDTSCP", (row[2] and facts["class"], facts["rdtscp"]), row[2:4])
        compare(wrong, "expected reason of the TSC", reason, row[4])
    return wrong


def one(emulator, row, roots):
    """Returns (name, errors, why it was skipped) of one model."""
    model, word = row[:2]
    name = f"{emulator.arch} {model}, clocksource {word or 'unreadable'}"
    control = emulator.run("control", model, roots[word])
    if control.returncode:
        return name, [], f"libc does not start on it: {control.stderr.strip().splitlines()[-1:]}"
    done = emulator.run("model", model, roots[word])
    if done.returncode:
        return name, [f"exit status {done.returncode}"] + done.stderr.splitlines(), None
    facts = json.loads(done.stdout)
    name += f": {facts['class']}, {facts['source']}, reason {facts['tsc_reason']}"
    return name, judge(facts, row if len(row) > 2 else None, word), None


def rows(emulator, everything):
    if not everything:
        return EXPECTED[emulator.arch]
    return [(model + more, "tsc") for model in emulator.models() for more in ("", ",-hypervisor", ",-rdtscp")]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--all", action="store_true")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("arch", nargs="*", default=list(EXPECTED))
    args = parser.parse_args()
    tap, failed = Tap(), 0
    with tempfile.TemporaryDirectory(prefix="hpt-models-") as scratch, concurrent.futures.ThreadPoolExecutor(2) as pool:
        roots = {word: Root(scratch, word) for word in ("tsc", "hpet", "kvm-clock", "")}
        for arch in args.arch:
            emulator = Emulator(arch, args.folder)
            if emulator.missing():
                tap.skip(arch, emulator.missing())
                continue
            for name, wrong, why in pool.map(lambda row, e=emulator: one(e, row, roots), rows(emulator, args.all)):
                if why:
                    tap.skip(name, why)
                else:
                    tap.empty(name, wrong)
                    failed += bool(wrong)
    tap.end()
    sys.exit(bool(failed))


main()
