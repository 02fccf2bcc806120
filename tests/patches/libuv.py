# SPDX-License-Identifier: MIT
"""libuv: timers that are exact to a microsecond, instead of late by up to a millisecond or early by one."""
import os
import re
import subprocess

import figures
import sources

package, version = 'libuv1', '1.44.2'
patch = 'examples/patches/libuv.patch'
HERE = os.path.dirname(os.path.realpath(__file__))
# libuv's own tests of loops, timers, time and forks; those of files, names and networks are left out.
OWN = r'active|async|close_order|condvar|default_loop|delayed|embed|fork_s|fork_t|hrtime|idle|loop_|metrics|run_|' \
      r'signal_|timer|walk'


def build(tree, variant, env):
    """The variant is in the source."""
    sources.need('gcc', 'cmake', 'make')
    sources.run('cmake', '-S', tree, '-B', f'{tree}/build', '-DCMAKE_BUILD_TYPE=RelWithDebInfo', env=env)
    sources.run('make', '-j2', '-C', f'{tree}/build', 'uv_a', 'uv_run_tests_a', env=env)


def as_nobody():
    """libuv's tests refuse to run as root."""
    if os.geteuid():
        return []
    sources.need('setpriv')
    return ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups']


def own_tests(tree, env):
    program = [*as_nobody(), f'{tree}/build/uv_run_tests_a']
    env = {**env, 'UV_TEST_TIMEOUT_MULTIPLIER': '5'}
    names = [name for name in sources.run(*program, '--list', env=env, cwd='/').split() if re.match(OWN, name)]
    assert len(names) > 40, names
    for name in names:
        sources.run(*program, name, env=env, cwd='/')
    return f'{len(names)} of its tests, of loops, timers, time and forks'


def timers(tree, variant, env, milliseconds, count, *busy):
    """What libuv_timers.c prints, by name."""
    path = f'{tree}/build/libuv_timers'
    if not os.path.exists(path):
        hpt = sources.run('pkg-config', '--libs', 'libhpt', env=env).split() if variant == 'after' else []
        sources.run('gcc', '-O2', '-o', path, os.path.join(HERE, 'libuv_timers.c'), f'-I{tree}/include',
                    f'{tree}/build/libuv_a.a', *hpt, '-lpthread', '-ldl', env=env)
    values = subprocess.run([path, str(milliseconds), str(count), *busy], env=env, check=True, stdout=subprocess.PIPE,
                            text=True).stdout.split()
    return dict(zip(('earliest', 'median', 'p99', 'early', 'cpu', 'start'), map(float, values)))


def checks(trees, env, _):
    """What must be so after the patch: (good, name, details)."""
    found = {variant: timers(tree, variant, env, 1, 500, 'busy') for variant, tree in trees.items()}
    details = [f"earliest {one['earliest']:.1f} us, {one['early']:.0f} of 500 early, {variant} the patch"
               for variant, one in found.items()]
    # The timers follow CLOCK_MONOTONIC_RAW: half a microsecond in a millisecond is the most that NTP slews.
    yield found['after']['earliest'] > -0.5, 'no timer is early', details
    yield found['before']['early'] > 0, 'before the patch some are, which the test can see', details


def measure(trees, env, _, rounds, table):
    for _, variant in figures.turns(rounds):
        for milliseconds, count in ((1, 400), (10, 100)):
            one = timers(trees[variant], variant, env, milliseconds, count)
            name = f'timer of {milliseconds} ms'
            table.add(variant, f'{name}: late, the earliest', 'us', one['earliest'])
            table.add(variant, f'{name}: late, median', 'us', one['median'])
            table.add(variant, f'{name}: late, 99 of 100 by at most', 'us', one['p99'], 0)
            table.add(variant, f'{name}: early', '%', 100 * one['early'] / count)
            table.add(variant, f'{name}: CPU time, with the pause before it', 'us', one['cpu'], 0)
        one = timers(trees[variant], variant, env, 1, 400, 'busy')
        table.add(variant, 'timer of 1 ms in a busy loop: late, median', 'us', one['median'])
        table.add(variant, 'timer of 1 ms in a busy loop: early', '%', 100 * one['early'] / 400)
        table.add(variant, 'uv_timer_start() and uv_timer_stop()', 'ns', one['start'])
    return []
