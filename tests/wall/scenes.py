# SPDX-License-Identifier: MIT
"""chronyd with an ordinary chrony.conf and honest servers, in scenes that make its own statements false: the root delay
and dispersion of its reports. All scenes run at once, in one network, each with a truth, servers, chronyd and umpire of
its own. chronyd leaves the system's clock alone (-x), so its correction stays pending.

hold: the servers fall silent, and then the counter's rate changes. combined: four servers, with all of their networks'
delays on the way there. clock: a reference clock that is 5 ms wrong. delay: the same, with a delay that says so.
restarts: chronyd is killed and started again. commands: the operator's, by chronyc, with a clock set by hand.

Wander: the rate of the counter changes between the polls, and chronyd's regression goes on by the old one.

Late: chronyd shows measurements a poll or two late, with "xleave" that of the exchange before, with "filter" a mean."""
import itertools
import os
import socket
import struct
import subprocess
import threading
import time

import lab

MS = 1_000_000
OFFSET_NS, RATE_PPB = 4 * MS, 20_000
# Within the wander of 15 ppm that a wall assumes.
OTHER_RATE_PPB = 33_000
# How wrong the reference clock is. With the delay of twice that, its statement is true.
BIAS_S, DELAY_S = 0.005, 0.0101
# struct sock_sample of chrony's refclock_sock.c: timeval, offset, pulse, leap, padding, "SOCK".
SAMPLE = struct.Struct('=qqdiiii')
SAMPLE_MAGIC = 0x534f434b
LEARN_S, HOLD_S = 15, 60
# Rates of the counter, and how long each lasts: within the wander of the one before.
WANDERS = (RATE_PPB, 200), (28_000, 60), (RATE_PPB, 60), (13_000, 100)
WANDER_POLL = 4
# Back and forth, within the wander, for so long each. The server's delay is on the way there, so that the truth is near
# an end of what a measurement allows.
LATE_RATES_PPB, LATE_S, LATE_TIMES = (RATE_PPB + 13_000, RATE_PPB - 13_000), 50, 6
LATE_POLL, LATE_THERE_US = 4, 2000
# The share of reads without a bound, once there was one.
AGAIN_MAX = 0.01

SERVER = 'server {ip} port {port} iburst minpoll {poll} maxpoll {poll}{words}\n'
BY_HAND = 'manual\nlocal stratum 12\n'
CONFIG = '''
cmdport {port}
bindcmdaddress 127.0.0.1
bindcmdaddress {folder}/control/chronyd.sock
pidfile {folder}/chronyd.pid
'''


class Scene:
    number = itertools.count(1)

    def __init__(self, rig, name, config=None, delays=None, poll=0, words='', more=''):
        """config: of a reference clock, instead of servers. delays: of relays' words for several servers. words: of
        each server's line. more: lines of the configuration."""
        self.rig, self.name, self.said, self.daemon, self.poll, self.words = rig, name, [], None, poll, words
        self.n = next(Scene.number)
        self.folder = rig.path(name)
        os.mkdir(self.folder)
        os.mkdir(self.path('control'), 0o750)
        lab.run(lab.PROGRAMS['truthd'], 'make', self.path('truth'), f'offset_ns={OFFSET_NS}', f'rate_ppb={RATE_PPB}')
        rig.start('truthd', 'serve', self.path('truth'), self.address(1), ready=True)
        self.config = (config or ''.join(self.servers(delays))) + more
        self.umpire = lab.Umpire(rig, f'sources={lab.SOURCE.CHRONY}', f'chrony=127.0.0.1:{self.port}', 'update_ms=250',
                                 'line_ms=500', truth=os.path.join(name, 'truth'))
        self.start()

    def path(self, name):
        return os.path.join(self.folder, name)

    @property
    def port(self):
        return 10000 + self.n

    def address(self, k):
        return f'127.0.{self.n}.{k}:{self.port}'

    def servers(self, delays):
        if not delays:
            yield self.server(1)
        for k, there_us in enumerate(delays or (), 2):
            self.rig.start('relay', self.address(k), self.address(1), f'there_us={there_us}', 'back_us=0', ready=True)
            yield self.server(k)

    def server(self, k):
        return SERVER.format(ip=f'127.0.{self.n}.{k}', port=self.port, poll=self.poll, words=self.words)

    def start(self):
        with open(self.path('chrony.conf'), 'w', encoding='ascii') as f:
            f.write(self.config + CONFIG.format(port=self.port, folder=self.folder))
        if os.path.exists(self.path('chronyd.pid')):
            os.unlink(self.path('chronyd.pid'))
        with open(self.path('chronyd.log'), 'a', encoding='ascii') as log:
            self.daemon = self.rig.start('chronyd', '-x', '-d', '-u', 'root', '-f', self.path('chrony.conf'),
                                         stdout=log, stderr=log)

    def kill(self):
        self.daemon.kill()
        self.daemon.wait(lab.LIMIT_S)
        self.rig.running.remove(self.daemon)

    def set(self, *words):
        lab.run(lab.PROGRAMS['truthd'], 'set', self.path('truth'), *words)

    def chronyc(self, *words):
        """Returns what it prints; a daemon that was killed answers nothing."""
        return subprocess.run(['chronyc', '-n', '-c', '-h', self.path('control/chronyd.sock'), *words],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False,
                              timeout=lab.LIMIT_S).stdout.strip()

    def ahead_ns(self):
        """CLOCK_REALTIME less the truth."""
        text = subprocess.run([lab.PROGRAMS['truthd'], 'now', self.path('truth')], stdout=subprocess.PIPE, text=True,
                              check=True, timeout=lab.LIMIT_S).stdout
        return int(text.split('"realtime_ahead_ns": ')[1].rstrip('}\n'))

    def ask(self):
        """Notes whether chronyd's own statement is true, by a millisecond that this takes."""
        fields = self.chronyc('tracking').split(',')
        if len(fields) > 13 and fields[13] == 'Normal':
            off_s = self.ahead_ns() / lab.S + float(fields[4])
            self.said.append(abs(off_s) <= float(fields[10]) / 2 + float(fields[11]))

    def end(self):
        self.lines = self.umpire.end()


class Clock(threading.Thread):
    """Samples of a reference clock, for chronyd's socket."""

    def __init__(self, scene, path):
        super().__init__(daemon=True)
        self.scene, self.path, self.is_over = scene, path, threading.Event()

    def run(self):
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as s:
            while not self.is_over.wait(0.5):
                offset_s = BIAS_S - self.scene.ahead_ns() / lab.S
                now_us = time.clock_gettime_ns(time.CLOCK_REALTIME) // 1000
                sample = SAMPLE.pack(now_us // 10**6, now_us % 10**6, offset_s, 0, 0, 0, SAMPLE_MAGIC)
                try:
                    s.sendto(sample, self.path)
                except OSError:
                    pass # chronyd has not made it yet


def by_hand():
    """A person's idea of the time, two to three seconds ahead, which chronyd takes for the truth."""
    return time.strftime('%H:%M:%S', time.localtime(time.time() + 3))


class Scenic(lab.Case):
    """Scenes by name, in .of."""

    @classmethod
    def report(cls):
        for name, scene in cls.of.items():
            lines = [line for line in scene.lines if line['intervals']]
            outside = sum(line['outside'] for line in scene.lines)
            widths = [line['width_max_ns'] for line in lines]
            print(f'# {name}: {sum(line["intervals"] for line in lines)} intervals, {outside} without the truth,',
                  f'widest {max(widths, default=0) / 1e6:.3f} ms;',
                  f'{scene.said.count(False)} of chronyd\'s {len(scene.said)} statements false')

    def honest(self, name):
        """Its intervals hold the truth; from the first one on there is a bound nearly always."""
        lines = self.of[name].lines
        self.assert_honest(lines)
        self.assert_all_checked(lines)
        since = lines[[bool(line['intervals']) for line in lines].index(True) + 1:]
        self.assertLessEqual(self.total(since, 'again'), AGAIN_MAX * self.total(since, 'reads'),
                             [line for line in since if line['again']][:3])


class Scenes(Scenic):
    @classmethod
    def record(cls):
        lab.run('ip', 'link', 'set', 'lo', 'up')
        rig = cls.rig
        cls.of = {'hold': Scene(rig, 'hold'), 'combined': Scene(rig, 'combined', delays=(2000, 5500, 5500, 5500)),
                  'restarts': Scene(rig, 'restarts'), 'commands': Scene(rig, 'commands', more=BY_HAND)}
        cls.clocks = []
        for name, more in ('clock', ''), ('delay', f' delay {DELAY_S}'):
            path = rig.path(name + '.sock')
            scene = cls.of[name] = Scene(rig, name, config=f'refclock SOCK {path} poll 0 filter 1 refid GPS{more}\n')
            cls.clocks.append(Clock(scene, path))
        for clock in cls.clocks:
            clock.start()
        cls.play()
        for clock in cls.clocks:
            clock.is_over.set()
            clock.join()
        for scene in cls.of.values():
            scene.end()
        cls.report()

    @classmethod
    def play(cls):
        hold, commands = cls.of['hold'], cls.of['commands']
        for name in 'hold', 'combined', 'restarts', 'commands', 'delay':
            cls.of[name].umpire.wait_for(lambda line: line['state'] == 'synced' and line['intervals'],
                                         f'{name}: a bound')
        time.sleep(LEARN_S)
        hold.set('is_silent=1')
        hold.umpire.wait_for(lambda line: line['state'] == 'holdover', 'hold: the silence is noticed')
        hold.set(f'rate_ppb={OTHER_RATE_PPB}')
        words = [['makestep'], ['offline'], ['online'], ['reset', 'sources'], ['burst', '4/8'], ['reselect'],
                 ['refresh'], ['reselectdist', '0.001'], ['maxupdateskew', '10'], ['offline'], ['settime'], ['online'],
                 ['makestep']]
        end = time.monotonic() + HOLD_S
        for i in itertools.count():
            if time.monotonic() > end and i > len(words):
                return
            if i < len(words):
                commands.chronyc(*words[i], *([by_hand()] if words[i] == ['settime'] else []))
            if i % 3 == 0:
                cls.of['restarts'].kill()
                cls.of['restarts'].start()
            for scene in cls.of.values():
                scene.ask()
            time.sleep(HOLD_S / 15)

    def test_servers_that_fall_silent(self):
        self.honest('hold')
        self.assertIn(False, self.of['hold'].said)
        last = self.of['hold'].lines[-1]
        self.assertEqual((last['state'], last['intervals'], last['again']), ('holdover', last['reads'], 0), last)

    def test_servers_that_are_combined(self):
        self.honest('combined')
        self.assertIn(False, self.of['combined'].said)
        self.assertEqual(self.of['combined'].lines[-1]['contradictions'], 0)

    def test_reference_clock_has_no_bound(self):
        scene = self.of['clock']
        self.assertIn(False, scene.said)
        self.assertEqual(self.total(scene.lines, 'intervals'), 0)
        self.assertIn(lab.REASON.NO_BOUND, [line['sources']['chrony']['reason'] for line in scene.lines])

    def test_reference_clock_with_a_delay(self):
        """It is 10 ms wide: the umpire waits for narrower ones alone."""
        self.assert_honest(self.of['delay'].lines)
        self.assertGreater(self.total(self.of['delay'].lines, 'intervals'), 0)

    def test_restarts(self):
        self.honest('restarts')

    def test_commands(self):
        self.honest('commands')
        self.assertIn(False, self.of['commands'].said)


class Wander(Scenic):
    @classmethod
    def record(cls):
        lab.run('ip', 'link', 'set', 'lo', 'up')
        cls.of = {'wander': Scene(cls.rig, 'wander', poll=WANDER_POLL)}
        scene = cls.of['wander']
        scene.umpire.wait_for(lambda line: line['state'] == 'synced' and line['intervals'], 'a bound')
        for rate_ppb, seconds in WANDERS:
            scene.set(f'rate_ppb={rate_ppb}')
            end = time.monotonic() + seconds
            while time.monotonic() < end:
                scene.ask()
                time.sleep(1)
        scene.end()
        cls.report()

    def test_rates_that_change_between_polls(self):
        self.honest('wander')
        self.assertIn(False, self.of['wander'].said)


class Late(Scenic):
    @classmethod
    def record(cls):
        lab.run('ip', 'link', 'set', 'lo', 'up')
        late = {'xleave': (LATE_POLL, ' xleave'), 'filter': (LATE_POLL - 2, ' filter 8')}
        cls.of = {name: Scene(cls.rig, name, delays=[LATE_THERE_US], poll=poll, words=words)
                  for name, (poll, words) in late.items()}
        for name, scene in cls.of.items():
            scene.umpire.wait_for(lambda line: line['state'] == 'synced' and line['intervals'], f'{name}: a bound')
        time.sleep(LEARN_S)
        for i in range(LATE_TIMES):
            for scene in cls.of.values():
                scene.set(f'rate_ppb={LATE_RATES_PPB[i % 2]}')
            end = time.monotonic() + LATE_S
            while time.monotonic() < end:
                for scene in cls.of.values():
                    scene.ask()
                time.sleep(1)
        for scene in cls.of.values():
            scene.end()
        cls.report()

    def test_measurements_of_the_exchange_before(self):
        self.honest('xleave')

    def test_means_of_several(self):
        self.honest('filter')


if __name__ == '__main__':
    lab.enter_namespaces()
    lab.needs('ip', 'chronyd', 'chronyc')
    lab.main()
