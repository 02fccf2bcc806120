# SPDX-License-Identifier: MIT
"""bench_cost.py HPT READ_LOOP [KNOWN_COST]: hpt bench read agrees with a plain loop, and with a known cost."""
import json
import os
import subprocess
import tempfile
import unittest

import cli

FOLDER = tempfile.TemporaryDirectory(prefix='hpt-')
LOOP = os.path.abspath(cli.ARGS[0])
PRELOAD = cli.preload(cli.ARGS[1], FOLDER.name) if len(cli.ARGS) > 1 else None

# A cost may differ by this share from another one, or from the range of another one.
SHARE = 0.05

# All runs are on one CPU: two may differ in speed.
CPU = max(os.sched_getaffinity(0))

# Other load only adds time, so the minimum of many runs approaches the cost of the call itself, in both programs. Each
# makes at least RUNS_MIN runs, and while the minima differ, up to RUNS_MAX. No run is left out.
RUNS_MIN, RUNS_MAX = 7, 60

# A run may have other load all the time, and its cost is then too high.
TRIES = 10

KNOWN_NS = 5000


def rows(*args, **env):
    text = subprocess.run([cli.HPT, 'bench', 'read', '--json', f'--cpu={CPU}', *args], env={**os.environ, **env},
                          check=True, stdout=subprocess.PIPE, timeout=cli.LIMIT).stdout
    return {r['name']: r for r in json.loads(text)['rows']}


def loops():
    """name -> ps where the loop's placement is the best, and where it is the worst"""
    text = subprocess.run([LOOP], check=True, stdout=subprocess.PIPE, timeout=cli.LIMIT, text=True,
                          preexec_fn=lambda: os.sched_setaffinity(0, [CPU])).stdout
    return {name: (int(best), int(worst)) for best, worst, name in (line.split(' ', 2) for line in text.splitlines())}


def agree(ps, best, worst):
    return best * (1 - SHARE) <= ps <= worst * (1 + SHARE)


class Cost(cli.Case):
    def test_a_plain_loop_agrees(self):
        least = {}
        for i in range(RUNS_MAX):
            theirs, ours = loops(), rows('--rounds=20', '--source=' + SOURCE)
            for name, places in theirs.items():
                found = ours[name]['throughput']['median_ps'], *places
                least[name] = tuple(map(min, least.get(name, found), found))
            if i + 1 >= RUNS_MIN and all(agree(*costs) for costs in least.values()):
                return
        self.fail(f'least ps by hpt bench read, and by a plain loop at its best and its worst place: {least}')

    @unittest.skipUnless(PRELOAD, 'a static library or a sanitizer: libc cannot be interposed')
    def test_known_cost_is_measured(self):
        for _ in range(TRIES):
            row = rows('--rounds=20', LD_PRELOAD=PRELOAD, KNOWN_NS=str(KNOWN_NS))['gettimeofday']
            shown = [row[k]['median_ps'] for k in ('throughput', 'isolated', 'single')]
            if all(agree(ps, KNOWN_NS * 1000, KNOWN_NS * 1000) for ps in shown):
                return
        self.fail(f'{shown} ps, not {KNOWN_NS} ns')


SOURCE = 'tsc' if 'hpt_now(tsc)' in loops() else 'os'


if __name__ == '__main__':
    cli.main()
