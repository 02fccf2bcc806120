# SPDX-License-Identifier: MIT
"""hpt cpu --dump over a folder of real dumps agrees with an independent oracle: the Meson option cpuid_corpus."""
import json
import os
import sys

import cli

KEYS = ('vendor_id', 'vendor', 'brand', 'family', 'model', 'stepping', 'tsc', 'rdtscp', 'invariant', 'sse2',
        'hypervisor', 'class')


def expectations(folder):
    with open(os.path.join(folder, 'expect.jsonl'), encoding='utf-8') as f:
        return [json.loads(line) for line in f]


def main(folder):
    expect = expectations(folder)
    p = cli.run('cpu', '--json', '--dump', *(e['file'] for e in expect), cwd=folder)
    got = [json.loads(line) for line in p.stdout.decode().splitlines()]
    wrong = [f'{g["file"]}: {key} is {g[key]!r}, not {e[key]!r}'
             for g, e in zip(got, expect) for key in ('file',) + KEYS if g[key] != e[key]]
    print('1..2')
    print('not ok' if p.returncode or p.stderr or len(got) != len(expect) else 'ok',
          f'1 - {len(expect)} dumps answered')
    print('not ok' if wrong else 'ok', f'2 - {len(got) * len(KEYS)} facts, {len(wrong)} mismatches')
    for line in wrong + p.stderr.decode().splitlines():
        print('#', line)
    return bool(wrong or p.returncode)


if __name__ == '__main__':
    sys.exit(main(cli.ARGS[0]))
