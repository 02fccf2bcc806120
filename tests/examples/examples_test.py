#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
examples_test.py NAME PROGRAM: an example's own checks pass with each source, its figures add up, and wrong arguments
end with exit code 2 and a sentence.

Figures are checked by count alone: load may delay anything.
"""
import os
import pathlib
import re
import signal
import struct
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "consumer"))
from consumer_test import check, failed  # noqa: E402

SOURCES = ["", "os"]
NUMBER = r"-?\d+(?:\.\d+)?"


def execute(program, *words, environ=None):
    return subprocess.run([program, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          universal_newlines=True, check=False, timeout=100, env=dict(os.environ, **(environ or {})))


def good(program, *words, source="", **environ):
    """What the program prints; it must succeed."""
    # A program that takes the OS clock's tick for a nanosecond is to fail.
    done = execute(program, *words, environ=dict(environ, HPT_SOURCE=source, HPT_OS_HZ="3000000000"))
    title = " ".join([pathlib.Path(program).name, *map(str, words), *([f"with HPT_SOURCE={source}"] if source else [])])
    check(done.returncode == 0, f"{title}: exit 0", f"exit {done.returncode}\n{done.stdout}{done.stderr}")
    print("    " + done.stdout[:2000].rstrip().replace("\n", "\n    "))
    return done.stdout


def refused(program, *words):
    """Wrong arguments: a sentence, and nothing done."""
    done = execute(program, *words)
    check(done.returncode == 2 and len(done.stderr) > 20 and not done.stdout,
          f"refused: {' '.join(map(repr, words))}", f"exit {done.returncode}\n{done.stdout}{done.stderr}")


def numbers(pattern, text):
    """The numbers that stand for # in the pattern, in the text's only place that fits."""
    found = re.findall(re.escape(pattern).replace(re.escape("#"), f"({NUMBER})"), text)
    if not check(len(found) == 1, f"prints once: {pattern}", text):
        return None
    found = found[0] if isinstance(found[0], tuple) else (found[0],)
    return [float(n) if "." in n else int(n) for n in found]


def status(process, name):
    text = pathlib.Path(f"/proc/{process.pid}/status").read_text(encoding="ascii")
    return re.search(rf"^{name}:\s*(\w+)", text, re.M).group(1)


def catches(process, number):
    """Has the process a handler for that signal?"""
    return int(status(process, "SigCgt"), 16) >> (number - 1) & 1


def switches(process):
    return int(status(process, "voluntary_ctxt_switches"))


def wait_until(process, ready):
    """Fails after a minute; a process that has ended is no longer waited for."""
    give_up = time.monotonic() + 60
    while process.poll() is None and not ready():
        if time.monotonic() > give_up:
            process.kill()
            raise TimeoutError(f"{process.args}: not ready for a signal")
        time.sleep(0.01)


def interrupted(program, *words):
    """Ctrl-C while it runs: what was printed, with exit 0."""
    with subprocess.Popen([program, *map(str, words)], stdout=subprocess.PIPE, universal_newlines=True) as process:
        wait_until(process, lambda: catches(process, signal.SIGINT))
        # Figures need some ticks, and each waits in the kernel. A busy machine may give the process no CPU for long.
        first = switches(process)
        wait_until(process, lambda: switches(process) >= first + 50)
        process.send_signal(signal.SIGINT)
        out = process.communicate(timeout=60)[0]
    check(process.returncode == 0, f"Ctrl-C: {' '.join(map(str, words))}", f"exit {process.returncode}\n{out}")
    return out


def stopped(program, *words):
    """Stopped and continued again and again: what was printed, with exit 0. Calls with a time-out end by EINTR then."""
    with subprocess.Popen([program, *map(str, words)], stdout=subprocess.PIPE, universal_newlines=True) as process:
        while process.poll() is None:
            process.send_signal(signal.SIGSTOP)
            process.send_signal(signal.SIGCONT)
            time.sleep(0.01)
        out = process.stdout.read()
    check(process.returncode == 0, f"stopped: {' '.join(map(str, words))}", f"exit {process.returncode}\n{out}")
    return out


def check_lateness(text):
    late = numbers("late: # us in the median, 99 % within # us, # us at most", text)
    check(late and 0 <= late[0] <= late[1], "lateness in order, and no less than 0", late)
    # A quantile may be too large by an eighth.
    check(late and late[1] <= late[2] * 1.125 + 0.001, "99 % are within the maximum", late)


# ---- Examples -----------------------------------------------------------------------------------------

def check_buffers(text, buffers):
    """The figures of audio_callback add up to at least that number of buffers."""
    counted = numbers("# buffers, # callbacks", text)
    xruns = numbers("# xruns: # too late, # without a callback", text)
    drift = numbers("drift after # buffers: # frames, # ns", text)
    period = numbers("with a period of 1333333 ns: # ns", text)
    if None in (counted, xruns, drift, period):
        return
    check(counted[0] >= buffers and counted[1] + xruns[2] == counted[0], "each buffer had a callback or had not", text)
    check(xruns[0] == xruns[1] + xruns[2] and xruns[1] <= counted[1], "xruns are late or had no callback", text)
    check(drift[0] == counted[0] and drift[1] == drift[2] == 0, "no drift", drift)
    check(period[0] == 1333333 * counted[0] + -counted[0] * 4000000 // 3, "what rounding the period costs", period)
    loudness = numbers("loudness: # (root mean square)", text)
    check(loudness and 0.4 < loudness[0] < 1.4, "the callback made a tone", loudness)


def audio_callback(program):
    for source in SOURCES:
        check_buffers(good(program, 375, source=source), 375)
    check_buffers(good(program, 1), 1)
    check_buffers(good(program, 75, 100), 75)
    numbers("drift after # buffers: # frames, # ns", interrupted(program, 1000000))
    for words in (["x"], ["0"], ["-1"], ["1000000001"], ["9" * 30], [""], ["1.5"], ["1", "0"], ["1", "x"], ["1"] * 3):
        refused(program, *words)


def control_loop(program):
    for source in SOURCES:
        text = good(program, "0.5", source=source)
        counted = numbers("# rounds, # missed", text)
        check(counted and counted[0] >= 1 and sum(counted) >= 500, "500 rounds or more, with the missed ones", counted)
        check_lateness(text)
    for policy in ("frugal", "strict", "nospin", "spin"):
        numbers("# rounds, # missed", good(program, "0.05", policy))
    counted = numbers("# rounds, # missed", interrupted(program, "1000"))
    check(counted and sum(counted) < 1000000, "Ctrl-C ends the loop before its time", counted)
    for words in (["x"], ["0"], ["-1"], ["nan"], ["1e9"], [""], ["1x"], ["1", "fast"], ["1", "spin", "x"]):
        refused(program, *words)


def check_server(text):
    """Returns the number of ticks, with the missed ones."""
    counted = numbers("# ticks and # missed", text)
    check_lateness(text)
    served = numbers("# requests served, # answers received, # lost; the slowest took # us", text)
    check(served and served[0] == served[1] > 0 == served[2], "each request has an answer", served)
    return sum(counted) if counted else 0


def epoll_server(program):
    for source in SOURCES:
        ticks = check_server(good(program, "0.5", source=source))
        check(ticks >= 500, "500 ticks or more, with the missed ones", ticks)
    check_server(good(program, "0.001"))
    check_server(stopped(program, "0.5"))
    ticks = check_server(interrupted(program, "1000"))
    check(ticks < 1000000, "Ctrl-C ends the server before its time", ticks)
    for words in (["x"], ["0"], ["-1"], ["inf"], ["1e9"], [""], ["1x"], ["1", "1"]):
        refused(program, *words)


# ---- The tracer ---------------------------------------------------------------------------------------

CHUNK, BASES, TICKS, SIZE = 1000, 16, 272, 12272


def traced_values(events):
    """The values that the tracer traces: a third of the chunks is not written."""
    x, written, chunk = 1, [], 0
    while len(written) < events:
        count = min(CHUNK, events - len(written))
        for _ in range(count):
            x ^= x << 13 & 0xffffffff
            x ^= x >> 17
            x ^= x << 5 & 0xffffffff
            if chunk % 3 < 2:
                written.append(x)
        chunk += 1
    return written


def check_converted(text, events, from_ns, to_ns):
    lines = re.findall(r"^(\d+)\.(\d{9}) ([0-9a-f]{8}) \+(-?\d+)$", text, re.M)
    check(len(lines) == events and text.count("\n") == events, f"{events} events are converted", len(lines))
    check([int(line[2], 16) for line in lines] == traced_values(events), "each event has its value, in order")
    times = [int(seconds + ns) for seconds, ns, _, _ in lines]
    check([int(line[3]) for line in lines[1:]] == [b - a for a, b in zip(times, times[1:])], "distances add up")
    # The two clocks agree far better.
    check(from_ns - 1000000 < times[0] and times[-1] < to_ns + 1000000, "times are those of the recording",
          f"{from_ns} {times[0]} {times[-1]} {to_ns}")


def with_base(trace, offset, generation):
    """The trace with another generation in the time base at that offset, which is whole again."""
    base = bytearray(trace[offset:offset + 124])
    base[32:40] = struct.pack("<Q", generation)
    fnv = 2166136261
    for byte in base:
        fnv = (fnv ^ byte) * 16777619 & 0xffffffff
    return trace[:offset] + bytes(base) + struct.pack("<I", fnv) + trace[offset + 128:]


def check_damaged(program, path, trace):
    """No damaged file is converted to its end with exit 0, and the sentence says why."""
    first, second = trace[TICKS:TICKS + 8], trace[TICKS + 8 * 500:TICKS + 8 * 501]
    swapped = trace[:TICKS] + second + trace[TICKS + 8:TICKS + 8 * 500] + first + trace[TICKS + 8 * 501:]
    for title, data, words in (
            ("an empty file", b"", "ends within a chunk"),
            ("a file cut short", trace + trace[:-1], "ends within a chunk"),
            ("another file", b"x" * SIZE, "no trace"),
            ("too many events", trace[:12] + struct.pack("=I", CHUNK + 1) + trace[16:], "no trace"),
            ("no events", trace[:12] + struct.pack("=I", 0) + trace[16:], "no trace"),
            ("a flipped bit in a time base", trace[:80] + bytes([trace[80] ^ 1]) + trace[81:], "damaged"),
            ("two ticks swapped", swapped, "backwards")):
        path.write_bytes(data)
        done = execute(program, "convert", path)
        check(done.returncode == 1 and words in done.stderr, f"convert fails on {title}: {words}",
              f"exit {done.returncode}: {done.stderr}")


def tracer(program):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "trace")
        for source, events in (("", 20500), ("os", 2000), ("", 1)):
            from_ns = time.time_ns()
            text = good(program, "record", path, events, source=source)
            to_ns = time.time_ns()
            check(numbers("# events recorded", text) == [events], f"{events} events are recorded", text)
            check(re.findall(r"^(\w+): \d+\.\d ns an event", text, re.M) ==
                  ["hpt_now", "hpt_now_unordered", "clock_gettime"][:min(events // CHUNK, 3)],
                  "prints each cost", text)
            done = execute(program, "convert", path, environ={"HPT_SOURCE": "os"})
            check(done.returncode == 0, "convert: exit 0", done.stderr)
            check(numbers("# events in # chunks converted", done.stderr) == [events, -(-events // CHUNK)],
                  "and counts them", done.stderr)
            check_converted(done.stdout, events, from_ns, to_ns)
        check(not execute(program, "record", path, CHUNK).returncode, "one chunk")
        trace = path.read_bytes()
        check(len(trace) == SIZE, "its size", len(trace))
        check_damaged(program, path, trace)
        path.write_bytes(with_base(trace, BASES + 128, 7))
        done = execute(program, "convert", path)
        check(done.returncode == 0 and "new generation during chunk 1" in done.stderr and
              done.stdout.count("\n") == CHUNK, "a chunk across generations is converted by its first time base",
              done.stderr)
        for words in (["convert", pathlib.Path(folder, "missing")], ["record", folder], ["convert", folder]):
            done = execute(program, *words)
            check(done.returncode == 1 and str(words[1]) in done.stderr, f"a wrong file: {words}", done.stderr)
    if os.path.exists("/dev/full"):
        check(execute(program, "record", "/dev/full", 5000).returncode == 1, "a full disk is noticed")
    for words in ([], ["x"], ["record"], ["convert"], ["record", "f", "0"], ["record", "f", "x"], ["convert", "f", "1"],
                  ["record", "f", "1000000001"], ["record", "f", "-1"], ["record", "f", "1", "2"]):
        refused(program, *words)


# ---- The pacer ----------------------------------------------------------------------------------------

def check_paced(text, name, packets):
    """One method's figures: packets and quantiles. Returns the number of packets."""
    sent = numbers(f"{name}: # packets, # lost, # early; # % of a CPU", text)
    check(sent and (packets is None or sent[0] == packets) and sent[1] == sent[2] == 0 <= sent[3],
          f"{name}: {packets} packets, none lost, none early", sent)
    if sent is None:
        return None
    block = text[text.index(f"\n{name}: "):].split("\n")[2:4]
    for what, line in zip(("gaps off by", "late"), block):
        figures = numbers(f"  {what}: # us in the median, 99 % within # us, # us at most", line)
        check(figures and figures == sorted(figures), f"{name}: {what}: quantiles in order", line)
        check(figures and figures[0] >= (0 if what == "gaps off by" else -100), f"{name}: {what}: not early", line)
    return sent[0]


def fake_tc(folder, queue):
    """A PATH on which tc shows another queue than the kernel has."""
    path = pathlib.Path(folder, "tc")
    path.write_text(f"#!/bin/sh\necho '{queue}'\n", encoding="ascii")
    path.chmod(0o755)
    return folder + ":" + os.environ["PATH"]


def check_txtime(program, has_fq):
    """SO_TXTIME is used where tc shows fq. Without such a queue the packets leave early, which is noticed."""
    with tempfile.TemporaryDirectory() as folder:
        environ = {"PATH": fake_tc(folder, "qdisc fq_codel 0: root")}
        check("SO_TXTIME is not used" in good(program, 1000, "0.1", **environ), "fq_codel is not fq")
        environ["PATH"] = fake_tc(folder, "qdisc fq 8001: root refcnt 2")
        if has_fq:
            check_paced(good(program, 1000, "0.1", **environ), "SO_TXTIME", 100)
            return
        done = execute(program, 1000, "0.1", environ=environ)
        early = numbers("SO_TXTIME: # packets, # lost, # early; # % of a CPU", done.stdout)
        late = numbers("  late: # us in the median, 99 % within # us, # us at most",
                       done.stdout.split("SO_TXTIME: ")[-1])
        check(early and early[0] == 100 and early[1] == 0 and done.returncode == (1 if early[2] else 0),
              "without fq packets are early, exit 1", done.stdout)
        # Load may hold up the handing over of a packet, but then the packet is not early.
        check(late and early and (early[2] >= 50 or late[0] > -100), "all early packets are counted", done.stdout)


def udp_pacer(program):
    for source in SOURCES:
        text = good(program, 500, "0.3", source=source)
        for name in ("hpt_ticker", "clock_nanosleep"):
            check_paced(text, name, 150)
    check_paced(good(program, 20, "0.1"), "clock_nanosleep", 2)
    check_paced(good(program, 20000, "0.1"), "hpt_ticker", 2000)
    text = interrupted(program, 100, 1000)
    check(check_paced(text, "hpt_ticker", None) == check_paced(text, "clock_nanosleep", None), "whole turns", text)
    check_txtime(program, "SO_TXTIME is not used" not in text)
    for words in (["x"], ["19"], ["100001"], ["-20"], [""], ["100", "x"], ["100", "0"], ["100", "nan"],
                  ["100000", "10.1"], ["100", "1", "1"]):
        refused(program, *words)


def main():
    name, program = sys.argv[1:]
    {"audio_callback": audio_callback, "control_loop": control_loop, "epoll_server": epoll_server,
     "tracer": tracer, "udp_pacer": udp_pacer}[name](program)
    print(f"{len(failed)} failed" if failed else "all well")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
