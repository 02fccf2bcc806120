# SPDX-License-Identifier: MIT
"""run_report.py HPT page=PAGE KIND=PROGRAM...: hpt run --stats: what it counts and reports."""
import json
import os
import sys

import cli
from run_case import CALLS, Case, FILES, MS, SEEN, SLEEPS, hpt_run


def keys_of(value):
    """Of an object and of those in it."""
    if isinstance(value, list):
        return set().union(*map(keys_of, value))
    if not isinstance(value, dict):
        return set()
    return set(value).union(*map(keys_of, value.values()))


class Reports(Case):
    def setUp(self):
        super().setUp()
        self.object()

    def test_every_function_is_counted(self):
        v = self.report('--budget=100', SEEN, 'all')
        self.assertEqual(v['served'], {**dict.fromkeys(CALLS, 0), **dict.fromkeys(SLEEPS, 1), 'sleep': 0})
        self.assertEqual(v['passed_on'], dict.fromkeys(CALLS, 0))
        self.assertEqual(v['by_event'], dict.fromkeys(CALLS, 0))
        self.assertEqual((v['programs'], v['interrupted'], v['unspun'], v['command']), (1, 0, 0, SEEN))
        self.assertGreater(v['spun_ns'], 0)
        self.assertGreater(v['kernel_late']['count'], 0)
        self.assertGreaterEqual(v['wall_ns'], 8 * MS)

    def test_waits_are_counted_where_they_are_served(self):
        waits = {'epoll_wait', 'poll', 'ppoll'}
        for args, n in ([], 2), (['--waits'], 2), (['--waits=ms'], 2), (['--waits=none'], 0):
            v = self.report('--budget=100', *args, SEEN, 'waits')
            self.assertEqual(v['served'], {call: n * (call in waits) for call in CALLS})
            self.assertEqual(v['by_event'], {call: n // 2 * (call in waits) for call in CALLS})
            self.assertEqual(set(v['late_by_function']), waits if n else set())

    def test_excluded_programs_are_left_alone(self):
        bare = int(hpt_run('--slack=keep', SEEN, 'slack').stdout)
        for args in ['--exclude=' + os.path.basename(SEEN)], ['--exclude=x', '--exclude', os.path.basename(SEEN)]:
            v = self.report(*args, 'sh', '-c', f'{SEEN} all; {SEEN} all')
            self.assertEqual((v['programs'], sum(v['served'].values())), (1, 0))
            self.assertEqual(int(hpt_run(*args, SEEN, 'slack').stdout), bare)
        v = self.report('--exclude=sh', 'sh', '-c', f'{SEEN} all; {SEEN} all')
        self.assertEqual((v['programs'], v['served']['usleep']), (2, 2))

    def test_brief_sleeps_are_passed_on(self):
        v = self.report(SEEN, 'usleep', '20', '10')
        self.assertEqual((v['passed_on']['usleep'], v['served']['usleep']), (20, 0))
        v = self.report('--least=2ms', SEEN, 'usleep', '5', '1000')
        self.assertEqual((v['passed_on']['usleep'], v['served']['usleep']), (5, 0))
        v = self.report('--least=0', SEEN, 'usleep', '5', '10')
        self.assertEqual((v['passed_on']['usleep'], v['served']['usleep']), (0, 5))

    def test_budget(self):
        v = self.report('--budget=0%', SEEN, 'usleep', '10', '1000')
        self.assertEqual((v['unspun'], v['served']['usleep']), (10, 10))
        v = self.report('--budget=0', '--policy=nospin', SEEN, 'usleep', '10', '1000')
        self.assertEqual((v['unspun'], v['served']['usleep']), (0, 10))

    def test_interrupted(self):
        v = self.report(SEEN, 'alarm')
        self.assertEqual((v['interrupted'], v['served']['nanosleep'], v['sleep_late']['count']), (1, 1, 0))

    def test_the_tree_of_processes(self):
        v = self.report('sh', '-c', f'{SEEN} all; {SEEN} all & wait')
        self.assertEqual((v['programs'], v['served']['poll']), (3, 2))

    def test_cpu_time(self):
        v = self.report('sh', '-c', f'{SEEN} burn 200000; :')
        self.assertGreaterEqual(v['user_ns'] + v['system_ns'], 190 * MS)
        v = self.report(SEEN, 'usleep', '1', '200000')
        self.assertLess(v['user_ns'] + v['system_ns'], 190 * MS)
        self.assertGreaterEqual(v['wall_ns'], 200 * MS)

    def test_the_end(self):
        v = self.report(SEEN, 'exit', '9', status=9)
        self.assertEqual((v['exit_status'], v['signal']), (9, None))
        v = self.report(SEEN, 'raise', '15', status=-15)
        self.assertEqual((v['exit_status'], v['signal']), (None, 15))

    def test_every_key_is_in_the_page(self):
        with open(FILES['page'], encoding='utf-8') as f:
            page = f.read()
        listed = page.partition('.Sh JSON')[2].partition('.Sh ')[0]
        keys = keys_of(self.report(SEEN, 'all'))
        self.assertIn('below_ns', keys)
        for key in keys:
            self.assertRegex(listed, rf'(?m)^\.(It )?Cm (.* )?{key}( |$)')

    def test_nothing_on_standard_output(self):
        for args in ['--stats'], ['--stats', '--json'], ['--stats=' + self.path('x')]:
            self.assertEqual(hpt_run(*args, 'echo', 'own').stdout, b'own\n')

    def test_table(self):
        p = hpt_run('--stats', SEEN, 'all')
        for pattern in (r'^Command +' + SEEN, '^Ended +with status 0 after ', '^Programs +1 loaded the object$',
                        '^Function +Served Passed on By event By time Median late +99 %$',
                        '^nanosleep +1 +0 +0 +1 +< ', '^ppoll +1 +0 +0 +1 +< ',
                        r'^Late +Count +Median +90 % +99 % +Max$', r'^kernel +\d+ +< .*$', r'^sleep +8 +< .*$',
                        'powers of two'):
            self.assertRegex(p.stderr.decode(), '(?m)' + pattern)
        self.assertNotRegex(p.stderr.decode(), '(?m)^sleep +0 +0$')
        text = hpt_run('--stats', '--least=1s', SEEN, 'all').stderr.decode()
        self.assertRegex(text, '(?m)^kernel +0 *$')
        self.assertRegex(text, '(?m)^sleep +0 *$')
        text = hpt_run('--stats', SEEN, 'raise', '15').stderr.decode()
        self.assertRegex(text, '(?m)^Ended +by signal 15 after ')
        self.assertNotIn('Function', text)

    def test_into_a_file(self):
        path = self.file('report', b'old\n' * 1000, 0o600)
        self.assertEqual(self.runs('--stats=' + path, '--json', SEEN, 'all'), b'')
        with open(path, encoding='utf-8') as f:
            self.assert_sound(json.load(f))

    def test_a_file_that_cannot_be_written(self):
        self.assertIn('/nonexistent/x', self.refuses(125, '--stats=/nonexistent/x', 'touch', self.path('ran')))
        self.assertFalse(os.path.exists(self.path('ran')))
        self.assertEqual(self.refuses(125, '--stats=/dev/full', SEEN),
                         'hpt: run: /dev/full: No space left on device\n')
        with open('/dev/full', 'wb') as full:
            self.assertEqual(hpt_run('--stats', SEEN, stderr=full).returncode, 125)

    def test_counts_belong_to_the_innermost(self):
        inner = self.path('inner')
        v = self.report(cli.HPT, 'run', '--stats=' + inner, '--json', SEEN, 'all')
        self.assertEqual((v['programs'], v['served']['poll']), (1, 0))
        with open(inner, encoding='utf-8') as f:
            self.assertEqual(json.load(f)['served']['poll'], 1)
        v = self.report(cli.HPT, 'run', SEEN, 'all')
        self.assertEqual(v['served']['poll'], 1)

    def test_the_shared_memory_cannot_be_cut(self):
        """A program that cut it off would end the others by SIGBUS; others may not open it."""
        code = ('import errno, os\nfd = os.open(os.environ["HPT_RUN_STATS"], os.O_RDWR)\n'
                'try:\n\tos.ftruncate(fd, 0)\nexcept OSError as e:\n\tassert e.errno == errno.EPERM\n'
                'else:\n\traise SystemExit(3)\nassert os.fstat(fd).st_mode & 0o777 == 0o600\n')
        p = hpt_run('--stats=/dev/null', '--no-preload', sys.executable, '-c', code)
        self.assertEqual((p.returncode, p.stderr), (0, b''))


cli.main()
