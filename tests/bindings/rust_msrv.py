# SPDX-License-Identifier: MIT
"""For rust_test.py: the crates build with the oldest rustc that they state, which is Debian 12's.

It comes from Debian's packages, unpacked into a folder. The newer cargo fetches the dependencies, because the old one
would load the history of the package index for that. The crates are compiled without the dependencies of tests, which
may switch on features of theirs; then the tests run, with the versions of Cargo.lock.
"""
import re
import shutil

VERSION = "1.63"
PACKAGES = ["rustc", "cargo", "libstd-rust-1.63", "libstd-rust-dev", "libllvm14", "libgit2-1.5", "libhttp-parser2.9",
            "libmbedtls14", "libmbedcrypto7", "libmbedx509-1", "libssh2-1"]
CONFIG = """[source.crates-io]
replace-with = "fetched"
[source.fetched]
directory = "fetched"
"""


class Old:
    """The old toolchain in a folder."""

    def __init__(self, lab):
        self.lab, self.folder = lab, lab.scratch / "old"
        self.usr = self.folder / "root/usr"

    def cannot(self):
        """Why there is none here; None: it is there."""
        if not shutil.which("apt-get") or not shutil.which("dpkg"):
            return "no apt-get to fetch Debian's packages"
        self.folder.mkdir()
        done = self.lab.run(["env", "-C", self.folder, "apt-get", "-q", "download", *PACKAGES])
        if done.returncode:
            return f"Debian's packages of rustc {VERSION} are not to be had: {done.stdout.strip().splitlines()[-1:]}"
        for package in self.folder.glob("*.deb"):
            self.lab.run(["dpkg", "-x", package, self.folder / "root"])
        version = self.lab.run([self.usr / "bin/rustc", "--version"], **self.environ()).stdout
        return None if version.startswith(f"rustc {VERSION}.") else f"the system's rustc is {version.strip()}"

    def environ(self, library=None):
        folders = [str(path) for path in (self.usr / "lib").glob("*-linux-gnu*")]
        more = [library["LD_LIBRARY_PATH"]] if library else []
        return dict(library or {}, LD_LIBRARY_PATH=":".join(folders + more), RUSTC=str(self.usr / "bin/rustc"),
                    RUSTDOC=str(self.usr / "bin/rustdoc"), CARGO_TARGET_DIR=str(self.folder / "target"))

    def cargo(self, name, workspace, command, *words, library=None):
        done = self.lab.run(["env", "-C", workspace, self.usr / "bin/cargo", command, "--offline", "--locked",
                             "--workspace", *words], **self.environ(library))
        self.lab.result(done.returncode == 0, f"rustc {VERSION}: {name}",
                        done.stdout.splitlines()[-60:] if done.returncode else ())


def fetched(lab, workspace):
    """Puts the dependencies of Cargo.lock next to the crates."""
    lab.good(f"rustc {VERSION}: dependencies of {workspace.parents[1].name}", "vendor", "-q", "fetched", cwd=workspace)
    (workspace / ".cargo/config.toml").write_text(CONFIG, encoding="utf-8")


def without_tests(lab):
    """A copy of the workspace without tests and what they need"""
    workspace = lab.copy("old-bare", "bindings", "include", "lib", "LICENSE") / "bindings/rust"
    for manifest in workspace.glob("hpt*/Cargo.toml"):
        text = manifest.read_text(encoding="utf-8")
        manifest.write_text(re.sub(r"\[dev-dependencies\]\n(?:[^\[\n][^\n]*\n|\n)*", "", text), encoding="utf-8")
        for folder in ("tests", "examples"):
            shutil.rmtree(manifest.parent / folder, ignore_errors=True)
    fetched(lab, workspace)
    lab.empty(f"rustc {VERSION}: no dependencies of tests",
              [path.name for path in workspace.glob("fetched/*") if path.name in ("tokio-macros", "quickcheck")])
    return workspace


def check(lab, library):
    old = Old(lab)
    why = old.cannot()
    if why:
        lab.skip(f"rustc {VERSION}", why)
        return
    workspace = without_tests(lab)
    old.cargo("with the installed library", workspace, "build", library=library)
    for feature in ("serde", "tokio"):
        old.cargo(f"with {feature}", workspace, "build", "--features", f"hpt/{feature}", library=library)
    old.cargo("with the library inside", workspace, "build", "--all-features")
    workspace = lab.copy("old-tests", "bindings", "include", "lib", "LICENSE") / "bindings/rust"
    fetched(lab, workspace)
    old.cargo("tests with the installed library", workspace, "test", "--features", "hpt/serde,hpt/tokio",
              library=library)
