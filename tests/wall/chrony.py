# SPDX-License-Identifier: MIT
"""chronyd in a network of its own, against a server whose truth is known. It leaves the system's clock alone (-x), so
its correction stays pending: the server's time is 4 ms off CLOCK_REALTIME.

Killed: the server falls silent and comes back; chronyd is killed. Asymmetric: nearly all of the network's delay is on
the way there, so the truth is near the end of what chronyd can know; then the server begins to lie."""
import itertools
import subprocess
import time

import lab

MS = 1_000_000
OFFSET_NS = 4 * MS
TRUTH_PPB = 20_000
UPDATE_MS, MAX_AGE_MS = 250, 5000
# The rate that a wall assumes, its wander and the truth's own, both ways: what a width may gain in a nanosecond.
WIDENING = 2 * (50_000 + 15_000 + TRUTH_PPB) / 1e9
LINE_MS = 250
# How often chronyd's words are compared with a wall's widths.
COMPARED = 8
# How far the truth of one umpire is shifted, beyond any bound and any late wake: this shows that it sees violations.
SHIFT_NS = -10 * lab.S
DELAYS = 'there_us=3000', 'back_us=50', 'jitter_us=300'
LIE_NS = 100 * MS

CONFIG = '''
server 127.0.0.1 port {port} iburst minpoll 0 maxpoll 0
bindcmdaddress {socket}
pidfile {folder}/chronyd.pid
'''


def start_server(rig, offset_ns=OFFSET_NS):
    lab.run('ip', 'link', 'set', 'lo', 'up')
    rig.truth('make', f'offset_ns={offset_ns}', f'rate_ppb={TRUTH_PPB}')
    rig.start('truthd', 'serve', rig.path('truth'), '127.0.0.1:11123', ready=True)


def chronyd(rig, port=11123, socket=None):
    """Starts it; it serves commands on 127.0.0.1:323, as it does by default, and by a socket."""
    with open(rig.path('chrony.conf'), 'w', encoding='ascii') as f:
        f.write(CONFIG.format(folder=rig.folder, port=port, socket=socket or rig.path('chronyd.sock')))
    with open(rig.path('chronyd.log'), 'a', encoding='ascii') as log:
        return rig.start('chronyd', '-x', '-d', '-u', 'root', '-f', rig.path('chrony.conf'), stdout=log, stderr=log)


def said_by_chronyc(report):
    return subprocess.run(['chronyc', '-n', '-c', '-h', '127.0.0.1', report], stdout=subprocess.PIPE, text=True,
                          check=True, timeout=lab.LIMIT_S).stdout.strip().split(',')


def tracking():
    """What chronyd says of the moment, in nanoseconds: its correction of the clock, root delay and dispersion; and of
    its one server's latest measurement: its error and its age, rounded down to a second."""
    clock, server = said_by_chronyc('tracking'), said_by_chronyc('sources')
    return {'correction': float(clock[4]) * lab.S, 'delay': float(clock[10]) * lab.S,
            'dispersion': float(clock[11]) * lab.S, 'measured': server[8], 'error': float(server[9]) * lab.S,
            'since': int(server[6]) * lab.S}


def samples(line):
    """How many of chronyd's the wall has taken."""
    return line['sources']['chrony']['samples']


def refused(line):
    return line['sources']['chrony']['refused']


class Phases(lab.Case):
    """The lines of an umpire, by the phases of the run."""

    @classmethod
    def mark(cls, name):
        cls.at[name] = time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW)

    @classmethod
    def of(cls, phase, wall=None):
        """The lines from one mark to the next; wall: those of this one."""
        names = [*cls.at]
        start = cls.at[phase]
        end = cls.at[names[names.index(phase) + 1]] if phase != names[-1] else 1 << 62
        return [line for line in cls.lines if start < line['at_ns'] <= end and wall in (None, line['wall'])]

    @classmethod
    def states(cls, phase, wall=0):
        """In their order."""
        return [state for state, _ in itertools.groupby(line['state'] for line in cls.of(phase, wall))]

    @classmethod
    def with_shifted_truth(cls, *words):
        """The exit status and the lines of an umpire that reads a shifted truth."""
        with open(cls.rig.path('truth'), 'rb') as f, open(cls.rig.path('shifted'), 'wb') as g:
            g.write(f.read())
        lab.run(lab.PROGRAMS['truthd'], 'set', cls.rig.path('shifted'), f'offset_ns={SHIFT_NS}')
        umpire = lab.Umpire(cls.rig, *words, truth='shifted')
        umpire.process.wait(lab.LIMIT_S)
        return umpire.process.returncode, umpire.lines()

    @classmethod
    def report(cls):
        for name in cls.at:
            lines = [line for line in cls.of(name) if line['intervals']]
            if lines:
                print(f'# {name}: {sum(line["intervals"] for line in lines)} intervals,',
                      f'{min(line["width_min_ns"] for line in lines) / 1e6:.3f} to',
                      f'{max(line["width_max_ns"] for line in lines) / 1e6:.3f} ms')


class Killed(Phases):
    @classmethod
    def record(cls):
        rig, cls.at = cls.rig, {}
        start_server(rig)
        cls.umpire = lab.Umpire(rig, f'sources={lab.SOURCE.CHRONY}', f'update_ms={UPDATE_MS}', 'second_update_ms=1000',
                                f'max_age_ms={MAX_AGE_MS}', f'line_ms={LINE_MS}')
        cls.umpire.wait_for(lambda line: True, 'a line')
        cls.mark('started')
        daemon = chronyd(rig)
        cls.wait_for('synced')
        cls.mark('synced')
        cls.compare_widths()
        cls.shifted = cls.with_shifted_truth(f'sources={lab.SOURCE.CHRONY}', 'seconds=1')
        cls.mark('silenced')
        rig.truth('set', 'is_silent=1')
        # After eight of chronyd's latest interval between measurements, which is longer where an exchange was lost.
        cls.wait_for('holdover')
        cls.mark('back')
        rig.truth('set', 'is_silent=0')
        cls.wait_for('synced')
        daemon.kill()
        daemon.wait(lab.LIMIT_S)
        cls.mark('killed')
        cls.wait_for('stale', lambda line: not line['intervals'])
        cls.mark('end')
        cls.lines = cls.umpire.end()
        cls.report()

    @classmethod
    def wait_for(cls, state, condition=lambda line: True):
        """Each wall has a line with this state that fulfils the condition."""
        for wall in 0, 1:
            cls.umpire.wait_for(lambda line, wall=wall: (line['wall'], line['state']) == (wall, state) and
                                condition(line), f'wall {wall} is {state}')

    @classmethod
    def compare_widths(cls):
        """What chronyd says, the width of the wall's intervals from an update after that on, and what it says then. It
        measures once a second; where it did so between the two, which of them the update saw is not known."""
        cls.umpire.wait_for(lambda line: line['intervals'] and line['width_max_ns'] < MS, 'measurements enough')
        cls.compared, end = [], time.monotonic() + lab.LIMIT_S
        while len(cls.compared) < COMPARED and time.monotonic() < end:
            before = tracking()
            n = samples(cls.umpire.wait_for(lambda line: not line['wall'], 'a line'))
            line = cls.umpire.wait_for(lambda line, n=n: not line['wall'] and samples(line) > n, 'an update')
            after = tracking()
            if before['measured'] == after['measured']:
                cls.compared.append((before, after, line))

    def test_each_interval_holds_the_truth(self):
        self.assert_honest(self.lines)
        for wall in 0, 1:
            self.assert_all_checked([line for line in self.lines if line['wall'] == wall])

    def test_no_sample_contradicts_another(self):
        """Nothing is refused either, unless chronyd itself says that it is not synchronised: it has lost its server
        after eight polls, at about the time when the walls notice that."""
        for wall in 0, 1:
            lines = [line for line in self.lines if line['wall'] == wall]
            last = lines[-1]
            self.assertEqual((last['contradictions'], last['disruptions'], last['generation']), (0, 0, 1), last)
            for before, line in zip(lines, lines[1:]):
                # Where one was taken after that and before the line, there is no reason left to see.
                if refused(line) > refused(before) and samples(line) == samples(before):
                    self.assertEqual(line['sources']['chrony']['reason'], lab.REASON.UNSYNCED, line)
                    self.assertTrue(line in self.of('silenced') or line in self.of('back'), line)

    def test_no_bound_without_chronyd(self):
        first = self.lines[0]
        self.assertEqual((first['state'], first['intervals'], first['again']), ('none', 0, first['reads']), first)
        self.assertEqual(first['sources']['chrony']['reason'], lab.REASON.ABSENT, first)

    def test_width_is_what_was_measured(self):
        """And what the rates may have added since."""
        self.assertEqual(len(self.compared), COMPARED)
        for before, after, line in self.compared:
            limit = 2.1 * after['error'] + WIDENING * (after['since'] + lab.S + line['age_ns'])
            self.assertLessEqual(line['width_min_ns'], limit, (before, after, line))

    def test_the_correction_is_no_error(self):
        """ClockBound takes the whole correction for an error, on both sides: at least half of that is spared."""
        self.assertEqual(len(self.compared), COMPARED)
        for said, _, line in self.compared:
            self.assertGreater(abs(said['correction']), OFFSET_NS / 2, said)
            around = 2 * (abs(said['correction']) + said['delay'] / 2 + said['dispersion'])
            self.assertLessEqual(line['width_max_ns'], around - abs(said['correction']), (said, line))

    def test_an_umpire_with_another_truth_sees_violations(self):
        status, lines = self.shifted
        self.assertEqual(status, 1)
        self.assertEqual(self.total(lines, 'outside'), self.total(lines, 'intervals'))
        for key in 'outside', 'past_outside', 'surely_wrong', 'waits_early':
            self.assertGreater(self.total(lines, key), 0, key)

    def test_silence_widens_and_is_noticed(self):
        for wall in 0, 1:
            self.assertEqual(self.states('silenced', wall), ['synced', 'holdover'])
            # An interval is narrowest just after an update, and in two seconds each wall has some.
            lines = [line for line in self.of('silenced', wall) if line['intervals']]
            first_ns, last_ns = lines[0]['at_ns'], lines[-1]['at_ns']
            at_first = min(line['width_min_ns'] for line in lines if line['at_ns'] <= first_ns + 2 * lab.S)
            at_last = min(line['width_min_ns'] for line in lines if line['at_ns'] >= last_ns - 2 * lab.S)
            self.assertGreater(at_last, at_first)

    def test_synchronised_again(self):
        self.assertEqual(self.states('back')[-1], 'synced')

    def test_a_killed_daemon_is_noticed(self):
        """Widths grow, and end by max_age_ns. Before that is holdover, after eight of the intervals between the latest
        two samples: the second wall is updated so seldom that they are longer than max_age_ns, and where an update or
        two are lost just before, the first one's may be as long."""
        for wall in 0, 1:
            states = ['synced', 'holdover', 'stale']
            if wall or self.states('killed', wall) != states:
                states.remove('holdover')
                self.assertGreater(8 * self.latest_interval_ns(wall), (MAX_AGE_MS - 2 * LINE_MS) * MS)
            self.assertEqual(self.states('killed', wall), states)
            last = self.of('killed', wall)[-1]
            self.assertEqual((last['intervals'], last['again']), (0, last['reads']), last)
            self.assertEqual(last['sources']['chrony']['reason'], lab.REASON.ABSENT, last)
            widths = [line['width_max_ns'] for line in self.of('killed', wall)[2:] if line['intervals']]
            self.assertEqual(widths, sorted(widths))
            self.assertGreater(widths[-1], widths[0])

    def latest_interval_ns(self, wall):
        """By the lines, between a wall's latest two samples. A sample's age is taken before its line's time."""
        taken_ns = {}
        for line in self.lines:
            if line['wall'] == wall and samples(line):
                taken_ns.setdefault(samples(line), []).append(line['at_ns'] - line['age_ns'])
        before, last = [min(taken_ns[n]) for n in sorted(taken_ns)[-2:]]
        return last - before


class Asymmetric(Phases):
    @classmethod
    def record(cls):
        rig, cls.at = cls.rig, {}
        start_server(rig)
        rig.start('relay', '127.0.0.1:11124', '127.0.0.1:11123', *DELAYS, ready=True)
        umpire = lab.Umpire(rig, f'sources={lab.SOURCE.CHRONY}', f'update_ms={UPDATE_MS}', 'line_ms=250')
        cls.mark('started')
        chronyd(rig, 11124)
        umpire.wait_for(lambda line: line['state'] == 'synced' and line['width_max_ns'] < 10 * MS, 'a good bound')
        cls.mark('synced')
        time.sleep(6)
        cls.mark('lying')
        rig.truth('set', f'lie_ns={LIE_NS}')
        umpire.wait_for(lambda line: line['outside'], 'a false interval')
        cls.mark('end')
        cls.lines = umpire.end()
        cls.report()

    def honest(self):
        return self.of('started') + self.of('synced')

    def test_each_interval_holds_the_truth(self):
        self.assert_honest(self.honest())
        self.assert_all_checked(self.honest())

    def test_no_sample_contradicts_another(self):
        self.assertEqual(self.honest()[-1]['contradictions'], 0)

    def test_half_the_width_would_not_do(self):
        """The truth is where it makes a difference."""
        lines = self.of('synced')
        self.assertGreater(self.total(lines, 'outside_half'), self.total(lines, 'intervals') / 2)

    def test_a_lie_is_a_contradiction_before_it_is_believed(self):
        lines = self.of('lying')
        states = self.states('lying')
        self.assertIn('contradicted', states, states)
        until = [line['state'] for line in lines].index('contradicted')
        self.assert_honest(lines[:until])
        self.assertGreater(lines[-1]['contradictions'], 0)
        self.assertGreater(self.total(lines[until:], 'outside') + self.total(self.of('end'), 'outside'), 0)


if __name__ == '__main__':
    lab.enter_namespaces()
    lab.needs('ip', 'chronyd', 'chronyc')
    lab.main()
