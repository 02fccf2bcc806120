# SPDX-License-Identifier: MIT
"""What tests of traces share: time bases, lines of events, and what the library makes of their ticks."""
import json
import struct
import subprocess
import sys
import tempfile
from fractions import Fraction

from cli import HPT, FolderCase, Terminal, run

# A counter of 2.1 GHz, whose rate is no whole number of hertz.
NS_PER_TICK = Fraction(1000, 2100) * (1 + Fraction(1, 10**8))
FIRST_NS, UNIX_NS = 10**15, 1795171679 * 10**9


def fnv1a(data):
    value = 2166136261
    for byte in data:
        value = (value ^ byte) * 16777619 % 2**32
    return value


def base(tick, ns, unix_ns, generation=1, start=0, source=1, boot=b'b' * 16, offset=None, version=1,
         rate=NS_PER_TICK, unix_rate=None):
    """A time base, as hpt_timebase(7) has it. offset None: CLOCK_MONOTONIC shows what the clock's timeline does."""
    whole, fraction = divmod(int(rate * 2**64), 2**64)
    unix_whole, unix_fraction = divmod(int((unix_rate or rate) * 2**64), 2**64)
    offset = unix_ns - ns if offset is None else offset
    head = struct.pack('<8sII16sQqqqqQQIIqIIIII', b'HPTTIMEB', version, source, boot, generation, start, tick, ns,
                       unix_ns, fraction, unix_fraction, whole, unix_whole, offset, 2**32 - 1, 0, 1000, 20, 30)
    return head + struct.pack('<I', fnv1a(head))


# A process counts the memory of the one that it was forked from: a young one, which has little.
MEASURE = """
import json, resource, subprocess, sys
status = subprocess.run(sys.argv[2:]).returncode
usage = resource.getrusage(resource.RUSAGE_CHILDREN)
json.dump([status, usage.ru_maxrss, usage.ru_utime + usage.ru_stime], open(sys.argv[1], 'w'))
"""


def measured(*args, stdin=subprocess.DEVNULL):
    """hpt's exit status, memory in KiB, seconds of CPU time, and what it wrote to a terminal as standard error."""
    terminal = Terminal(columns=79)
    with tempfile.NamedTemporaryFile() as result, tempfile.TemporaryFile() as out:
        p = subprocess.Popen([sys.executable, '-S', '-c', MEASURE, result.name, HPT, *args], stdin=stdin, stdout=out,
                             stderr=terminal.stderr, env=terminal.env)
        terminal.started()
        text = terminal.rest()
        p.wait()
        return *json.load(result), text


class TraceCase(FolderCase):
    def setUp(self):
        super().setUp()
        self.bases = self.path('bases')

    def write_bases(self, *bases):
        with open(self.bases, 'wb') as f:
            f.write(b''.join(bases))

    def write_drifting(self, n, ticks):
        """n time bases at equal distances in ticks, of a rate that changes from one to the next."""
        ns, unix_ns, bases = FIRST_NS, UNIX_NS, []
        for i in range(n):
            bases.append(base(i * ticks, ns, unix_ns))
            ns += round(ticks * NS_PER_TICK) + 37 * i
            unix_ns += round(ticks * NS_PER_TICK) - 911 * i
        self.write_bases(*bases)

    def convert(self, text, *options, status=0):
        """What hpt convert writes; its messages are in self.messages."""
        data = text if isinstance(text, bytes) else text.encode()
        p = run('convert', *options, stdin=None, input=data)
        self.messages = p.stderr.decode().splitlines()
        self.assertEqual(p.returncode, status, p.stderr)
        return p.stdout

    def library_times(self, ticks):
        """What hpt_timebase_to_ns() and _to_unix_ns() make of them, by hpt convert's text."""
        text = ''.join(f'{t}\n' for t in ticks)
        return [[int(word) for word in self.convert(text, '--timebase', self.bases, form).split()]
                for form in ('--ns', '--unix-ns')]
