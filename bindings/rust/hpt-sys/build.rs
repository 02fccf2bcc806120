// SPDX-License-Identifier: MIT
//! Finds the installed libhpt by pkg-config, or compiles the library's sources with the feature `vendored`.
//!
//! The crate's own tests, and crates that depend on this one (as DEP_HPT_INCLUDE), get the folder of the headers.

use std::process::exit;
use std::{env, fmt};

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=HPT_VENDORED");
    // An empty variable is as none.
    let choice = env::var("HPT_VENDORED").ok().filter(|value| !value.is_empty());
    let include = match choice.as_deref() {
        Some("0") => installed("HPT_VENDORED=0 asks for the installed library"),
        Some("1") | None if cfg!(feature = "vendored") => vendored(),
        Some("1") => fail("HPT_VENDORED=1 needs the feature \"vendored\" of the crate hpt-sys"),
        None => installed("the feature \"vendored\" builds the library instead"),
        Some(other) => fail(format_args!("HPT_VENDORED is 0 or 1, not \"{other}\"")),
    };
    println!("cargo:include={include}");
    println!("cargo:rustc-env=HPT_SYS_INCLUDE={include}");
    println!("cargo:rustc-env=HPT_SYS_TARGET={}", variable("TARGET"));
}

fn fail(why: impl fmt::Display) -> ! {
    eprintln!("error: hpt-sys: {why}");
    exit(1)
}

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_else(|_| fail(format_args!("cargo sets no {name}")))
}

/// Links with a libhpt of this version or a later one of the same minor version; returns the folder of its headers.
fn installed(hint: &str) -> String {
    let version = |part| variable(&format!("CARGO_PKG_VERSION_{part}")).parse().unwrap_or(0u32);
    let (major, minor) = (version("MAJOR"), version("MINOR"));
    let from = variable("CARGO_PKG_VERSION");
    let below = format!("{major}.{}", minor + 1);
    let found = pkg_config::Config::new().range_version(from.as_str()..below.as_str()).probe("libhpt");
    let library = found.unwrap_or_else(|why| {
        fail(format_args!("no libhpt of version {from} or later, below {below}, by pkg-config; {hint}\n{why}"))
    });
    library.include_paths.first().map_or_else(String::new, |folder| folder.display().to_string())
}

#[cfg(not(feature = "vendored"))]
fn vendored() -> String {
    unreachable!("only called with the feature")
}

#[cfg(feature = "vendored")]
use vendored::vendored;

#[cfg(feature = "vendored")]
mod vendored {
    use super::{fail, variable};
    use std::path::{Path, PathBuf};

    /// Compiles the sources into the program; returns the folder of their headers.
    pub fn vendored() -> String {
        let top = sources();
        let (lib, include) = (top.join("lib"), top.join("include"));
        for folder in [&lib, &include] {
            println!("cargo:rerun-if-changed={}", folder.display());
        }
        compile(&lib, &include);
        // Processors without 64-bit atomic instructions have them in a library.
        if !variable("CARGO_CFG_TARGET_HAS_ATOMIC").split(',').any(|bits| bits == "64") {
            println!("cargo:rustc-link-lib=atomic");
        }
        include.display().to_string()
    }

    /// The sources' folder: the copy in a packaged crate, or the checkout that this crate is part of. Below a prefix
    /// such as /usr/local, which may have the headers and a folder lib, is no checkout.
    fn sources() -> PathBuf {
        let here = PathBuf::from(variable("CARGO_MANIFEST_DIR"));
        let places = [here.join("libhpt"), here.join("../../..")];
        let found = places.iter().find(|place| place.join("lib/clock/now.c").exists());
        found.cloned().unwrap_or_else(|| {
            fail(format_args!(
                "the feature \"vendored\" needs the library's sources, which a packaged crate has in {}. This copy of \
                 the crate has none and is not in a checkout of libhpt: make one with bindings/vendor, or install \
                 libhpt and build without the feature",
                places[0].display()
            ))
        })
    }

    /// Optimised in every profile: a read of the clock costs nanoseconds.
    fn compile(lib: &Path, include: &Path) {
        let mut build = cc::Build::new();
        build.files(c_files(lib)).includes([lib, include]).std("gnu11").opt_level(2).pic(true).warnings(false);
        for (name, value) in [("_GNU_SOURCE", None), ("_TIME_BITS", Some("64")), ("_FILE_OFFSET_BITS", Some("64"))] {
            build.define(name, value);
        }
        for flag in ["-fvisibility=hidden", "-fno-math-errno", "-fasynchronous-unwind-tables"] {
            build.flag(flag);
        }
        build.compile("hpt");
    }

    /// All `lib/*/*.c` but those of "hpt run", sorted, so that the same sources give the same archive.
    fn c_files(lib: &Path) -> Vec<PathBuf> {
        let rooms = entries(lib).into_iter().filter(|path| path.is_dir() && !path.ends_with("preload"));
        let files = rooms.flat_map(|room| entries(&room));
        let mut files: Vec<_> = files.filter(|file| file.extension() == Some("c".as_ref())).collect();
        files.sort();
        files
    }

    fn entries(folder: &Path) -> Vec<PathBuf> {
        let listed = folder.read_dir().unwrap_or_else(|why| fail(format_args!("{}: {why}", folder.display())));
        listed.flatten().map(|entry| entry.path()).collect()
    }
}
