# SPDX-License-Identifier: MIT
"""hpt wall with a real chronyd, and its advice on chrony.conf."""
import json
import os
import shutil
import subprocess
import time

import cli
from fake_chronyd import FakeChronyd
from own_network import OwnNetwork
from wall_case import MS, WallCase, clockbound_segment, nowhere


class Advice(WallCase):
    """Lines of chrony.conf, by what chronyd reports and by what is in the file."""

    def setUp(self):
        super().setUp()
        self.chronyd = FakeChronyd()
        self.addCleanup(self.chronyd.stop)
        self.args = [*nowhere(self.chronyd.address), '--chrony-conf', self.path('conf')]
        # Debian's.
        self.write('confdir ' + self.folder + '\npool 2.debian.pool.ntp.org iburst\nsourcedir /run/chrony-dhcp\n'
                   'driftfile /var/lib/chrony/chrony.drift\nmaxupdateskew 100.0\nrtcsync\nmakestep 1 3\n'
                   'leapsectz right/UTC\n')

    def write(self, text, name='conf'):
        with open(self.path(name), 'w', encoding='ascii') as f:
            f.write(text)

    def test_none_for_an_ordinary_daemon(self):
        self.assertEqual(self.wall(0, *self.args)['advice'], [])
        self.assertNotIn('Advice', self.tables(0, *self.args))
        self.chronyd.poll = 6
        self.assertEqual(self.wall(0, *self.args)['advice'], [])

    def test_of_a_name_that_is_mistyped(self):
        advice, = self.wall(0, *self.args, '--chrony-conf', self.path('mistyped'))['advice']
        self.assertIn('mistyped, which --chrony-conf names, cannot be read (No such file or directory)', advice)

    def test_of_polls(self):
        self.chronyd.poll = 10
        advice, = self.wall(0, *self.args)['advice']
        self.assertRegex(advice, '^127.0.0.1 is polled each 1024 s,')
        self.assertRegex(self.tables(0, *self.args), r"(?m)^Advice +127.0.0.1 is polled .* 'maxpoll 6'")
        self.assertEqual([len(a['advice']) for a in self.watch(0, *self.args, '--count=2', '--interval=1ms')], [1, 1])
        self.assertEqual(self.wall(0, *self.args, '--wander=100ppb')['advice'], [])

    def test_of_a_reference_clock(self):
        self.chronyd.mode, self.chronyd.delay_s = 2, 1e-9
        advice, = self.wall(3, *self.args)['advice']
        self.assertIn("add 'delay SECONDS'", advice)
        self.assertEqual(self.wall(0, *self.args, '--refclock-error=1ms')['advice'], [])

    def test_of_a_file(self):
        self.write('allow\nsmoothtime 400 0.01\n', 'more.conf')
        advice, = self.wall(0, *self.args)['advice']
        self.assertTrue(advice.endswith(f"'smoothtime' from {self.path('conf')} or a file that it includes"), advice)

    def test_of_what_clockbound_2_goes_by(self):
        with open(self.path('shm0'), 'wb') as f:
            f.write(clockbound_segment(MS))
        args = [*self.args, '--clockbound', self.path('shm0')]
        self.assertIn("add 'maxclockerror 50'", self.wall(0, *args)['advice'][0])
        self.write('maxclockerror 50\n', 'more.conf')
        self.assertEqual(self.wall(0, *args)['advice'], [])
        self.assertEqual(self.wall(0, *args, '--sources=clockbound')['advice'], [])

    def test_none_of_a_clockbound_that_does_not_go_by_it(self):
        with open(self.path('shm1'), 'wb') as f:
            f.write(clockbound_segment(MS))
        a = self.wall(0, *self.args, '--clockbound', self.path('shm1'))
        self.assertEqual((self.source(a, 'clockbound')['usable'], a['advice']), (True, []))
        self.assertEqual(self.wall(0, *self.args, '--clockbound=/nonexistent/shm0')['advice'], [])

    def test_none_of_another_address_that_nobody_answers_at(self):
        self.write('cmdport 0\n')
        self.assertEqual(self.wall(3, *nowhere(), '--chrony-conf', self.path('conf'))['advice'], [])

    def test_of_a_daemon_that_is_not_asked(self):
        self.chronyd.poll = 10
        self.assertEqual(self.wall(3, *self.args, '--sources=phc')['advice'], [])
        self.chronyd.is_silent = True
        self.assertEqual(self.wall(3, *self.args)['advice'], [])


class RealChronyd(WallCase):
    """Debian's chronyd at its default address, in a network of its own; it follows another one, which serves this
    machine's clock. Neither touches the clock."""

    SERVER = 'local stratum 1\nallow 127.0.0.0/8\nport 123\nbindaddress 127.0.0.1\ncmdport 0\n'
    CLIENT = 'server 127.0.0.1 iburst minpoll 0 maxpoll 0\nport 0\nbindcmdaddress 127.0.0.1\n'

    def setUp(self):
        super().setUp()
        self.path_of_daemon = shutil.which('chronyd', path=os.environ['PATH'] + ':/usr/sbin:/sbin')
        if not self.path_of_daemon or os.geteuid():
            self.skipTest('no chronyd, or not root')
        self.network = OwnNetwork()
        self.addCleanup(self.network.close)

    def start(self, name, config):
        with open(self.path(name), 'w', encoding='ascii') as f:
            f.write(f'{config}bindcmdaddress /\npidfile {self.path(name)}.pid\n')
        daemon = subprocess.Popen([self.path_of_daemon, '-x', '-d', '-u', 'root', '-f', self.path(name)],
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=self.network.enter)
        self.addCleanup(daemon.wait)
        self.addCleanup(daemon.terminate)
        return daemon

    def look(self):
        p = cli.run('wall', '--json', '--chrony-conf', self.path('client'), preexec_fn=self.network.enter)
        a = json.loads(p.stdout)
        self.assert_sound(a)
        self.assertEqual(p.returncode, 0 if a['has_bound'] else 3)
        return a

    def look_until(self, is_fine):
        end = time.monotonic() + cli.LIMIT
        while time.monotonic() < end:
            a = self.look()
            if is_fine(self.source(a, 'chrony')):
                return a
            time.sleep(0.1)
        raise AssertionError(a)

    def test_bound_comes_and_goes(self):
        absent = self.source(self.look(), 'chrony')
        self.assertEqual((absent['errno_name'], absent['path']), ('ECONNREFUSED', '127.0.0.1:323'))
        client = self.start('client', self.CLIENT)
        # Before this it may have its port and not answer yet.
        self.look_until(lambda s: "'chronyc sources'" in (s['advice'] or ''))
        self.start('server', self.SERVER)
        a = self.look_until(lambda s: s['usable'])
        # The server's time is CLOCK_REALTIME. Of its first answers chronyd is not sure to a second.
        self.assertTrue(a['realtime_ahead_min_ns'] <= 0 <= a['realtime_ahead_max_ns'], a)
        a = self.look_until(lambda s: s['usable'] and s['width_ns'] < 100 * MS)
        self.assertTrue(a['realtime_ahead_min_ns'] <= 0 <= a['realtime_ahead_max_ns'], a)
        self.assertEqual(a['advice'], [])
        client.terminate()
        client.wait()
        self.assertEqual(self.source(self.look(), 'chrony')['errno_name'], 'ECONNREFUSED')

    def test_a_daemon_that_cannot_be_asked(self):
        client = self.start('client', self.CLIENT + 'cmdport 0\n')
        self.assertEqual(self.look()['advice'],
                         [f"chronyd takes no questions by UDP: remove 'cmdport 0' from {self.path('client')}"])
        client.terminate()

    def test_a_server_by_its_own_clock(self):
        self.start('server', self.SERVER.replace('stratum 1', 'stratum 10'))
        self.start('client', self.CLIENT)
        a = self.look_until(lambda s: s['usable'])
        self.assertEqual(len(a['advice']), 1)
        self.assertIn('127.0.0.1 has stratum 10', a['advice'][0])


cli.main()
