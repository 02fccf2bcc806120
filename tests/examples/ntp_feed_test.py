#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
ntp_feed_test.py PROGRAM: the example's client against honest, slow, wrong and hostile servers, its server against
packets of all kinds, the two together, and the client with a real chronyd where there is one.

The servers' time is not that of this machine, so that no interval is right by chance.
"""
import itertools
import os
import pathlib
import pwd
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
from examples_test import SOURCES, check, execute, failed, good, refused  # noqa: E402

OFF_NS = 1000 * 10**9
HOUR_NS = 3600 * 10**9
EPOCH_S = 2208988800


def stamp(ns):
    return struct.pack(">Q", (ns // 10**9 + EPOCH_S << 32) | (ns % 10**9 << 32) // 10**9)


def answer(question, received, transmitted=None, first=0x24, stratum=1, precision=-30, delay=0, dispersion=1):
    """A server's packet: RFC 5905, figure 8. A dispersion of 1 is 15.3 us."""
    return struct.pack(">BBbbII4s8s8s", first, stratum, 0, precision, delay, dispersion, b"TEST", bytes(8),
                       question[40:48]) + stamp(received) + stamp(transmitted or received)


class Server:
    """Answers the question of each number as `script` says, a function (question, send, number). The time is ours."""

    def __init__(self, script):
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        self.script, self.sent_ns = script, 0
        self.thread = threading.Thread(target=self.loop, daemon=True)
        self.thread.start()

    def loop(self):
        for number in itertools.count():
            question, peer = self.socket.recvfrom(512)
            if len(question) < 48:
                return

            def send(packet, by=None):
                self.sent_ns = self.now()
                (by or self.socket).sendto(packet, peer)
            self.script(question, send, number)

    @staticmethod
    def now():
        return time.time_ns() + OFF_NS

    def stop(self):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as end:
            end.sendto(b"", ("127.0.0.1", self.port))
        self.thread.join()
        self.socket.close()


def intervals(text):
    found = re.findall(r"^UTC is from (\d+)\.(\d{9}) to (\d+)\.(\d{9}): (\d+\.\d{3}) us wide, synced$", text, re.M)
    return [(int(a + b), int(c + d)) for a, b, c, d, _ in found]


def ask(program, script, exchanges=1, title="", fed=1, refused=0, code=0, source=""):
    """Runs the client; returns (what it printed, its intervals, server, when it began and ended)."""
    server = Server(script)
    began = server.now()
    done = execute(program, "ask", "127.0.0.1", server.port, exchanges, environ={"HPT_SOURCE": source})
    ended = server.now()
    text = done.stdout + done.stderr
    check(done.returncode == code and f"{fed} answers fed, {refused} refused\n" in done.stdout,
          f"{title}: exit {code}, {fed} fed, {refused} refused", f"exit {done.returncode}\n{text}")
    found = intervals(done.stdout)
    check(len(found) == (exchanges if fed == exchanges else len(found)), f"{title}: an interval for each", text)
    server.stop()
    return text, found, server, (began, ended)


def check_true(title, found, server, times):
    """The latest interval is of after the server sent its latest answer, and before the client ended."""
    check(found and found[-1][0] <= times[1] and found[-1][1] >= server.sent_ns and found[-1][0] >= times[0] - 10**8,
          f"{title}: contains what is true", f"{found} {server.sent_ns} {times}")


def honest(question, send, _):
    send(answer(question, Server.now()))


def check_paths(program):
    """What each way takes does not matter."""
    for source in SOURCES:
        _, found, server, times = ask(program, honest, 2, "an honest server", fed=2, source=source)
        check_true("an honest server", found, server, times)

    # 80 ms of delay are 40 ms each way.
    for words in ({"delay": 5243}, {"dispersion": 2622}, {"precision": -4}):
        for wrong in (39 * 10**6, -39 * 10**6):
            def off(question, send, _, wrong=wrong, words=words):
                send(answer(question, Server.now() + wrong, **words))
            _, found, server, times = ask(program, off, title=f"a server that is off by {wrong} ns, and says {words}")
            check_true("its error is in the interval", found, server, times)

    def slow_there(question, send, _):
        time.sleep(0.3)
        send(answer(question, Server.now()))

    def slow_back(question, send, _):
        packet = answer(question, Server.now())
        time.sleep(0.3)
        send(packet)

    def holding(question, send, _):
        received = Server.now()
        time.sleep(0.3)
        send(answer(question, received, Server.now()))

    for script, title in ((slow_there, "a slow way there"), (slow_back, "a slow way back"),
                          (holding, "a server that takes its time")):
        _, found, server, times = ask(program, script, title=title)
        check_true(title, found, server, times)
        width = found[0][1] - found[0][0] if found else 0
        if script == holding:
            # Twice 15.3 us of dispersion, and 50 ppm of the time.
            check(width <= times[1] - times[0] - 3 * 10**8 + 10**5, "the time in the server does not count", width)
        else:
            check(width >= 3 * 10**8, "the way counts in full", width)


def check_others(program):
    """Packets that are no answer are passed over, and the answer after them is used."""
    forged = bytes(range(8))
    for title, why, spoil in (
            ("a short answer", "too short", lambda p: p[:47]),
            ("an empty one", "too short", lambda p: b""),
            ("a question", "no answer of an NTP server", lambda p: bytes([0x23]) + p[1:]),
            ("a control message", "no answer of an NTP server", lambda p: bytes([0x26]) + p[1:]),
            ("version 2", "no answer of an NTP server", lambda p: bytes([0x14]) + p[1:]),
            ("another cookie", "late, or forged", lambda p: p[:24] + forged + p[32:]),
            ("no cookie", "late, or forged", lambda p: p[:24] + bytes(8) + p[32:])):
        def script(question, send, _, spoil=spoil):
            # An hour off, so that it would be noticed.
            send(spoil(answer(question, Server.now() + HOUR_NS)))
            send(answer(question, Server.now()))
        text, found, server, times = ask(program, script, title=title, refused=1)
        check(why in text, f"{title}: refused: {why}", text)
        check_true(title, found, server, times)

    kept = []

    def late(question, send, number):
        kept.append(question)
        if number:
            send(answer(kept[0], Server.now() + HOUR_NS))
            send(answer(question, Server.now()))
    text, found, server, times = ask(program, late, 2, "a late answer", fed=1, refused=1)
    check("no answer\n" in text and "late, or forged" in text, "a late answer: refused", text)
    check_true("a late answer", found, server, times)

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
        def foreign(question, send, _):
            send(answer(question, Server.now() + HOUR_NS), other)
            send(answer(question, Server.now()))
        _, found, server, times = ask(program, foreign, title="an answer from elsewhere, with the cookie")
        check_true("an answer from elsewhere", found, server, times)

    def flood(question, send, _):
        for _ in range(20):
            send(b"x")
        send(answer(question, Server.now()))
    ask(program, flood, title="a flood", fed=0, refused=20, code=1)


def check_useless(program):
    """Answers of the server that say nothing."""
    for title, why, words in (
            ("a kiss of death", "kiss of death", {"stratum": 0}),
            ("leap 3", "not synchronised", {"first": 0xe4}),
            ("stratum 16", "not synchronised", {"stratum": 16}),
            ("an announced leap second", "leap second", {"first": 0x64}),
            ("one that is left out", "leap second", {"first": 0xa4}),
            ("a dispersion of 17 s", "no bound", {"dispersion": 17 << 16}),
            ("the largest dispersion", "no bound", {"dispersion": 0xffffffff}),
            ("a delay of 33 s", "no bound", {"delay": 33 << 16}),
            ("a precision of 2 s", "no bound", {"precision": 1}),
            ("a precision of nothing", "no bound", {"precision": -128}),
            ("sent before it was received", "backwards", {"transmitted": -1}),
            ("no time", "not synchronised", {"received": -EPOCH_S * 10**9, "transmitted": -EPOCH_S * 10**9})):
        def script(question, send, _, words=words):
            more = dict({"received": Server.now()}, **words)
            if more.get("transmitted") == -1:
                more["transmitted"] = more["received"] - 10**6
            send(answer(question, **more))
        text = ask(program, script, title=title, fed=0, refused=1, code=1)[0]
        check(why in text, f"{title}: refused: {why}", text)

    # No round trip is so long that an hour could be no contradiction.
    def liar(question, send, number):
        send(answer(question, Server.now() + number * HOUR_NS))
    text = ask(program, liar, 2, "a server whose clock is set", fed=1, refused=1, code=1)[0]
    check("the wall refused an answer" in text, "the wall sees that it contradicts itself", text)

    def liar_once(question, send, number):
        send(answer(question, Server.now() + (HOUR_NS if number == 1 else 0)))
    _, found, server, times = ask(program, liar_once, 3, "a server whose clock is set back", fed=2, refused=1, code=1)
    check_true("a server whose clock is set back", found, server, times)
    check("no answer" in ask(program, lambda *_: None, title="a silent server", fed=0, code=1)[0], "it says so")


def serving(program, *words, source=""):
    process = subprocess.Popen([program, "serve", "127.0.0.1", "0", *map(str, words)], stdout=subprocess.PIPE,
                               universal_newlines=True, env=dict(os.environ, HPT_SOURCE=source))
    return process, int(process.stdout.readline().split()[-1])


def check_server(program):
    process, port = serving(program, 5000000)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
        client.settimeout(60)
        client.connect(("127.0.0.1", port))
        question = bytes([0x23]) + bytes(39) + bytes(range(8))
        for packet in (b"", question[:47], bytes([0x24]) + question[1:], bytes([0x0b]) + question[1:],
                       bytes([0x3b]) + question[1:]):
            client.send(packet)
        before = time.time_ns()
        client.send(question + b"an extension")
        got = client.recv(512)
        after = time.time_ns()
    first, stratum, _, precision, delay, dispersion, _, _, origin, received, transmitted = struct.unpack(
        ">BBbbII4sQ8sQQ", got)
    check(len(got) == 48 and first == 0x24 and stratum == 1 and precision < 0 and origin == question[40:],
          "the first question that is one is answered", got.hex())
    check(dispersion == 328 and delay == 0, "5 ms and what rounding takes, in units of 15.3 us", dispersion)
    times = [(t >> 32) * 10**9 + ((t & 0xffffffff) * 10**9 >> 32) - EPOCH_S * 10**9 for t in (received, transmitted)]
    check(before - 2 <= times[0] <= times[1] <= after, "its times are in order", f"{before} {times} {after}")
    for source in SOURCES:
        before = time.time_ns()
        found = intervals(good(program, "ask", "127.0.0.1", port, 2, 1, source=source))
        after = time.time_ns()
        check(len(found) == 2 and all(a <= after and b >= before and b - a >= 10**7 for a, b in found),
              "ask and serve", f"{before} {found} {after}")
    process.send_signal(signal.SIGINT)
    out = process.communicate(timeout=60)[0]
    check(process.returncode == 0 and out == f"{1 + 2 * len(SOURCES)} questions answered, 5 packets passed over\n",
          "Ctrl-C ends the server", out)


def check_walls_server(program):
    """The server's own wall: it may have no source here."""
    process, port = serving(program)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
        client.settimeout(60)
        client.sendto(bytes([0x1b]) + bytes(39) + bytes(range(8)), ("127.0.0.1", port))
        got = client.recv(512)
    check((got[0], got[1]) == ((0x1c, 2) if any(got[40:48]) else (0xdc, 16)),
          "version 3 is answered as such, and without a bound with leap 3 and stratum 16", got.hex())
    done = execute(program, "ask", "127.0.0.1", port, 1)
    check((done.returncode == 1 and "not synchronised" in done.stdout) or
          (done.returncode == 0 and len(intervals(done.stdout)) == 1), "a server whose wall has no bound says so",
          done.stdout + done.stderr)
    process.terminate()
    process.communicate(timeout=60)


def check_chronyd(program):
    """A real server. It serves the time of this machine, which it leaves alone."""
    chronyd = shutil.which("chronyd") or shutil.which("chronyd", path="/usr/sbin:/sbin")
    if not chronyd:
        print("    chronyd is not installed: not tried")
        return
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as held, tempfile.TemporaryDirectory() as folder:
        # Nobody else gets the port from the system while this socket has it. chronyd, which asks to share a port, does,
        # and all that comes there: this one takes datagrams of its own other end alone.
        held.bind(("127.0.0.1", 0))
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        held.connect(("127.0.0.1", 1))
        port = held.getsockname()[1]
        config = pathlib.Path(folder, "conf")
        config.write_text(f"port {port}\ncmdport 0\nbindcmdaddress /\nbindaddress 127.0.0.1\nallow 127.0.0.1\n"
                          f"local stratum 1\npidfile {folder}/pid\n", encoding="ascii")
        with subprocess.Popen([chronyd, "-x", "-U", "-d", "-u", pwd.getpwuid(os.getuid()).pw_name, "-f", config],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True) as process:
            before = time.time_ns()
            done = execute(program, "ask", "127.0.0.1", port, 1)
            while process.poll() is None and "no answer" in done.stdout and time.time_ns() < before + 60 * 10**9:
                before = time.time_ns()
                done = execute(program, "ask", "127.0.0.1", port, 1)
            after = time.time_ns()
            process.terminate()
            log = process.communicate(timeout=60)[0]
        found = intervals(done.stdout)
        check(done.returncode == 0 and len(found) == 1 and found[0][0] <= after and found[0][1] >= before,
              "chronyd's answer is a bound", f"{before} {done.stdout}{done.stderr} {after}\n{log}")


def main():
    program = sys.argv[1]
    check_paths(program)
    check_others(program)
    check_useless(program)
    check_server(program)
    check_walls_server(program)
    check_chronyd(program)
    server = Server(honest)
    with subprocess.Popen([program, "ask", "127.0.0.1", str(server.port), "1000", "1000000"], stdout=subprocess.PIPE,
                          universal_newlines=True) as process:
        check("UTC is from" in process.stdout.readline(), "the first interval")
        process.send_signal(signal.SIGINT)
        out = process.communicate(timeout=60)[0]
    check(process.returncode == 0 and "1 answers fed" in out, "Ctrl-C ends a long pause", out)
    server.stop()
    for words in (["ask", "256.0.0.1.invalid", "123"], ["serve", "192.0.2.1", "0"]):
        done = execute(program, *words)
        check(done.returncode == 1 and words[1] in done.stderr, f"a wrong address: {words}", done.stderr)
    for words in ([], ["x"], ["ask"], ["ask", "::1"], ["ask", "::1", "x"], ["ask", "::1", "0"], ["ask", "::1", "65536"],
                  ["ask", "::1", "1", "0"], ["ask", "::1", "1", "1", "0"], ["ask", "::1", "1", "1", "1", "1"],
                  ["serve", "::1"], ["serve", "::1", "-1"], ["serve", "::1", "0", "-1"], ["serve", "::1", "0", "1x"],
                  ["serve", "::1", "0", "16000000001"], ["serve", "::1", "0", "1", "1"]):
        refused(program, *words)
    print(f"{len(failed)} failed" if failed else "all well")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
