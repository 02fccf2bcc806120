# SPDX-License-Identifier: MIT
"""run_targets.py HPT page=PAGE KIND=PROGRAM...: hpt run: which programs can have the object, what others get."""
import json
import os
import re
import shutil
import struct
import subprocess
import time

import cli
from run_case import BASE, Case, FILES, NOBODY, OBJECT, SEEN, hpt_run, variables


class Targets(Case):
    def test_missing_object(self):
        for path in '/nonexistent/x.so', '/nonexistent/$LIB/x.so', '/dev/zero', '/etc/passwd', self.folder:
            p = self.runs_without(re.escape(path) + ' cannot be loaded', SEEN, 'slack', env={'HPT_PRELOAD': path},
                                  instead=': only its timer slack is set')
            self.assertEqual(p.stdout, b'1\n')
        self.runs_without('cannot be loaded', '--slack=keep', SEEN, env={'HPT_PRELOAD': '/nonexistent'},
                          instead=': its sleeps stay as they are')

    def test_missing_object_with_a_slice(self):
        if not int(hpt_run('--no-preload', SEEN, 'slice').stdout):
            self.skipTest('this kernel has no slices for each thread')
        for args, instead in (['--slice'], 'timer slack and time slice are set'), (['--slice', '--slack=keep'],
                                                                                   'time slice is set'):
            self.runs_without('cannot be loaded', *args, SEEN, env={'HPT_PRELOAD': '/nonexistent'},
                              instead=': only its ' + instead)

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


cli.main()
