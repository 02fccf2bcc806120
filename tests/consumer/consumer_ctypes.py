#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The library from a language without a C compiler: Python's ctypes. Argument: the shared library."""
import ctypes
import errno
import re
import sys
import time
from ctypes import (POINTER, byref, c_char, c_char_p, c_int, c_int32, c_int64, c_size_t, c_uint32, c_uint64, c_void_p,
                    sizeof)

SOURCE_OS = 3
WALL_FEED = 1
WALL_SYNCED = 1
TIME_FORMAT_SIZE = 31


class ClockInfo(ctypes.Structure):
    _fields_ = [
        ("size", c_uint32), ("source", c_uint32), ("reason", c_uint32), ("state", c_uint32), ("flags", c_uint32),
        ("counter_bits", c_uint32), ("generation", c_uint64), ("frequency_uhz", c_uint64),
        ("frequency_error_ppb", c_uint32), ("frequency_origin", c_uint32), ("granularity_ns", c_uint32),
        ("env_requested", c_uint32), ("read_cost_mean_ps", c_uint64), ("read_cost_stddev_ps", c_uint64),
        ("read_cost_samples", c_uint32), ("read_cost_dropped", c_uint32), ("hpet_period_fs", c_uint64),
        ("hpet_vendor_id", c_uint32), ("ordered_read", c_uint32), ("epoch_ticks", c_int64), ("epoch_ns", c_int64),
        ("epoch_unix_ns", c_int64), ("env_source", c_char * 24), ("kernel_clocksource", c_char * 32),
        ("rdtscp_mean_ps", c_uint64), ("lfence_rdtsc_mean_ps", c_uint64), ("os_error_ns", c_int64),
    ]


class SourceInfo(ctypes.Structure):
    _fields_ = [
        ("size", c_uint32), ("source", c_uint32), ("usable", c_uint32), ("chosen", c_uint32), ("stage", c_uint32),
        ("reason", c_uint32), ("error", c_uint32), ("granularity_ns", c_uint32), ("cost_mean_ps", c_uint64),
        ("cost_stddev_ps", c_uint64), ("cost_samples", c_uint32), ("cost_dropped", c_uint32),
        ("frequency_uhz", c_uint64), ("name", c_char * 16),
    ]


class CpuInfo(ctypes.Structure):
    _fields_ = [
        ("size", c_uint32), ("tsc_class", c_uint32), ("family", c_uint32), ("model", c_uint32), ("stepping", c_uint32),
        ("tsc", c_uint32), ("rdtscp", c_uint32), ("invariant", c_uint32), ("sse2", c_uint32), ("hypervisor", c_uint32),
        ("cores_online", c_uint32), ("crystal_hz", c_uint32), ("tsc_hz", c_uint64), ("vendor_id", c_char * 16),
        ("vendor", c_char * 16), ("brand", c_char * 64), ("hypervisor_id", c_char * 16),
    ]


class SleepInfo(ctypes.Structure):
    _fields_ = [
        ("size", c_uint32), ("policy", c_uint32), ("max_spin_ns", c_int64), ("margin_ns", c_uint32),
        ("long_margin_ns", c_uint32), ("samples", c_uint32), ("long_samples", c_uint32), ("waits", c_uint64),
        ("oversleeps", c_uint64), ("oversleep_ns", c_uint64),
    ]


class Sample(ctypes.Structure):
    _fields_ = [
        ("size", c_uint32), ("state", c_uint32), ("generation", c_uint64), ("tick", c_int64), ("ns", c_int64),
        ("unix_ns", c_int64), ("monotonic_ns", c_int64), ("boottime_ns", c_int64), ("tai_ns", c_int64),
        ("width_ns", c_int64),
    ]


class Timespec(ctypes.Structure):
    _fields_ = [("sec", c_int64), ("nsec", c_int64)]


class WallTime(ctypes.Structure):
    _fields_ = [
        ("earliest_ns", c_int64), ("latest_ns", c_int64), ("tick", c_int64), ("generation", c_uint64),
        ("state", c_uint32), ("flags", c_uint32),
    ]


class WallSample(ctypes.Structure):
    _fields_ = [
        ("before", c_int64), ("after", c_int64), ("earliest_ns", c_int64), ("latest_ns", c_int64),
        ("source", c_uint32), ("flags", c_uint32),
    ]


class WallConfig(ctypes.Structure):
    _fields_ = [
        ("sources", c_uint32), ("trusted", c_uint32), ("rate_ppb", c_uint32), ("wander_ppb", c_uint32),
        ("phc_timescale", c_uint32), ("reserved", c_uint32), ("phc_error_ns", c_int64), ("max_width_ns", c_int64),
        ("max_age_ns", c_int64), ("chrony_refclock_error_ns", c_int64), ("clockbound_path", c_char * 112),
        ("vmclock_path", c_char * 112), ("phc_path", c_char * 112), ("chrony_address", c_char * 64),
    ]


class WallInfo(ctypes.Structure):
    _fields_ = [
        ("size", c_uint32), ("state", c_uint32), ("flags", c_uint32), ("sources", c_uint32), ("live", c_uint32),
        ("waiting", c_uint32), ("generation", c_uint64), ("samples", c_uint64), ("refused", c_uint64),
        ("contradictions", c_uint64), ("disruptions", c_uint64), ("width_ns", c_int64), ("age_ns", c_int64),
        ("leap_at_ns", c_int64), ("leap", c_int32), ("tai_offset_s", c_int32), ("rate_lo_ppb", c_int32),
        ("rate_hi_ppb", c_int32), ("rate_ppb", c_uint32), ("wander_ppb", c_uint32), ("gained", c_uint64),
        ("lost", c_uint64),
    ]


class WallSourceInfo(ctypes.Structure):
    _fields_ = [
        ("size", c_uint32), ("source", c_uint32), ("usable", c_uint32), ("reason", c_uint32), ("error", c_uint32),
        ("flags", c_uint32), ("samples", c_uint64), ("refused", c_uint64), ("width_ns", c_int64),
        ("age_ns", c_int64), ("name", c_char * 16), ("path", c_char * 112),
    ]


class HlcInfo(ctypes.Structure):
    _fields_ = [("size", c_uint32), ("sees_clones", c_uint32), ("incarnation", c_uint64)]


PROTOTYPES = {
    "hpt_clock_default": (c_void_p, []),
    "hpt_clock_open": (c_int, [c_uint32, c_uint32, POINTER(c_void_p)]),
    "hpt_clock_ref": (c_void_p, [c_void_p]),
    "hpt_clock_close": (None, [c_void_p]),
    "hpt_clock_new_manual": (c_int, [c_uint64, c_int64, c_uint32, POINTER(c_void_p)]),
    "hpt_clock_advance": (c_int, [c_void_p, c_int64]),
    "hpt_clock_sleepers": (c_uint32, [c_void_p]),
    "hpt_clock_set_default": (c_int, [c_void_p, c_uint32]),
    "hpt_clock_set_default_source": (c_int, [c_uint32, c_uint32]),
    "hpt_now": (c_int64, [c_void_p]),
    "hpt_now_unordered": (c_int64, [c_void_p]),
    "hpt_now_cpu": (c_int64, [c_void_p, POINTER(c_uint32)]),
    "hpt_now_ns": (c_int64, [c_void_p]),
    "hpt_now_ns_unordered": (c_int64, [c_void_p]),
    "hpt_now_unix_ns": (c_int64, [c_void_p]),
    "hpt_now_monotonic_ns": (c_int64, [c_void_p]),
    "hpt_now_boottime_ns": (c_int64, [c_void_p]),
    "hpt_now_tai_ns": (c_int64, [c_void_p]),
    "hpt_ticks_to_ns": (c_int64, [c_void_p, c_int64]),
    "hpt_ns_to_ticks": (c_int64, [c_void_p, c_int64]),
    "hpt_time_to_ns": (c_int, [c_void_p, c_int64, POINTER(c_int64)]),
    "hpt_time_from_ns": (c_int, [c_void_p, c_int64, POINTER(c_int64)]),
    "hpt_time_to_os": (c_int, [c_void_p, c_int64, c_int32, POINTER(c_int64)]),
    "hpt_time_from_os": (c_int, [c_void_p, c_int64, c_int32, POINTER(c_int64)]),
    "hpt_clock_sample": (c_int, [c_void_p, c_void_p, c_size_t]),
    "hpt_clock_get_timebase": (c_int, [c_void_p, c_void_p, c_size_t]),
    "hpt_timebase_to_ns": (c_int, [c_void_p, c_void_p, POINTER(c_int64), POINTER(c_int64), c_size_t]),
    "hpt_timebase_to_unix_ns": (c_int, [c_void_p, c_void_p, POINTER(c_int64), POINTER(c_int64), c_size_t]),
    "hpt_time_to_unix_ns": (c_int, [c_void_p, c_int64, POINTER(c_int64)]),
    "hpt_time_format": (c_int, [c_void_p, c_int64, c_char_p, c_size_t]),
    "hpt_ticks_to_timespec": (c_int, [c_void_p, c_int64, POINTER(Timespec)]),
    "hpt_ticks_format": (c_int, [c_void_p, c_int64, c_char_p, c_size_t]),
    "hpt_time_add_ns": (c_int, [c_void_p, c_int64, c_int64, POINTER(c_int64)]),
    "hpt_time_from_unix_ns": (c_int, [c_void_p, c_int64, POINTER(c_int64)]),
    "hpt_time_to_timespec": (c_int, [c_void_p, c_int64, POINTER(Timespec)]),
    "hpt_time_from_timespec": (c_int, [c_void_p, POINTER(Timespec), POINTER(c_int64)]),
    "hpt_time_to_unix_ticks": (c_int, [c_void_p, c_int64, POINTER(c_int64)]),
    "hpt_time_min": (c_int64, [c_void_p]),
    "hpt_time_max": (c_int64, [c_void_p]),
    "hpt_time_parse": (c_int, [c_void_p, c_char_p, POINTER(c_int64)]),
    "hpt_clock_get_info": (c_int, [c_void_p, c_void_p, c_size_t]),
    "hpt_source_get_info": (c_int, [c_uint32, c_void_p, c_size_t]),
    "hpt_cpu_get_info": (c_int, [c_void_p, c_size_t]),
    "hpt_kernel_hz": (c_uint32, []),
    "hpt_source_name": (c_char_p, [c_uint32]),
    "hpt_source_parse": (c_int, [c_char_p, POINTER(c_uint32)]),
    "hpt_state_name": (c_char_p, [c_uint32]),
    "hpt_stage_name": (c_char_p, [c_uint32]),
    "hpt_origin_name": (c_char_p, [c_uint32]),
    "hpt_reason_text": (c_char_p, [c_uint32]),
    "hpt_version": (c_char_p, []),
    "hpt_version_number": (c_uint32, []),
    "hpt_sleep_ns": (c_int, [c_void_p, c_int64]),
    "hpt_sleep_until_ticks": (c_int, [c_void_p, c_int64]),
    "hpt_sleep_until_ns": (c_int, [c_void_p, c_int64]),
    "hpt_sleep_until_unix_ns": (c_int, [c_void_p, c_int64]),
    "hpt_sleep_set_policy": (c_int, [c_uint32, c_int64]),
    "hpt_sleep_get_info": (c_int, [c_void_p, c_size_t]),
    "hpt_waiter_new": (c_int, [c_void_p, c_uint32, POINTER(c_void_p)]),
    "hpt_waiter_free": (None, [c_void_p]),
    "hpt_waiter_sleep_ns": (c_int, [c_void_p, c_int64]),
    "hpt_waiter_sleep_until_ticks": (c_int, [c_void_p, c_int64]),
    "hpt_waiter_sleep_until_ns": (c_int, [c_void_p, c_int64]),
    "hpt_waiter_sleep_until_unix_ns": (c_int, [c_void_p, c_int64]),
    "hpt_waiter_interrupt": (c_int, [c_void_p]),
    "hpt_waiter_clear": (c_int, [c_void_p]),
    "hpt_waiter_remaining_ns": (c_int, [c_void_p, POINTER(c_int64)]),
    "hpt_waiter_set_policy": (c_int, [c_void_p, c_uint32, c_int64]),
    "hpt_waiter_poll_until_ns": (c_int, [c_void_p, c_void_p, c_uint32, c_int64]),
    "hpt_waiter_epoll_until_ns": (c_int, [c_void_p, c_int, c_void_p, c_uint32, c_int64]),
    "hpt_waiter_fd": (c_int, [c_void_p]),
    "hpt_sleep_until_os_ns": (c_int, [c_void_p, c_int32, c_int64]),
    "hpt_waiter_sleep_until_os_ns": (c_int, [c_void_p, c_int32, c_int64]),
    "hpt_waiter_margin_ns": (c_int, [c_void_p, c_int64, POINTER(c_int64)]),
    "hpt_waiter_learn_ns": (c_int, [c_void_p, c_int64, c_int64]),
    "hpt_waiter_clock": (c_void_p, [c_void_p]),
    "hpt_gate_new": (c_int, [c_void_p, c_uint32, POINTER(c_void_p)]),
    "hpt_gate_free": (None, [c_void_p]),
    "hpt_gate_ticket": (c_uint32, [c_void_p]),
    "hpt_gate_wait_until_ns": (c_int, [c_void_p, c_uint32, c_int64]),
    "hpt_gate_wait_until_ticks": (c_int, [c_void_p, c_uint32, c_int64]),
    "hpt_gate_notify_all": (c_int, [c_void_p]),
    "hpt_gate_shut": (c_int, [c_void_p]),
    "hpt_gate_reopen": (c_int, [c_void_p]),
    "hpt_gate_set_policy": (c_int, [c_void_p, c_uint32, c_int64]),
    "hpt_gate_clock": (c_void_p, [c_void_p]),
    "hpt_ticker_new": (c_int, [c_void_p, c_int64, c_uint32, POINTER(c_void_p)]),
    "hpt_ticker_free": (None, [c_void_p]),
    "hpt_ticker_wait": (c_int, [c_void_p, POINTER(c_uint64)]),
    "hpt_ticker_interrupt": (c_int, [c_void_p]),
    "hpt_ticker_start": (c_int, [c_void_p, c_int64, c_int64]),
    "hpt_ticker_start_rational": (c_int, [c_void_p, c_int64, c_uint32, c_uint32]),
    "hpt_ticker_next_ns": (c_int, [c_void_p, POINTER(c_int64)]),
    "hpt_ticker_set_missed": (c_int, [c_void_p, c_uint32, c_uint64]),
    "hpt_ticker_set_policy": (c_int, [c_void_p, c_uint32, c_int64]),
    "hpt_ticker_clock": (c_void_p, [c_void_p]),
    "hpt_ticker_get_info": (c_int, [c_void_p, c_void_p, c_size_t]),
    "hpt_ticker_fd": (c_int, [c_void_p]),
    "hpt_thread_set_slice_ns": (c_int, [c_int64]),
    "hpt_low_latency_open": (c_int, [c_int32]),
    "hpt_wall_open": (c_int, [c_void_p, POINTER(WallConfig), c_size_t, c_uint32, POINTER(c_void_p)]),
    "hpt_wall_ref": (c_void_p, [c_void_p]),
    "hpt_wall_close": (None, [c_void_p]),
    "hpt_wall_now": (c_int, [c_void_p, POINTER(WallTime)]),
    "hpt_wall_at": (c_int, [c_void_p, c_int64, POINTER(WallTime)]),
    "hpt_wall_at_os_ns": (c_int, [c_void_p, c_int32, c_int64, POINTER(WallTime), c_size_t]),
    "hpt_wall_after": (c_int, [c_void_p, c_int64]),
    "hpt_wall_before": (c_int, [c_void_p, c_int64]),
    "hpt_wall_feed": (c_int, [c_void_p, POINTER(WallSample), c_size_t]),
    "hpt_wall_update": (c_int, [c_void_p]),
    "hpt_wall_fd": (c_int, [c_void_p]),
    "hpt_wall_fd_clear": (c_int, [c_void_p]),
    "hpt_wall_get_info": (c_int, [c_void_p, c_void_p, c_size_t]),
    "hpt_wall_source_get_info": (c_int, [c_void_p, c_uint32, c_void_p, c_size_t]),
    "hpt_wall_to_tai_ns": (c_int, [c_void_p, c_int64, POINTER(c_int64)]),
    "hpt_wall_wait_after": (c_int, [c_void_p, c_int64, c_int64]),
    "hpt_wall_wait_after_on": (c_int, [c_void_p, c_void_p, c_int64, c_int64]),
    "hpt_wall_wait_ready": (c_int, [c_void_p, c_int64, c_int64]),
    "hpt_wall_sleep_until_ns": (c_int, [c_void_p, c_int64, c_int64, POINTER(c_int64)]),
    "hpt_wall_sleep_until_ns_on": (c_int, [c_void_p, c_void_p, c_int64, c_int64, POINTER(c_int64)]),
    "hpt_hlc_new": (c_int, [c_void_p, c_int64, c_uint32, POINTER(c_void_p)]),
    "hpt_hlc_free": (None, [c_void_p]),
    "hpt_hlc_now": (c_int, [c_void_p, POINTER(c_int64)]),
    "hpt_hlc_receive": (c_int, [c_void_p, c_int64, POINTER(c_int64)]),
    "hpt_hlc_set_floor": (c_int, [c_void_p, c_int64]),
    "hpt_hlc_get_info": (c_int, [c_void_p, c_void_p, c_size_t]),
    "hpt_wall_source_name": (c_char_p, [c_uint32]),
    "hpt_wall_state_name": (c_char_p, [c_uint32]),
    "hpt_wall_reason_text": (c_char_p, [c_uint32]),
}


def load(path):
    lib = ctypes.CDLL(path)
    for name, (result, arguments) in PROTOTYPES.items():
        function = getattr(lib, name)
        function.restype, function.argtypes = result, arguments
    return lib


def check(good, what):
    print(("ok: " if good else "WRONG: ") + what)
    check.failed |= not good


check.failed = False


def check_growth(name, get_info, info_type):
    """A caller's structure that is longer than the library's, as long, and shorter."""
    known = sizeof(info_type)
    longer = ctypes.create_string_buffer(b"\xff" * (known + 64), known + 64)
    check(get_info(longer, known + 64) == 0, f"{name}: a longer structure is accepted")
    check(longer.raw[known:] == bytes(64), f"{name}: its tail is zero")
    check(info_type.from_buffer(longer).size == known, f"{name}: size is the number of bytes filled in, {known}")
    shorter = ctypes.create_string_buffer(b"\xff" * known, known)
    check(get_info(shorter, known - 1) == -errno.EINVAL, f"{name}: a shorter one is refused")
    check(shorter.raw == b"\xff" * known, f"{name}: and left alone")
    check(get_info(None, known) == -errno.EINVAL, f"{name}: NULL is refused")


def check_structures(lib):
    check_growth("clock", lambda p, n: lib.hpt_clock_get_info(None, p, n), ClockInfo)
    check_growth("source", lambda p, n: lib.hpt_source_get_info(SOURCE_OS, p, n), SourceInfo)
    check_growth("sample", lambda p, n: lib.hpt_clock_sample(None, p, n), Sample)
    check_growth("sleep", lib.hpt_sleep_get_info, SleepInfo)
    cpu = CpuInfo()
    if lib.hpt_cpu_get_info(byref(cpu), sizeof(cpu)) != -errno.ENOTSUP:
        check_growth("cpu", lib.hpt_cpu_get_info, CpuInfo)
    info, source = ClockInfo(), SourceInfo()
    lib.hpt_clock_get_info(None, byref(info), sizeof(info))
    lib.hpt_source_get_info(info.source, byref(source), sizeof(source))
    check(source.chosen == 1 and source.name == lib.hpt_source_name(info.source),
          f"clock and source agree: {source.name.decode()}, {lib.hpt_reason_text(info.reason).decode()}")
    found = c_uint32(12345)
    check(lib.hpt_source_parse(b"sundial", byref(found)) == -errno.EINVAL and found.value == 12345
          and lib.hpt_source_parse(source.name, byref(found)) == 0 and found.value == info.source,
          "a source from its name")
    check(lib.hpt_state_name(info.state) == b"ok" and lib.hpt_stage_name(99) == b"unknown"
          and lib.hpt_origin_name(0) == b"none", "names of constants")
    check("%d.%d.%d" % (lib.hpt_version_number() // 10000, lib.hpt_version_number() // 100 % 100,
                        lib.hpt_version_number() % 100) == lib.hpt_version().decode(), "the version as a number")
    check(info.generation >= 1 and info.frequency_uhz > 0 and info.granularity_ns > 0,
          "members have the expected offsets")


def check_time(lib):
    lib.hpt_now_ns(None)
    cpu = c_uint32(12345)
    check(lib.hpt_now_cpu(None, byref(cpu)) > 0 and cpu.value != 12345, "a tick and its CPU")
    check(lib.hpt_now_cpu(None, None) > 0 and lib.hpt_now_ns_unordered(None) > 0, "reads")
    times = [lib.hpt_now(None) for _ in range(1000)]
    check(times == sorted(times), "a thousand reads in order")
    ns = [lib.hpt_now_ns(None) for _ in range(1000)]
    check(ns == sorted(ns), "a thousand reads in nanoseconds in order")
    apart = abs(lib.hpt_now_unix_ns(None) - time.time_ns())
    check(apart < 10**9, f"Unix time agrees with Python's to {apart} ns")
    apart = abs(lib.hpt_now_monotonic_ns(None) - time.monotonic_ns())
    check(apart < 10**9, f"CLOCK_MONOTONIC's line agrees with Python's to {apart} ns")
    check(abs(lib.hpt_now_boottime_ns(None) - time.clock_gettime_ns(7)) < 10**9, "CLOCK_BOOTTIME's line")
    check(abs(lib.hpt_now_tai_ns(None) - time.clock_gettime_ns(11)) < 10**9, "CLOCK_TAI's line")
    before, tick, then, back = lib.hpt_now_ns(None), lib.hpt_now(None), c_int64(), c_int64()
    check(lib.hpt_time_to_ns(None, tick, byref(then)) == 0 and before <= then.value <= lib.hpt_now_ns(None)
          and lib.hpt_time_from_ns(None, then.value, byref(back)) == 0 and abs(back.value - tick) < 10,
          "a tick lies between two reads in nanoseconds, and comes back")
    before = time.monotonic_ns()
    check(lib.hpt_time_to_os(None, lib.hpt_now(None), time.CLOCK_MONOTONIC, byref(then)) == 0
          and before - 10**6 < then.value < time.monotonic_ns() + 10**6
          and lib.hpt_time_from_os(None, then.value, time.CLOCK_MONOTONIC, byref(back)) == 0,
          "a tick as time.monotonic_ns()")
    sample = Sample()
    check(lib.hpt_clock_sample(None, byref(sample), sizeof(sample)) == 0 and sample.tick > tick
          and abs(sample.unix_ns - time.time_ns()) < 10**9, f"all timelines at one tick, width {sample.width_ns} ns")
    unix = c_int64()
    check(lib.hpt_time_to_unix_ns(None, lib.hpt_now(None), byref(unix)) == 0
          and abs(unix.value - time.time_ns()) < 10**9,
          "a time of the clock as Unix time")
    ticks = lib.hpt_ns_to_ticks(None, 10**9)
    check(abs(lib.hpt_ticks_to_ns(None, ticks) - 10**9) <= 1000, f"a second is {ticks} ticks and back")


def check_timebase(lib):
    first, last = ctypes.create_string_buffer(128), ctypes.create_string_buffer(128)
    before = time.time_ns()
    check(lib.hpt_clock_get_timebase(None, first, 128) == 0, "a time base")
    ticks = (c_int64 * 1000)(*(lib.hpt_now(None) for _ in range(1000)))
    check(lib.hpt_clock_get_timebase(None, last, 128) == 0, "and a later one")
    after, ns, unix = time.time_ns(), (c_int64 * 1000)(), (c_int64 * 1000)()
    known = first.raw[16:32] != bytes(16)
    check(lib.hpt_timebase_to_ns(first, last if known else None, ticks, ns, 1000) == 0
          and lib.hpt_timebase_to_unix_ns(first, last if known else None, ticks, unix, 1000) == 0
          and list(ns) == sorted(ns) and before - 10**6 < unix[0] <= unix[999] < after + 10**6,
          "a thousand ticks converted by them")
    one = c_int64()
    check(lib.hpt_time_to_ns(None, ticks[500], byref(one)) == 0 and abs(one.value - ns[500]) < 10**6,
          f"as the clock itself converts them, {one.value - ns[500]} ns apart")
    check(lib.hpt_timebase_to_ns(bytes(128), None, ticks, ns, 1000) == -errno.EINVAL, "no time base is refused")


def check_text(lib):
    text = ctypes.create_string_buffer(TIME_FORMAT_SIZE)
    length = lib.hpt_time_format(None, lib.hpt_now(None), text, TIME_FORMAT_SIZE)
    check(length == TIME_FORMAT_SIZE - 1 and re.fullmatch(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z", text.value),
          f"as text: {text.value.decode()}")
    check(lib.hpt_time_format(None, 0, text, TIME_FORMAT_SIZE - 1) == -errno.ERANGE, "a short buffer is refused")


def check_seconds(lib):
    now, back, later = lib.hpt_now(None), c_int64(), c_int64()
    spec = Timespec()
    check(lib.hpt_time_to_timespec(None, now, byref(spec)) == 0 and abs(spec.sec - time.time()) < 2,
          "a time as timespec")
    text = f"{time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(spec.sec))}.{spec.nsec:09}Z".encode()
    check(lib.hpt_time_parse(None, text, byref(back)) == 0 and abs(back.value - now) < lib.hpt_ns_to_ticks(None, 10**8),
          f"Python's text for it parses: {text.decode()}")
    check(lib.hpt_time_add_ns(None, now, 3600 * 10**9, byref(later)) == 0
          and abs(lib.hpt_ticks_to_ns(None, later.value - now) - 3600 * 10**9) <= 1000, "an hour later")
    check(lib.hpt_time_add_ns(None, 2**63 - 1, 10**9, byref(later)) == -errno.ERANGE,
          "a sum that does not fit is refused")


def check_sleep(lib):
    before = lib.hpt_now(None)
    slept = lib.hpt_sleep_ns(None, 10**6)
    slept_ns = lib.hpt_ticks_to_ns(None, lib.hpt_now(None) - before)
    check(slept > 0 or slept == 0 and slept_ns >= 10**6, f"a millisecond's sleep does not end early: {slept_ns} ns")
    deadline = lib.hpt_now(None) + lib.hpt_ns_to_ticks(None, 10**6)
    check(lib.hpt_sleep_until_ticks(None, deadline) >= 0 and lib.hpt_now(None) >= deadline, "nor does one until a time")
    info = SleepInfo()
    check(lib.hpt_sleep_get_info(byref(info), sizeof(info)) == 0 and info.max_spin_ns == 10**6
          and 0 < info.margin_ns <= info.max_spin_ns, f"this thread's margin, {info.margin_ns} ns")


def check_waiter(lib):
    waiter, left = c_void_p(), c_int64()
    check(lib.hpt_waiter_new(None, 0, byref(waiter)) == 0 and lib.hpt_waiter_interrupt(waiter) == 0,
          "a waiter, interrupted")
    check(lib.hpt_waiter_sleep_ns(waiter, 10**12) == -errno.ECANCELED
          and lib.hpt_waiter_remaining_ns(waiter, byref(left)) == 0 and 0 < left.value <= 10**12,
          f"its next sleep ends at once, {10**12 - left.value} ns after its begin")
    lib.hpt_waiter_free(waiter)


def check_gate(lib):
    gate = c_void_p()
    check(lib.hpt_gate_new(None, 0, byref(gate)) == 0, "a gate")
    ticket, deadline = lib.hpt_gate_ticket(gate), lib.hpt_now_ns(None) + 10**6
    check(lib.hpt_gate_wait_until_ns(gate, ticket, deadline) == -errno.ETIMEDOUT and lib.hpt_now_ns(None) >= deadline,
          "a wait until a time is not early")
    lib.hpt_gate_notify_all(gate)
    check(lib.hpt_gate_wait_until_ticks(gate, ticket, 2**63 - 1) == 0, "no notification is lost")
    lib.hpt_gate_shut(gate)
    check(lib.hpt_gate_wait_until_ns(gate, lib.hpt_gate_ticket(gate), 2**63 - 1) == -errno.ESHUTDOWN, "a shut gate")
    lib.hpt_gate_reopen(gate)
    check(lib.hpt_gate_wait_until_ns(gate, lib.hpt_gate_ticket(gate), 0) == -errno.ETIMEDOUT, "reopened")
    lib.hpt_gate_free(gate)


def check_ticker(lib):
    ticker, missed, at = c_void_p(), c_uint64(12345), c_int64()
    before = lib.hpt_now_ns(None)
    check(lib.hpt_ticker_new(None, 10**6, 0, byref(ticker)) == 0
          and all(lib.hpt_ticker_wait(ticker, byref(missed)) >= 0 for _ in range(3)), "three ticks")
    check(lib.hpt_now_ns(None) - before >= 3 * 10**6 and missed.value != 12345, "and no tick is early")
    check(lib.hpt_ticker_start(ticker, before + 10**12, 0) == 0 and lib.hpt_ticker_next_ns(ticker, byref(at)) == 0
          and at.value == before + 10**12, "a single tick, in nanoseconds")
    lib.hpt_ticker_free(ticker)


def check_clocks(lib):
    clock = c_void_p(12345)
    check(lib.hpt_clock_open(99, 0, byref(clock)) == -errno.EINVAL and clock.value == 12345,
          "an unknown source is refused, the output left alone")
    check(lib.hpt_clock_new_manual(10**6, 5, 0, byref(clock)) == 0 and lib.hpt_clock_advance(clock, 86400 * 10**6) == 0
          and lib.hpt_now_ns(clock) == 86400 * 10**9 + 5000 and lib.hpt_clock_sleepers(clock) == 0, "a manual clock")
    check(lib.hpt_clock_set_default(clock, 0) == -errno.EBUSY and lib.hpt_clock_set_default_source(99, 0)
          == -errno.EINVAL, "the default is fixed by its first use")
    lib.hpt_clock_close(clock)
    check(lib.hpt_clock_open(SOURCE_OS, 0, byref(clock)) == 0 and lib.hpt_now(clock) > 0, "a clock on the OS source")
    check(lib.hpt_ticks_to_ns(clock, 1234) == 1234, "its ticks are nanoseconds")
    check(lib.hpt_clock_ref(clock) == clock.value, "one more holder")
    lib.hpt_clock_close(clock)
    check(lib.hpt_now(clock) > 0, "the clock lives until its last holder closes it")
    lib.hpt_clock_close(clock)


def check_wall(lib):
    wall, hlc, now, ns = c_void_p(), c_void_p(), WallTime(), c_int64()
    config = WallConfig(sources=WALL_FEED)
    check(lib.hpt_wall_open(None, byref(config), sizeof(config) - 1, 0, byref(wall)) == -errno.EINVAL
          and lib.hpt_wall_open(None, byref(config), sizeof(config), 0, byref(wall)) == 0, "a wall")
    check(lib.hpt_wall_now(wall, byref(now)) == -errno.EAGAIN and now.generation == 0, "which has no bound at first")
    sample = WallSample(before=lib.hpt_now(None))
    sample.earliest_ns = time.time_ns() - 1000
    sample.latest_ns = sample.earliest_ns + 2000
    sample.after = lib.hpt_now(None)
    check(lib.hpt_wall_feed(wall, byref(sample), sizeof(sample)) == 0 and lib.hpt_wall_now(wall, byref(now)) == 0
          and now.earliest_ns < now.latest_ns, f"an interval, {now.latest_ns - now.earliest_ns} ns wide")
    check_growth("wall", lambda p, n: lib.hpt_wall_get_info(wall, p, n), WallInfo)
    check_growth("source of a wall", lambda p, n: lib.hpt_wall_source_get_info(wall, WALL_FEED, p, n), WallSourceInfo)
    check(lib.hpt_wall_fd(wall) >= 0 and lib.hpt_wall_fd_clear(wall) == WALL_SYNCED, "its descriptor")
    check(lib.hpt_wall_wait_after(wall, now.latest_ns, 10**10) == 0
          and lib.hpt_wall_after(wall, now.latest_ns) == 1, "a wait until it is surely past")
    check(lib.hpt_wall_sleep_until_ns(wall, now.latest_ns + 10**6, 0, byref(ns)) == 0 and ns.value > 0,
          f"a sleep until a moment of UTC, to {ns.value} ns")
    check(lib.hpt_hlc_new(wall, 0, 0, byref(hlc)) == 0 and lib.hpt_hlc_now(hlc, byref(ns)) == 0
          and ns.value > now.latest_ns, "a timestamp")
    check_growth("hybrid clock", lambda p, n: lib.hpt_hlc_get_info(hlc, p, n), HlcInfo)
    lib.hpt_hlc_free(hlc)
    lib.hpt_wall_close(wall)


def main():
    try:
        lib = load(sys.argv[1])
    except OSError as error:
        if "wrong ELF class" not in str(error):
            raise
        print(f"skipped: {error}")
        return 77
    for checks in (check_structures, check_time, check_timebase, check_text, check_seconds, check_clocks, check_sleep,
                   check_waiter, check_gate, check_ticker, check_wall):
        checks(lib)
    return int(check.failed)


sys.exit(main())
