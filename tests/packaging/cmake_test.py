#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""find_package(hpt) in an installation that was moved: C and C++, shared and static, versions, and what is missing."""
import argparse
import pathlib
import shlex
import shutil
import tempfile

from project import ROOT, Check, skip

LATER = "1.7.3"

# Finds the package by our files, and by those that CMake writes for this version.
VERSIONS = """
cmake_minimum_required(VERSION 3.19)
project(versions NONE)
include(CMakePackageConfigHelpers)
set(theirs "${CMAKE_BINARY_DIR}/theirs")
file(WRITE "${theirs}/hptConfig.cmake" "")
if(BYTES)
  set(CMAKE_SIZEOF_VOID_P ${BUILT_BYTES})
endif()
write_basic_package_version_file("${theirs}/hptConfigVersion.cmake" VERSION ${VERSION}
  COMPATIBILITY SameMajorVersion)
set(CMAKE_SIZEOF_VOID_P ${BYTES})
foreach(request IN LISTS REQUESTS)
  string(REPLACE "_" ";" words "${request}")
  foreach(place IN ITEMS "${OURS}" "${theirs}")
    unset(hpt_DIR CACHE)
    unset(hpt_FOUND)
    find_package(hpt ${words} QUIET CONFIG PATHS "${place}" NO_DEFAULT_PATH)
    message("${request} ${hpt_FOUND}")
  endforeach()
endforeach()
"""

COMPONENTS = """
cmake_minimum_required(VERSION 3.16)
project(components NONE)
find_package(hpt 1.0 REQUIRED COMPONENTS ${COMPONENTS})
foreach(target IN ITEMS hpt::hpt hpt::hpt_static)
  if(TARGET ${target})
    get_target_property(type ${target} TYPE)
    get_target_property(include ${target} INTERFACE_INCLUDE_DIRECTORIES)
    message("${target} ${type} ${include}")
  endif()
endforeach()
"""


class Package:
    """An installed tree, and CMake projects that look for the package in it."""

    def __init__(self, check, args, scratch):
        self.check, self.args, self.scratch = check, args, scratch
        destdir = scratch / "dest"
        check.command("meson install", args.meson + ["install", "-C", args.build, "--no-rebuild", "--destdir", destdir])
        # To another place, so that a path of before leads nowhere.
        self.prefix = scratch / "moved"
        pathlib.Path(f"{destdir}{args.prefix}").rename(self.prefix)
        self.folder = self.prefix / args.libdir / "cmake" / "hpt"
        self.count = 0

    def project(self, text):
        self.count += 1
        folder = self.scratch / f"project{self.count}"
        folder.mkdir()
        (folder / "CMakeLists.txt").write_text(text, encoding="utf-8")
        return folder

    def cmake(self, folder, *options):
        """A CMake run of the project: its output and whether it succeeded"""
        build = folder / "build"
        shutil.rmtree(build, ignore_errors=True)
        done = self.check.run(["cmake", "-S", folder, "-B", build, *options])
        return done.returncode == 0, done.stdout

    def components(self, asked, folder=None):
        return self.cmake(self.project(COMPONENTS), f"-Dhpt_DIR={folder or self.folder}", f"-DCOMPONENTS={asked}")


def check_programs(check, package, scratch):
    build = scratch / "programs"
    check.command("cmake configures the example", ["cmake", "-S", ROOT / "examples/cmake", "-B", build,
                                                   f"-DCMAKE_PREFIX_PATH={package.prefix}"])
    check.command("cmake builds the example", ["cmake", "--build", build])
    expected = {"both": ["clock_c", "clock_cpp", "clock_static"], "shared": ["clock_c", "clock_cpp"],
                "static": ["clock_c", "clock_cpp", "clock_static"]}[package.args.library]
    programs = sorted(path.name for path in build.glob("clock_*") if path.is_file())
    check.equal("its programs are there", programs, expected)
    for name in programs:
        printed = check.command(f"{name} runs", [build / name])
        check.result(printed.startswith(f"libhpt {package.args.version}"), f"{name} has this version", [printed])
        if shutil.which("readelf"):
            needs = "[libhpt.so." in check.run(["readelf", "-W", "-d", build / name]).stdout
            shared = package.args.library != "static" and name != "clock_static"
            check.equal(f"{name} needs the shared library or does not", needs, shared)


def requests(version):
    major, minor, patch = map(int, version.split("."))
    asked = [f"{major}.{minor}", f"{major}.{minor}.0", version, f"{version}_EXACT", f"{major}.{minor}_EXACT",
             f"{major}", f"{major}.{minor}.{patch + 1}", f"{major}.{minor + 1}", f"{major + 1}.{minor}", f"{major + 1}",
             f"{major - 1}.9", f"{major - 1}", f"{major}.{minor}.{patch}.1", f"{major}.0...{major}.{minor + 1}",
             f"{major}.{minor}...{version}", f"{major}.{minor}...<{major + 1}", f"{major}.{minor}...<{major + 1}.0",
             f"{major}.{minor}...<{major + 1}.1", f"{major}.0...{major + 1}",
             f"{major}.{minor}...{major}.{minor}.9", f"{major - 1}.9...{version}", f"{major - 1}.9...{major}.9",
             f"{major}.{minor + 1}...{major + 1}.0"]
    return asked + ([f"{major}.{minor - 1}", f"{major}.{minor - 1}.9", f"{major}.{minor - 1}...<{major}.{minor}",
                     f"{major}.0...<{version}"]
                    if minor else [])


def later(package, pointer_bytes):
    """The package's file of versions as a later minor release has it"""
    folder = package.scratch / f"later{pointer_bytes}"
    folder.mkdir()
    (folder / "hptConfig.cmake").write_text("", encoding="utf-8")
    text = (package.folder / "hptConfigVersion.cmake").read_text(encoding="utf-8")
    (folder / "hptConfigVersion.cmake").write_text(text.replace(package.args.version, LATER), encoding="utf-8")
    return folder


def check_versions(check, package, folder, version, pointer_bytes):
    asked = requests(version)
    good, output = package.cmake(
        package.project(VERSIONS), f"-DOURS={folder}", f"-DREQUESTS={';'.join(asked)}",
        f"-DVERSION={version}", f"-DBYTES={pointer_bytes}", f"-DBUILT_BYTES={package.args.bytes}")
    answers = [line.split()[-1] for line in output.splitlines() if line.split(" ")[0] in asked]
    name = f"requests for version {version}, pointers of {pointer_bytes or 'an unknown number of'} bytes"
    if not good and "3.19 or higher is required" in output:
        check.skip(name, "this CMake is older than 3.19")
        return
    if not good or len(answers) != 2 * len(asked):
        check.result(False, name, output.splitlines())
        return
    wrong = [f"{request}: found {ours}, by CMake's own file {theirs}"
             for request, ours, theirs in zip(asked, answers[::2], answers[1::2]) if ours != theirs]
    check.empty(name, wrong)
    fits = "1" if pointer_bytes in ("", package.args.bytes) else "0"
    major, minor, _ = version.split(".")
    for request, expected in ((f"{major}.{minor}", fits), (major, fits), (f"{major}.{int(minor) + 1}", "0"),
                              (f"{int(major) + 1}", "0")):
        check.equal(f"{name}: {request}", answers[2 * asked.index(request)], expected)


def check_components(check, package):
    kinds = {"shared": ["shared"], "static": ["static"], "both": ["shared", "static"]}[package.args.library]
    for kind in kinds:
        good, output = package.components(kind)
        check.result(good, f"the {kind} library as a component", output.splitlines())
    good, output = package.components("shred")
    check.result(not good and "libhpt has the components shared and static, not shred." in output,
                 "an unknown component is named", output.splitlines())
    # By a path with a link, as where /lib is a link to /usr/lib.
    link = package.scratch / "link"
    link.mkdir()
    (link / "lib").symlink_to(package.prefix / package.args.libdir, target_is_directory=True)
    good, output = package.components("", link / "lib/cmake/hpt")
    check.result(good and f" {package.prefix / package.args.includedir}\n" in output, "headers through a linked folder",
                 output.splitlines())


def remove(package, pattern):
    for path in (package.prefix / package.args.libdir).glob(pattern):
        path.unlink()


def check_missing(check, package):
    """Takes the libraries away, first the static one."""
    if package.args.library != "both":
        return
    remove(package, "libhpt.a")
    good, output = package.components("shared")
    check.result(good and "hpt::hpt_static" not in output, "without libhpt.a: no hpt::hpt_static", output.splitlines())
    good, output = package.components("static")
    check.result(not good and "libhpt.a does not exist." in " ".join(output.split()),
                 "without libhpt.a: the component is refused", output.splitlines())
    remove(package, "libhpt.so*")
    good, output = package.components("")
    check.result(not good and "Neither" in output, "without any library: refused", output.splitlines())


def arguments():
    parser = argparse.ArgumentParser()
    for name in ("build", "meson", "library", "prefix", "libdir", "includedir", "version", "bytes"):
        parser.add_argument("--" + name, required=True)
    args = parser.parse_args()
    args.meson = shlex.split(args.meson)
    return args


def main():
    args = arguments()
    for program in ("cmake", "make", "cc", "c++"):
        if not shutil.which(program):
            skip(f"no {program}")
    # CMake alone has to find the package.
    check = Check(PKG_CONFIG_LIBDIR="/nonexistent", PKG_CONFIG_PATH="", CMAKE_PREFIX_PATH="")
    with tempfile.TemporaryDirectory(prefix="hpt-cmake-") as folder:
        scratch = pathlib.Path(folder).resolve()
        package = Package(check, args, scratch)
        check_programs(check, package, scratch)
        for pointer_bytes in ("", args.bytes, "4" if args.bytes == "8" else "8"):
            check_versions(check, package, package.folder, args.version, pointer_bytes)
            check_versions(check, package, later(package, pointer_bytes), LATER, pointer_bytes)
        check_components(check, package)
        check_missing(check, package)
    check.finish()


main()
