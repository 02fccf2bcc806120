# SPDX-License-Identifier: MIT
"""ClockBound's own daemon and library, version 2, beside two walls: one asks the daemon's chronyd, one takes what the
daemon states. All three are read in turn, and must hold the truth. As in tests/wall/chrony.py chronyd leaves the
system's clock alone, so a correction of 4 ms stays pending. Then server, daemon and chronyd end, one after the other.

usage: daemon.py PROGRAM... class=Daemon out=FOLDER     PROGRAM: those of tests/wall; FOLDER: where "build" builds"""
import os
import struct
import subprocess
import sys
import time

import chrony
import lab

CHRONY, CLOCKBOUND, THEIRS = range(3)
NAMES = 'chrony', 'clockbound', 'theirs'
UPDATE_MS, MAX_AGE_MS, LINE_MS = 250, 6000, 250
# How many lines of each are compared.
COMPARED = 16
# By which CLOCK_REALTIME runs off the truth: that one's rate, and the frequency that the kernel was left with.
DRIFT_PPM = 100
# The truth is earlier than CLOCK_REALTIME: else chronyd's latest update may be in the daemon's future, an error to it.
OFFSET_NS = -chrony.OFFSET_NS
RUN = os.path.realpath('/var/run')
SHM = RUN + '/clockbound/shm0'
# In the shared memory: the statement's generation, and the seconds of void_after by CLOCK_MONOTONIC.
AT_GENERATION, AT_VOID_AFTER = 14, 32


def build():
    """Needs the network, once."""
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'build')
    p = subprocess.run(['sh', script, lab.WORDS['out'], 'daemon'], stdout=subprocess.PIPE, text=True, check=False)
    if p.returncode == 77:
        lab.skip(p.stdout.strip().replace('skipped: ', ''))
    if p.returncode:
        sys.exit(p.stdout)


def hide_run():
    """The daemon and its chronyd have fixed paths: here they are in a mount namespace's own memory."""
    tried = subprocess.run(['mount', '-t', 'tmpfs', 'tmpfs', RUN], stderr=subprocess.PIPE, text=True, check=False)
    if tried.returncode:
        lab.skip('no mounts here: ' + tried.stderr.strip())
    os.mkdir(RUN + '/chrony', 0o750)
    os.mkdir(RUN + '/clockbound')


def start_daemon(rig):
    """Without VMClock, it starts only if it may miss moves of the machine."""
    with open(rig.path('clockbound.log'), 'a', encoding='ascii') as log:
        return rig.start(os.path.join(lab.WORDS['out'], 'clockbound2'), '--disable-clock-disruption-support',
                         '--max-drift-rate', str(DRIFT_PPM), stdout=log, stderr=log)


def end_statement():
    """The daemon's latest statement is void from now on, as it would be after 1000 s."""
    with open(SHM, 'r+b') as f:
        f.seek(AT_VOID_AFTER)
        f.write(struct.pack('=q', int(time.clock_gettime(time.CLOCK_MONOTONIC))))
        f.seek(AT_GENERATION)
        generation, = struct.unpack('=H', f.read(2))
        f.seek(AT_GENERATION)
        f.write(struct.pack('=H', generation % 0xfffe + 2)) # 0 would be none


class Daemon(chrony.Phases):
    @classmethod
    def record(cls):
        rig, cls.at = cls.rig, {}
        chrony.start_server(rig, OFFSET_NS)
        words = (f'sources={lab.SOURCE.CHRONY}', f'second_sources={lab.SOURCE.CLOCKBOUND}',
                 f'update_ms={UPDATE_MS}', f'second_update_ms={UPDATE_MS}', f'max_age_ms={MAX_AGE_MS}',
                 f'line_ms={LINE_MS}', 'clockbound=' + lab.WORDS['out'])
        cls.umpire = lab.Umpire(rig, *words)
        cls.wait_for('none', THEIRS)
        cls.mark('started')
        chronyd, daemon = chrony.chronyd(rig, socket=RUN + '/chrony/chronyd.sock'), start_daemon(rig)
        cls.wait_for('synced')
        # So narrow that it stays below a tenth of theirs for seconds, even without a better measurement.
        cls.umpire.wait_for(lambda line: line['wall'] == CHRONY and line['width_max_ns'] < chrony.MS / 4,
                            'measurements enough')
        cls.mark('synced')
        cls.corrections = [chrony.tracking()['correction']]
        cls.wait_lines(COMPARED)
        cls.corrections.append(chrony.tracking()['correction'])
        cls.shifted = cls.with_shifted_truth(*words, 'seconds=2')
        cls.silence_server()
        daemon = cls.kill_daemon(daemon)
        cls.kill_both(chronyd, daemon)
        cls.mark('end')
        cls.lines = cls.umpire.end()
        cls.report()

    @classmethod
    def wait_for(cls, state, *walls):
        for wall in walls or (CHRONY, CLOCKBOUND, THEIRS):
            cls.umpire.wait_for(lambda line, wall=wall: (line['wall'], line['state']) == (wall, state),
                                f'{NAMES[wall]} is {state}')

    @classmethod
    def wait_lines(cls, n):
        for _ in range(n):
            cls.umpire.wait_for(lambda line: line['wall'] == THEIRS, 'a line')

    @classmethod
    def silence_server(cls):
        cls.mark('silenced')
        cls.rig.truth('set', 'is_silent=1')
        cls.wait_for('holdover')
        cls.mark('back')
        cls.rig.truth('set', 'is_silent=0')
        cls.wait_for('synced')

    @classmethod
    def kill_daemon(cls, daemon):
        """Returns the next one."""
        cls.mark('daemon killed')
        daemon.kill()
        cls.wait_for('holdover', CLOCKBOUND, THEIRS)
        cls.mark('void')
        end_statement()
        cls.wait_for('stale', CLOCKBOUND)
        cls.wait_lines(2)
        cls.mark('daemon back')
        daemon = start_daemon(cls.rig)
        cls.wait_for('synced')
        return daemon

    @classmethod
    def kill_both(cls, chronyd, daemon):
        """The daemon says UNKNOWN soon; the wall's bound of before lasts max_age_ms longer."""
        cls.mark('chronyd killed')
        chronyd.kill()
        cls.wait_for('unsynced', THEIRS)
        cls.wait_for('stale', CHRONY)
        cls.mark('both killed')
        daemon.kill()
        cls.wait_for('stale', CLOCKBOUND)
        cls.wait_lines(2)

    @classmethod
    def report(cls):
        for phase in cls.at:
            for wall, name in enumerate(NAMES):
                lines = [line for line in cls.of(phase, wall) if line['intervals']]
                if lines:
                    print(f'# {phase}, {name}: {sum(line["intervals"] for line in lines)} intervals,',
                          f'{min(line["width_min_ns"] for line in lines) / 1e6:.3f} to',
                          f'{max(line["width_max_ns"] for line in lines) / 1e6:.3f} ms')
        ratios = sorted(cls.ratios())
        print(f'# width by theirs: {ratios[0]:.4f} to {ratios[-1]:.4f}, median {ratios[len(ratios) // 2]:.4f}')
        print('# with another truth:', sum(line['outside'] for line in cls.shifted[1]), 'false intervals of',
              sum(line['intervals'] for line in cls.shifted[1]))

    @classmethod
    def ratios(cls):
        """The widest interval of the wall that asks chronyd by the narrowest of theirs, line by line."""
        theirs = cls.of('synced', THEIRS)[:COMPARED]
        return [ours['width_max_ns'] / line['width_min_ns'] for ours, line in zip(cls.of('synced', CHRONY), theirs)]

    def assert_no_bound(self, phase, wall, reason):
        last = self.of(phase, wall)[-1]
        self.assertEqual((last['intervals'], last['again']), (0, last['reads']), last)
        self.assertEqual(last['sources'][NAMES[wall]]['reason'], reason, last)

    def assert_changes(self, phase, *expected):
        """The states of each of them in this phase, but for the one of before."""
        phases = [*self.at]
        before = phases[phases.index(phase) - 1]
        for wall, states in enumerate(expected):
            seen = self.states(phase, wall)
            del seen[:seen[0] == self.states(before, wall)[-1]]
            self.assertEqual(seen, states.split(), (phase, NAMES[wall]))

    def test_each_interval_holds_the_truth(self):
        """Theirs too, and all overlap."""
        self.assert_honest(self.lines)
        for wall in CHRONY, CLOCKBOUND:
            lines = [line for line in self.lines if line['wall'] == wall]
            self.assert_all_checked(lines)
            self.assertGreater(self.total(lines, 'compared'), 0)

    def test_another_truth_is_in_none_of_them(self):
        """The check of the truth can fail, for each of the three."""
        status, lines = self.shifted
        self.assertEqual(status, 1)
        for wall in CHRONY, CLOCKBOUND, THEIRS:
            seen = [line for line in lines if line['wall'] == wall]
            self.assertGreater(self.total(seen, 'outside'), 0)
            self.assertEqual(self.total(seen, 'outside'), self.total(seen, 'intervals'))
        self.assertEqual(self.total(lines, 'apart'), 0)

    def test_half_of_what_the_daemon_states_would_not_do(self):
        for wall in CLOCKBOUND, THEIRS:
            lines = self.of('synced', wall)
            self.assertGreater(self.total(lines, 'outside_half'), self.total(lines, 'intervals') / 2)

    def test_width_is_a_tenth_of_theirs(self):
        """They take the whole correction for an error."""
        for correction in self.corrections:
            self.assertGreater(abs(correction), abs(OFFSET_NS) / 2)
        self.assertEqual(len(self.ratios()), COMPARED)
        self.assertLessEqual(max(self.ratios()), 0.1)

    def test_no_sample_contradicts_another(self):
        for wall in CHRONY, CLOCKBOUND:
            last = self.of('end', wall)[-1]
            self.assertEqual((last['contradictions'], last['disruptions'], last['generation'],
                              last['sources'][NAMES[wall]]['refused']), (0, 0, 1, 0), last)

    def test_no_bound_before_they_start(self):
        for line in self.lines[:2]:
            self.assertEqual((line['state'], line['intervals'], line['again']), ('none', 0, line['reads']), line)
            self.assertEqual(line['sources'][NAMES[line['wall']]]['reason'], lab.REASON.ABSENT, line)

    def test_silence_of_the_server(self):
        self.assert_changes('synced', '', '', '')
        self.assert_changes('silenced', 'holdover', 'holdover', 'holdover')
        self.assert_changes('back', 'synced', 'synced', 'synced')

    def test_a_killed_daemon(self):
        """Its statement is good until it says itself that it no longer is."""
        self.assert_changes('daemon killed', '', 'holdover', 'holdover')
        self.assert_changes('void', '', 'stale', 'unsynced')
        self.assert_no_bound('void', CLOCKBOUND, lab.REASON.OLD)
        self.assertEqual(self.states('daemon back', CLOCKBOUND)[-1], 'synced')

    def test_a_killed_chronyd_and_then_the_daemon(self):
        self.assert_changes('chronyd killed', 'holdover stale', 'holdover', 'holdover unsynced')
        self.assert_changes('both killed', '', 'stale', '')
        self.assert_no_bound('both killed', CHRONY, lab.REASON.ABSENT)
        self.assert_no_bound('both killed', CLOCKBOUND, lab.REASON.UNSYNCED)
        widths = [line['width_max_ns'] for line in self.of('both killed', CLOCKBOUND) if line['intervals']]
        self.assertEqual(widths, sorted(widths))


if __name__ == '__main__':
    lab.needs('ip', 'mount', 'unshare', 'chronyd', 'chronyc')
    if lab.INSIDE not in os.environ:
        build()
    lab.enter_namespaces()
    hide_run()
    lab.main()
