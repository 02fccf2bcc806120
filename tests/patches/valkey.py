# SPDX-License-Identifier: MIT
"""Valkey with libhpt as one file: its monotonic clock, and its wait in epoll."""
import os

import figures
import redis_vendored
import sources

package, version = 'valkey', '2024-10'
patch = 'examples/vendored/valkey.patch'


def build(tree, variant, env):
    sources.need('gcc', 'make')
    src = os.path.join(tree, 'src')
    if variant == 'after':
        sources.amalgamate('clock', src)
    sources.run('make', '-j2', '-C', src, 'MALLOC=libc', 'valkey-server', env=env)


def own_tests(tree, env):
    """The server starts and ends."""
    sources.run(os.path.join(tree, 'src', 'valkey-server'), '--version', env=env)
    return 'it starts'


def checks(trees, env, folder):
    """What must be so with the file: (good, name, details)."""
    _, name = redis_vendored.clock_cost(trees['after'], folder, env, 'valkey-after')
    yield name.startswith(('tsc @', 'arch @', 'POSIX clock_gettime, ')), f'it names the clock: {name}', ()
    yield from redis_vendored.check_kvm_clock(os.path.join(folder, 'redis_clock-valkey-after'), env)


def measure(trees, env, folder, rounds, table):
    for _, variant in figures.turns(rounds):
        cost, _ = redis_vendored.clock_cost(trees[variant], folder, env, f'valkey-{variant}')
        table.add(variant, 'one getMonotonicUs()', 'ns', cost)
    return []
