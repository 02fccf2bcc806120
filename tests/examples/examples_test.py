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
import subprocess
import sys
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
    done = execute(program, *words, environ=dict(environ, HPT_SOURCE=source))
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


def catches(process, number):
    """Has the process a handler for that signal?"""
    status = pathlib.Path(f"/proc/{process.pid}/status").read_text(encoding="ascii")
    return int(re.search(r"^SigCgt:\s*(\w+)", status, re.M).group(1), 16) >> (number - 1) & 1


def interrupted(program, *words):
    """Ctrl-C while it runs: what was printed, with exit 0."""
    with subprocess.Popen([program, *map(str, words)], stdout=subprocess.PIPE, universal_newlines=True) as process:
        while process.poll() is None and not catches(process, signal.SIGINT):
            time.sleep(0.01)
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        out = process.communicate(timeout=60)[0]
    check(process.returncode == 0, f"Ctrl-C: {' '.join(map(str, words))}", f"exit {process.returncode}\n{out}")
    return out


def check_lateness(text):
    late = numbers("late: # us in the median, 99 % within # us, # us at most", text)
    check(late and 0 <= late[0] <= late[1], "lateness in order, and no less than 0", late)
    # A quantile may be too large by an eighth.
    check(late and late[1] <= late[2] * 1.125 + 0.001, "99 % are within the maximum", late)


# ---- Examples -----------------------------------------------------------------------------------------

def check_buffers(text, buffers):
    """The figures of audio_callback add up to so many buffers."""
    counted = numbers("# buffers, # callbacks", text)
    xruns = numbers("# xruns: # too late, # without a callback", text)
    drift = numbers("drift after # buffers: # frames, # ns", text)
    period = numbers("with a period of 1333333 ns: # ns", text)
    if None in (counted, xruns, drift, period):
        return
    check(counted[0] >= buffers and counted[1] + xruns[2] == counted[0], "each buffer had a callback or had not", text)
    check(xruns[0] == xruns[1] + xruns[2] and xruns[1] <= counted[1], "xruns are late or had no callback", text)
    check(drift[0] == counted[0] and drift[1] == 0 and abs(drift[2]) <= 6, "no drift", drift)
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


def main():
    name, program = sys.argv[1:]
    {"audio_callback": audio_callback, "control_loop": control_loop}[name](program)
    print(f"{len(failed)} failed" if failed else "all well")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
