# SPDX-License-Identifier: MIT
"""Facts as dataclasses."""

import dataclasses
import errno
import json
import os
import re
import struct
import subprocess
import sys

import pytest

import hpt
from hpt import _info
from hpt import _native as impl

CTYPE = {"uint32_t": 4, "int32_t": 4, "uint64_t": 8, "int64_t": 8, "hpt_time_t": 8}


def members(headers, name):
    """Names and sizes of the members of a C struct."""
    body = re.sub(r"/\*.*?\*/", "", re.search(rf"struct {name} {{\n(.*?)\n}};", headers, re.S)[1], flags=re.S)
    for kind, names in re.findall(r"(\w+)\s+([\w\[\], ]+);", body):
        for member in names.split(", "):
            text = re.fullmatch(r"(\w+)\[(\d+)\]", member)
            yield (text[1], int(text[2])) if text else (member, CTYPE[kind])


@pytest.mark.parametrize(
    "cls, name",
    [
        (hpt.ClockInfo, "hpt_clock_info"),
        (hpt.SourceInfo, "hpt_source_info"),
        (hpt.CpuInfo, "hpt_cpu_info"),
        (hpt.SleepInfo, "hpt_sleep_info"),
        (hpt.TickerInfo, "hpt_ticker_info"),
        (hpt.Sample, "hpt_sample"),
        (hpt.WallInfo, "hpt_wall_info"),
        (hpt.WallSourceInfo, "hpt_wall_source_info"),
        (hpt.HlcInfo, "hpt_hlc_info"),
    ],
)
def test_members_are_those_of_the_header(cls, name, headers):
    wanted = list(members(headers, name))
    assert [field.name for field in dataclasses.fields(cls)] == [member for member, _ in wanted[1:]]
    # Each member is decoded at its place: ascending bytes give ascending numbers.
    size = sum(size for _, size in wanted)
    data = bytes(range(size % 256)) if size < 256 else bytes(size)
    decoded = cls._decode(data)
    place = 0
    for member, width in wanted:
        value = getattr(decoded, member, None)
        if member != "size" and width in (4, 8) and isinstance(value, int) and not isinstance(value, bool):
            assert int(value) % 256**width == int.from_bytes(data[place : place + width], sys.byteorder), member
        place += width


def test_costs_of_ordered_reads():
    assert len(impl.Clock().info()) == 200
    info = hpt.info()
    means = {hpt.OrderedRead.RDTSCP: info.rdtscp_mean_ps, hpt.OrderedRead.LFENCE_RDTSC: info.lfence_rdtsc_mean_ps}
    if info.source is hpt.Source.TSC and info.ordered_read in means:
        assert means[info.ordered_read] > 0


def test_a_library_that_knows_fewer_members():
    info = _info.ClockInfo._decode(impl.Clock().info()[:176])
    assert info.source == hpt.info().source and info.rdtscp_mean_ps == 0


def test_clock_info():
    info = hpt.info()
    assert info == dataclasses.replace(info) and hpt.Clock().info().source is info.source
    assert isinstance(info.source, hpt.Source) and info.state is hpt.State.OK
    assert hpt.ClockFlag.IS_DEFAULT in info.flags
    assert info.generation >= 1 and info.frequency_hz == info.frequency_uhz / 1e6 > 0
    assert info.reason.text and "unknown" not in info.reason.text
    assert info.kernel_clocksource.isprintable() and info.env_source == os.environ.get("HPT_SOURCE", "")[:23]
    with pytest.raises(dataclasses.FrozenInstanceError):
        info.source = 1


def test_an_epoch_is_one_time_on_three_timelines():
    info, clock = hpt.info(), hpt.Clock()
    assert abs(clock.to_ns(info.epoch_ticks) - info.epoch_ns) <= 10**6
    assert abs(clock.to_unix_ns(info.epoch_ticks) - info.epoch_unix_ns) <= 10**6


def test_sources():
    infos = hpt.sources()
    assert [info.source for info in infos] == [source for source in hpt.Source if source]
    assert [info.name for info in infos] == [source.name.lower() for source in hpt.Source if source]
    assert [info.source for info in infos if info.chosen] == [hpt.info().source]
    assert hpt.source_info(hpt.Source.OS).usable
    assert hpt.source_info(0).source is hpt.info().source
    for wrong in (77, 2**32 - 1):
        with pytest.raises(ValueError):
            hpt.source_info(wrong)
    with pytest.raises(OverflowError):
        hpt.source_info(2**32)


def test_cpu_info():
    try:
        info = hpt.cpu_info()
    except OSError as error:
        assert error.errno == errno.ENOTSUP
        return
    assert info.cores_online == os.sysconf("SC_NPROCESSORS_ONLN")
    assert isinstance(info.tsc, bool) and isinstance(info.tsc_class, hpt.TscClass)
    with open("/proc/cpuinfo") as file:
        text = file.read()
    assert info.vendor_id in text and info.brand in text
    assert info.family == int(re.search(r"cpu family\s*: (\d+)", text)[1])


def test_sleep_info_counts_waits():
    before = hpt.sleep_info()
    hpt.sleep_ns(3_000_000)
    after = hpt.sleep_info()
    assert isinstance(after.policy, hpt.Policy) and after.waits > before.waits


def test_a_sample_is_one_moment():
    clock = hpt.Clock("os")
    before, sample, after = clock.now(), clock.sample(), clock.now()
    assert before <= sample.tick <= after and sample.state is hpt.State.OK
    assert sample.monotonic_ns is not None and sample.width_ns >= 0
    assert abs(sample.monotonic_ns - sample.tick) <= max(sample.width_ns, 1)


def test_a_sample_of_a_manual_clock_has_no_other_clocks():
    sample = hpt.Clock.manual(10**9, 5).sample()
    assert (sample.tick, sample.ns, sample.unix_ns, sample.width_ns) == (5, 5, 5, 0)
    assert sample.monotonic_ns is sample.boottime_ns is sample.tai_ns is None


def test_an_unknown_frequency_error_is_none():
    data = struct.pack("=6I2QI", 0, 0, 0, 0, 0, 0, 0, 0, 2**32 - 1)
    assert hpt.ClockInfo._decode(data).frequency_error_ppb is None


def test_kernel_hz():
    assert hpt.kernel_hz() in (0, *range(24, 20000))


def test_the_command(run_python):
    text = run_python("import runpy; runpy.run_module('hpt', run_name='__main__', alter_sys=True)")
    assert re.search(rf"^version +{re.escape(hpt.version())}$", text, re.M) and "source tsc" in text


@pytest.mark.parametrize("words", [[], ["--json"]])
def test_the_command_with_a_reader_that_leaves(words):
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "hpt", *words]
    done = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, cwd="/", universal_newlines=True)
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_command_in_json(run_python):
    text = run_python("import sys, hpt.__main__; sys.argv = ['hpt', '--json']; sys.exit(hpt.__main__.main())")
    facts = json.loads(text)
    assert facts["clock"]["source"] == hpt.info().source.name.lower()
    assert [source["name"] for source in facts["sources"]] == [s.name.lower() for s in hpt.Source if s]
    assert "is_default" in facts["clock"]["flags"] and facts["version"] == hpt.__version__
