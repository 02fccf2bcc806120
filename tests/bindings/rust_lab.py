# SPDX-License-Identifier: MIT
"""For rust_test.py: a copy of the tree, an installed library, and cargo."""
import json
import re

from binding_lab import BindingLab

# Variables that change what cargo, rustc and build scripts do.
FOREIGN = re.compile(r"(CARGO_(?!HOME$)|RUSTC|RUSTFLAGS|RUSTDOC|HPT_|LIBHPT_|PKG_CONFIG|MAKEFLAGS$|DESTDIR$|CFLAGS)")
COUNTED = re.compile(r"test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored")


class Lab(BindingLab):
    """Test results, and the folders that the tests share."""

    def __init__(self, args, scratch):
        super().__init__(args, scratch, FOREIGN)
        # Colours would stand between the words that the tests look for.
        self.environ.update(CARGO_TERM_COLOR="never", CARGO_TARGET_DIR=str(scratch / "target"))
        self.checkout = self.copy("checkout", "bindings", "include", "lib", "LICENSE")
        self.workspace = self.checkout / "bindings/rust"

    def cargo(self, *words, cwd=None, **environ):
        """Runs a cargo command in the workspace, or in another folder."""
        folder = cwd or self.workspace
        # Cargo also looks for its configuration and for rust-toolchain.toml from the working folder upwards.
        return self.run(["env", "-C", folder, "cargo", *words], **environ)

    def good(self, name, *words, cwd=None, **environ):
        """A cargo command that has to succeed; its output."""
        done = self.cargo(*words, cwd=cwd, **environ)
        shown = [f"cargo {' '.join(map(str, words))}", *done.stdout.splitlines()[-60:]]
        self.result(done.returncode == 0, name, shown if done.returncode else ())
        return done.stdout

    def tests(self, name, *words, cwd=None, **environ):
        """Runs "cargo test" with these words. The result's name has the number of tests, of which there are some."""
        done = self.cargo("test", *words, cwd=cwd, **environ)
        passed, failed, ignored = (sum(map(int, column)) for column in
                                   zip(*COUNTED.findall(done.stdout) or [("0", "0", "0")]))
        good = done.returncode == 0 and passed > 0 and not failed
        self.result(good, f"{name}: {passed} passed, {failed} failed, {ignored} ignored",
                    () if good else done.stdout.splitlines()[-80:])
        return done.stdout

    def refused(self, name, sentence, *words, cwd=None, **environ):
        """A cargo command that has to fail with this sentence."""
        done = self.cargo(*words, cwd=cwd, **environ)
        good = done.returncode != 0 and sentence in " ".join(done.stdout.split())
        self.result(good, name, () if good else [f"no {sentence!r} in", *done.stdout.splitlines()[-40:]])

    def version_of(self, program):
        """(1, 95) of cargo or rustc"""
        words = self.run(["env", "-C", self.workspace, program, "--version"]).stdout.split()
        return tuple(map(int, words[1].split(".")[:2])) if len(words) > 1 else (0, 0)

    def cannot_build(self, folder):
        """Why the locked dependencies cannot be had or compiled here; None: they can."""
        done = self.cargo("fetch", "--locked", cwd=folder)
        if done.returncode and "--locked" not in done.stdout:
            return f"cargo fetches no packages here: {done.stdout.strip().splitlines()[-1:]}"
        host = re.search(r"^host: (.*)$", self.run(["rustc", "-vV"]).stdout, re.M)
        words = ["--format-version", "1", "--locked", "--filter-platform", host[1] if host else "unknown"]
        done = self.cargo("metadata", *words, cwd=folder)
        if done.returncode:
            return None  # a wrong Cargo.lock, which the tests show
        packages = json.loads(done.stdout[done.stdout.index("{"):])["packages"]
        needed = max(tuple(map(int, crate["rust_version"].split(".")[:2])) for crate in packages
                     if crate["rust_version"])
        if self.version_of("rustc") < needed:
            return f"its dependencies need rustc {'.'.join(map(str, needed))}"
        return None

    def has(self, component):
        """Whether this cargo has the command; rustup's stand-ins for missing ones fail."""
        return self.cargo(component, "--version").returncode == 0


def linked(lab, program):
    """The libraries that a program names, by readelf."""
    return re.findall(r"\(NEEDED\).*\[(.*)\]", lab.run(["readelf", "-d", program]).stdout)


def exported(lab, library):
    """The library's symbols that others can use."""
    lines = lab.run(["nm", "-D", "--defined-only", library]).stdout.splitlines()
    return [line.split()[-1] for line in lines if line]
