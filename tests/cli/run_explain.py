# SPDX-License-Identifier: MIT
"""run_explain.py HPT page=PAGE KIND=PROGRAM...: hpt run --explain: what is found and what follows, before CMD runs."""
import os
import re
import resource
import shutil
import subprocess

import cli
from run_case import BASE, Case, FILES, SEEN, hpt_run, variables


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

    def test_waits(self):
        for args, text in (([], 'served$'), (['--waits=none'], 'left alone'), (['--waits=ms'], 'whole milliseconds$')):
            self.assertRegex(self.explained(*args, 'true')[0]['Waits'], text)

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


cli.main()
