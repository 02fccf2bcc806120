# SPDX-License-Identifier: MIT
"""What "hpt wall --publish" states of a wall that asks chronyd, read by ClockBound's own library and by a wall in
another process, beside a truth that is known: while the publisher runs, is killed at any moment, is started again,
loses its server, and ends. As in tests/wall/chrony.py chronyd leaves the system's clock alone: 4 ms stay pending.

usage: publish.py PROGRAM... class=Version2|Version3 out=FOLDER     FOLDER: where "build" builds"""
import json
import os
import random
import struct
import subprocess
import sys
import time

import chrony
import daemon
import lab

OURS, THEIRS = range(2)
CLOCKBOUND = 2 # HPT_WALL_SOURCE_
LINE_MS = UPDATE_MS = 250
KILLS = 40
# Of a segment: its generation, and the statement after the header.
AT_GENERATION, AT_STATEMENT = 14, 16


class Published(chrony.Phases):
    """The same for both versions."""

    @classmethod
    def record(cls):
        rig, cls.at = cls.rig, {}
        chrony.start_server(rig)
        words = (f'sources={CLOCKBOUND}', f'update_ms={UPDATE_MS}', f'line_ms={LINE_MS}',
                 'clockbound=' + lab.WORDS['out'], f'clockbound_version={cls.version}',
                 'clockbound_path=' + rig.path('shm'))
        cls.umpire = lab.Umpire(rig, *words)
        chrony.chronyd(rig)
        cls.umpire.wait_for(lambda line: True, 'a line')
        cls.mark('started')
        publisher = cls.publish()
        cls.wait_for('synced')
        cls.inode = os.stat(rig.path('shm')).st_ino
        # Until chronyd's first measurements are good.
        cls.umpire.wait_for(lambda line: line['intervals'] and line['width_max_ns'] < cls.width_ns, 'a narrow interval')
        cls.mark('synced')
        time.sleep(5)
        cls.shifted = cls.with_shifted_truth(*words, 'seconds=2')
        cls.mark('killed')
        publisher = cls.kill_often(publisher)
        cls.wait_for('synced')
        cls.mark('silenced')
        rig.truth('set', 'is_silent=1')
        cls.wait_for('holdover')
        cls.mark('back')
        rig.truth('set', 'is_silent=0')
        cls.wait_for('synced')
        cls.mark('ended')
        publisher.terminate()
        cls.status = publisher.wait(lab.LIMIT_S)
        cls.wait_for('holdover')
        cls.wait_after_the_end()
        cls.mark('end')
        cls.lines = cls.umpire.end()
        cls.report()

    @classmethod
    def publish(cls):
        with open(cls.rig.path('publisher.log'), 'a', encoding='ascii') as log:
            return cls.rig.start('hpt', 'wall', '--publish=' + cls.rig.path('shm'), '--sources=chrony',
                                 f'--publish-version={cls.version}', f'--interval={UPDATE_MS}ms',
                                 stdout=log, stderr=log)

    @classmethod
    def generation(cls):
        with open(cls.rig.path('shm'), 'rb') as f:
            return struct.unpack_from('=H', f.read(), AT_GENERATION)[0]

    @classmethod
    def leave_half_written(cls):
        """As a publisher does that is killed while it writes, which lasts microseconds."""
        with open(cls.rig.path('shm'), 'r+b') as f:
            generation = cls.generation() | 1
            f.seek(AT_GENERATION)
            f.write(struct.pack('=H', generation))
            f.flush()
            f.seek(AT_STATEMENT)
            f.write(random.randbytes(random.randrange(1, 60)))

    @classmethod
    def kill_often(cls, publisher):
        """At any moment after it has written again. Returns the last one."""
        cls.odd = 0
        for n in range(KILLS):
            before, end = cls.generation(), time.monotonic() + lab.LIMIT_S
            while cls.generation() == before and time.monotonic() < end:
                time.sleep(0.001)
            time.sleep(random.random() / 20)
            publisher.kill()
            publisher.wait(lab.LIMIT_S)
            if n % 2:
                cls.leave_half_written()
                time.sleep(random.random() / 10)
            cls.odd += cls.generation() & 1
            publisher = cls.publish()
        return publisher

    @classmethod
    def wait_for(cls, state, *walls):
        for wall in walls or (OURS, THEIRS):
            cls.umpire.wait_for(lambda line, wall=wall: (line['wall'], line['state']) == (wall, state),
                                f'{("ours", "theirs")[wall]} is {state}')

    @classmethod
    def report(cls):
        for phase in cls.at:
            for wall, name in enumerate(('ours', 'theirs')):
                lines = [line for line in cls.of(phase, wall) if line['intervals']]
                if lines:
                    print(f'# {phase}, {name}: {sum(line["intervals"] for line in lines)} intervals,',
                          f'{sum(line["outside"] for line in lines)} false,',
                          f'{min(line["width_min_ns"] for line in lines) / 1e6:.3f} to',
                          f'{max(line["width_max_ns"] for line in lines) / 1e6:.3f} ms')
        print(f'# killed {KILLS} times, {cls.odd} of them in the middle of a write')

    def test_each_interval_holds_the_truth(self):
        """Theirs too, and they overlap."""
        self.assert_honest(self.lines)
        ours = [line for line in self.lines if line['wall'] == OURS]
        for key in 'intervals', 'past', 'sure', 'compared', *self.more_checks:
            self.assertGreater(self.total(ours, key), 0, key)

    def test_another_truth_is_in_none_of_them(self):
        """The check of the truth can fail, for both."""
        status, lines = self.shifted
        self.assertEqual(status, 1)
        for wall in OURS, THEIRS:
            seen = [line for line in lines if line['wall'] == wall]
            self.assertGreater(self.total(seen, 'outside'), 0)
            self.assertEqual(self.total(seen, 'outside'), self.total(seen, 'intervals'))

    def test_no_statement_contradicts_another(self):
        last = [line for line in self.lines if line['wall'] == OURS][-1]
        self.assertEqual((last['contradictions'], last['disruptions'], last['generation'],
                          last['sources']['clockbound']['refused']), (0, 0, 1, 0), last)

    def test_readers_go_on_through_kills(self):
        """Their library has the file mapped: it is the same one."""
        self.assertEqual(os.stat(self.rig.path('shm')).st_ino, self.inode)
        self.assertGreaterEqual(self.odd, KILLS // 2)
        for wall in OURS, THEIRS:
            lines = self.of('killed', wall)
            self.assertGreater(len(lines), KILLS / 20)
            self.assertEqual(self.total(lines, 'again'), 0, lines)

    def test_holdover_travels(self):
        for wall in OURS, THEIRS:
            self.assertEqual(self.states('silenced', wall), ['synced', 'holdover'])
            self.assertEqual(self.states('back', wall)[-1], 'synced')

    def test_it_ends_by_the_signal_and_says_so(self):
        self.assertEqual(self.status, -15)
        for wall in OURS, THEIRS:
            self.assertIn('holdover', self.states('ended', wall))

    def test_widths(self):
        for wall in OURS, THEIRS:
            lines = [line for line in self.of('synced', wall) if line['intervals']]
            self.assertLess(min(line['width_min_ns'] for line in lines), self.width_ns)


class Version3(Published):
    """The interval of the publisher's wall."""
    version, more_checks = 3, ('waits',)
    width_ns = chrony.MS

    @classmethod
    def wait_after_the_end(cls):
        time.sleep(2)


class Version2(Published):
    """CLOCK_REALTIME is off by the whole correction, on both sides, and may be slewed."""
    version, more_checks = 2, ()
    width_ns = 4 * chrony.OFFSET_NS

    @classmethod
    def wait_after_the_end(cls):
        cls.wait_for('unsynced', THEIRS)

    def test_it_is_void_soon_after_its_end(self):
        self.assertEqual(self.states('ended', THEIRS)[-2:], ['holdover', 'unsynced'])
        self.assertEqual(self.of('end', OURS)[-1]['sources']['clockbound']['reason'], lab.REASON.OLD)


def counter():
    p = subprocess.run([lab.PROGRAMS['hpt'], 'info', '--json'], stdout=subprocess.PIPE, check=True)
    return json.loads(p.stdout)['source']


if __name__ == '__main__':
    lab.needs('ip', 'unshare', 'chronyd', 'chronyc')
    if lab.INSIDE not in os.environ:
        if lab.WORDS['class'] == 'Version3' and counter() not in ('tsc', 'arch'):
            lab.skip('the clock is not of the counter that ClockBound reads')
        daemon.build(with_daemon=False)
    lab.enter_namespaces()
    lab.main()
    sys.exit()
