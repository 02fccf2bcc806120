# SPDX-License-Identifier: MIT
"""The library for Conan 2, from this tree: conan create packaging/conan. Needs Meson, Ninja and pkg-config."""
import os
import re

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.files import copy, load
from conan.tools.layout import basic_layout
from conan.tools.meson import Meson, MesonToolchain


class Libhpt(ConanFile):
    name = "libhpt"
    description = "One clock over whatever counter a machine has, and sleeps that end on time"
    license = "MIT"
    topics = ("clock", "timer", "sleep", "tsc")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False]}
    default_options = {"shared": True}

    def _root(self):
        return os.path.join(self.recipe_folder, "..", "..")

    def set_version(self):
        header = load(self, os.path.join(self._root(), "include", "hpt", "version.h"))
        self.version = re.search(r'HPT_VERSION_STRING "(.*)"', header)[1]

    def export_sources(self):
        for pattern in ("LICENSE", "meson.build", "meson_options.txt", "include/*", "lib/*", "packaging/amalgamate",
                        "packaging/cmake/*", "packaging/onefile/*", "packaging/site/*", "packaging/valgrind/*",
                        "pkgconfig/*", "man/meson.build", "tests/meson.build", "tools/meson.build"):
            copy(self, pattern, src=self._root(), dst=self.export_sources_folder)

    def configure(self):
        # A C library: its C++ header is compiled by those who include it.
        self.settings.rm_safe("compiler.cppstd")
        self.settings.rm_safe("compiler.libcxx")

    def validate(self):
        if self.settings.os != "Linux":
            raise ConanInvalidConfiguration("libhpt is for Linux")

    def layout(self):
        basic_layout(self)

    def generate(self):
        toolchain = MesonToolchain(self)
        for part in ("tools", "preload", "man", "tests"):
            toolchain.project_options[part] = "disabled"
        toolchain.generate()

    def build(self):
        meson = Meson(self)
        meson.configure()
        meson.build()

    def package(self):
        Meson(self).install()
        copy(self, "LICENSE", src=self.source_folder, dst=os.path.join(self.package_folder, "licenses"))

    def package_info(self):
        self.cpp_info.libs = ["hpt"]
        self.cpp_info.set_property("cmake_file_name", "hpt")
        self.cpp_info.set_property("cmake_target_name", "hpt::hpt")
        self.cpp_info.set_property("pkg_config_name", "libhpt")
        # Of a processor without 64-bit atomic instructions; meson has found out.
        if "-latomic" in load(self, os.path.join(self.package_folder, "lib", "pkgconfig", "libhpt.pc")):
            self.cpp_info.system_libs = ["atomic"]
