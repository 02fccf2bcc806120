# SPDX-License-Identifier: MIT
"""Tracy with libhpt as one file: no calibration of 200 ms in each process."""
import os
import subprocess
import time

import figures
import sources
from redis_vendored import under_another_clocksource

package, version = 'tracy', '2026-08'
patch = 'examples/vendored/tracy.patch'
HERE = os.path.dirname(os.path.realpath(__file__))


def build(tree, variant, env):
    sources.need('gcc', 'g++')
    public = os.path.join(tree, 'public')
    objects = []
    if variant == 'after':
        sources.amalgamate('clock', os.path.join(public, 'client'))
        sources.run('gcc', '-O2', '-c', 'hpt.c', cwd=os.path.join(public, 'client'), env=env)
        objects.append('client/hpt.o')
    sources.run('g++', '-std=c++17', '-O2', '-DTRACY_ENABLE', '-I.', '-o', 'start', f'{HERE}/tracy_start.cpp',
                'TracyClient.cpp', *objects, '-pthread', '-ldl', cwd=public, env=env)


def own_tests(_tree, _env):
    return 'it has no tests of its client'


def start(tree):
    return os.path.join(tree, 'public', 'start')


def rate_error(trees, variant, env):
    """
    Of the rate that a viewer gets after two seconds, in ppb, against CLOCK_MONOTONIC_RAW, whose brackets leave some 20
    ppb open. Without the patch it is the rate of the start.
    """
    when = 'connected' if variant == 'after' else 'start'
    return float(sources.run(start(trees[variant]), when, env=env))


def checks(trees, env, _folder):
    """What must be so with the file: (good, name, details)."""
    error = rate_error(trees, 'after', env)
    yield abs(error) < 200, 'its rate is that of the kernel', [f'{error:.0f} ppb off']
    command = ['sh', '-c', f'{start(trees["after"])} 2>&1 || true']
    try:
        said = under_another_clocksource('kvm-clock', command, env)
        is_said = 'The TSC is not trusted: ' in said and 'clocksource' in said
        yield is_said, 'under kvm-clock it says why it stops', [said]
    except sources.Skip as why:
        yield True, f'under kvm-clock it says why it stops # SKIP {why}', ()


def measure(trees, env, _folder, rounds, table):
    for _, variant in figures.turns(rounds):
        begin = time.monotonic()
        subprocess.run([start(trees[variant])], env=env, check=True)
        table.add(variant, 'a whole process', 'ms', (time.monotonic() - begin) * 1000)
        table.add(variant, 'its rate off that of CLOCK_MONOTONIC_RAW', 'ppb', abs(rate_error(trees, variant, env)), 0)
    return []
