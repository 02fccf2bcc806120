# SPDX-License-Identifier: MIT
"""Runs one of hpt's benchmarks and compares its results with the targets of DESIGN.md, "The numbers to reach".

usage: targets.py HPT read|sleep|load|wake|ticker [OPTION...]

OPTIONs go to hpt bench. A missed target is reported but is no failure: results vary with the machine and its load.
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


def verdict(value, target):
    return 'met' if value <= target else 'MISSED'


def quartiles(values, digits=3):
    return f'quartiles of rounds {quantile(values, 0.25):.{digits}f}, {quantile(values, 0.75):.{digits}f}'


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
)


def judge_reads(found):
    rows = by_name(found['rows'])
    for name, row in rows.items():
        print(f"{name:<32} {row['throughput']['median_ps'] / 1000:9.2f} ns, isolated "
              f"{row['isolated']['median_ps'] / 1000:9.2f} ns")
    print()
    judged = 0
    for name, base, target in READS:
        if isinstance(base, tuple):
            base = min((one for one in base if one in rows), default=base[0],
                       key=lambda one: rows[one]['throughput']['median_ps'])
        if name not in rows or base not in rows:
            missing = name if name not in rows else base
            print(f'{name} to {base}: not judged, {missing} is not available here')
            continue
        ratios = [a / b for a, b in zip(rows[name]['throughput_ps'], rows[base]['throughput_ps'])]
        ratio = statistics.median(ratios)
        print(f'{name} to {base}: {ratio:.3f} ({quartiles(ratios)})'
              + (f', target {target:.2f} {verdict(ratio, target)}' if target else ''))
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
RELATIVE = ('relative median', 'ns', median_of(relative_ns))
ABSOLUTE = ('absolute median', 'ns', median_of(absolute_ns))

UNTIL, FOR = 'hpt_sleep_until', 'hpt_sleep_ns'

# A result, its band and its way; its largest wanted value in its own unit, and its largest wanted ratio to that of the
# papers' rule in the same run. None: only shown.
SLEEPS = (
    (CPU, 'all', UNTIL, None, 1 / 18),
    (CPU, 'all', FOR, None, 1 / 18),
    (ABSOLUTE, 'long', UNTIL, 60, None),
    (ABSOLUTE, 'short', UNTIL, 35, None),
    (RELATIVE, 'long', FOR, 1300, None),
    (RELATIVE, 'short', FOR, None, 1.1),
)


def band_name(band):
    return {'all': 'all lengths', 'long': '1/HZ and more', 'short': 'below 1/HZ'}[band]


def lengths_of(way, band, tick_ns):
    return [entry for entry in way['lengths'] if band == 'all' or (band == 'long') == (entry['length_ns'] >= tick_ns)]


def ratio_to(own, papers):
    return own / papers if papers > 0 else None


def judge_sleep(claim, ways, found):
    (what, unit, compute), band, name, most, most_ratio = claim
    own, papers = (lengths_of(ways[which], band, found['kernel_tick_ns']) for which in (name, PAPERS))
    if not own:
        print(f'{what}, {band_name(band)}, {name}: not judged, no such length was slept')
        return False
    rounds = range(found['rounds_done'])
    value = compute(own, rounds)
    line = f'{what}, {band_name(band)}, {name}: {value:.{3 if unit == "%" else 1}f} {unit}'
    if most is not None:
        line += f', target {most:.2f} {verdict(value, most)}'
    ratio = ratio_to(value, compute(papers, rounds))
    of_rounds = [r for i in rounds if (r := ratio_to(compute(own, [i]), compute(papers, [i]))) is not None]
    if ratio is not None:
        # A single round's ratio is coarse; the quartiles show how far one run may be off.
        line += f"; {ratio:.3f} x papers'" + (f' ({quartiles(of_rounds)})' if of_rounds else '')
    elif most_ratio is not None:
        line += "; no ratio, since the papers' is 0"
    if ratio is not None and most_ratio is not None:
        line += f', target {most_ratio:.3f} {verdict(ratio, most_ratio)}'
    print(line)
    return True


def print_ways(ways):
    print(f"{'':<26} {'band':<6} {'median':>10} {'absolute':>10} {'p99':>12} {'max':>12}  {'CPU':>10} {'early':>6}")
    for name, way in ways.items():
        for band in way['bands']:
            deadline = band['deadline_miss'] or band['miss']
            print(f"{name:<26} {band['band']:<6} {band['miss']['median_ns']:>10} {deadline['median_ns']:>10} "
                  f"{band['miss']['p99_ns']:>12} {band['miss']['max_ns']:>12} {band['cpu_ppm'] / 10000:>9.3f} % "
                  f"{band['early']:>6}")


def judge_sleeps(found):
    ways = by_name(found['ways'])
    print(f"{found['rounds_done']} rounds on CPU {found['cpu']}, 1/HZ = "
          f"{found['kernel_tick_ns'] / 1e6:g} ms; misses in ns")
    print_ways(ways)
    print()
    judged = [judge_sleep(claim, ways, found) for claim in SLEEPS]
    if found['disturbed']:
        print(f"{found['disturbed']} sleeps of hpt ended with a state")
    early = sum(ways[name]['early'] for name in (UNTIL, FOR))
    print(f"early sleeps of hpt: {early}, target 0 {verdict(early, 0)}")
    return 1 if early else 0 if any(judged) else 77


# ---- Sleeps beside a load ----------------------------------------------------------------------------

KERNEL_SLEEP = 'clock_nanosleep'

# Compared with clock_nanosleep: the most CPU time of a sleep, without a load and beside one; the highest p99 beside a
# load, and beside four threads a CPU and more. The p99 without a load is in us.
CPU_IDLE, CPU_LOADED, P99_LOADED, P99_CROWDED = 2.5, 4, 1, 0.1
P99_IDLE_US, P99_IDLE_PERIOD_NS = 1, 1000000
CROWD = 4


def judge_ratio(what, own, base, key, target):
    """Judges the median of the ratios of paired turns."""
    ratios = [a / b for a, b in zip(own[key], base[key]) if b > 0]
    if not ratios:
        print(f"{what}: no ratio, since {KERNEL_SLEEP}'s is 0")
        return
    ratio = statistics.median(ratios)
    print(f"{what}: {ratio:.3f} x {KERNEL_SLEEP}'s ({quartiles(ratios)}), target {target} {verdict(ratio, target)}")


def judge_rate(rate, load, cpus):
    ways = by_name(rate['ways'])
    own, base = ways[UNTIL], ways[KERNEL_SLEEP]
    print(f"{rate['name']}, {load} busy threads on {cpus} CPUs; late by ns: median, p99, p99.9, max; CPU ns, missed")
    for name, way in ways.items():
        late = way['late']
        print(f"{name:<26} {late['median_ns']:>10} {late['p99_ns']:>10} {way['p999_ns']:>10} {late['max_ns']:>10} "
              f"{way['cpu_ns']:>10} {way['missed']:>6}")
    judge_ratio('CPU', own, base, 'round_cpu_ns', CPU_LOADED if load else CPU_IDLE)
    if load:
        judge_ratio('p99', own, base, 'round_p99_ns', P99_CROWDED if load >= CROWD * cpus else P99_LOADED)
    elif rate['period_ns'] == P99_IDLE_PERIOD_NS:
        p99 = statistics.median(own['round_p99_ns']) / US_NS
        print(f'p99: {p99:.3f} us, target {P99_IDLE_US} {verdict(p99, P99_IDLE_US)}')
    print()


def judge_load(found):
    for rate in found['rates']:
        judge_rate(rate, found['load'], found['cpus'])
    early = sum(by_name(rate['ways'])[UNTIL]['early'] for rate in found['rates'])
    print(f"early sleeps of hpt: {early}, target 0 {verdict(early, 0)}\n")
    return 1 if early else 0


# ---- Interrupts and tickers --------------------------------------------------------------------------

# The highest ratio to the bare way, the last of each phase: a flag in the spin, a futex in the kernel.
SPIN_RATIO, WARM_RATIO, COLD_RATIO = 1.4, 1.05, 1.15
WAITER, FLAG = 'hpt_waiter_interrupt', 'bare flag'


def judge_phase(phase, ways):
    bare = phase['ways'][-1]['name']
    target = SPIN_RATIO if bare == FLAG else COLD_RATIO if phase['cold_waker'] else WARM_RATIO
    own, other = ways[WAITER]['latency'], ways[bare]['latency']
    ratio = own['median_ns'] / other['median_ns']
    print(f"{phase['name']}: median {ratio:.3f} x the {bare}'s (19 times of 20 within "
          f"{own['low_ns'] / other['high_ns']:.3f}, {own['high_ns'] / other['low_ns']:.3f}), target {target} "
          f"{verdict(ratio, target)}")


def judge_wakes(found):
    if not found['phases']:
        print('one CPU only: no thread can be woken from another CPU')
        return 77
    for phase in found['phases']:
        if not phase['rounds_done']:
            raise Unfit(f"no round was measured of {phase['name']}")
        ways = by_name(phase['ways'])
        print(f"{phase['name']}, {phase['rounds_done']} rounds, ns: latency median, p90, p99, max; the waker's call")
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
    late, cpu, drift = keeper['late'], keeper['cpu_ppm'] / 10000, keeper['drift_ns']
    print(f"{TICKER}: median {late['median_ns']} ns (19 times of 20 within {late['low_ns']}, {late['high_ns']}), "
          f"target {TICKER_LATE_NS} {verdict(late['median_ns'], TICKER_LATE_NS)}; CPU {cpu:.2f} %, "
          f"target {TICKER_CPU_PERCENT} {verdict(cpu, TICKER_CPU_PERCENT)}; drift {drift:+d} ns, "
          f"target {TICKER_DRIFT_NS} {verdict(abs(drift), TICKER_DRIFT_NS)}")


def judge_ticker(found):
    if not found['ticker']:
        raise Unfit('it has no ticker')
    period_ns, keepers = found['ticker']['period_ns'], by_name(found['ticker']['keepers'])
    print(f'{1e9 / period_ns:g} Hz: ticks, missed; late by ns: median, p90, p99, max; CPU, drift')
    for name, keeper in keepers.items():
        late = keeper['late']
        print(f"{name:<26} {keeper['ticks']:>7} {keeper['missed']:>5} {late['median_ns']:>10} {late['p90_ns']:>10} "
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
    if d and d['is_disturbed']:
        print(f"disturbed: other processes used {(d['others_ppm'] or 0) / 1e6:.2f} CPUs, the host took "
              f"{(d['steal_ppm'] or 0) / 1e4:.1f} %, and the measuring thread was preempted {d['preemptions']} times")


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
    return 0


if __name__ == '__main__':
    if len(sys.argv) < 3 or sys.argv[2] not in KINDS:
        print('usage: targets.py HPT read|sleep|load|wake|ticker [OPTION...]', file=sys.stderr)
        sys.exit(2)
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3:]))
