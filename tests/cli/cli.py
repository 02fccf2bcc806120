# SPDX-License-Identifier: MIT
"""Runs the built hpt, and a file of unittest cases as TAP."""
import ctypes
import errno
import fcntl
import io
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unittest

try:
    import cairocffi
    import cairosvg
except ImportError: # Debian's python3-cairosvg
    cairosvg = None

HPT = os.path.abspath(sys.argv[1])
ARGS = sys.argv[2:]

# Seconds; a command that takes longer hangs.
LIMIT = 120

# A signal that was ignored when the tests began, SIGHUP by nohup(1), would be ignored by the commands too.
for number in signal.SIGINT, signal.SIGTERM, signal.SIGHUP:
    if signal.getsignal(number) == signal.SIG_IGN:
        signal.signal(number, signal.SIG_DFL)


def run(*args, source=None, **kw):
    """hpt's exit status, stdout and stderr; HPT_SOURCE is unset unless given."""
    env = {k: v for k, v in os.environ.items() if k not in ('HPT_SOURCE', 'HPT_EXEC_PATH', 'POSIXLY_CORRECT')}
    env['LC_ALL'] = 'C'
    if source is not None:
        env['HPT_SOURCE'] = source
    kw.setdefault('stdout', subprocess.PIPE)
    kw.setdefault('stdin', subprocess.DEVNULL)
    kw.setdefault('timeout', LIMIT)
    return subprocess.run([HPT, *args], env=env, stderr=subprocess.PIPE, **kw)


class Terminal:
    """A pseudoterminal for the stderr of a command: .stderr goes to Popen, .env has its TERM."""

    def __init__(self, term='xterm', columns=0):
        self.ours, self.stderr = pty.openpty()
        fcntl.ioctl(self.stderr, termios.TIOCSWINSZ, struct.pack('HHHH', 24, columns, 0, 0))
        self.env = {**os.environ, 'TERM': term}
        self.text = b''

    def started(self):
        """Call when the command has the descriptor: its end is then the end of the text."""
        os.close(self.stderr)

    def read_some(self, seconds):
        """Read for at most that long. False at the end of the text."""
        if not select.select([self.ours], [], [], seconds)[0]:
            return True
        try:
            chunk = os.read(self.ours, 65536)
        except OSError: # Linux: the other side is closed
            chunk = b''
        self.text += chunk
        return chunk != b''

    def wait_for(self, pattern, times=1):
        """Read until the pattern was written that often; AssertionError if the command ends or hangs before."""
        end = time.monotonic() + LIMIT
        while len(re.findall(pattern, self.text)) < times:
            if not self.read_some(1) or time.monotonic() > end:
                raise AssertionError(f'{pattern} is not {times} times in {self.text[-2000:]}')

    def rest(self):
        """Read to the end, close the terminal, and return the whole text."""
        while self.read_some(LIMIT):
            pass
        os.close(self.ours)
        return self.text


def stderr_on_terminal(args, term, columns=0):
    """The text that hpt writes there."""
    terminal = Terminal(term, columns)
    subprocess.run([HPT, *args], stdout=subprocess.DEVNULL, stderr=terminal.stderr, env=terminal.env, check=False)
    terminal.started()
    return terminal.rest()


# include/uapi/linux/seccomp.h, filter.h, prctl.h.
PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 38, 22, 2
LOAD_NUMBER, IF_EQUAL, RETURN = 0x20, 0x15, 0x06
DENY_EPERM, ALLOW = 0x00050000 | errno.EPERM, 0x7fff0000


def deny(*numbers):
    """For preexec_fn: deny system calls, given by their x86-64 numbers, by EPERM."""
    code = struct.pack('=HBBI', LOAD_NUMBER, 0, 0, 0)
    for number in numbers:
        code += struct.pack('=HBBI', IF_EQUAL, 0, 1, number) + struct.pack('=HBBI', RETURN, 0, 0, DENY_EPERM)
    code += struct.pack('=HBBI', RETURN, 0, 0, ALLOW)
    buf = ctypes.create_string_buffer(code, len(code))
    program = struct.pack('@HP', len(code) // 8, ctypes.addressof(buf))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) or libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, program, 0, 0):
        raise OSError(ctypes.get_errno(), 'seccomp')


def preload(module, folder):
    """A link to the module for LD_PRELOAD, which splits its value at blanks and colons."""
    link = os.path.join(folder, 'preload.so')
    os.symlink(os.path.abspath(module), link)
    return link


def signal_both(p, first, second):
    """Both pend before the process takes one: else it might be done with the first before the second comes. Two equal
    ones stay two because the first is for the main thread, the second for the process."""
    p.send_signal(signal.SIGSTOP)
    os.waitid(os.P_PID, p.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
    if ctypes.CDLL(None, use_errno=True).tgkill(p.pid, p.pid, first):
        raise OSError(ctypes.get_errno(), 'tgkill')
    p.send_signal(second)
    p.send_signal(signal.SIGCONT)


def online_cpus():
    """The numbers of all CPUs that are online, by the kernel's list."""
    with open('/sys/devices/system/cpu/online', encoding='ascii') as f:
        ranges = [part.split('-') for part in f.read().strip().split(',')]
    return [cpu for r in ranges for cpu in range(int(r[0]), int(r[-1]) + 1)]


def usable_cpus():
    """Those of them to which this process may move: all but those that a cpuset forbids."""
    mask, usable = os.sched_getaffinity(0), []
    for cpu in online_cpus():
        try:
            os.sched_setaffinity(0, [cpu])
            usable.append(cpu)
        except OSError:
            pass
    os.sched_setaffinity(0, mask)
    return usable


NOBODY = 65534


def others_may_run():
    """Whether another user than root may run this build."""
    try:
        return not subprocess.run([HPT, '--version'], user=NOBODY, group=NOBODY, extra_groups=[],
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
    except PermissionError:
        return False


class Case(unittest.TestCase):
    def ok(self, *args, **kw):
        """The stdout of a command that must succeed without a message."""
        p = run(*args, **kw)
        self.assertEqual((p.returncode, p.stderr), (0, b''), args)
        return p.stdout.decode()

    def fails(self, status, *args, **kw):
        """The message of a command that must fail: one line, and nothing on stdout."""
        p = run(*args, **kw)
        self.assertEqual(p.returncode, status, (args, p.stderr))
        self.assert_one_line(p.stderr)
        if p.stdout is not None:
            self.assertEqual(p.stdout, b'', args)
        return p.stderr.decode(errors='replace')

    def assert_one_line(self, err):
        self.assertTrue(err.startswith(b'hpt: '), err)
        self.assertEqual((err.count(b'\n'), err[-1:]), (1, b'\n'), err)


    def assert_plain_colours(self, svg):
        """Converters to PDF compute no var(), pass over @media, and take the last declaration of a property."""
        style = re.search(r'<style>(.*?)</style>', svg, re.S).group(1)
        plain = re.sub(r'@media[^{]*\{(?:[^{}]*\{[^{}]*\})*\}', '', style)
        self.assertNotIn('@', plain)
        self.assertNotIn('var(', svg)
        colours = re.findall(r'[{;](?:fill|stroke|color|background):([^;}]*)', plain)
        self.assertGreater(len(colours), 7)
        for colour in colours:
            self.assertRegex(colour, r'^(#[0-9a-f]{3}|#[0-9a-f]{6}|none|currentColor)$')
        self.assertIn('.hptf .bg,.hptf .ring{fill:#fff}', plain)
        if cairosvg: # the corner is the background's, white; without colours all would be black
            png = cairosvg.svg2png(bytestring=svg.encode(), output_width=40)
            image = cairocffi.ImageSurface.create_from_png(io.BytesIO(png))
            self.assertEqual(bytes(image.get_data()[:3]), b'\xff\xff\xff')


class FolderCase(Case):
    """Each test has a folder of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix='hpt-')
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)


class Tap(unittest.TestResult):
    n = 0

    def report(self, ok, test, remark='', details=''):
        self.n += 1
        print(f'{"ok" if ok else "not ok"} {self.n} - {test.id().split(".", 1)[-1]}{remark}')
        for line in details.splitlines():
            print('#', line)

    def addSuccess(self, test):
        self.report(True, test)

    def addSkip(self, test, reason):
        self.report(True, test, f' # SKIP {reason}')

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self.report(False, test, details=self.failures[-1][1])

    def addError(self, test, err):
        super().addError(test, err)
        self.report(False, test, details=self.errors[-1][1])


def main():
    suite = unittest.defaultTestLoader.loadTestsFromModule(sys.modules['__main__'])
    print(f'1..{suite.countTestCases()}')
    result = Tap()
    suite.run(result)
    sys.exit(not result.wasSuccessful())
