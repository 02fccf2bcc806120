# SPDX-License-Identifier: MIT
"""cpus.py HPT INTERPOSER: the CPUs of the machine are not those of the process's mask, and may be more than 1024."""
import json
import os
import re
import subprocess
import tempfile
import unittest

import cli

FOLDER = tempfile.TemporaryDirectory(prefix='hpt-')
INTERPOSER = cli.preload(cli.ARGS[0], FOLDER.name)

# The CPUs may be too busy to be compared at the first try.
TRIES = 20


CPUS, USABLE = cli.online_cpus(), cli.usable_cpus()
# Pairs with the first CPU take 2 ms each, and there are as many as further CPUs.
CHECK = ['check', '--source=os', f'--seconds={200 + 5 * len(CPUS)}ms']
FIRST = min(os.sched_getaffinity(0))
OTHERS = sorted(os.sched_getaffinity(0) - {FIRST})


def only_first():
    os.sched_setaffinity(0, [FIRST])


def on_first(*args, **kw):
    return cli.run(*args, preexec_fn=only_first, **kw)


def interposed(*args, kept_off='', **kw):
    """hpt on a kernel for 8192 CPUs, which may keep this process off one of them."""
    env = {**os.environ, 'LD_PRELOAD': INTERPOSER, 'LC_ALL': 'C'}
    env.pop('HPT_SOURCE', None)
    if kept_off != '':
        env['KEPT_OFF'] = str(kept_off)
    return subprocess.run([cli.HPT, *args], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False,
                          timeout=cli.LIMIT, **kw)


@unittest.skipUnless(OTHERS, 'one CPU: no other one can be outside of a mask')
class Masked(cli.Case):
    def test_check_looks_at_all_cpus_whatever_the_mask(self):
        for _ in range(TRIES):
            p = on_first(*CHECK, '--json')
            a = json.loads(p.stdout)
            if p.returncode != 1 or a['cpus_left_out']:
                break
        self.assertEqual(a['cpus'], USABLE)
        self.assertEqual([c['cpu'] for c in a['cpus_left_out']], [c for c in CPUS if c not in USABLE])
        self.assertTrue(a['cpus_known'])
        self.assertEqual(a['pairs_possible'], len(a['cpus']) * (len(a['cpus']) - 1) // 2)
        self.assertEqual((p.returncode, a['verdict']), (1, 'incomplete') if a['cpus_left_out'] else (0, 'ok'))

    def test_cpu_that_a_cpuset_forbids_is_named(self):
        kept = OTHERS[-1]
        for preexec in None, only_first:
            p = interposed(*CHECK, '--json', kept_off=kept, preexec_fn=preexec)
            a = json.loads(p.stdout)
            self.assertEqual((p.returncode, a['verdict'], a['cpu_refused']), (1, 'incomplete', 'EINVAL'))
            self.assertEqual(a['cpus'], [c for c in USABLE if c != kept])
            if len(a['cpus']) == 1: # it is compared with itself
                self.assertEqual([(p['cpu_a'], p['cpu_b']) for p in a['pairs']], [(FIRST, FIRST)])
            left = {c['cpu']: c for c in a['cpus_left_out']}[kept]
            self.assertEqual((left['error'], 'cpuset' in left['reason']), ('EINVAL', True))
            self.assert_one_line(p.stderr)
            self.assertIn(b'cannot be used for the comparison: a cpuset', p.stderr)
        text = interposed(*CHECK, kept_off=kept).stdout.decode()
        self.assertRegex(text, rf'(?m)^Left out +CPU (\d+ to )?{kept}: a cpuset keeps this process off it')
        self.assertRegex(text, r'(?m)^Verdict +incomplete: ')

    def test_bench_measures_on_a_cpu_outside_of_the_mask(self):
        p = on_first('bench', 'read', '--rounds=2', f'--cpu={OTHERS[-1]}', '--json')
        self.assertEqual((p.returncode, p.stderr), (0, b''))
        self.assertEqual(json.loads(p.stdout)['cpu'], OTHERS[-1])
        self.assertIn(b' is not there, or not for this process',
                      interposed('bench', 'read', f'--cpu={OTHERS[-1]}', kept_off=OTHERS[-1]).stderr)

    def test_wakes_go_to_a_cpu_outside_of_the_mask(self):
        p = on_first('bench', 'wake', '--rounds=2', '--ticker=0', f'--cpu={OTHERS[-1]}', '--json')
        self.assertEqual((p.returncode, p.stderr), (0, b''))
        d = json.loads(p.stdout)
        self.assertEqual((d['cpu'], d['sleeper_cpu']), (OTHERS[-1], FIRST))

    def test_the_number_of_cpus_is_the_machines(self):
        self.assertEqual(json.loads(on_first('bench', 'read', '--rounds=2', '--json').stdout)['conditions']['cpus'],
                         len(CPUS))
        p = on_first('cpu', '--json')
        if not p.returncode: # x86 only
            self.assertEqual(json.loads(p.stdout)['cores_online'], len(CPUS))


class Large(cli.Case):
    """A kernel for more than 1024 CPUs refuses cpu_set_t."""

    def test_bench(self):
        for args in (['wake', '--rounds=2', '--ticker=20ms'], ['sleep', '--load=1', '--rounds=1'],
                     ['sleep', '--longest=1ms', '--step=10', '--rounds=1'], ['read', '--rounds=2'],
                     ['read', '--rounds=2', f'--cpu={FIRST}']):
            p = interposed('bench', *args, '--json')
            self.assertEqual((p.returncode, p.stderr), (0, b''), args)
            d = json.loads(p.stdout)
            if 'wake' in args and OTHERS:
                self.assertEqual([phase['rounds_done'] for phase in d['phases']], [20, 10, 2, 2])
                self.assertIn(d['sleeper_cpu'], [FIRST, *OTHERS])
            if '--load=1' in args:
                self.assertEqual(d['cpus'], 1 + len(OTHERS))

    def test_check(self):
        for _ in range(TRIES):
            a = json.loads(interposed(*CHECK, '--json').stdout)
            if a['verdict'] != 'incomplete' or a['cpus_left_out']:
                break
        self.assertEqual(sorted(a['cpus'] + [c['cpu'] for c in a['cpus_left_out']]), CPUS)

    def test_numbers_above_1023_are_taken(self):
        for cpu in 1024, 8191, 65535:
            self.assertIn(f'CPU {cpu} is not there', self.fails(1, 'bench', 'read', f'--cpu={cpu}'))
        self.assertTrue(re.search("'65536' is not a number of a CPU from 0 to 65535",
                                  self.fails(2, 'bench', 'read', '--cpu=65536')))


if __name__ == '__main__':
    cli.main()
