# SPDX-License-Identifier: MIT
"""Redis with libhpt as one file in its tree: profile "clock" of packaging/amalgamate."""
import os
import re
import subprocess
import tempfile

import figures
import redis
import sources
from redis import own_tests  # noqa: F401 pylint: disable=unused-import

package, version = redis.package, redis.version
patch = 'examples/vendored/redis.patch'
CLOCKSOURCE = '/sys/devices/system/clocksource/clocksource0/current_clocksource'


def build(tree, variant, env):
    if variant == 'after':
        sources.amalgamate('clock', os.path.join(tree, 'src'))
    redis.build(tree, 'before', env)


def size(tree):
    """Of the server's text and data, in bytes."""
    text = sources.run('size', redis.program(tree, 'server')).splitlines()[1].split()
    return int(text[0]) + int(text[1])


def clock_cost(tree, folder, env):
    """A program with the server's clock, what one getMonotonicUs() takes in ns, and what it says that its clock is."""
    program = os.path.join(folder, f'clock-of-{os.path.basename(tree)}')
    parts = [path for path in (f'{tree}/src/monotonic.c', f'{tree}/src/hpt.c') if os.path.exists(path)]
    if not os.path.exists(program):
        sources.run('gcc', '-O3', '-o', program, os.path.join(redis.HERE, 'redis_clock.c'), *parts, env=env)
    cost, name = sources.run(program, env=env).split(' ', 1)
    return program, float(cost), name.strip()


def under_another_clocksource(name, command, env):
    """What a command prints where the kernel keeps time with that clocksource; Skip if it cannot be made to look so."""
    with tempfile.NamedTemporaryFile('w') as file:
        file.write(f'{name}\n')
        file.flush()
        script = f'mount --bind {file.name} {CLOCKSOURCE} && exec "$@"'
        done = subprocess.run(['unshare', '--user', '--map-root-user', '--mount', 'sh', '-c', script, 'sh', *command],
                              env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, text=True)
    if done.returncode:
        raise sources.Skip(f'no mount namespace: {done.stderr.strip()}')
    return done.stdout


def check_kvm_clock(program, env):
    try:
        said = under_another_clocksource('kvm-clock', [program], env)
        is_said = re.search(r'POSIX clock_gettime, tsc: .*clocksource', said)
        yield is_said, 'under kvm-clock it is POSIX, and says why', [said]
    except sources.Skip as why:
        yield True, f'under kvm-clock it is POSIX # SKIP {why}', ()


def checks(trees, env, folder):
    """What must be so with the file: (good, name, details)."""
    yield from redis.checks(trees, env, folder, names=('tsc @', 'arch @', 'POSIX clock_gettime, '))
    program, _, _ = clock_cost(trees['after'], folder, env)
    yield from check_kvm_clock(program, env)


def measure(trees, env, folder, rounds, table):
    with redis.Server(trees['before'], env) as one, redis.Server(trees['after'], env) as two:
        servers = {'before': one, 'after': two}
        for _, variant in figures.turns(rounds):
            _, cost, _ = clock_cost(trees[variant], folder, env)
            table.add(variant, 'one getMonotonicUs()', 'ns', cost)
            rate, cpu = redis.benchmark(servers[variant], trees['before'], env, 64, 4000000)
            table.add(variant, "server's CPU time for a GET, 64 in a pipeline", 'ns', cpu, 0)
            table.add(variant, 'GET, 64 in a pipeline', '1000 a second', rate / 1000, 0)
    for variant, tree in trees.items():
        table.add(variant, "the server's text and data", 'kB', size(tree) / 1000)
    *_, name = clock_cost(trees['after'], folder, env)
    return [f'The clock after it: {name}']
