# SPDX-License-Identifier: MIT
"""Redis: its monotonic clock, its wait in epoll, and the time of its commands."""
import os
import re
import subprocess
import tempfile
import time

import figures
import sources

package, version = 'redis', '7.0.15'
patch = 'examples/patches/redis.patch'
HERE = os.path.dirname(os.path.realpath(__file__))
PROGRAMS = ('redis-server', 'redis-benchmark', 'redis-cli')
# Blocking timeouts, expiry, transactions, and what reports times.
UNITS = ('unit/expire', 'unit/type/list', 'unit/multi', 'unit/slowlog', 'unit/latency-monitor', 'unit/info')


def build(tree, variant, env):
    sources.need('gcc', 'make', 'tclsh')
    options = ['USE_HPT=yes'] if variant == 'after' else []
    src = os.path.join(tree, 'src')
    sources.run('make', '-j2', '-C', src, 'MALLOC=libc', *options, *PROGRAMS, env=env)
    for name in ('redis-sentinel', 'redis-check-rdb', 'redis-check-aof'):
        os.symlink('redis-server', os.path.join(src, name))


def own_tests(tree, env):
    singles = [word for unit in UNITS for word in ('--single', unit)]
    text = sources.run('./runtest', '--clients', '2', *singles, cwd=tree, env=env)
    count = len(re.findall(r'\[\S*ok\S*\]', text))
    assert 'All tests passed' in text and count > 50, text[-2000:]
    return f"{count} tests of {', '.join(UNITS)}"


def program(tree, role):
    """Path of Redis's or Valkey's "server" or "benchmark", whichever this tree has made."""
    paths = [os.path.join(tree, 'src', f'{name}-{role}') for name in ('valkey', 'redis')]
    return next(filter(os.path.exists, paths))


class Server:
    """A running server, and a connection to it."""

    def __init__(self, tree, env, *arguments, **more):
        self.port = figures.free_port()
        self.folder = tempfile.TemporaryDirectory(prefix='redis-')
        self.process = subprocess.Popen(
            [program(tree, 'server'), '--port', str(self.port), '--dir', self.folder.name,
             '--save', '', '--bind', '127.0.0.1', *arguments], env={**env, **more}, stdout=subprocess.DEVNULL)
        self.sock = figures.connected(self.port)
        self.file = self.sock.makefile('rb')

    def __enter__(self):
        return self

    def __exit__(self, *_):
        """By a signal that Redis handles, so that it exits as it should."""
        self.file.close()
        self.sock.close()
        self.process.terminate()
        self.process.wait(20)
        self.folder.cleanup()

    def reply(self):
        line = self.file.readline().decode().rstrip()
        kind, rest = line[:1], line[1:]
        assert line and kind != '-', f'Redis answers: {line}'
        if kind == '$' and rest != '-1':
            return self.file.read(int(rest) + 2)[:-2].decode()
        if kind == '*' and rest != '-1':
            return [self.reply() for _ in range(int(rest))]
        return rest

    def do(self, *words):
        self.sock.sendall(f"{' '.join(words)}\r\n".encode())
        return self.reply()

    def info(self, key):
        return dict(line.split(':', 1) for line in self.do('INFO', 'all').splitlines() if ':' in line)[key]

    def cpu(self):
        return figures.cpu_seconds(self.process.pid)


def idle(tree, env, shim, seconds):
    """An idle server at 10 Hz: calls of epoll_wait a second, those with a timeout of 0, and CPU time in us a second."""
    with tempfile.NamedTemporaryFile() as counts:
        with Server(tree, env, '--hz', '10', LD_PRELOAD=shim, EPOLL_COUNT=counts.name) as server:
            time.sleep(1)
            begin, cpu = time.monotonic(), server.cpu()
            time.sleep(seconds)
            took, cpu = time.monotonic() - begin, server.cpu() - cpu
        calls, _, at_once = map(int, counts.read().split())
        return calls / (took + 1), at_once / (took + 1), cpu / took * 1e6


def blocked_lateness(server, seconds, times):
    """How late BLPOP's timeouts come, in us."""
    for _ in range(times):
        begin = time.monotonic()
        server.do('BLPOP', 'nobody', f'{seconds}')
        yield (time.monotonic() - begin - seconds) * 1e6


def expiry_lateness(server):
    """How long after its time a key was gone, in ms: a command compares that time with the time that it began at."""
    server.do('SET', 'key', 'value', 'PX', '15')
    expires = int(server.do('PEXPIRETIME', 'key'))
    while server.do('GET', 'key') == 'value':
        pass
    # Redis compares whole milliseconds, and a key is there in the one that it expires in.
    return time.time_ns() / 1e6 - (expires + 1)


def benchmark(server, tree, env, pipeline, requests):
    """Requests a second, and the server's CPU time for one in ns."""
    cpu = server.cpu()
    text = sources.run(program(tree, 'benchmark'), '-p', str(server.port), '-t', 'get', '--csv', '-c', '20', '-P',
                       str(pipeline), '-n', str(requests), env=env)
    rate = float(text.splitlines()[-1].split(',')[1].strip('"'))
    return rate, (server.cpu() - cpu) / requests * 1e9


def compile_shim(folder):
    path = os.path.join(folder, 'epoll_count.so')
    sources.run('gcc', '-O2', '-shared', '-fPIC', '-o', path, os.path.join(HERE, 'epoll_count.c'), '-ldl')
    return path


def clock_cost(tree, folder, env, *flags):
    """What one getMonotonicUs() takes, and what Redis says that its clock is."""
    path = os.path.join(folder, 'redis_clock')
    sources.run('gcc', '-O3', *flags, '-o', path, os.path.join(HERE, 'redis_clock.c'),
                os.path.join(tree, 'src', 'monotonic.c'), *env.get('HPT_FLAGS', '').split(), env=env)
    done = subprocess.run([path], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=True, text=True)
    cost, name = done.stdout.split(' ', 1)
    return float(cost), name.strip(), done.stderr.strip()


def checks(trees, env, folder, names=('hpt, source ',)):
    """What must be so after the patch: (good, name, details)."""
    shim = compile_shim(folder)
    with Server(trees['after'], env) as server:
        name = server.info('monotonic_clock')
        yield name.startswith(names), f'INFO names the clock: {name}', ()

        early = min(expiry_lateness(server) for _ in range(20))
        yield early > -0.01, 'no key expires early by the wall clock', [f'{early:.3f} ms late at least']

        server.do('BGSAVE')
        end = time.monotonic() + 60
        while server.info('rdb_bgsave_in_progress') == '1' and time.monotonic() < end:
            time.sleep(0.05)
        yield server.info('rdb_last_bgsave_status') == 'ok', 'BGSAVE in a forked child succeeds', ()

        cpu = server.cpu()
        late = list(blocked_lateness(server, 0.05, 10))
        yield min(late) > -1000, 'BLPOP ends no earlier than its timeout, but for the millisecond of Redis', \
            [f'{min(late):.0f} us late at least, {(server.cpu() - cpu) * 1e6:.0f} us of CPU time']
    for variant in ('before', 'after'):
        calls, at_once, cpu = idle(trees[variant], env, shim, 4)
        yield calls < 30 and at_once < 10, f'an idle server waits, {variant} the patch', \
            [f'{calls:.1f} calls of epoll_wait a second, {at_once:.1f} with a timeout of 0, {cpu:.0f} us of CPU time']


def measure(trees, env, folder, rounds, table):
    flags = {'before': [], 'after': ['-DUSE_HPT']}
    hpt = sources.run('pkg-config', '--cflags', '--libs', 'libhpt', env=env).strip()
    cost_env = {'before': env, 'after': {**env, 'HPT_FLAGS': hpt}}
    shim = compile_shim(folder)
    with Server(trees['before'], env) as one, Server(trees['after'], env) as two:
        servers = {'before': one, 'after': two}
        for _, variant in figures.turns(rounds):
            server = servers[variant]
            cost, _, _ = clock_cost(trees[variant], folder, cost_env[variant], *flags[variant])
            table.add(variant, 'one getMonotonicUs()', 'ns', cost)
            rate, cpu = benchmark(server, trees['before'], env, 64, 4000000)
            table.add(variant, "server's CPU time for a GET, 64 in a pipeline", 'ns', cpu, 0)
            table.add(variant, 'GET, 64 in a pipeline', '1000 a second', rate / 1000, 0)
            rate, cpu = benchmark(server, trees['before'], env, 1, 100000)
            table.add(variant, "server's CPU time for a GET, one at a time", 'ns', cpu, 0)
            table.add(variant, 'GET, one at a time', '1000 a second', rate / 1000)
            server.do('CONFIG', 'SET', 'hz', '500')
            late = list(blocked_lateness(server, 0.02, 25))
            server.do('CONFIG', 'SET', 'hz', '10')
            table.add(variant, 'BLPOP of 20 ms at 500 Hz, median lateness', 'us', figures.quantile(late, 0.5), 0)
            calls, _, cpu = idle(trees[variant], env, shim, 3)
            table.add(variant, 'idle at 10 Hz, calls of epoll_wait', 'a second', calls)
            table.add(variant, 'idle at 10 Hz, CPU time', 'us a second', cpu, 0)
    _, name, why = clock_cost(trees['before'], folder, env, '-DUSE_PROCESSOR_CLOCK')
    return [f"Redis's own option USE_PROCESSOR_CLOCK gives: {name}{' (' + why + ')' if why else ''}"]
