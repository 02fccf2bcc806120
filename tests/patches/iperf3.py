# SPDX-License-Identifier: MIT
"""iperf3: UDP at a given rate, a tick for each packet instead of what is due each millisecond."""
import json
import os
import resource
import statistics
import subprocess
import tempfile

import figures
import sources

package, version = 'iperf3', '3.12'
patch = 'examples/patches/iperf3.patch'
HERE = os.path.dirname(os.path.realpath(__file__))
PAYLOAD = 1250
# Packets a second: slower than the pacing timer, as fast, and faster.
RATES = (300, 1000, 5000)


def build(tree, variant, env):
    sources.need('gcc', 'make')
    options = ['--disable-shared', '--without-openssl', '--without-sctp']
    if variant == 'after':
        options += [f"CPPFLAGS={sources.run('pkg-config', '--cflags', 'libhpt', env=env).strip()}",
                    f"LIBS={sources.run('pkg-config', '--libs', 'libhpt', env=env).strip()}"]
    sources.run('./configure', *options, cwd=tree, env=env)
    sources.run('make', '-j2', cwd=tree, env=env)


def own_tests(tree, env):
    text = sources.run('make', 'check', cwd=tree, env=env)
    passed = sum(line.startswith('PASS:') for line in text.splitlines())
    assert passed >= 5, text[-2000:]
    return f'{passed} tests of make check'


def compile_shim(folder):
    path = os.path.join(folder, 'receive_times.so')
    sources.run('gcc', '-O2', '-shared', '-fPIC', '-o', path, os.path.join(HERE, 'receive_times.c'), '-ldl')
    return path


class Result:
    """One run of a client: its report, its CPU time, and when the datagrams of each of its sockets came."""

    def __init__(self, report, cpu, times):
        self.report, self.cpu, self.times = report, cpu, times
        self.end = report.get('end', {})
        self.wrong = report.get('error')

    def gaps(self):
        """Between packets in us, without those of the first tenth of a second."""
        for times in self.times.values():
            steady = [ns for ns in times if ns - times[0] > 1e8]
            yield from ((b - a) / 1000 for a, b in zip(steady, steady[1:]))


def read_times(path):
    times = {}
    with open(path, encoding='utf-8') as file:
        for line in file:
            fd, ns = map(int, line.split())
            times.setdefault(fd, []).append(ns)
    return times


def transfer(trees, env, variant, *arguments, shim='', server='before'):
    """A client of that variant; the server is the original unless the test is about the server."""
    port = str(figures.free_port())
    with tempfile.NamedTemporaryFile() as file:
        listener = subprocess.Popen([f'{trees[server]}/src/iperf3', '-s', '-1', '-p', port], stdout=subprocess.DEVNULL,
                                    env={**env, 'LD_PRELOAD': shim, 'RECEIVE_TIMES': file.name})
        try:
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            text = client(f'{trees[variant]}/src/iperf3', port, env, *arguments)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            listener.wait(20)
        finally:
            listener.kill()
            listener.wait()
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return Result(json.loads(text), cpu, read_times(file.name))


def client(program, port, env, *arguments):
    """Its output; the server may not listen yet."""
    for _ in range(50):
        done = subprocess.run([program, '-c', '127.0.0.1', '-p', port, '-J', *arguments], env=env, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL,
                              timeout=60, text=True)
        if 'Connection refused' not in done.stdout:
            break
        subprocess.run(['sleep', '0.1'], check=True)
    return done.stdout


def paced(rate):
    return ('-u', '-l', str(PAYLOAD), '-b', str(rate * PAYLOAD * 8))


def deviation(result, rate):
    """Of the gaps from the period, in us."""
    return [abs(gap - 1e6 / rate) for gap in result.gaps()]


# What a patch of the sending loop could break: each mode, and all that is paced by the old timer.
MODES = {
    'reverse': ('-R', *paced(1000)), 'both directions': ('--bidir', *paced(1000)),
    'three streams': ('-P', '3', *paced(500)), 'bursts': ('-u', '-l', '1250', '-b', '10M/10'),
    'a pacing timer': ('--pacing-timer', '2000', *paced(1000)), 'TCP at a rate': ('-b', '10M'),
    'more than 2^32 bits a second': ('-u', '-l', '60000', '-b', '5G'), 'no rate': ('-u', '-b', '0'),
    'a number of packets': ('-k', '300', '-u', '-l', '1250', '-b', '10M'),
}


def checks(trees, env, folder):
    """What must be so after the patch: (good, name, details)."""
    for name, arguments in MODES.items():
        result = transfer(trees, env, 'after', *arguments, *(() if '-k' in arguments else ('-t', '1')), server='after')
        total = result.end.get('sum_received', result.end.get('sum', {}))
        wrong = [result.wrong] if result.wrong else []
        yield not wrong and total.get('bytes', 0) > 0, f'{name}: bytes arrive', wrong
    slow = transfer(trees, env, 'after', '-t', '3', *paced(8))
    yield slow.cpu < 0.3, 'waits for a tick without spinning', [f'{slow.cpu:.3f} s of CPU time in 3 s at 8 packets']
    shim = compile_shim(folder)
    found = {variant: transfer(trees, env, variant, '-t', '2', *paced(5000), shim=shim) for variant in trees}
    for variant, result in found.items():
        count = sum(map(len, result.times.values()))
        yield 5000 < count < 10200, f'{variant} the patch, 2 s at 5000 packets a second', [f'{count} packets']
    medians = {variant: statistics.median(deviation(result, 5000)) for variant, result in found.items()}
    yield medians['after'] < medians['before'], 'the gaps between packets are nearer to the period than before', \
        [f"median deviation {medians['before']:.1f} us before, {medians['after']:.1f} us after"]


def measure(trees, env, folder, rounds, table):
    shim = compile_shim(folder)
    for _, variant in figures.turns(rounds):
        for rate in RATES:
            result = transfer(trees, env, variant, '-t', '2', *paced(rate), shim=shim)
            assert not result.wrong, result.wrong
            off, gaps = deviation(result, rate), list(result.gaps())
            name = f'{rate} packets a second'
            table.add(variant, f'{name}: gap off the period, median', 'us', figures.quantile(off, 0.5))
            table.add(variant, f'{name}: 99 of 100 gaps off by at most', 'us', figures.quantile(off, 0.99), 0)
            table.add(variant, f'{name}: gaps below a tenth of the period', '%',
                      100 * sum(gap < 1e5 / rate for gap in gaps) / len(gaps))
            table.add(variant, f"{name}: iperf3's jitter", 'us', result.end['sum']['jitter_ms'] * 1000)
            table.add(variant, f'{name}: rate reached', '%',
                      100 * result.end['sum']['bits_per_second'] / (rate * PAYLOAD * 8), 2)
            table.add(variant, f'{name}: CPU time of the sender', '% of a CPU', 100 * result.cpu / 2)
    return []
