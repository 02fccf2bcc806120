# SPDX-License-Identifier: MIT
"""
Builds hpt._native of src/native/*.c. It is linked with the installed libhpt if pkg-config finds one of this version or
a later one of the same minor version; otherwise the library is compiled into it, from this checkout or from libhpt/ of
the source package. Variables of the environment:
  HPT_VENDORED  1: always compile the library in; 0: never
"""
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.sdist import sdist

HERE = pathlib.Path(__file__).resolve().parent
CHECKOUT = HERE.parents[1]
# Below a prefix such as /usr/local, which may have the headers and a folder lib, is no checkout.
LIBRARY = next((tree for tree in (HERE / "libhpt", CHECKOUT) if (tree / "lib/clock/now.c").exists()), None)

# The library's lib/meson.build has the reasons.
LIBRARY_FLAGS = ["-std=gnu11", "-O2", "-fPIC", "-fvisibility=hidden", "-fno-math-errno", "-fasynchronous-unwind-tables"]
LIBRARY_MACROS = [("_GNU_SOURCE", None), ("_TIME_BITS", "64"), ("_FILE_OFFSET_BITS", "64")]
# Before glibc 2.34 pthread_atfork() is in a library of its own.
THREADS = ["-pthread"]
# The library's names inside the extension are hidden, and those of another libhpt in the process do not replace them.
EXPORTS = ["-Xlinker", "--version-script=" + str(HERE / "exports.map")]
# As the library is linked: two segments instead of four load 12 us faster, of 83.
SEGMENTS = ["-Xlinker", "-z", "-Xlinker", "noseparate-code"]
ATOMICS = """#include <stdint.h>
_Atomic uint64_t word;
int main(void) { word = 1; return (int)__atomic_fetch_add(&word, word, __ATOMIC_RELAXED); }
"""


def stop(why):
    sys.exit(f"hpt: {why}")


def version():
    if LIBRARY is None:
        stop("no sources of the library: this folder is part neither of a checkout nor of a source package. pip before"
             " 21.3 copies it elsewhere")
    text = (LIBRARY / "include/hpt/version.h").read_text(encoding="utf-8")
    return re.search(r'HPT_VERSION_STRING "(.*)"', text)[1]


def choice(name):
    """0, 1 or None, as this variable of the environment says."""
    value = os.environ.get(name, "")
    if value not in ("", "0", "1"):
        stop(f"{name}={value}: 0 or 1 is expected")
    return int(value) if value else None


def pkg_config(*words):
    command = shlex.split(os.environ.get("PKG_CONFIG", "pkg-config"))
    try:
        return subprocess.run([*command, *words], check=True, stdout=subprocess.PIPE, universal_newlines=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return None


def installed_flags():
    """Flags of the compiler and of the linker for the installed library; None: the library is to be compiled in."""
    vendored = choice("HPT_VENDORED")
    if vendored:
        return None
    major, minor, _ = version().split(".")
    wanted = f"libhpt >= {version()} libhpt < {major}.{int(minor) + 1}"
    if pkg_config("--exists", wanted) is not None:
        return shlex.split(pkg_config("--cflags", "libhpt")), shlex.split(pkg_config("--libs", "libhpt"))
    if vendored == 0:
        stop(f"HPT_VENDORED=0, and pkg-config finds no {wanted}")
    return None


class BuildExt(build_ext):
    def build_extensions(self):
        compiler = self.compiler.compiler_so[0]
        if shutil.which(compiler) is None:
            stop(f"no C compiler ({compiler}) to build the extension with. Install one, or a wheel that was built on"
                 " another machine")
        super().build_extensions()

    def build_extension(self, ext):
        # Objects of an earlier build may be those of other flags.
        self.force = True
        flags = installed_flags()
        if flags:
            ext.extra_compile_args += flags[0]
            ext.extra_link_args += flags[1]
        else:
            ext.include_dirs.append(str(LIBRARY / "include"))
            ext.extra_objects += self.library_objects()
            ext.libraries += self.library_needs()
        super().build_extension(ext)

    def library_objects(self):
        sources = sorted(str(source) for source in LIBRARY.glob("lib/*/*.c") if source.parent.name != "preload")
        return self.compiler.compile(sources, output_dir=self.build_temp, macros=LIBRARY_MACROS,
                                     include_dirs=[str(LIBRARY / "lib"), str(LIBRARY / "include")],
                                     extra_postargs=LIBRARY_FLAGS + THREADS)

    def library_needs(self):
        """Processors without 64-bit atomic instructions have them in a library."""
        folder = pathlib.Path(self.build_temp)
        (folder / "atomics.c").write_text(ATOMICS, encoding="ascii")
        command = [*self.compiler.compiler_so, "atomics.c", "-o", "atomics"]
        return [] if subprocess.run(command, cwd=folder, check=False).returncode == 0 else ["atomic"]


class Sdist(sdist):
    def make_release_tree(self, base_dir, files):
        super().make_release_tree(base_dir, files)
        copy = os.path.join(base_dir, "libhpt")
        if LIBRARY == CHECKOUT:
            subprocess.run(["sh", str(CHECKOUT / "bindings/vendor"), copy], check=True)
        else:
            shutil.copytree(LIBRARY, copy, dirs_exist_ok=True)


def extension():
    """The buffer protocol is in the limited API from 3.11 on; interpreters without a GIL have no limited API yet."""
    limited = (sys.implementation.name == "cpython" and sys.version_info >= (3, 11)
               and not sysconfig.get_config_var("Py_GIL_DISABLED"))
    sources = sorted(str(source.relative_to(HERE)) for source in HERE.glob("src/native/*.c"))
    ext = Extension("hpt._native", sources, depends=[str(HERE / "exports.map")], py_limited_api=limited,
                    define_macros=[("Py_LIMITED_API", "0x030B0000")] if limited else [],
                    extra_compile_args=["-std=gnu11", "-O2", "-fvisibility=hidden", *THREADS],
                    extra_link_args=[*EXPORTS, *SEGMENTS, *THREADS])
    return ext, {"bdist_wheel": {"py_limited_api": "cp311"}} if limited else {}


native, options = extension()
setup(version=version(), license="MIT", license_files=[] if LIBRARY == CHECKOUT else ["libhpt/LICENSE"],
      ext_modules=[native], options=options, cmdclass={"build_ext": BuildExt, "sdist": Sdist})
