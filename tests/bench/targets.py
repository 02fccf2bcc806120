# SPDX-License-Identifier: MIT
"""Runs one of hpt's benchmarks and compares its results with the targets of DESIGN.md, "The numbers to reach".

usage: targets.py HPT read|sleep|load|wake|ticker [OPTION...]

OPTIONs go to hpt bench. Each row begins with "met", "MISSED" or, where there is no target, "-"; then come what was
measured, the figure and the target. "x" is a multiple of what people use today, from the same run. The benchmarks
convert, load, rate, drift and causality have targets too, and print them themselves.

A missed target is reported but is no failure: results vary with the machine and its load.
Exit 1: a sleep of ours was early, an interrupt did not end its sleep, or there are no results; 77: this machine has
nothing that a target is for.
"""
import json
import os
import statistics
import subprocess
import sys

PAPERS = "papers' rule"
US_NS = 1000


class Unfit(Exception):
    """The measurement is not the requested one."""


def quantile(values, q):
    ordered = sorted(values)
    return ordered[int(q * (len(ordered) - 1) + 0.5)]


# The numbers of rows by verdict.
verdicts = {'met': 0, 'MISSED': 0, '-': 0}


def row(what, value, unit, target=None, note='', digits=3):
    """Prints a row. The target is the largest value wanted; None: only shown."""
    verdict = '-' if target is None else 'met' if value <= target else 'MISSED'
    verdicts[verdict] += 1
    wanted = '' if target is None else f', target <= {target:.{digits}f}'
    print(f"{verdict:<6}  {what}: {value:.{digits}f}{f' {unit}' if unit else ''}{wanted}{f' ({note})' if note else ''}")


def quartiles(values, digits=3):
    return f'half of the rounds: {quantile(values, 0.25):.{digits}f} to {quantile(values, 0.75):.{digits}f}'


def by_name(items):
    return {item['name']: item for item in items}


# ---- Reads ------------------------------------------------------------------------------------------

TSC, MONOTONIC, REALTIME = 'hpt_now(tsc)', 'clock_gettime(MONOTONIC)', 'clock_gettime(REALTIME)'
# The cheaper of them is the floor. Where LFENCE is not known to order, only the first can be reached.
BARE = ('rdtscp', 'lfence;rdtsc')

# A row, the row to compare it with, and the largest ratio wanted; None: only shown. Of several rows to compare with the
# cheapest counts.
READS = (
    (TSC, BARE, 1.05),
    (TSC, MONOTONIC, 0.78),
    ('hpt_now(NULL)', BARE, 1.05),
    ('hpt_now(NULL)', MONOTONIC, 0.78),
    ('hpt_now_unordered(tsc)', 'rdtsc', 1.02),
    ('hpt_now_unordered(tsc)', MONOTONIC, None),
    ('hpt_now_ns(tsc)', BARE, 1.12),
    ('hpt_now_ns(tsc)', MONOTONIC, 0.83),
    ('hpt_now_ns(NULL)', BARE, 1.12),
    ('hpt_now_ns(NULL)', MONOTONIC, 0.83),
    ('hpt_now_ns_unordered(tsc)', 'rdtsc', 1.08),
    ('hpt_now_ns_unordered(tsc)', MONOTONIC, 0.47),
    ('hpt_now(os)', MONOTONIC, 1.07),
    ('hpt_now_ns(os)', MONOTONIC, None),
    ('hpt_now_unix_ns(tsc)', BARE, 1.12),
    ('hpt_now_unix_ns(tsc)', REALTIME, 0.83),
    ('hpt_now_unix_ns(os)', REALTIME, None),
    ('hpt_now_unix_ns(tsc)', 'hpt_now_ns(tsc)', 1.08),
    ('hpt_now_monotonic_ns(tsc)', 'hpt_now_ns(tsc)', 1.08),
    ('hpt_now_boottime_ns(tsc)', 'hpt_now_ns(tsc)', 1.08),
    ('hpt_now_tai_ns(tsc)', 'hpt_now_ns(tsc)', 1.08),
)


def judge_reads(found):
    rows = by_name(found['rows'])
    print(f"{'A call, ns':<32} {'throughput':>10} {'isolated':>10}")
    for name, of in rows.items():
        print(f"{name:<32} {of['throughput']['median_ps'] / 1000:>10.2f} {of['isolated']['median_ps'] / 1000:>10.2f}")
    print()
    judged = 0
    for name, base, target in READS:
        if isinstance(base, tuple):
            base = min((one for one in base if one in rows), default=base[0],
                       key=lambda one: rows[one]['throughput']['median_ps'])
        if name not in rows or base not in rows:
            missing = name if name not in rows else base
            print(f'-       {name}, as a multiple of {base}: {missing} is not available here')
            continue
        ratios = [a / b for a, b in zip(rows[name]['throughput_ps'], rows[base]['throughput_ps'])]
        row(name, statistics.median(ratios), f'x {base}', target, quartiles(ratios))
        judged += 1
    return 0 if judged else 77


# ---- Sleeps -----------------------------------------------------------------------------------------

# Each of these computes one result from some rounds of some lengths.

def cpu_percent(lengths, rounds):
    cpu_ns = sum(entry['cpu_ns'][i] for entry in lengths for i in rounds)
    slept_ns = sum(entry['slept_ns'][i] for entry in lengths for i in rounds)
    return 100 * cpu_ns / slept_ns


def relative_ns(entry):
    return entry['miss_ns']


def absolute_ns(entry):
    return entry['miss_ns'] if entry['deadline_miss_ns'] is None else entry['deadline_miss_ns']


def median_of(misses):
    return lambda lengths, rounds: statistics.median(misses(entry)[i] for entry in lengths for i in rounds)


CPU = ('CPU', '%', cpu_percent)
RELATIVE = ('median lateness from the call on', 'ns', median_of(relative_ns))
ABSOLUTE = ('median lateness after the deadline', 'ns', median_of(absolute_ns))

UNTIL, FOR = 'hpt_sleep_until_ticks', 'hpt_sleep_ns'

# A result, its band and its way; its largest wanted value in its own unit, or its largest wanted ratio to that of the
# papers' rule in the same run.
SLEEPS = (
    (CPU, 'all', UNTIL, None, 1 / 18),
    (CPU, 'all', FOR, None, 1 / 18),
    (ABSOLUTE, 'long', UNTIL, 60, None),
    (ABSOLUTE, 'short', UNTIL, 35, None),
    (RELATIVE, 'long', FOR, 1300, None),
    (RELATIVE, 'short', FOR, None, 1.1),
)


def band_name(band):
    return {'all': 'sleeps of all lengths', 'long': 'sleeps of 1/HZ and more', 'short': 'sleeps below 1/HZ'}[band]


def lengths_of(way, band, tick_ns):
    return [entry for entry in way['lengths'] if band == 'all' or (band == 'long') == (entry['length_ns'] >= tick_ns)]


def ratio_to(own, papers):
    return own / papers if papers > 0 else None


def judge_sleep(claim, ways, found):
    (what, unit, compute), band, name, most, most_ratio = claim
    own, papers = (lengths_of(ways[which], band, found['kernel_tick_ns']) for which in (name, PAPERS))
    what = f'{name}, {band_name(band)}: {what}'
    if not own:
        print(f'-       {what}: no such length was slept')
        return False
    rounds = range(found['rounds_done'])
    value = compute(own, rounds)
    if most is not None:
        row(what, value, unit, most, digits=1)
        return True
    ratio = ratio_to(value, compute(papers, rounds))
    if ratio is None:
        print(f"-       {what}: no ratio, since that of the papers' rule is 0")
    else:
        # A single round's ratio is coarse; the quartiles show how far one run may be off.
        of_rounds = [r for i in rounds if (r := ratio_to(compute(own, [i]), compute(papers, [i]))) is not None]
        row(what, ratio, "x the papers' rule", most_ratio, f'{value:.3f} {unit}; {quartiles(of_rounds)}')
    return True


def print_ways(ways):
    print(f"{'Late by ns':<26} {'band':<6} {'median':>10} {'deadline':>10} {'p99':>12} {'max':>12}  {'CPU':>10} "
          f"{'early':>6}")
    for name, way in ways.items():
        for band in way['bands']:
            deadline = band['deadline_miss'] or band['miss']
            print(f"{name:<26} {band['band']:<6} {band['miss']['median_ns']:>10} {deadline['median_ns']:>10} "
                  f"{band['miss']['p99_ns']:>12} {band['miss']['max_ns']:>12} {band['cpu_ppm'] / 10000:>9.3f} % "
                  f"{band['early']:>6}")


def judge_sleeps(found):
    ways = by_name(found['ways'])
    print(f"{found['rounds_done']} rounds on CPU {found['cpu']}; 1/HZ, the shortest sleep of the band long, is "
          f"{found['kernel_tick_ns'] / 1e6:g} ms")
    print_ways(ways)
    print()
    judged = [judge_sleep(claim, ways, found) for claim in SLEEPS]
    if found['diverged']:
        print(f"in {found['diverged']} sleeps of libhpt counter and clock diverged")
    early = sum(ways[name]['early'] for name in (UNTIL, FOR))
    row('sleeps of libhpt that ended early', early, '', 0, digits=0)
    return 1 if early else 0 if any(judged) else 77


# ---- Sleeps beside a load ----------------------------------------------------------------------------

KERNEL_SLEEP = 'clock_nanosleep'

# Without a load there are targets at a period of 1.003 ms only: p99, and CPU time compared with clock_nanosleep's.
IDLE_PERIOD_NS, IDLE_P99_US, IDLE_CPU = 1003000, 1, 2.5

# Beside a load, compared with clock_nanosleep: the CPU time of a sleep, and the share of sleeps that are more than
# 0.2 ms late; and that beside four busy threads a CPU and more, where the kernel has time slices for each thread. Not
# p99: that of clock_nanosleep is 0.1 ms in one run and 4 ms in the next, since 1 to 2 % of its wakes wait for a CPU.
LOADED_CPU, LOADED_OVER, CROWDED_OVER = 3, 1, 0.5
CROWD = 4


def judge_turns(what, own, base, key, target):
    """Judges the median of the ratios of paired turns."""
    ratios = [a / b for a, b in zip(own[key], base[key]) if b > 0]
    if ratios:
        row(what, statistics.median(ratios), f'x {KERNEL_SLEEP}', target, quartiles(ratios))
    else:
        print(f'-       {what}: no ratio, since that of {KERNEL_SLEEP} is 0')


def judge_over(what, own, base, target):
    """Of all rounds together, since single ones may have none."""
    if base['over']:
        row(what, own['over'] / base['over'], f'x {KERNEL_SLEEP}', target)
    else:
        print(f'-       {what}: {own["over"]}, and none of {KERNEL_SLEEP}')


def targets_of(found, period_ns):
    """The targets of CPU time and of late sleeps, both compared with clock_nanosleep, and of p99 in us; None: none."""
    if found['load']:
        is_crowded = found['load'] >= CROWD * found['cpus'] and found['machine']['kernel']['slice_ns']
        return LOADED_CPU, CROWDED_OVER if is_crowded else LOADED_OVER, None
    return (IDLE_CPU, None, IDLE_P99_US) if period_ns == IDLE_PERIOD_NS else (None, None, None)


def judge_rate(rate, found):
    ways = by_name(rate['ways'])
    own, base = ways[UNTIL], ways[KERNEL_SLEEP]
    cpu, over_ratio, p99_us = targets_of(found, rate['period_ns'])
    busy = f"{found['load']} busy thread{'' if found['load'] == 1 else 's'}"
    print(f"{rate['name']}, {busy} on {found['cpus']} CPUs; late by ns, CPU time of a sleep in ns")
    print(f"{'':<26} {'median':>10} {'p99':>10} {'p99.9':>10} {'max':>10} {'CPU':>10} {'missed':>6}")
    for name, way in ways.items():
        late = way['late']
        print(f"{name:<26} {late['median_ns']:>10} {late['p99_ns']:>10} {way['p999_ns']:>10} {late['max_ns']:>10} "
              f"{way['cpu_ns']:>10} {way['missed']:>6}")
    what = f"{UNTIL}, {rate['name']}, {busy}"
    if cpu:
        judge_turns(f'{what}: CPU time', own, base, 'round_cpu_ns', cpu)
    if over_ratio:
        judge_over(f'{what}: more than 0.2 ms late', own, base, over_ratio)
    if p99_us:
        row(f'{what}: p99 of the lateness', statistics.median(own['round_p99_ns']) / US_NS, 'us', p99_us)
    print()


def judge_load(found):
    for rate in found['rates']:
        judge_rate(rate, found)
    early = sum(by_name(rate['ways'])[UNTIL]['early'] for rate in found['rates'])
    row('sleeps of libhpt that ended early', early, '', 0, digits=0)
    print()
    return 1 if early else 0


# ---- Interrupts and tickers --------------------------------------------------------------------------

# The highest ratio to the bare way, the last of each phase: a flag in the spin, a futex in the kernel.
SPIN_RATIO, WARM_RATIO, COLD_RATIO = 1.4, 1.05, 1.15
WAITER, FLAG = 'hpt_waiter_interrupt', 'bare flag'


def judge_phase(phase, ways):
    bare = phase['ways'][-1]['name']
    target = SPIN_RATIO if bare == FLAG else COLD_RATIO if phase['cold_waker'] else WARM_RATIO
    own, other = ways[WAITER]['latency'], ways[bare]['latency']
    row(f"{WAITER}, {phase['name']}: median", own['median_ns'] / other['median_ns'], f'x the {bare}', target,
        f"95 %: {own['low_ns'] / other['high_ns']:.3f} to {own['high_ns'] / other['low_ns']:.3f}")


def judge_wakes(found):
    if not found['phases']:
        print('one CPU only: no thread can be woken from another CPU')
        return 77
    for phase in found['phases']:
        if not phase['rounds_done']:
            raise Unfit(f"no round was measured of {phase['name']}")
        ways = by_name(phase['ways'])
        print(f"{phase['name']}, {phase['rounds_done']} rounds; from the waker's call to the sleeper's return, ns")
        print(f"{'':<26} {'median':>10} {'p90':>10} {'p99':>10} {'max':>10} {'the call':>10}")
        for name, way in ways.items():
            latency = way['latency']
            print(f"{name:<26} {latency['median_ns']:>10} {latency['p90_ns']:>10} {latency['p99_ns']:>10} "
                  f"{latency['max_ns']:>10} {way['cost']['median_ns']:>10}")
        judge_phase(phase, ways)
        print()
    if found['lost']:
        print(f"{found['lost']} sleeps were not ended by their wake")
    return 1 if found['lost'] else 0


# The targets at 1 kHz: ns, % and ns.
TICKER_PERIOD_NS = 1000000
TICKER_LATE_NS, TICKER_CPU_PERCENT, TICKER_DRIFT_NS = 60, 7, 1000
TICKER = 'hpt_ticker_wait'


def judge_keeper(keeper):
    late = keeper['late']
    row(f'{TICKER}: median lateness', late['median_ns'], 'ns', TICKER_LATE_NS,
        f"95 %: {late['low_ns']} to {late['high_ns']}", digits=0)
    row(f'{TICKER}: CPU', keeper['cpu_ppm'] / 10000, '%', TICKER_CPU_PERCENT, digits=2)
    row(f'{TICKER}: drift', abs(keeper['drift_ns']), 'ns', TICKER_DRIFT_NS, digits=0)


def judge_ticker(found):
    if not found['ticker']:
        raise Unfit('it has no ticker')
    period_ns, keepers = found['ticker']['period_ns'], by_name(found['ticker']['keepers'])
    print(f'{1e9 / period_ns:g} Hz; late by ns')
    print(f"{'':<26} {'ticks':>7} {'missed':>6} {'median':>10} {'p90':>10} {'p99':>10} {'max':>10} {'CPU':>9} "
          f"{'drift':>11}")
    for name, keeper in keepers.items():
        late = keeper['late']
        print(f"{name:<26} {keeper['ticks']:>7} {keeper['missed']:>6} {late['median_ns']:>10} {late['p90_ns']:>10} "
              f"{late['p99_ns']:>10} {late['max_ns']:>10} {keeper['cpu_ppm'] / 10000:>7.2f} % "
              f"{keeper['drift_ns']:>+8} ns")
    if period_ns == TICKER_PERIOD_NS:
        judge_keeper(keepers[TICKER])
    print()
    return 0


# ---- Program ----------------------------------------------------------------------------------------

CPUS = len(os.sched_getaffinity(0))

# The function that judges a measurement, and the arguments of one or more runs of hpt bench.
KINDS = {
    'read': (judge_reads, [['read', '--rounds=1500', '--seed=1']]),
    'sleep': (judge_sleeps, [['sleep', '--rounds=20', '--seed=1']]),
    # An idle machine, one busy thread, one a CPU, four a CPU.
    'load': (judge_load, [['sleep', f'--load={n}', '--rounds=10', '--seed=1']
                          for n in sorted({0, 1, CPUS, CROWD * CPUS})]),
    'wake': (judge_wakes, [['wake', '--rounds=300', '--ticker=0', '--seed=1']]),
    # The wakes before the ticker are kept as short as possible: 'wake' measures those.
    'ticker': (judge_ticker, [['wake', '--rounds=1', f'--period={period}', '--ticker=10s', '--seed=1']
                              for period in ('1ms', '10ms', '200us')]),
}


def measure(hpt, args):
    p = subprocess.run([hpt, 'bench', *args, '--json'], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=False)
    if p.returncode:
        raise Unfit(f'hpt bench {args[0]}: exit status {p.returncode}')
    try:
        found = json.loads(p.stdout)
    except ValueError as e:
        raise Unfit(f'hpt bench {args[0]}: no JSON: {e}') from e
    check(found, 'load' if any(arg.startswith('--load=') for arg in args) else args[0])
    return found


def report_disturbance(found):
    d = found.get('disturbance')
    if not d or not d['is_disturbed']:
        return
    # Beside a load, preemptions are results.
    parts = [] if found.get('load') else [f"{d['preemptions']} preemptions of the measuring thread"]
    if d['others_ppm'] is not None:
        parts.append(f"{d['others_ppm'] / 1e6:.2f} CPUs used by other processes")
    if d['steal_ppm'] is not None:
        parts.append(f"{d['steal_ppm'] / 1e4:.1f} % of the CPUs taken by the host")
    print('DISTURBED, measure again: ' + ', '.join(parts))


def check(found, what):
    """Raises Unfit unless found is a complete measurement of that benchmark."""
    if not isinstance(found, dict) or found.get('hpt_json') != 1 or found.get('bench') != what:
        raise Unfit(f'the output is no JSON of "hpt bench {what}"')
    if found.get('interrupted'):
        raise Unfit('the measurement was interrupted')
    if what != 'wake' and not found.get('rounds_done'):
        raise Unfit('no round was measured')


def main(hpt, kind, options):
    judge, runs = KINDS[kind]
    try:
        for args in runs:
            found = measure(hpt, args + options)
            print(' '.join(['hpt bench', *args, *options]))
            report_disturbance(found)
            if status := judge(found):
                return status
            sys.stdout.flush()
    except Unfit as e:
        print(f'targets.py: {e}', file=sys.stderr)
        return 1
    except (KeyError, TypeError, IndexError) as e:
        print(f'targets.py: its JSON lacks something: {e!r}', file=sys.stderr)
        return 1
    print(f"{verdicts['met']} targets met, {verdicts['MISSED']} MISSED, {verdicts['-']} rows without a target")
    return 0


if __name__ == '__main__':
    if len(sys.argv) < 3 or sys.argv[2] not in KINDS:
        print('usage: targets.py HPT read|sleep|load|wake|ticker [OPTION...]', file=sys.stderr)
        sys.exit(2)
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3:]))
