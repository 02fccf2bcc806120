# SPDX-License-Identifier: MIT
"""run.py HPT page=PAGE KIND=PROGRAM...: hpt run: what it gives to programs, refuses and forwards."""
import fcntl
import json
import os
import pty
import re
import resource
import shutil
import signal
import struct
import subprocess
import sys
import termios
import time

import cli
from run_case import BASE, Case, FILES, KEYS, MS, NOBODY, OBJECT, SEEN, has_signal, hpt_run, mask, variables, wait_until


class Usage(Case):
    def test_wrong_usage_is_125(self):
        for args in ([], ['--'], ['--strict'], ['--foo', 'true'], ['-x', 'true'], ['--policy=x', 'true'],
                     ['--policy'], ['--max-spin=1', 'true'], ['--max-spin=-1ms', 'true'], ['--least=x', 'true'],
                     ['--least=5', 'true'], ['--budget=101', 'true'], ['--budget=-1', 'true'],
                     ['--budget=%', 'true'], ['--budget=', 'true'], ['--budget=1%%', 'true'],
                     ['--budget=' + '1' * 40 + '%', 'true'], ['--slack=0', 'true'], ['--slack=0ns', 'true'],
                     ['--slack=x', 'true'], ['--slack', '--', 'true'], ['--json', 'true'], ['-j', 'true'],
                     ['--stats=', 'true'], ['--slice=1', 'true'], ['--strict=1', 'true']):
            self.assertRegex(self.refuses(125, *args), r"^hpt: run: .*; see 'hpt help run'\n$")

    def test_options_end_at_the_program(self):
        self.assertEqual(self.runs('--no-preload', 'echo', '-x', '--strict', '--help', '--', 'y'),
                         b'-x --strict --help -- y\n')
        self.assertEqual(self.runs('--no-preload', '--', 'echo', '--', '-n'), b'-- -n\n')
        self.assertEqual(self.runs('--no-preload', 'echo', '-p', 'x'), b'-p x\n')

    def test_values(self):
        self.object()
        for args, words in (([], 'policy=0,max-spin=0,least=50000,budget=25'),
                            (['--policy=strict'], 'policy=2,max-spin=0,least=50000,budget=25'),
                            (['-p', 'nospin', '--max-spin=1.5ms', '--least=1us', '--budget=0'],
                             'policy=3,max-spin=1500000,least=1000,budget=0'),
                            (['--least=0', '--budget=100%', '--max-spin', '0'],
                             'policy=0,max-spin=0,least=0,budget=100'),
                            (['--budget=' + '0' * 40 + '7%'], 'policy=0,max-spin=0,least=50000,budget=7')):
            found = variables(self.runs(*args, 'env'))['HPT_RUN']
            self.assertEqual(re.sub(r',quota=\d+$', '', found), words) # this test may run under a quota

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
        for args, names in (([], {'LD_PRELOAD', 'HPT_RUN', 'HPT_RUN_SLACK'}),
                            (['--stats=/dev/null'], {'LD_PRELOAD', 'HPT_RUN', 'HPT_RUN_SLACK', 'HPT_RUN_STATS'}),
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
        for args in [], ['--slice'], ['--stats=/dev/null'], ['--slice=keep', '--slice']:
            q = hpt_run('--no-preload', *args, SEEN, 'slice')
            if int(p.stdout):
                self.assertEqual((q.stdout, q.stderr), (b'100000\n', b''))
            elif '--slice' in args:
                self.runs_without('the time slice cannot be set', '--no-preload', '--slice', SEEN)
            else:
                self.assertEqual((q.stdout, q.stderr), (p.stdout, b''))
        q = hpt_run('--no-preload', '--slice', '--slice=keep', SEEN, 'slice')
        self.assertEqual((q.stdout, q.stderr), (p.stdout, b''))

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


class Targets(Case):
    def test_missing_object(self):
        for path in '/nonexistent/x.so', '/nonexistent/$LIB/x.so', '/dev/zero', '/etc/passwd', self.folder:
            p = self.runs_without(re.escape(path) + ' cannot be loaded', SEEN, 'slack', env={'HPT_PRELOAD': path},
                                  instead=': only its timer slack is set')
            self.assertEqual(p.stdout, b'1\n')
        self.runs_without('cannot be loaded', '--slack=keep', SEEN, env={'HPT_PRELOAD': '/nonexistent'},
                          instead=': its sleeps stay as they are')

    def test_a_path_that_the_list_cannot_have(self):
        for name in 'a b.so', 'a:b.so':
            shutil.copyfile(self.object(), self.path(name))
            self.runs_without('has a blank or a colon', SEEN, env={'HPT_PRELOAD': self.path(name)})

    def test_lib(self):
        """$LIB stays as it is in LD_PRELOAD, and leads to the object."""
        for lib in 'lib', 'lib64', 'lib/x86_64-linux-gnu', 'lib/aarch64-linux-gnu':
            os.makedirs(self.path(f'right/{lib}'))
            shutil.copyfile(self.object(), self.path(f'right/{lib}/x.so'))
        path = self.path('right/$LIB/x.so')
        self.assertEqual(variables(self.runs('env', env={'HPT_PRELOAD': path}))['LD_PRELOAD'], path)
        self.assertEqual(self.report(SEEN, 'all', env={'HPT_PRELOAD': path})['programs'], 1)
        os.makedirs(self.path('wrong/lib/no-such-place'))
        self.runs_without('cannot be loaded', SEEN, env={'HPT_PRELOAD': self.path('wrong/$LIB/x.so')})

    def test_static(self):
        for kind in 'static', 'static_pie':
            p = self.runs_without('is statically linked', self.kind(kind), 'slack')
            self.assertEqual(p.stdout, b'1\n')

    def test_musl(self):
        program = self.kind('musl')
        p = hpt_run(program)
        self.assertEqual(p.returncode, 127) # it has no such interpreter
        self.assertIn(b'is linked with musl', p.stderr)
        self.assertIn('is linked with musl', self.refuses(126, '--strict', program))

    def loader(self):
        text = subprocess.run(['readelf', '-p', '.interp', SEEN], stdout=subprocess.PIPE, check=True).stdout.decode()
        return re.search(r'/\S+', text.split('.interp', 1)[1])[0]

    def test_a_dynamic_linker_that_is_called_by_its_name(self):
        self.object()
        self.assertEqual(self.report(self.loader(), SEEN, 'all')['programs'], 1)

    def own(self, kind, name='program'):
        """A program with a folder of its own."""
        os.makedirs(self.path('own'), exist_ok=True)
        return self.copy(kind, name)

    def put_loader(self):
        shutil.copy(self.loader(), self.path('own/loader'))

    def put_c_library(self, folder, is_old):
        """The system's own, or one whose newest version is older than 2.28: programs that need less run with it."""
        beside = os.path.join(os.path.dirname(os.path.realpath(self.loader())), 'libc.so.6')
        with open(beside, 'rb') as f:
            whole = f.read()
        self.assertEqual(whole.count(b'\0GLIBC_2.28\0'), 1)
        os.makedirs(self.path(folder), exist_ok=True)
        self.file(f'{folder}/libc.so.6', whole.replace(b'\0GLIBC_2.28\0', b'\0GLIBC_2.2x\0') if is_old else whole)

    OLD = 'has a glibc that is older than 2.28'

    def runs_with_old(self, *args, **kw):
        p = self.runs_without(self.OLD, *args, instead=': only its timer slack is set', **kw)
        self.assertEqual(p.stdout, b'1\n')

    def runs_served(self, *args, **kw):
        self.object()
        self.assertEqual(self.report(*args, **kw)['served']['nanosleep'], 1)

    def test_a_c_library_beside_its_own_dynamic_linker(self):
        program, here = self.own('own_loader'), {'cwd': self.folder}
        self.put_loader()
        self.put_c_library('own', False)
        self.runs_served(program, **here)
        self.put_c_library('own', True)
        self.runs_with_old(program, **here)
        self.runs_with_old(self.file('script', f'#!{program}\n'.encode()), **here)
        p = hpt_run(self.path('own/loader'), program, **here)
        self.assertIn(self.OLD.encode(), p.stderr)
        os.rename(self.path('own/loader'), self.path('own/real'))
        os.makedirs(self.path('elsewhere'))
        os.rename(self.path('own/real'), self.path('elsewhere/real'))
        os.symlink('../elsewhere/real', self.path('own/loader'))
        self.runs_served(program, **here)

    def test_a_c_library_that_its_program_names(self):
        program = self.own('own_folder')
        self.runs_served(program)
        self.put_c_library('own', True)
        self.runs_with_old(program)
        os.makedirs(self.path('links'))
        os.symlink(program, self.path('links/program'))
        self.runs_with_old(self.path('links/program'))
        self.put_c_library('own', False)
        self.runs_served(program)

    def test_a_dynamic_linker_that_is_not_of_glibc(self):
        program = self.own('own_loader')
        shutil.copy(SEEN, self.path('own/loader'))
        self.assertIn('has another C library than glibc', self.refuses(126, '--strict', program, cwd=self.folder))

    def test_a_dynamic_linker_that_is_missing(self):
        self.object()
        p = hpt_run('--strict', self.own('own_loader'), cwd=self.folder)
        self.assertEqual(p.returncode, 127)
        self.assertNotIn(b'glibc', p.stderr)

    def test_other_class(self):
        program = self.kind('bits32')
        self.object()
        self.runs_without('is for another architecture', program)
        os.makedirs(self.path('lib'))
        shutil.copyfile(OBJECT, self.path('lib/x.so'))
        self.runs_without('is for another architecture', program, env={'HPT_PRELOAD': self.path('$LIB/x.so')})
        for lib in 'lib32', 'lib/i386-linux-gnu':
            os.makedirs(self.path(lib))
            shutil.copyfile(FILES['loaded32'], self.path(f'{lib}/x.so'))
        for lib in 'lib64', 'lib/x86_64-linux-gnu':
            os.makedirs(self.path(lib))
            shutil.copyfile(OBJECT, self.path(f'{lib}/x.so'))
        p = hpt_run('--strict', program, env={'HPT_PRELOAD': self.path('$LIB/x.so')})
        self.assertEqual((p.returncode, p.stderr), (0, b'loaded\n'))

    def test_asan(self):
        """The shared runtime refuses to run unless it comes first, so far as it knows."""
        program = self.kind('asan')
        self.object()
        v = self.report(program, 'all')
        self.assertEqual((v['programs'], v['served']['nanosleep']), (1, 1))
        for script in self.file('script', f'#!{program} usleep\n'.encode()), program:
            self.runs(script)

    def test_asan_below(self):
        program = self.kind('asan')
        self.object()
        makefile = self.file('makefile', f'all:\n\t@{program} all\nset:\n\t@ASAN_OPTIONS=detect_leaks=0 {program} all\n'
                             .encode())
        for command in (['sh', '-c', f'{program} all; exit $?'], ['sh', '-c', f'exec {program} all'],
                        ['sh', '-c', f'ASAN_OPTIONS=detect_leaks=0 {program} all; exit $?'],
                        ['sh', '-c', f'unset ASAN_OPTIONS; {program} all; exit $?'], [SEEN, 'exec', program, 'all'],
                        ['make', '-s', '-f', makefile], ['make', '-s', '-f', makefile, 'set']):
            if command[0] == 'make' and not shutil.which('make'):
                continue
            for value in None, 'detect_leaks=0':
                v = self.report(*command, env={'ASAN_OPTIONS': value})
                self.assertEqual((v['programs'] > 1, v['served']['nanosleep']), (True, 1), command)
        self.runs('env', '-i', program, 'all')

    def test_asan_does_its_work(self):
        program = self.kind('asan')
        self.object()
        for command in [program, 'use-after-free'], ['sh', '-c', f'{program} use-after-free; exit $?']:
            p = hpt_run(*command)
            self.assertEqual(p.returncode, 1)
            self.assertIn(b'AddressSanitizer: heap-use-after-free', p.stderr)

    def test_children_of_asan(self):
        """They get no runtime, in which their leaks would count."""
        program, path = self.kind('asan'), self.object()
        v = variables(self.runs(program, 'exec', 'env'))
        self.assertEqual(v['LD_PRELOAD'], path)
        self.assertNotIn(b'AddressSanitizer', self.runs(program, 'exec', SEEN, 'all'))

    def test_asan_with_options_of_its_own(self):
        """These take the place of the object's, so that the variable has to say it."""
        program = self.kind('asan_own')
        self.object()
        self.runs(program, 'all')
        self.runs('sh', '-c', f'{program} all; exit $?', env={'ASAN_OPTIONS': 'detect_leaks=0'})

    def test_asan_options(self):
        """They are made longer where programs may need it, and stay unset for scripts that then set them."""
        self.object()
        option = 'verify_asan_link_order=0'
        for before, after in ((None, None), ('', ''), ('a=1', f'a=1:{option}'), (option, option),
                              ('verify_asan_link_order=1', 'verify_asan_link_order=1')):
            self.assertEqual(variables(self.runs('env', env={'ASAN_OPTIONS': before})).get('ASAN_OPTIONS'), after)
        v = variables(self.runs(cli.HPT, 'run', 'env', env={'ASAN_OPTIONS': 'a=1'}))
        self.assertEqual(v['ASAN_OPTIONS'], f'a=1:{option}')
        v = variables(self.runs('--no-preload', 'env', env={'ASAN_OPTIONS': 'a=1'}))
        self.assertEqual(v['ASAN_OPTIONS'], 'a=1')
        self.looks()
        program = self.kind('asan')
        for before, after in (None, option), ('', option), ('detect_leaks=0', f'detect_leaks=0:{option}'):
            v = variables(self.runs(program, 'exec', 'env', env={'ASAN_OPTIONS': before}))
            self.assertEqual(v['ASAN_OPTIONS'], after)
        p = hpt_run(program, env={'ASAN_OPTIONS': 'verify_asan_link_order=1'})
        self.assertIn(b'ASan runtime does not come first', p.stderr)

    def test_scripts(self):
        static = self.kind('static')
        one = self.file('one', f'#! {static} exit\n'.encode())
        two = self.file('two', f'#!{one}\n'.encode())
        for script in one, two:
            p = hpt_run(script)
            self.assertIn(f"'{static}' is statically linked".encode(), p.stderr)
        self.object()
        self.assertEqual(self.report(self.file('three', f'#!{SEEN} all\n'.encode()))['programs'], 1)
        self.assertEqual(self.report(self.file('four', b'exit 3\n'), status=3)['programs'], 1) # by sh

    def test_a_script_that_is_its_own_interpreter(self):
        path = self.path('loop')
        self.file('loop', f'#!{path}\n'.encode())
        self.assertIn('loop', self.refuses(126, path))

    def test_a_set_user_id(self):
        if os.geteuid():
            self.skipTest('only root has others')
        path = self.copy()
        os.chown(path, NOBODY, NOBODY)
        os.chmod(path, 0o4755)
        os.chmod(self.folder, 0o755)
        self.runs_without('runs with privileges of its own', path)
        os.chmod(path, 0o2755)
        self.runs_without('runs with privileges of its own', path)
        os.chmod(path, 0o2745) # the mark of mandatory locks
        self.object()
        self.assertEqual(self.report(path, 'all')['programs'], 1)
        os.chown(path, 0, os.getegid())
        os.chmod(path, 0o6755)
        self.assertEqual(self.report(path, 'all')['programs'], 1)
        script = self.file('script', f'#!{SEEN} all\n'.encode())
        os.chown(script, NOBODY, NOBODY)
        os.chmod(script, 0o4755)
        self.assertEqual(self.report(script)['programs'], 1)

    def test_what_the_kernel_does_not_raise(self):
        """With no_new_privs exec ignores the bit."""
        if os.geteuid():
            self.skipTest('only root has others')
        self.object()
        path = self.copy()
        os.chown(path, NOBODY, NOBODY)
        os.chmod(path, 0o4755)
        os.chmod(self.folder, 0o755)
        p = subprocess.run(['setpriv', '--no-new-privs', cli.HPT, 'run', '--strict', '--stats', '--json', path, 'all'],
                           env=BASE, stderr=subprocess.PIPE, check=True)
        self.assertEqual(json.loads(p.stderr)['programs'], 1)

    def test_file_capabilities(self):
        self.let_others_in()
        path = self.copy()
        # VFS_CAP_REVISION_2 with the effective bit: CAP_NET_BIND_SERVICE permitted.
        os.setxattr(path, 'security.capability', struct.pack('<IIIII', 0x02000001, 1 << 10, 0, 0, 0))
        self.runs_without('runs with privileges of its own', path, user=NOBODY, group=NOBODY, extra_groups=[])
        self.object()
        self.assertEqual(self.report(path, 'all')['programs'], 1) # root has them already

    def test_an_unreadable_program_runs(self):
        self.let_others_in()
        path = self.copy(mode=0o711)
        p = hpt_run('--strict', path, 'exit', '5', user=NOBODY, group=NOBODY, extra_groups=[],
                    env={} if OBJECT else {'HPT_PRELOAD': None})
        if OBJECT and os.access(OBJECT, os.R_OK):
            self.assertEqual((p.returncode, p.stderr), (5, b''))

    def test_files_that_are_no_programs(self):
        with open(SEEN, 'rb') as f:
            whole = f.read()
        os.mkfifo(self.path('fifo'), 0o755)
        os.mkdir(self.path('folder'))
        big = self.file('big', whole[:64])
        os.truncate(big, 2**32 + 5)
        for path, statuses in ((self.path('fifo'), [126]), (self.path('folder'), [126]), ('/dev/zero', [126]),
                               ('/dev/null', [126]), (self.file('plain', whole, 0o644), [126]),
                               (self.path('missing'), [127]), ('', [127]), (self.path('plain/x'), [126]),
                               (self.file('no_interpreter', b'#!/nonexistent\n'), [127]),
                               (self.file('blank', b'#! \n'), [0, 126]), (self.file('empty', b''), [0]),
                               *((self.file(f'cut{n}', whole[:n]), [126, 127, 2, -11]) for n in (4, 63, 64, 100, 300)),
                               (big, [126, 127, 2, -11])):
            # execvp() has sh run what the kernel refuses: of an x86-64 program it makes '>' and a file's name.
            p = hpt_run('--no-preload', path, cwd=self.folder)
            plain = p.returncode
            self.assertIn(plain, statuses, (path, p.stderr))
            for args in [], ['--strict'], ['--stats=/dev/null']:
                p = hpt_run(*args, path, cwd=self.folder)
                self.assertIn(p.returncode, [plain, 126] if args == ['--strict'] else [plain], (path, args, p.stderr))
                self.assertEqual(p.stdout, b'')

    def test_a_fifo_is_not_opened(self):
        """Its writer would go on."""
        os.mkfifo(self.path('fifo'), 0o755)
        script = self.file('script', b'#!' + self.path('fifo').encode() + b'\n')
        with subprocess.Popen(['sh', '-c', f'exec 3>{self.path("fifo")}']) as writer:
            self.refuses(126, script)
            self.refuses(126, self.path('fifo'))
            time.sleep(0.3)
            self.assertIsNone(writer.poll())
            writer.kill()

    def test_the_search_in_path(self):
        static = self.kind('static')
        for name in 'first', 'second', 'third':
            os.mkdir(self.path(name))
        os.mkdir(self.path('first/prog'))
        self.file('second/prog', b'#!/bin/true\n', 0o644)
        shutil.copyfile(static, self.path('third/prog'))
        os.chmod(self.path('third/prog'), 0o755)
        path = ':'.join(self.path(name) for name in ('first', 'second', 'third'))
        p = hpt_run('prog', 'exit', '9', env={'PATH': path})
        self.assertEqual(p.returncode, 9)
        self.assertIn(f"'{self.path('third/prog')}' is statically linked".encode(), p.stderr)
        p = hpt_run('prog', 'exit', '9', env={'PATH': ':/nonexistent'}, cwd=self.path('third'))
        self.assertEqual(p.returncode, 9)
        self.assertIn(b"'prog' is statically linked", p.stderr)
        self.assertEqual(hpt_run('--no-preload', 'true', env={'PATH': None}).returncode, 0)
        for args in [], ['--strict']:
            self.refuses(127, *args, 'no-such-program', env={'HPT_PRELOAD': '/nonexistent'})
        self.refuses(126, 'prog', env={'PATH': self.path('second')})


class Explained(Case):
    """What is found and what follows, before CMD runs."""

    def explained(self, *args, prefix=(), status=0, **kw):
        """The facts; a label may have several lines."""
        p = subprocess.run([*prefix, cli.HPT, 'run', '--explain', *args], env=BASE, stdin=subprocess.DEVNULL,
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=cli.LIMIT, check=False, **kw)
        self.assertEqual(p.returncode, status, p.stderr)
        facts, label = {}, None
        for line in p.stderr.decode().splitlines():
            if line[0] != ' ':
                label, text = re.match(r'(\S+(?: \S+)*) {2,}(.*)', line).groups()
                facts[label] = text
            else:
                facts[label] += '; ' + line.strip()
        return facts, p.stdout

    def test_it_runs(self):
        facts, out = self.explained('echo', 'own')
        self.assertEqual(out, b'own\n')
        self.assertRegex(facts['Command'], '^echo: /.*/echo$')
        _, out = self.explained('--stats=/dev/null', SEEN, 'exit', '7', status=7)

    def test_a_file_that_is_not_looked_at(self):
        if 'libelf' in FILES:
            self.skipTest('this build has libelf')
        self.assertRegex(self.explained('echo')[0]['Object'], f'^{self.object()} is loaded if .* without libelf')
        self.assertEqual(self.runs('--strict', FILES.get('static', SEEN), 'slack'), b'1\n')

    def test_object(self):
        self.looks()
        self.assertEqual(self.explained('echo')[0]['Object'], f'{self.object()} is loaded')
        self.assertIn('--no-preload', self.explained('--no-preload', 'echo')[0]['Object'])
        p = hpt_run('--explain', self.kind('static'))
        self.assertRegex(p.stderr, b'(?m)^Object +is not loaded: .* is statically linked$')
        self.assertNotIn(b'Spinning', p.stderr)
        p = hpt_run('--explain', '--strict', self.kind('static'))
        self.assertEqual(p.returncode, 126)
        self.assertRegex(p.stderr, b'(?m)^Object +is not loaded: .* is statically linked$')
        p = hpt_run('--explain', '/nonexistent/x')
        self.assertEqual(p.returncode, 127)
        self.assertRegex(p.stderr, b'(?m)^Object +no file of this name')

    def test_slack(self):
        before = subprocess.run([SEEN, 'slack'], env=BASE, stdout=subprocess.PIPE, check=True).stdout
        facts, out = self.explained('--slack=7us', SEEN, 'slack')
        self.assertEqual(out, b'7000\n')
        if before == b'50000\n':
            self.assertEqual(facts['Timer slack'], '7.0 us instead of 50.0 us')
            self.assertEqual(self.explained('--slack=keep', SEEN)[0]['Timer slack'], 'stays 50.0 us')

    def test_cpus(self):
        self.object()
        n = len(os.sched_getaffinity(0))
        for args, spinners in (([], max(1, n // 2)), (['--policy=strict'], n)):
            facts, _ = self.explained(*args, 'true')
            self.assertEqual(facts['CPUs'], f'{n} that it may use')
            self.assertTrue(facts['Spinning'].startswith(f'by {spinners} thread{"s"[:spinners != 1]} at one time;'))
            self.assertIn('25 % of a thread', facts['Spinning'])
        one = min(os.sched_getaffinity(0))
        facts, _ = self.explained('--policy=strict', 'true', preexec_fn=lambda: os.sched_setaffinity(0, {one}))
        self.assertEqual(facts['CPUs'], '1 that it may use')
        self.assertRegex(facts['Spinning'], '^by 1 thread at one time;')
        self.assertRegex(self.explained('--policy=spin', 'true')[0]['Spinning'], '^by any number of threads')

    def test_what_is_never_spun(self):
        self.object()
        self.assertEqual(self.explained('--policy=nospin', 'true')[0]['Spinning'], 'none, because of --policy')
        self.assertEqual(self.explained('--budget=0', 'true')[0]['Spinning'], 'none, because of --budget')

    def test_rttime(self):
        self.object()
        facts, _ = self.explained('true', preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_RTTIME,
                                                                                (100000, 200000)))
        self.assertRegex(facts['RLIMIT_RTTIME'], r'^100\.000 ms ')
        self.assertIn('no longer than 25.000 ms between two waits', facts['Spinning'])

    def test_deadline(self):
        self.object()
        for policy in 'balanced', 'strict', 'spin':
            facts, _ = self.explained(f'--policy={policy}', SEEN, prefix=self.deadline())
            self.assertEqual(facts['Class'], 'SCHED_DEADLINE')
            self.assertRegex(facts['Spinning'], '^none, because of SCHED_DEADLINE')
        facts, _ = self.explained(SEEN, prefix=['chrt', '-o', '0'] if shutil.which('chrt') else [])
        self.assertEqual(facts['Class'], 'SCHED_OTHER')

    def quota(self, millicpus):
        """Makes a control group with a quota below this process's, and returns the file to enter it."""
        with open('/proc/self/cgroup', encoding='utf-8') as f:
            lines = [line.rstrip('\n').split(':', 2) for line in f]
        v1 = [path for _, controllers, path in lines if 'cpu' in controllers.split(',')]
        root = '/sys/fs/cgroup' + ('/cpu' + v1[0] if v1 else next((p for _, c, p in lines if not c), ''))
        folder = os.path.join(root, f'hpt-{os.getpid()}-{millicpus}')
        name, text = ('cpu.cfs_quota_us', str(millicpus * 100)) if v1 else ('cpu.max', f'{millicpus * 100} 100000')
        try:
            os.mkdir(folder)
            self.addCleanup(os.rmdir, folder)
            with open(os.path.join(folder, name), 'w', encoding='ascii') as f:
                f.write(text)
        except OSError as e:
            self.skipTest(f'no control group with a quota can be made here: {e}')
        return os.path.join(folder, 'cgroup.procs')

    def test_quota(self):
        self.object()
        for millicpus, spins in (50, 'none, because of the CPU quota: '), (1500, 'by '):
            procs = self.quota(millicpus)
            facts, out = self.explained('env', prefix=['sh', '-c', f'echo $$ > {procs} && exec "$@"', 'sh'])
            self.assertEqual(facts['CPU quota'],
                             f'{millicpus // 1000}.{millicpus % 1000:03} CPUs, the least of its control groups')
            self.assertTrue(variables(out)['HPT_RUN'].endswith(f',quota={millicpus}'), out)
            self.assertTrue(facts['Spinning'].startswith(spins), facts)
            self.assertEqual(facts.get('Limited by'), None if millicpus == 50 else 'the CPU quota')


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
