# SPDX-License-Identifier: MIT
"""hpt wall --publish: what a file says that another wall reads, who may write it, and how it ends. The statements
themselves are tested by tests/unit/tools/test_wall_statement.c and tests/clockbound/publish.py."""
import json
import os
import signal
import struct
import subprocess
import tempfile
import time

import cli
from fake_chronyd import FakeChronyd, UNSYNCHRONISED

MS, S = 10**6, 10**9
HEADER = struct.Struct('=IIIHH')
MAGIC = 0x414d5a4e, 0x43420200
SIZES = {'2': 80, '3': 104}
# Offsets of the status, by version, and what it can be: ClockStatus of ClockBound.
STATUS = {'2': 68, '3': 92}
UNKNOWN, SYNCHRONIZED, FREE_RUNNING, DISRUPTED = range(4)
ELSEWHERE = ['--vmclock=/nonexistent/vmclock0', '--phc=/nonexistent/ptp0']


def in_memory():
    """A folder in memory, if there is one: of others the command warns."""
    with open('/proc/self/mounts', encoding='utf-8') as f:
        mounts = [line.split() for line in f]
    return '/dev/shm' if ['/dev/shm', 'tmpfs'] in [m[1:3] for m in mounts] and os.access('/dev/shm', os.W_OK) else None


IN_MEMORY = in_memory()
# Where the clock is of another counter than ClockBound reads, version 2 alone is tested.
COUNTER = json.loads(cli.run('info', '--json').stdout)['source']
VERSIONS = ['2', '3'] if COUNTER in ('tsc', 'arch') else ['2']


class PublishCase(cli.Case):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix='hpt-', dir=IN_MEMORY)
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.file = self.path('shm')
        self.chronyd = FakeChronyd()
        self.addCleanup(self.chronyd.stop)
        self.args = ['--chrony', self.chronyd.address, *ELSEWHERE]

    def path(self, name):
        return os.path.join(self.folder, name)

    def start(self, version, *args, file=None, **kw):
        """A publisher, which is killed if the test fails."""
        p = subprocess.Popen([cli.HPT, 'wall', '--publish', file or self.file, f'--publish-version={version}',
                              '--interval=50ms', *self.args, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             **kw)
        for end in p.stdout.close, p.stderr.close, p.wait, p.kill:
            self.addCleanup(end)
        return p

    def end(self, p, number=signal.SIGTERM):
        """Ends it, which it says by its status; returns its lines."""
        p.send_signal(number)
        out, err = p.stdout.read().decode(), p.stderr.read().decode()
        self.assertEqual(p.wait(cli.LIMIT), -number, err)
        self.assertEqual([line for line in err.splitlines() if 'is on a disk' not in line], [])
        return out.splitlines()

    def bytes(self):
        with open(self.file, 'rb') as f:
            return f.read()

    def status(self, version):
        return struct.unpack_from('=I', self.bytes(), STATUS[version])[0]

    def wait_for(self, is_so):
        end = time.monotonic() + cli.LIMIT
        while not is_so():
            self.assertLess(time.monotonic(), end)
            time.sleep(0.005)

    def wait_for_status(self, version, status):
        self.wait_for(lambda: os.path.exists(self.file) and self.status(version) == status)

    def assert_synced(self, lines):
        """On a busy machine the first question is not answered in time."""
        self.assertEqual([line for line in lines if line != f'{self.file}: none'], [f'{self.file}: synced'])

    def look(self, status=0):
        """What a wall makes of the file."""
        p = cli.run('wall', '--json', '--sources=clockbound', '--clockbound', self.file)
        self.assertEqual((p.returncode, p.stderr), (status, b''), p.stdout)
        return json.loads(p.stdout)

    def refused(self, words, *args, **kw):
        message = self.fails(1, 'wall', '--publish', self.file, *self.args, *args, **kw)
        self.assertIn(words, message)
        self.assertTrue(message.startswith('hpt: cannot publish to ' + self.file), message)


class Published(PublishCase):
    def test_a_wall_reads_it(self):
        """UTC is CLOCK_REALTIME and the correction, to within half the delay and the dispersion."""
        for version in VERSIONS:
            for correction_s in 0, 0.25, -3.5:
                self.chronyd.correction_s = correction_s
                p = self.start(version)
                self.wait_for_status(version, SYNCHRONIZED)
                a = self.look()
                self.assertEqual((a['state'], a['samples']), ('synced', 1))
                self.assertLessEqual(a['realtime_ahead_min_ns'], (-correction_s + 1e-6) * S)
                self.assertGreaterEqual(a['realtime_ahead_max_ns'], (-correction_s - 1e-6) * S)
                error_ns = (self.chronyd.delay_s / 2 + self.chronyd.dispersion_s) * S
                if version == '2':
                    error_ns += abs(correction_s) * S
                self.assertGreaterEqual(a['width_ns'], 2 * error_ns - 1000)
                self.assert_synced(self.end(p))
                os.unlink(self.file)

    def test_a_new_file(self):
        for version in VERSIONS:
            p = self.start(version, preexec_fn=lambda: os.umask(0o077))
            self.wait_for(lambda: os.path.exists(self.file))
            data = self.bytes()
            self.assertEqual(len(data), SIZES[version])
            magic_0, magic_1, size, layout, generation = HEADER.unpack_from(data)
            self.assertEqual((magic_0, magic_1, size), (*MAGIC, len(data)))
            self.assertEqual(layout, {'2': 2, '3': 0x303}[version])
            self.assertNotEqual(generation, 0)
            self.assertEqual(os.stat(self.file).st_mode & 0o7777, 0o644)
            self.assertEqual(os.listdir(self.folder), ['shm'])
            self.end(p)
            os.unlink(self.file)

    def test_it_is_renewed(self):
        for version in VERSIONS:
            p = self.start(version)
            self.wait_for_status(version, SYNCHRONIZED)
            seen = {self.bytes()}
            self.wait_for(lambda: seen.add(self.bytes()) or len(seen) >= 5)
            self.end(p)
            os.unlink(self.file)

    def test_updates_are_an_interval_apart(self):
        """From the first one on: two at once would let the wall expect a third as soon, and take its delay for
        silence."""
        p = self.start('2', '--interval=1s')
        self.wait_for(lambda: self.chronyd.answers >= 3)
        self.assert_synced(self.end(p))

    def test_states_travel(self):
        version = VERSIONS[-1]
        self.chronyd.leap = UNSYNCHRONISED
        p = self.start(version)
        self.assertIn(p.stdout.readline().decode(), (f'{self.file}: {state}\n' for state in ('none', 'unsynced')))
        self.assertEqual(self.status(version), UNKNOWN)
        self.assertEqual(self.look(3)['state'], 'unsynced')
        self.wait_for(lambda: self.chronyd.answers)
        self.chronyd.leap = 0
        self.wait_for_status(version, SYNCHRONIZED)
        # Holdover begins after eight intervals between samples, or, where there is one sample, after a minute.
        answers = self.chronyd.answers
        self.wait_for(lambda: self.chronyd.answers > answers + 2)
        self.chronyd.is_silent = True
        self.wait_for_status(version, FREE_RUNNING)
        self.assertEqual(self.look()['state'], 'holdover')
        self.assertEqual(self.end(p)[-2:], [f'{self.file}: {state}' for state in ('synced', 'holdover')])

    def test_options_of_the_wall_count(self):
        """The band of rates is in the file, and is not wider than that of the publisher."""
        if '3' not in VERSIONS:
            self.skipTest('no version 3 on this clock')
        for rate_ppm in 100, 1000:
            p = self.start('3', f'--rate={rate_ppm}ppm', '--wander=1ppm')
            self.wait_for_status('3', SYNCHRONIZED)
            drift_ppb, = struct.unpack_from('=I', self.bytes(), 88)
            # The clock's own error comes on top, which is largest at first.
            self.assertLess(drift_ppb, rate_ppm * 1000 + 500000)
            self.assertGreater(drift_ppb, 1000)
            self.end(p)
            os.unlink(self.file)

    def test_version_2_on_the_os_clock(self):
        p = self.start('2', '--source=os')
        self.wait_for_status('2', SYNCHRONIZED)
        self.assertEqual(self.look()['state'], 'synced')
        self.end(p)


class Ends(PublishCase):
    def test_signals(self):
        """The last statement says that nobody renews it, and is good until it is void."""
        for version in VERSIONS:
            for number in signal.SIGINT, signal.SIGTERM, signal.SIGHUP:
                p = self.start(version)
                self.wait_for_status(version, SYNCHRONIZED)
                self.end(p, number)
                self.assertEqual(self.status(version), FREE_RUNNING)
                self.assertEqual(self.look()['state'], 'holdover')
            os.unlink(self.file)

    def test_a_signal_ends_a_long_interval(self):
        p = self.start(VERSIONS[-1], '--interval=1h')
        p.stdout.readline() # it writes now
        self.end(p)

    def test_an_ignored_signal_stays_ignored(self):
        p = self.start(VERSIONS[-1], preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        self.wait_for_status(VERSIONS[-1], SYNCHRONIZED)
        p.send_signal(signal.SIGHUP)
        seen = {self.bytes()}
        self.wait_for(lambda: seen.add(self.bytes()) or len(seen) >= 3)
        self.end(p)

    def test_a_killed_one_is_followed_by_the_next(self):
        for version in VERSIONS:
            for _ in range(5):
                p = self.start(version)
                p.stdout.readline() # it writes now
                inode = os.stat(self.file).st_ino
                p.kill()
                p.wait(cli.LIMIT)
                before = self.bytes()
                p = self.start(version)
                self.wait_for(lambda before=before: self.bytes() != before)
                self.assertEqual(os.stat(self.file).st_ino, inode)
                self.wait_for_status(version, SYNCHRONIZED)
                self.end(p)
            os.unlink(self.file)

    def end_with_error(self, p, words):
        out, err = p.stdout.read(), p.stderr.read().decode()
        self.assertEqual(p.wait(cli.LIMIT), 1, out)
        self.assertEqual([line for line in err.splitlines() if 'is on a disk' not in line],
                         [f'hpt: cannot publish to {self.file}: {words}'])

    def test_a_file_that_is_removed_or_written_by_others(self):
        p = self.start(VERSIONS[-1])
        self.wait_for_status(VERSIONS[-1], SYNCHRONIZED)
        os.rename(self.file, self.path('old'))
        with open(self.path('new'), 'wb') as f:
            f.write(b'new')
        os.unlink(self.path('old'))
        self.end_with_error(p, 'somebody removed or replaced it')
        for what in (lambda f: f.truncate(0)), (lambda f: f.truncate(50)), (lambda f: f.write(b'x')):
            p = self.start(VERSIONS[-1])
            self.wait_for_status(VERSIONS[-1], SYNCHRONIZED)
            with open(self.file, 'r+b') as f:
                what(f)
            self.end_with_error(p, 'another program writes there')
            os.unlink(self.file)


class Refused(PublishCase):
    def test_a_second_publisher(self):
        version = VERSIONS[-1]
        p = self.start(version)
        self.wait_for_status(version, SYNCHRONIZED)
        self.refused('another process publishes there', '--publish-version=' + version)
        self.assertIsNone(p.poll())
        self.end(p)

    def test_other_files_stay_as_they_are(self):
        for data, words in ((b'', 'of another program'), (b'a letter to somebody', 'of another program'),
                            (HEADER.pack(*MAGIC, 80, 2, 2) + bytes(64), "another version of ClockBound's layout"),
                            (HEADER.pack(*MAGIC, 104, 2, 2) + bytes(88), "another version of ClockBound's layout")):
            with open(self.file, 'wb') as f:
                f.write(data)
            if '3' in VERSIONS:
                self.refused(words)
            if words == 'of another program' or len(data) != 80:
                self.refused(words, '--publish-version=2')
            self.assertEqual(self.bytes(), data)
        self.assertEqual(os.listdir(self.folder), ['shm'])

    def test_what_is_no_file(self):
        os.mkdir(self.file)
        self.refused('Is a directory', '--publish-version=2')
        os.rmdir(self.file)
        os.mkfifo(self.file)
        self.refused('no regular file', '--publish-version=2')
        os.unlink(self.file)
        os.symlink('elsewhere', self.file)
        self.refused('a symbolic link', '--publish-version=2')
        self.assertEqual(os.listdir(self.folder), ['shm'])

    def test_paths_that_cannot_be_made(self):
        self.file = self.path('no/shm')
        self.refused('No such file or directory', '--publish-version=2')
        self.assertEqual(os.listdir(self.folder), [])
        self.file = '/proc/shm'
        self.refused('', '--publish-version=2')

    def test_no_permission(self):
        """As another user, if this one is root, who may do everything."""
        is_root = os.geteuid() == 0
        if is_root and not cli.others_may_run():
            self.skipTest('others cannot run this build')
        os.chmod(self.folder, 0o755)
        p = self.start('2')
        self.wait_for_status('2', SYNCHRONIZED)
        self.end(p)
        os.chmod(self.file, 0o444)
        as_user = {'user': cli.NOBODY} if is_root else {}
        data = self.bytes()
        self.refused('Permission denied', '--publish-version=2', **as_user)
        self.assertEqual(self.bytes(), data)
        os.unlink(self.file)
        os.chmod(self.folder, 0o555)
        self.refused('Permission denied', '--publish-version=2', **as_user)

    def test_another_counter(self):
        message = self.fails(1, 'wall', '--publish', self.file, '--source=os', *self.args)
        self.assertIn("another counter than 'os'; --publish-version=2 goes by CLOCK_REALTIME", message)
        self.assertFalse(os.path.exists(self.file))

    def test_a_file_on_a_disk_is_mentioned(self):
        with tempfile.TemporaryDirectory(prefix='hpt-', dir='/var/tmp') as folder:
            kind = subprocess.run(['stat', '-f', '-c', '%T', folder], stdout=subprocess.PIPE, check=True).stdout
            if kind.strip() in (b'tmpfs', b'ramfs') or not IN_MEMORY:
                self.skipTest('all folders are of one kind')
            p = self.start('2', file=os.path.join(folder, 'shm'))
            p.stdout.readline()
            p.terminate()
            self.assertIn(b'is on a disk: after a restart', p.stderr.read())
            p.wait(cli.LIMIT)
        p = self.start('2')
        p.stdout.readline()
        p.terminate()
        self.assertEqual(p.stderr.read(), b'')


class Wrong(PublishCase):
    def test_wrong_usage_is_one_line_and_2(self):
        for args in (['--publish='], ['--publish'], ['--publish-version=2'], ['--publish-version=3'],
                     *(['--publish', self.file, f'--publish-version={v}'] for v in ('', '1', '4', '0x3', 'three')),
                     *(['--publish', self.file, *more] for more in (
                         ['--watch'], ['--json'], ['--count=3'], ['--plot=x.svg'], ['--max-width=1ms'],
                         ['--interval=0'], ['--interval=999us'], ['--sources=clockbound'],
                         ['--sources=chrony,clockbound'], ['--trust=clockbound'], ['--trust=kernel'], ['more']))):
            self.fails(2, 'wall', *args)
        self.assertEqual(os.listdir(self.folder), [])

    def test_messages_help(self):
        publish = ['wall', '--publish', self.file]
        self.assertIn('--publish goes without --watch', self.fails(2, *publish, '--watch'))
        self.assertIn('--publish-version needs --publish', self.fails(2, 'wall', '--publish-version=2'))
        self.assertIn('source clockbound, which may be what it publishes',
                      self.fails(2, *publish, '--sources=chrony,clockbound'))
        self.assertIn('source clockbound, which may be', self.fails(2, *publish, '--clockbound=/x'))
        for version in '1', '4', '22', '':
            self.assertIn(f"'{version}' is neither version 2 nor 3",
                          self.fails(2, *publish, f'--publish-version={version}'))
        self.assertIn('--trust names a source that is not asked', self.fails(2, *publish, '--trust=clockbound'))
        self.assertIn('--interval needs --watch or --publish', self.fails(2, 'wall', '--interval=1s'))


cli.main()
