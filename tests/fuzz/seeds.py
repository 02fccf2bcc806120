# SPDX-License-Identifier: MIT
"""The first inputs of each fuzz target: some that are right, some that are wrong in one place."""
import json
import struct

# ---- Text ----------------------------------------------------------------------------------------

TIMES = ['2026-11-20T10:47:59.123456789Z', '1970-01-01T00:00:00Z', '2038-01-18 22:14:08,000-05:00',
         '2024-02-29t23:59:59z', '1677-09-21T00:12:43.145224192Z', '2262-04-11T23:47:16.854775807Z',
         '0000-03-01T00:00:00+23:59', '9999-12-31T23:59:59.9-00:01', '2023-02-29T00:00:00Z',
         '2026-13-01T00:00:00Z', '2026-11-20T24:00:00Z', '@0', '@-1.000000001', '@9223372036.854775807',
         '@-9223372036.854775808', '@9223372036.854775808', '1.5s', '20ms', '.3us', '40ns', '-2h', '106751.99d',
         '9223372036854775807ns', '1e3s', '7', '']

ENVIRONMENT = ['os\ntsc\n', 'tsc\nhpet\n', 'hpet\n', 'auto\ntsc', '\ntsc\n', '\nhyperv_clocksource_tsc_page\n',
               'TSC\n\n', 'a name that is longer than the field for it', 'arm', 'mmio\n \n']

MMIO = ['uio=a9-global-timer,width=64,direction=up,frequency=100000000',
        'devmem=0x10011024,width=32,direction=down,frequency=1000000,polled', 'devmem=0x1e000000,offset=0x200,width=64',
        'uio=t,width=16,frequency=0', 'uio=t,devmem=4,width=16,frequency=1000', 'width=33', 'uio=,', '']

# ---- CPUID ---------------------------------------------------------------------------------------

SANDY_BRIDGE = [
    (0x00000000, 0x0000000d, 0x756e6547, 0x6c65746e, 0x49656e69),
    (0x00000001, 0x000206a7, 0x00100800, 0x1fbae3ff, 0xbfebfbff),
    (0x80000000, 0x80000008, 0, 0, 0), (0x80000001, 0, 0, 1, 0x28100000),
    (0x80000002, 0x20202020, 0x49202020, 0x6c65746e, 0x20295228),
    (0x80000003, 0x65726f43, 0x294d5428, 0x2d376920, 0x30303632),
    (0x80000004, 0x55504320, 0x33204020, 0x4730342e, 0x00007a48), (0x80000007, 0, 0, 0, 0x100)]
# A family of constant rate without the bit, in a guest that states its rate twice.
GUEST = [
    (0x00000000, 0x00000015, 0x756e6547, 0x6c65746e, 0x49656e69),
    (0x00000001, 0x000006e8, 0x00010800, 0x8000c1a9, 0xbfe9fbff),
    (0x00000015, 2, 216, 24000000, 0), (0x40000000, 0x40000010, 0x4b4d564b, 0x564b4d56, 0x4d),
    (0x40000010, 2592000, 0, 0, 0), (0x80000000, 0x80000001, 0, 0, 0), (0x80000001, 0, 0, 0, 0x100000)]
NO_TSC = [(0x00000000, 1, 0x69727943, 0x64616574, 0x736e4978), (0x00000001, 0x520, 0, 0, 1)]
LEAVES = [0, 1, 0x15, 0x40000000, 0x40000010, *range(0x80000000, 0x80000005), 0x80000007]


def aida(leaves):
    return '------[ Logical CPU #0 ]------\n' + ''.join('CPUID %08X: %08X-%08X-%08X-%08X\n' % leaf for leaf in leaves)


def cpuid_r(leaves):
    line = '   0x%08x 0x00: eax=0x%08x ebx=0x%08x ecx=0x%08x edx=0x%08x\n'
    return 'CPU 0:\n' + ''.join(line % leaf for leaf in leaves)


def libcpuid(leaves):
    line = '%s_cpuid[%d]=%08x %08x %08x %08x\n'
    return ''.join(line % ('ext' if leaf >> 31 else 'basic', leaf & 0xffff, *regs)
                   for leaf, *regs in leaves if leaf & 0x7fff0000 == 0)


def registers(leaves):
    """As the target's table of leaves: four registers each."""
    known = {leaf[0]: leaf[1:] for leaf in leaves}
    return b''.join(struct.pack('<4I', *known.get(leaf, (0, 0, 0, 0))) for leaf in LEAVES)


# ---- Numbers -------------------------------------------------------------------------------------

EXTREMES = [0, 1, -1, 2**31, 2**32, 10**9, -10**9, 2**62, 2**63 - 1, -2**63, 1795171679123456789]


def arithmetic(a, b, whole, frac, more, uhz):
    """Each number after the byte by which it is shifted, signed ones after one for the sign."""
    magnitudes = [struct.pack('<BBQ', v < 0, 0, min(abs(v), 2**64 - 1)) for v in (a, b)]
    return b''.join(magnitudes) + struct.pack('<BQBQBQQ', 0, whole, 0, frac, 0, more, uhz)


def conversion(uhz, tick, unix_ns, a, b):
    return struct.pack('<Qqqqq', uhz - 10**9, tick, unix_ns, a, b)


# ---- Time bases ----------------------------------------------------------------------------------


def timebase(tick, ns, generation=1, frac=0x6666666666666666, boot=b'a boot of 16 byt', error=50):
    """2.5 GHz. The target adds the check sum."""
    return struct.pack('<8sII16sQqqqqQQIIqIIIIII', b'HPTTIMEB', 1, 1, boot, generation, 1000, tick, ns, ns + 10**18,
                       frac, frac, 0, 0, 10**18, 100, 0, 1000, error, error, 0)


def trace(bases, ticks, raw=0, cut=0):
    return struct.pack('<3B', raw, len(bases) - 1, cut) + b''.join(bases) + struct.pack(f'<{len(ticks)}q', *ticks)


# ---- Runs of hpt bench ---------------------------------------------------------------------------


def dist(unit, median):
    keys = ('median', 'low', 'high', 'p10', 'p90')
    return {'count': 20, **{f'{key}_{unit}': median + i for i, key in enumerate(keys)}}


def head(bench):
    return {'hpt_json': 1, 'bench': bench, 'interrupted': False, 'machine': {'cpu': {'brand': 'A processor'}}, 'cpu': 1}


READ = {**head('read'), 'rows': [
    {'name': name, 'kind': kind, 'throughput': dist('ps', 8000), 'isolated': dist('ps', 9000)}
    for name, kind in (('rdtsc', 'yardstick'), ('hpt_now(tsc)', 'source'))]}
SLEEP = {**head('sleep'), 'kernel_tick_ns': 4000000, 'ways': [
    {'name': 'hpt_sleep_until_ticks', 'lengths': [{'cpu_ns': [9000, 9100] * 4, 'slept_ns': [1000000] * 8}],
     'bands': [{'band': 'all', 'cpu_ppm': 10000}, {'band': 'short', 'miss': dist('ns', 60), 'deadline_miss': None},
               {'band': 'long', 'miss': dist('ns', 60), 'deadline_miss': dist('ns', 40)}]}]}
WAKE = {**head('wake'), 'phases': [{'name': 'spin', 'ways': [{'name': 'bare futex', 'latency': dist('ns', 300)}]}],
        'ticker': {'keepers': [{'name': 'hpt_ticker_wait', 'late': dist('ns', 150), 'cpu_ppm': 9000}]}}
LOAD = {**head('load'), 'load': 2, 'rates': [
    {'name': '1 kHz', 'ways': [{'name': 'hpt_sleep_until_ticks', 'late': dist('ns', 60), 'cpu_ns': 30000}]}]}
FRONTIER = {**head('frontier'), 'regimes': [
    {'name': 'idle CPUs', 'ways': [{'name': 'hpt, STRICT', 'lateness': dist('ns', 60), 'cpu_ns': 30000}]}]}
REPORT = {**head('report'), 'read': READ, 'sleep': None, 'wake': {**WAKE, 'ticker': None}}
# Compared with themselves: nothing in common, and of two results of one name the second is quicker than the first.
NOTHING = {**SLEEP, 'ways': []}
TWICE = {**READ, 'rows': [{**READ['rows'][0], 'throughput': dist('ps', ps), 'isolated': dist('ps', ps)}
                          for ps in (9000, 4000)]}
WRONG = [{**READ, 'hpt_json': 2}, {**READ, 'rows': [{'name': 1}]}, {**SLEEP, 'ways': {}}, [], {'bench': 'read'}]

VALUES = ['0', '-1', '1', '9223372036854775807', '-9223372036854775808', '1e300', 'true', 'null', '""', '[]', '{}']

# What libFuzzer may insert. A value before another key leaves a run valid, with this value in place of the next one.
NUMBERS = [struct.pack('<q', value) for value in EXTREMES]
TOKENS = {
    'arithmetic': NUMBERS,
    'bench_json': [f'{value},"x":'.encode() for value in VALUES] + [f'{value},'.encode() for value in VALUES],
    'conversions': NUMBERS,
    'cpuid': [b'\nCPUID ', b'_cpuid[', b'\n   0x', b' [SL 01]', b'CPU#'],
    'environment': [b'tsc', b'hpet', b'os', b'auto', b'\n'],
    'mmio_text': [b'uio=', b'devmem=0x', b',offset=', b',width=', b',direction=', b'down', b',frequency=', b',polled'],
    'timebase': NUMBERS,
    'trace_text': [b'[000]', b' 1.000002: ', b' =', b' @', b'B|1|', b'E|', b'tracing_mark_write: ', b'cpu_id = ',
                   b'[LOST '],
    'time_text': [b'ns', b'us', b'ms', b'@', b'-00:00', b'.000000001', b'9223372036854775807'],
}

# As lines of hpt's own, perf script, ftrace and babeltrace2 are.
TRACE_LINES = ['5 @1 +name', '5 =1 2', '# x', '  a 12/34 [001] 1.000002:  99 cpu-clock:u: 7f x',
               ' my [1]-12 (  9) [003] .... 1.5: tracing_mark_write: B|1|n', 'CPU:1 [LOST 12 EVENTS]',
               '# entries-in-buffer/entries-written: 2/5', ' a-1 [000] 77: e: x', '[1.000000002] (+1) e: { }',
               '[1970-01-01 00:00:01.000000003] (+1) h e:f: { cpu_id = 3 }, { vtid = 9 }', '[77] e: { }']

SEEDS = {
    'arithmetic': [arithmetic(a, b, 0, 2**63 + 1, 2**40, 2 * 10**15) for a in EXTREMES for b in EXTREMES[::3]] +
                  [arithmetic(-5, 2**63, 2**64 - 1, 2**64 - 1, 2**64 - 1, 0), arithmetic(7, 9, 1000, 0, 1, 1)],
    'bench_json': [json.dumps(run).encode() for run in (READ, SLEEP, LOAD, FRONTIER, WAKE, REPORT, NOTHING, TWICE,
                                                      *WRONG)] + [b'', b'{'],
    'conversions': [conversion(uhz, 4712, 1795171679123456789, a, b) for uhz in (10**9, 10**15, 10**16, 32768 * 10**6)
                    for a in EXTREMES for b in EXTREMES[::4]],
    'cpuid': [write(cpu).encode() for write in (aida, cpuid_r, libcpuid) for cpu in (SANDY_BRIDGE, GUEST, NO_TSC)] +
             [registers(cpu) for cpu in (SANDY_BRIDGE, GUEST, NO_TSC)] +
             [aida(SANDY_BRIDGE[:3]).encode(), b'\xef\xbb\xbf'],
    'environment': [text.encode() for text in ENVIRONMENT],
    'mmio_text': [text.encode() for text in MMIO],
    'timebase': [trace([timebase(5000, 2000)], [5000, 2500, 0, 10**15, *EXTREMES[7:]]),
                 trace([timebase(5000, 2000), timebase(2505000, 1002001)], [5000, 2504999, 4999, 2505000, 1255000]),
                 trace([timebase(5000, 2000), timebase(2505000, 1002001), timebase(3 * 10**9, 1200000000, 2)],
                       [5000, 2504999, 3 * 10**9, 10**15]),
                 trace([timebase(5000, 2000), timebase(2505000, 1002001)], [5000], 0, 2),
                 trace([timebase(5000, 2000), timebase(4000, 1002001)], [5000]),
                 trace([timebase(5000, 2000), timebase(2505000, 1002001, boot=b'another 16 bytes')], [5000]),
                 trace([timebase(5000, 2000), timebase(5000, 1990)], [5000, 4999]),
                 trace([timebase(-2**63, -2**63), timebase(2**63 - 1, 2**62, frac=2**63)], EXTREMES),
                 trace([timebase(5000, 2000, frac=2**53)], [5000]), trace([timebase(5000, 2000)], [5000], 1)],
    'time_text': [text.encode() for text in TIMES],
    'trace_text': [text.encode() for text in TRACE_LINES],
}
