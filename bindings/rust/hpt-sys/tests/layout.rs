// SPDX-License-Identifier: MIT
//! Sizes, offsets and constants as the C compiler sees the headers, and as rustc sees this crate.

mod parse;

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::mem::{align_of, size_of, MaybeUninit};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::ptr::addr_of;

use hpt_sys::*;

/// Lines `struct SIZE ALIGNMENT` and `struct.member OFFSET SIZE`.
macro_rules! layout {
    ($($name:ident { $($member:ident)* })*) => {{
        let mut lines = BTreeSet::new();
        $({
            lines.insert(format!("{} {} {}", stringify!($name), size_of::<$name>(), align_of::<$name>()));
            let value = MaybeUninit::<$name>::zeroed();
            // SAFETY: all zeros are a value of every struct of this crate.
            let value = unsafe { value.assume_init_ref() };
            $(
                let offset = addr_of!(value.$member) as usize - addr_of!(*value) as usize;
                let size = std::mem::size_of_val(&value.$member);
                lines.insert(format!("{}.{} {offset} {size}", stringify!($name), stringify!($member)));
            )*
        })*
        lines
    }};
}

fn rust_layout() -> BTreeSet<String> {
    layout! {
        hpt_timespec { sec nsec }
        hpt_sleep_info {
            size policy max_spin_ns margin_ns long_margin_ns samples long_samples waits oversleeps oversleep_ns
        }
        hpt_ticker_info { size policy ticks missed late_median_ns late_p99_ns late_max_ns }
        hpt_sample { size state generation tick ns unix_ns monotonic_ns boottime_ns tai_ns width_ns }
        hpt_timebase { bytes }
        hpt_clock_info {
            size source reason state flags counter_bits generation frequency_uhz frequency_error_ppb frequency_origin
            granularity_ns env_requested read_cost_mean_ps read_cost_stddev_ps read_cost_samples read_cost_dropped
            hpet_period_fs hpet_vendor_id ordered_read epoch_ticks epoch_ns epoch_unix_ns env_source kernel_clocksource
            rdtscp_mean_ps lfence_rdtsc_mean_ps os_error_ns
        }
        hpt_source_info {
            size source usable chosen stage reason error granularity_ns cost_mean_ps cost_stddev_ps cost_samples
            cost_dropped frequency_uhz name
        }
        hpt_cpu_info {
            size tsc_class family model stepping tsc rdtscp invariant sse2 hypervisor cores_online crystal_hz tsc_hz
            vendor_id vendor brand hypervisor_id
        }
        hpt_mmio { width flags frequency_hz address offset uio }
        hpt_wall_time { earliest_ns latest_ns tick generation state flags }
        hpt_wall_sample { before after earliest_ns latest_ns source flags }
        hpt_wall_config {
            sources trusted rate_ppb wander_ppb phc_timescale reserved phc_error_ns max_width_ns max_age_ns
            chrony_refclock_error_ns clockbound_path vmclock_path phc_path chrony_address
        }
        hpt_wall_info {
            size state flags sources live waiting generation samples refused contradictions disruptions width_ns age_ns
            leap_at_ns leap tai_offset_s rate_lo_ppb rate_hi_ppb rate_ppb wander_ppb gained lost
        }
        hpt_wall_source_info { size source usable reason error flags samples refused width_ns age_ns name path }
        hpt_hlc_info { size sees_clones incarnation }
    }
}

/// A C program that prints such lines for all that the headers declare, and `NAME VALUE` for their constants.
fn c_program(headers: &parse::Declarations) -> String {
    let mut text = String::new();
    for header in ["hpt/hpt.h", "hpt/mmio.h", "hpt/system.h", "hpt/wait.h", "hpt/wall.h", "stddef.h", "stdio.h"] {
        writeln!(text, "#include <{header}>").unwrap();
    }
    text += "int main(void)\n{\n";
    for parse::Struct { name, members } in &headers.structs {
        let line = r#"printf("%s %zu %zu\n", "#;
        writeln!(text, "{line}\"{name}\", sizeof(struct {name}), _Alignof(struct {name}));").unwrap();
        for member in members.iter().filter_map(|member| member.split(':').next()) {
            let (offset, size) =
                (format!("offsetof(struct {name}, {member})"), format!("((struct {name} *)0)->{member}"));
            writeln!(text, "{line}\"{name}.{member}\", {offset}, sizeof({size}));").unwrap();
        }
    }
    for (name, ty, _) in headers.constants.iter().map(|constant| parts(constant)) {
        let format = if ty == "u32" { "%u" } else { "%s" };
        writeln!(text, "printf(\"%s {format}\\n\", \"{name}\", {name});").unwrap();
    }
    text + "}\n"
}

/// `const NAME: TYPE = VALUE`
fn parts(constant: &str) -> (&str, &str, &str) {
    let (name, rest) = constant["const ".len()..].split_once(": ").expect("a type");
    let (ty, value) = rest.split_once(" = ").expect("a value");
    (name, ty, value)
}

/// The output of the C program. A compiler's warning is an error, such as that of a format that does not fit a type.
fn run(program: &str) -> BTreeSet<String> {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let (source, binary) = (folder.join("layout.c"), folder.join("layout"));
    fs::write(&source, program).expect("a file for the program");
    let target = env!("HPT_SYS_TARGET");
    let mut compile = cc::Build::new().target(target).host(target).opt_level(0).get_compiler().to_command();
    compile
        .args(["-std=gnu11", "-Wall", "-Werror", "-I"])
        .arg(env!("HPT_SYS_INCLUDE"))
        .arg("-o")
        .args([&binary, &source]);
    assert!(compile.status().expect("a C compiler").success(), "{compile:?}");
    let output = Command::new(&binary).output().expect("the program runs");
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).expect("text").lines().map(String::from).collect()
}

#[test]
fn layouts_and_constants_are_those_of_c() {
    let headers = parse::headers(Path::new(env!("HPT_SYS_INCLUDE")));
    let c = run(&c_program(&headers));
    let mut rust = rust_layout();
    for (name, _, value) in parse::sources().constants.iter().map(|constant| parts(constant)) {
        rust.insert(format!("{name} {}", value.trim_matches('"')));
    }
    let (only_c, only_rust): (Vec<_>, Vec<_>) = (c.difference(&rust).collect(), rust.difference(&c).collect());
    assert!(only_c.is_empty() && only_rust.is_empty(), "in C: {only_c:#?}\nin Rust: {only_rust:#?}");
}

/// Fills a struct, and returns how many bytes of it the library knows.
macro_rules! filled {
    ($name:ident, |$at:ident, $size:ident| $call:expr) => {{
        let mut value = MaybeUninit::<$name>::zeroed();
        let ($at, $size) = (value.as_mut_ptr(), size_of::<$name>());
        // SAFETY: the pointer and the size are those of the value, and all zeros are a value of it.
        let (result, value) = unsafe { ($call, value.assume_init()) };
        assert_eq!(result, 0, "{}", stringify!($name));
        assert_eq!(value.size as usize, $size, "{}", stringify!($name));
    }};
}

#[test]
fn the_library_fills_whole_structs() {
    let clock = std::ptr::null_mut();
    filled!(hpt_clock_info, |at, size| hpt_clock_get_info(clock, at, size));
    filled!(hpt_source_info, |at, size| hpt_source_get_info(HPT_SOURCE_OS, at, size));
    filled!(hpt_cpu_info, |at, size| hpt_cpu_get_info(at, size));
    filled!(hpt_sleep_info, |at, size| hpt_sleep_get_info(at, size));
    filled!(hpt_sample, |at, size| hpt_clock_sample(clock, at, size));
}

#[test]
fn the_library_is_of_this_minor_version() {
    // SAFETY: the function takes nothing.
    let number = unsafe { hpt_version_number() };
    assert!(number >= HPT_VERSION_NUMBER && number / 100 == HPT_VERSION_NUMBER / 100, "{number}");
}
