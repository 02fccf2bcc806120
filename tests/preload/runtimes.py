# SPDX-License-Identifier: MIT
"""runtimes.py OBJECT STEPS [NAME=PATH...]: waits of programs whose runtimes have signals of their own."""
import os
import signal
import subprocess
import time

import lab
import tally

HERE = os.path.dirname(os.path.abspath(__file__))
CHOICES = ['waits=1', 'waits=1,policy=4,budget=100,least=0']
LIMIT_S = 200


class Case(tally.Case):
    def build(self, *words, **env):
        base = {**lab.clean_env(), 'HOME': self.folder, **env}
        done = subprocess.run(words, env=base, capture_output=True, text=True, timeout=LIMIT_S, check=False)
        if done.returncode:
            self.skipTest(f'{words[0]} cannot build here: {done.stderr[-200:]}')

    def env(self, choices):
        self.make()
        return {**lab.clean_env(), **({'LD_PRELOAD': self.object} if choices else {}), 'HPT_RUN': choices or '',
                'HPT_RUN_STATS': self.file}

    def output(self, *words, choices=None):
        done = subprocess.run(words, env=self.env(choices), capture_output=True, text=True, timeout=LIMIT_S,
                              check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ''), (words, choices))
        return done.stdout


class Go(Case):
    def built(self, source, cgo):
        program = self.path('program')
        self.build(self.tool('go'), 'build', '-o', program, source, CGO_ENABLED=cgo, GO111MODULE='off',
                   GOTOOLCHAIN='local', GOFLAGS='', GOCACHE=self.path('cache'))
        return program

    def test_hand_overs_in_c(self):
        """SIGURG stops goroutines: it ends no wait that it does not end without the object."""
        program = self.built(os.path.join(HERE, 'handovers.go'), '1')
        for choices in None, *CHOICES:
            self.assertEqual(self.output(program, '300', choices=choices), 'taken 300 300 300\n', choices)
        self.assertLessEqual({'poll', 'sem_timedwait', 'pthread_cond_timedwait'}, set(self.by_call('served')))

    def test_a_static_program(self):
        program = self.built(os.path.join(HERE, '../programs/languages/sleeps.go'), '0')
        for choices in CHOICES:
            self.assertEqual(self.output(program, 'results', choices=choices), self.output(program, 'results'))
        self.assertEqual(self.by_call('served'), {})


class Java(Case):
    COUNT = 1000
    LAST = f'taken {COUNT}, parked {COUNT}, interrupted {COUNT // 10}'

    def command(self):
        self.build(self.tool('javac'), '-d', self.folder, os.path.join(HERE, 'Handovers.java'))
        return [self.tool('java'), '-Xmx64m', '-XX:+UseSerialGC', '-cp', self.folder, 'Handovers', str(self.COUNT)]

    def test_hand_overs(self):
        command = self.command()
        for choices in None, *CHOICES:
            self.assertEqual(self.output(*command, choices=choices).splitlines(), ['started', self.LAST], choices)
        self.assertIn('pthread_cond_timedwait', self.by_call('served'))

    def test_dumps_meanwhile(self):
        """SIGQUIT is for a list of all threads, which stand for that."""
        command = self.command()
        for choices in CHOICES:
            with open(self.path('output'), 'w+', encoding='utf-8') as f, \
                 subprocess.Popen(command, env=self.env(choices), stdout=f, stderr=f) as java:
                while 'started' not in self.text() and java.poll() is None:
                    time.sleep(0.01)
                while self.LAST not in self.text() and java.poll() is None:
                    java.send_signal(signal.SIGQUIT)
                    time.sleep(0.02)
                self.assertEqual(java.wait(), 0, choices)
            self.assertIn(self.LAST, self.text())
            self.assertIn('Full thread dump', self.text())

    def text(self):
        with open(self.path('output'), encoding='utf-8') as f:
            return f.read()


if __name__ == '__main__':
    lab.main()
