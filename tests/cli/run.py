# SPDX-License-Identifier: MIT
"""run.py HPT page=PAGE KIND=PROGRAM...: hpt run: what it gives to programs, and how it ends with them."""
import fcntl
import json
import os
import pty
import re
import resource
import signal
import struct
import subprocess
import sys
import termios
import time

import cli
from run_case import BASE, Case, KEYS, MS, NOBODY, SEEN, has_signal, hpt_run, mask, variables, wait_until


class Usage(Case):
    def test_wrong_usage_is_125(self):
        for args in ([], ['--'], ['--strict'], ['--foo', 'true'], ['-x', 'true'], ['--policy=x', 'true'],
                     ['--policy'], ['--max-spin=1', 'true'], ['--max-spin=-1ms', 'true'], ['--least=x', 'true'],
                     ['--least=5', 'true'], ['--budget=101', 'true'], ['--budget=-1', 'true'],
                     ['--budget=%', 'true'], ['--budget=', 'true'], ['--budget=1%%', 'true'],
                     ['--budget=' + '1' * 40 + '%', 'true'], ['--slack=0', 'true'], ['--slack=0ns', 'true'],
                     ['--slack=x', 'true'], ['--slack', '--', 'true'], ['--json', 'true'], ['-j', 'true'],
                     ['--stats=', 'true'], ['--waits=x', 'true'], ['--waits=', 'true'], ['--waits=al', 'true'],
                     ['--coarse', 'true'], ['--coarse=', 'true'], ['--coarse=x', 'true'],
                     ['--exclude=', 'true'], ['--exclude=/bin/true', 'true'], ['--exclude=a:b', 'true'],
                     ['--slice=keep', 'true'], ['--strict=1', 'true']):
            self.assertRegex(self.refuses(125, *args), r"^hpt: run: .*; see 'hpt help run'\n$")

    def test_options_end_at_the_program(self):
        self.assertEqual(self.runs('--no-preload', 'echo', '-x', '--strict', '--help', '--', 'y'),
                         b'-x --strict --help -- y\n')
        self.assertEqual(self.runs('--no-preload', '--', 'echo', '--', '-n'), b'-- -n\n')
        self.assertEqual(self.runs('--no-preload', 'echo', '-p', 'x'), b'-p x\n')

    def test_values(self):
        self.object()
        for args, words in (([], 'policy=0,max-spin=0,least=50000,budget=25,waits=1'),
                            (['--policy=strict'], 'policy=2,max-spin=0,least=50000,budget=25,waits=1'),
                            (['-p', 'nospin', '--max-spin=1.5ms', '--least=1us', '--budget=0'],
                             'policy=3,max-spin=1500000,least=1000,budget=0,waits=1'),
                            (['--least=0', '--budget=100%', '--max-spin', '0'],
                             'policy=0,max-spin=0,least=0,budget=100,waits=1'),
                            (['--budget=' + '0' * 40 + '7%'], 'policy=0,max-spin=0,least=50000,budget=7,waits=1'),
                            (['--waits=none', '--waits'], 'policy=0,max-spin=0,least=50000,budget=25,waits=1'),
                            (['--waits=all'], 'policy=0,max-spin=0,least=50000,budget=25,waits=1'),
                            (['--waits', '--waits=none'], 'policy=0,max-spin=0,least=50000,budget=25,waits=0'),
                            (['--waits=ms'], 'policy=0,max-spin=0,least=50000,budget=25,waits=2')):
            found = variables(self.runs(*args, 'env'))['HPT_RUN']
            self.assertEqual(re.sub(r',quota=\d+$', '', found), words) # this test may run under a quota

    def test_coarse_clocks(self):
        path = self.object()
        for args, kind, name in (([], 'coarse', path), (['--coarse=keep'], 'coarse', path),
                                 (['--coarse=fine'], 'fine', path.replace('preload.so', 'preload-coarse.so'))):
            self.assertEqual(self.runs(*args, SEEN, 'coarse').decode(), f'{kind} {kind}\n')
            self.assertEqual(variables(self.runs(*args, 'env'))['LD_PRELOAD'], name)
        self.assertEqual(self.report('--coarse=fine', SEEN, 'usleep', '3', '1000')['served']['usleep'], 3)
        self.assertEqual(self.runs(cli.HPT, 'run', '--coarse=fine', SEEN, 'coarse'), b'fine fine\n')

    def test_json_before_the_command(self):
        p = subprocess.run([cli.HPT, '-j', 'run', '--stats', SEEN], env=BASE, stderr=subprocess.PIPE, check=True)
        self.assertEqual(list(json.loads(p.stderr)), KEYS)


class Environment(Case):
    def test_what_a_program_gets(self):
        path = self.object()
        v = variables(self.runs('env', env={'X': 'y'}))
        self.assertEqual(v['LD_PRELOAD'], path)
        self.assertEqual(v['X'], 'y')
        self.assertNotIn('HPT_RUN_STATS', v)
        self.assertEqual(v['HPT_RUN_SLACK'], str(self.slack()))

    def test_nothing_else_gets_into_the_environment(self):
        self.object()
        bare = variables(subprocess.run(['env'], env=BASE, stdout=subprocess.PIPE, check=True).stdout)
        for args, names in (([], {'LD_PRELOAD', 'HPT_RUN', 'HPT_RUN_SLACK', 'HPT_RUN_CROWD'}),
                            (['--stats=/dev/null'], {'LD_PRELOAD', 'HPT_RUN', 'HPT_RUN_SLACK', 'HPT_RUN_CROWD',
                                                   'HPT_RUN_STATS'}),
                            (['--no-preload'], {'HPT_RUN_SLACK'}), (['--no-preload', '--slack=keep'], set())):
            for command in ['env'], ['sh', '-c', 'env | cat']:
                v = variables(self.runs(*args, *command))
                mine = {name for name in {**v, **bare} if v.get(name) != bare.get(name)}
                self.assertEqual(mine - {'_', 'SHLVL', 'PWD', 'OLDPWD'}, names, (args, command))

    def slack(self):
        return int(subprocess.run([SEEN, 'slack'], env=BASE, stdout=subprocess.PIPE, check=True).stdout)

    def test_other_objects_stay_first(self):
        path = self.object()
        for before, after in (('libm.so.6', f'libm.so.6:{path}'), ('', path), ('libm.so.6 libdl.so.2',
                              f'libm.so.6 libdl.so.2:{path}'), (f'{path}:libm.so.6', f'{path}:libm.so.6')):
            p = hpt_run('env', env={'LD_PRELOAD': before})
            self.assertEqual(variables(p.stdout)['LD_PRELOAD'], after)

    def test_slack(self):
        for args, ns in (([], 1), (['--slack=1ns'], 1), (['--slack=7us'], 7000), (['--slack=5s'], 5 * 10**9),
                         (['--slack=keep'], self.slack())):
            self.assertEqual(int(self.runs('--no-preload', *args, SEEN, 'slack')), ns)
            self.assertEqual(int(hpt_run('--no-preload', '--stats=/dev/null', *args, SEEN, 'slack').stdout), ns)

    def test_the_first_slack_is_noted(self):
        before = self.slack()
        v = variables(self.runs('--no-preload', '--slack=3us', cli.HPT, 'run', '--no-preload', 'env'))
        self.assertEqual(v['HPT_RUN_SLACK'], str(before))
        v = variables(self.runs('--no-preload', '--slack=keep', 'env'))
        self.assertNotIn('HPT_RUN_SLACK', v)
        v = variables(self.runs('--no-preload', '--slack=keep', 'env', env={'HPT_RUN_SLACK': '7'}))
        self.assertEqual(v['HPT_RUN_SLACK'], '7')
        v = variables(self.runs('--no-preload', 'env', env={'HPT_RUN_SLACK': 'x'}))
        self.assertEqual(v['HPT_RUN_SLACK'], str(before))

    def test_a_slack_of_seconds_is_noted(self):
        v = variables(self.runs('--no-preload', '--slack=5s', 'env', cli.HPT, 'run', '--no-preload', 'env',
                                env={'HPT_RUN_SLACK': None}))
        self.assertEqual(v['HPT_RUN_SLACK'], str(self.slack()))
        p = subprocess.run([cli.HPT, 'run', '--no-preload', '--slack=5s', 'env', '-u', 'HPT_RUN_SLACK', cli.HPT, 'run',
                            '--no-preload', 'env'], env=BASE, stdout=subprocess.PIPE, check=True)
        if struct.calcsize('l') == 8:
            self.assertEqual(variables(p.stdout)['HPT_RUN_SLACK'], str(5 * 10**9))

    def test_without_the_object(self):
        v = variables(self.runs('--no-preload', 'env', env={'HPT_PRELOAD': '/nonexistent'}))
        self.assertFalse({'LD_PRELOAD', 'HPT_RUN', 'HPT_RUN_STATS'} & set(v))
        self.assertIn('HPT_RUN_SLACK', v)

    def test_nested(self):
        path = self.object()
        v = variables(self.runs('--budget=50', cli.HPT, 'run', '--budget=60', 'env'))
        self.assertEqual(v['LD_PRELOAD'], path)
        self.assertIn('budget=60', v['HPT_RUN'])
        v = variables(self.runs('--budget=50', cli.HPT, 'run', '--no-preload', 'env'))
        self.assertIn('budget=50', v['HPT_RUN'])

    def test_nothing_leaks(self):
        """Descriptors, blocked and ignored signals are the caller's."""
        def prepare():
            signal.signal(signal.SIGPIPE, signal.SIG_IGN)
            signal.signal(signal.SIGCHLD, signal.SIG_IGN)
            signal.signal(signal.SIGHUP, signal.SIG_IGN)
            signal.pthread_sigmask(signal.SIG_SETMASK, {signal.SIGUSR2, signal.SIGTERM})

        def plainly():
            # A shell's background job ignores INT and QUIT.
            for number in signal.SIGPIPE, signal.SIGCHLD, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT:
                signal.signal(number, signal.SIG_DFL)

        options = [[], ['--stats=/dev/null'], ['--stats', '--json']]
        if os.access('/dev/cpu_dma_latency', os.W_OK):
            options.append(['--low-latency'])
        for args in options:
            hpt_run(*args, SEEN, 'descriptors', self.path('fds'), close_fds=True)
            with open(self.path('fds'), encoding='ascii') as f:
                self.assertEqual(f.read().split(), ['0', '1', '2'], args)
            text = hpt_run(*args, SEEN, 'signals', preexec_fn=prepare, restore_signals=False).stdout
            ignored, blocked = mask(text, 'SigIgn'), mask(text, 'SigBlk')
            for number in signal.SIGPIPE, signal.SIGCHLD, signal.SIGHUP:
                self.assertTrue(has_signal(ignored, number), (args, number))
            self.assertEqual(blocked, 1 << (signal.SIGUSR2 - 1) | 1 << (signal.SIGTERM - 1), args)
            text = hpt_run(*args, SEEN, 'signals', preexec_fn=plainly).stdout
            self.assertEqual((mask(text, 'SigIgn'), mask(text, 'SigBlk')), (0, 0), args)

    def test_closed_streams_stay_closed(self):
        for closed in range(3):
            for args in [], ['--stats=/dev/null']:
                hpt_run(*args, SEEN, 'descriptors', self.path('fds'), preexec_fn=lambda n=closed: os.close(n))
                with open(self.path('fds'), encoding='ascii') as f:
                    self.assertEqual(f.read().split(), [str(n) for n in range(3) if n != closed], (closed, args))

    def test_the_process_is_the_program(self):
        with subprocess.Popen([cli.HPT, 'run', '--no-preload', 'sleep', '100'], env=BASE) as p:
            def is_sleep():
                with open(f'/proc/{p.pid}/comm', encoding='ascii') as f:
                    return f.read() == 'sleep\n'
            wait_until(is_sleep)
            p.kill()

    def test_slice(self):
        p = subprocess.run([SEEN, 'slice'], stdout=subprocess.PIPE, check=True)
        for args in [], ['--stats=/dev/null'], ['--strict']:
            q = hpt_run('--no-preload', *args, SEEN, 'slice')
            self.assertEqual((q.stdout, q.stderr), (p.stdout, b''))
        if int(p.stdout):
            for args in ['--slice'], ['--slice', '--stats=/dev/null'], ['--slice', '--strict']:
                q = hpt_run('--no-preload', *args, SEEN, 'slice')
                self.assertEqual((q.stdout, q.stderr), (b'100000\n', b''))
        else:
            self.runs_without('the time slice cannot be set', '--no-preload', '--slice', SEEN)

    def test_low_latency(self):
        if not os.access('/dev/cpu_dma_latency', os.R_OK | os.W_OK):
            self.assertIn('/dev/cpu_dma_latency', self.refuses(125, '--low-latency', 'touch', self.path('run')))
            self.assertFalse(os.path.exists(self.path('run')))
            return
        text = self.runs('--no-preload', '--low-latency', 'cat', '/dev/cpu_dma_latency')
        self.assertEqual(int.from_bytes(text[:4], sys.byteorder), 0)

    def test_low_latency_without_permission(self):
        self.let_others_in()
        p = hpt_run('--no-preload', '--low-latency', 'echo', user=NOBODY, group=NOBODY, extra_groups=[])
        self.assertEqual((p.returncode, p.stdout), (125, b''))
        self.assertRegex(p.stderr.decode(), r'^hpt: run: .*/dev/cpu_dma_latency: \w.*\n$')


class Ends(Case):
    OPTIONS = [], ['--stats=/dev/null'], ['--no-preload'], ['--no-preload', '--stats=/dev/null']

    def test_status(self):
        for args in self.OPTIONS:
            for status in 0, 1, 77, 125, 126, 127, 255:
                p = hpt_run(*args, SEEN, 'exit', str(status))
                self.assertEqual((p.returncode, p.stderr, p.stdout), (status, b'', b''))

    def test_signals(self):
        for args in self.OPTIONS:
            for number in signal.SIGTERM, signal.SIGKILL, signal.SIGSEGV, signal.SIGPIPE, signal.SIGINT, signal.SIGUSR1:
                self.assertEqual(hpt_run(*args, SEEN, 'raise', str(int(number)), cwd=self.folder).returncode, -number)

    def test_no_core_of_its_own(self):
        pid = os.fork()
        if not pid:
            resource.setrlimit(resource.RLIMIT_CORE, [resource.getrlimit(resource.RLIMIT_CORE)[1]] * 2)
            os.chdir(self.folder)
            os.execve(cli.HPT, [cli.HPT, 'run', '--no-preload', '--stats=/dev/null', SEEN, 'raise', '11'], BASE)
        status = os.waitpid(pid, 0)[1]
        self.assertEqual((os.WTERMSIG(status), os.WCOREDUMP(status)), (11, False))

    def test_programs_that_cannot_be_run(self):
        for args in self.OPTIONS:
            self.assertEqual(self.refuses(127, *args, '/nonexistent/x'),
                             'hpt: run: /nonexistent/x: No such file or directory\n')
            self.assertEqual(self.refuses(126, *args, '/etc/passwd'),
                             'hpt: run: /etc/passwd: Permission denied\n')

    def test_an_interpreter_that_is_not_there(self):
        script = self.file('script', b'#!/nonexistent/x\n')
        loop = self.path('loop')
        self.file('loop', f'#!{loop}\n'.encode())
        for args in self.OPTIONS:
            self.assertIn('its interpreter', self.refuses(127, *args, script))
            self.assertIn("scripts are each other's interpreters", self.refuses(126, *args, loop))
        p = hpt_run('--no-preload', self.kind('musl'))
        self.assertIn(b'its dynamic linker', p.stderr)

    def test_a_parent_of_the_deadline_class(self):
        """Linux refuses its fork, unless the child loses the class."""
        chrt = self.deadline()
        command = ['run', '--no-preload', '--stats=' + self.path('report'), SEEN, 'exit', '7']
        p = subprocess.run([*chrt, cli.HPT, *command], env=BASE, stderr=subprocess.PIPE, check=False)
        self.assertEqual(p.returncode, 125)
        self.assert_one_line(p.stderr)
        self.assertRegex(p.stderr, b'^hpt: run: no process can be made: .*SCHED_FLAG_RESET_ON_FORK.*chrt -R')
        for way in ([chrt[0], '-R', *chrt[1:], cli.HPT, *command], [cli.HPT, *command[:3], *chrt, *command[3:]],
                    [*chrt, cli.HPT, 'run', '--no-preload', *command[3:]]):
            p = subprocess.run(way, env=BASE, stderr=subprocess.PIPE, check=False)
            self.assertEqual((p.returncode, p.stderr), (7, b''), way)

    def test_a_limit_on_processes(self):
        self.let_others_in()

        def others():
            resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))
            os.setgroups([])
            os.setgid(NOBODY)
            os.setuid(NOBODY)

        p = hpt_run('--no-preload', '--stats', SEEN, preexec_fn=others)
        self.assertEqual((p.returncode, p.stdout), (125, b''))
        self.assert_one_line(p.stderr)
        self.assertIn(b'(ulimit -u)', p.stderr)

    def test_no_descriptors(self):
        p = hpt_run('--no-preload', '--stats', SEEN,
                    preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (4, 4)))
        self.assertEqual((p.returncode, p.stderr), (125, b'hpt: run: no pipe can be made: Too many open files\n'))

    def test_ignored_sigchld(self):
        """The kernel then forgets children as they end."""
        p = hpt_run('--stats=/dev/null', SEEN, 'exit', '7',
                    preexec_fn=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN))
        self.assertEqual(p.returncode, 7)

    def test_children_of_the_caller(self):
        for other in '0.05', '0.6':
            p = subprocess.run(['sh', '-c', f'sleep {other} & exec "$@"', 'sh', cli.HPT, 'run', '--stats=' +
                                self.path('report'), '--json', SEEN, 'usleep', '3', '100000'], env=BASE, check=False,
                               stdout=subprocess.DEVNULL)
            self.assertEqual(p.returncode, 0)
            with open(self.path('report'), encoding='utf-8') as f:
                self.assertGreaterEqual(json.load(f)['wall_ns'], 300 * MS)

    def start(self, **kw):
        """A program that counts signals until SIGUSR2."""
        p = subprocess.Popen([cli.HPT, 'run', '--stats=' + self.path('report'), '--json', SEEN, 'await'], env=BASE,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0, **kw)
        self.addCleanup(p.kill)
        self.assertEqual(p.stdout.readline(), b'ready\n')
        return p

    def child_of(self, pid):
        with open(f'/proc/{pid}/task/{pid}/children', encoding='ascii') as f:
            return int(f.read())

    def counts(self, p):
        """Of SIGINT, SIGUSR1, SIGTERM, SIGHUP, SIGQUIT and SIGUSR2."""
        out, err = p.communicate(timeout=cli.LIMIT)
        self.assertEqual((p.returncode, err), (0, b''))
        return [int(n) for n in out.replace(b'!', b'').split()]

    def handled(self, p):
        """Wait until the program handled a signal: two of a kind are one while the first is pending."""
        self.assertEqual(p.stdout.read(1), b'!')

    def test_signals_to_the_parent_are_forwarded(self):
        p = self.start()
        for number in (signal.SIGINT, signal.SIGUSR1, signal.SIGUSR1, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT,
                       signal.SIGUSR2):
            p.send_signal(number)
            self.handled(p)
        self.assertEqual(self.counts(p), [1, 2, 1, 1, 1, 1])

    def test_signals_of_the_terminal_arrive_once(self):
        ours, theirs = pty.openpty()

        def own_terminal():
            os.setsid()
            fcntl.ioctl(theirs, termios.TIOCSCTTY, 0)

        p = self.start(stdin=theirs, preexec_fn=own_terminal)
        child = self.child_of(p.pid)
        for _ in range(10): # one that was sent on might meet the first while that is pending
            os.write(ours, b'\x03')
            self.handled(p)
        os.write(ours, b'\x1c')
        self.handled(p)
        time.sleep(0.3)
        os.kill(child, signal.SIGUSR2)
        self.assertEqual(self.counts(p), [10, 0, 0, 0, 1, 1])
        os.close(ours)
        os.close(theirs)

    def test_a_program_that_signals_its_group(self):
        """The parent is in it, and does not send the signal back."""
        p = hpt_run('--stats=/dev/null', SEEN, 'kill', str(int(signal.SIGTERM)), start_new_session=True)
        self.assertEqual(p.returncode, -signal.SIGTERM)
        p = hpt_run('--stats=/dev/null', SEEN, 'group', '20', start_new_session=True)
        self.assertEqual(p.stdout, b'!' * 20 + b' 20\n')

    def test_a_pipe_ends_when_the_program_closes_it(self):
        with subprocess.Popen([cli.HPT, 'run', '--stats=/dev/null', 'sh', '-c', 'exec >&-; sleep 20'], env=BASE,
                              stdout=subprocess.PIPE, start_new_session=True) as p:
            self.assertEqual(p.stdout.read(), b'')
            time.sleep(0.2)
            self.assertIsNone(p.poll())
            os.killpg(p.pid, signal.SIGKILL)

    def test_a_stopped_program_goes_on(self):
        p = self.start()
        child = self.child_of(p.pid)
        os.kill(child, signal.SIGSTOP)
        os.kill(child, signal.SIGCONT)
        os.kill(p.pid, signal.SIGUSR2)
        self.assertEqual(self.counts(p)[-1], 1)


cli.main()
