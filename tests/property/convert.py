#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the library's conversions with Python's integers, which neither overflow nor round.

Arguments: the number of values for each frequency, the program, and other builds of it: without a 128-bit type, for 32
bits. The first two builds get every value, the others as many as there is time for. Each result must be the one that
the fixed-point factor defines, to the bit, and no further from the rational number that the factor stands for than
hpt_ticks_to_ns(3) states. HPT_TEST_SEED repeats a run.
"""
import array
import errno
import multiprocessing
import os
import random
import subprocess
import sys

from tap import Tap

OPS = ('ticks to ns', 'ns to ticks', 'add', 'ticks to timespec', 'to timespec', 'from timespec', 'to Unix ns',
       'Unix ticks')
MIN, MAX = -2**63, 2**63 - 1
ONE, HALF = 2**64, 2**63        # of the fixed-point factors
NS_PER_S = 10**9
GHZ_UHZ = 10**15
UNITS_NS = {'ns': 1, 'us': 1000, 's': NS_PER_S}

# Micro-hertz: 10 MHz to 6 GHz, the HPET of most machines, a measured TSC, and frequencies next to 24 MHz and 1 GHz.
FREQUENCIES = [f * 10**6 for f in (10**7, 14318180, 10**9, 2600000000, 4700000000, 5 * 10**9, 6 * 10**9)] + \
    [24 * 10**12 + 1, 2596135968123457, GHZ_UHZ - 1, GHZ_UHZ + 1]
RANDOM_FREQUENCIES = 2

# A counter that has run for half a year since boot, and the Unix time of that tick, in 2026.
EPOCH_UNIX_NS = 1795171679123456789
EPOCH_AGE_S = 15768000

VALUES = int(sys.argv[1])
PROGRAMS = sys.argv[2:4]
OTHERS = sys.argv[4:]
OTHERS_PAIRS_MAX = 20000
EDGES = sorted({s * (2**k + d) for k in (0, 31, 32, 52, 53, 62, 63) for d in (-2, -1, 0, 1, 2) for s in (1, -1)}
               | {MIN, MIN + 1, MAX, 0})
EDGES = [v for v in EDGES if MIN <= v <= MAX]


class Clock:
    """A rate as the library holds it: nanoseconds per tick = num / den, and the factors both ways."""

    def __init__(self, uhz):
        self.uhz, self.num, self.den = uhz, GHZ_UHZ, uhz
        self.per_tick = (2 * self.num * ONE + self.den) // (2 * self.den)
        self.per_ns = (2 * self.den * ONE + self.num) // (2 * self.num)
        self.tick, self.unix_ns = EPOCH_AGE_S * uhz // 10**6, EPOCH_UNIX_NS

    @staticmethod
    def ask_others(op, head, pairs, reply):
        n = min(len(pairs) // 2, OTHERS_PAIRS_MAX)
        request = array.array('q', [*head[:-1], n]).tobytes() + array.array('q', pairs[:2 * n]).tobytes()
        for program in OTHERS:
            answer = subprocess.run([program], input=request, stdout=subprocess.PIPE, check=True).stdout
            if answer != reply[:3 * n].tobytes():
                raise AssertionError(f'{op}: {program} gives other results')

    def ask(self, op, pairs, unit_ns=1):
        """Returns lists of the status and the two numbers. Both builds must give the same bytes."""
        head = array.array('q', [OPS.index(op), self.num, self.den, self.tick, self.unix_ns, unit_ns, len(pairs) // 2])
        request = head.tobytes() + array.array('q', pairs).tobytes()
        replies = [subprocess.run([p], input=request, stdout=subprocess.PIPE, check=True).stdout for p in PROGRAMS]
        reply = array.array('q', replies[0])
        if replies[0] != replies[1] or len(reply) != len(pairs) // 2 * 3:
            raise AssertionError(f'{op} at {self.uhz} uHz: the two builds do not agree')
        self.ask_others(op, head, pairs, reply)
        return reply[0::3].tolist(), reply[1::3].tolist(), reply[2::3].tolist()


def paired(xs, ys=None):
    pairs = array.array('q', bytes(16 * len(xs)))
    pairs[0::2] = array.array('q', xs)
    if ys is not None:
        pairs[1::2] = array.array('q', ys)
    return pairs


# ---- Inputs -------------------------------------------------------------------------------------------

def all_magnitudes(rnd, n):
    """Returns small values as often as large ones, of both signs."""
    values, shifts = array.array('q', rnd.randbytes(8 * n)), rnd.randbytes(n)
    return [v >> (s & 63) for v, s in zip(values, shifts)]


def near_halves(rnd, n, num, den):
    """Returns values x with x * num / den next to k + 1/2."""
    found = []
    while len(found) < n:
        k = rnd.getrandbits(rnd.randrange(1, 64))
        x = (2 * k + 1) * den // (2 * num)
        found += [v for v in (x, x + 1, -x, -x - 1) if MIN <= v <= MAX]
    return found


def durations(rnd, n, num, den):
    few = n // 20
    return EDGES + near_halves(rnd, few, num, den) + all_magnitudes(rnd, n - few - len(EDGES))


def near_the_ends(rnd, n, clock, unit_ns):
    """Returns times and amounts whose sum is within a few ticks of the ends of int64."""
    times, amounts = [], []
    for t in all_magnitudes(rnd, n):
        ticks = rnd.choice((MIN, MAX)) - t + rnd.randrange(-3, 4)
        amount = ticks * clock.num // (clock.den * unit_ns) + rnd.randrange(-1, 3)
        if MIN <= amount <= MAX:
            times.append(t)
            amounts.append(amount)
    return times, amounts


# ---- Expected results ----------------------------------------------------------------------------------

def times_factor(xs, factor):
    """Returns the products rounded to nearest, halves away from zero."""
    return [(x * factor + HALF - (x < 0)) >> 64 for x in xs]


def divided_by_factor(xs, factor):
    return [((x << 65) + factor - (x < 0)) // (2 * factor) for x in xs]


def saturated(values):
    if MIN <= min(values) and max(values) <= MAX:
        return values
    return [MAX if v > MAX else MIN if v < MIN else v for v in values]


def narrowed(values):
    """Returns status and value; a value that does not fit is not written."""
    return ([0 if MIN <= v <= MAX else -errno.ERANGE for v in values],
            [v if MIN <= v <= MAX else 0 for v in values])


def assert_same(what, got, want, given):
    if got == want:
        return
    i = next(i for i, (g, w) in enumerate(zip(got, want)) if g != w)
    raise AssertionError(f'{what} of {given[i]}: {got[i]}, not {want[i]}')


def assert_answers(what, got, want, given):
    assert_same(what + ', status', got[0], want[0], given)
    assert_same(what, got[1], want[1], given)


def assert_nearest(what, xs, ys, num, den):
    """y is x * num / den within half a unit plus the factor's own error of 2^-65 per unit of x."""
    half = den // 2
    for x, y in [(x, y) for x, y in zip(xs, ys) if not -half <= y * den - x * num <= half]:
        if abs(y * den - x * num) << 65 > (den << 64) + abs(x) * den and MIN < y < MAX:
            raise AssertionError(f'{what} of {x}: {y} is not the nearest')


# ---- The properties: each takes a clock, a random generator and a count ----------------------------------

def ticks_to_ns(clock, rnd, n):
    xs = durations(rnd, n, clock.num, clock.den)
    ys = clock.ask('ticks to ns', paired(xs))[1]
    assert_same('ns', ys, saturated(times_factor(xs, clock.per_tick)), xs)
    assert_nearest('ns', xs, ys, clock.num, clock.den)


def ns_to_ticks(clock, rnd, n):
    xs = durations(rnd, n, clock.den, clock.num)
    ys = clock.ask('ns to ticks', paired(xs))[1]
    assert_same('ticks', ys, saturated(times_factor(xs, clock.per_ns)), xs)
    assert_nearest('ticks', xs, ys, clock.den, clock.num)


def wide_ticks(clock, ns):
    """Returns ticks: by the product for a value that fits int64, else by division."""
    return [t if MIN <= x <= MAX else q for x, t, q in
            zip(ns, times_factor(ns, clock.per_ns), divided_by_factor(ns, clock.per_tick))]


def assert_sum(clock, t, ns, status, got):
    """got is the rational sum within the error of the factor that was used (for the division, that of ns per tick).
    Errors are in units of 2^-65 / num."""
    exact = t * clock.num + ns * clock.den
    slack = abs(ns) * (clock.num if MIN <= ns <= MAX else clock.den * clock.den // clock.num + 1) + clock.num
    allowed = (clock.num << 64) + slack
    if status == 0:
        good = abs(got * clock.num - exact) << 65 <= allowed
    else:
        good = (exact - MAX * clock.num) << 65 >= (clock.num << 64) - slack or \
               (MIN * clock.num - exact) << 65 >= (clock.num << 64) - slack
    if not good:
        raise AssertionError(f'{t} and {ns} ns: {status}, {got}')


def add(unit):
    def check(clock, rnd, n):
        unit_ns = UNITS_NS[unit]
        times, amounts = near_the_ends(rnd, n // 10, clock, unit_ns)
        more = n - len(times)
        times, amounts = times + all_magnitudes(rnd, more), amounts + all_magnitudes(rnd, more)
        times, amounts = times + EDGES * len(EDGES), amounts + [a for a in EDGES for _ in EDGES]
        status, sums, _ = clock.ask('add', paired(times, amounts), unit_ns)
        ns = [a * unit_ns for a in amounts]
        want = narrowed([t + d for t, d in zip(times, wide_ticks(clock, ns))])
        given = list(zip(times, amounts))
        assert_answers('sum', (status, sums), want, given)
        for t, x, s, got in zip(times, ns, status, sums):
            assert_sum(clock, t, x, s, got)
        if min(status) == 0 or max(status) != 0:
            raise AssertionError('all sums fit, or no sum does')
    check.__name__ = f'add_{unit}'
    return check


def assert_seconds(what, ns, seconds, above_ns, given):
    assert_same(what, seconds, [x // NS_PER_S for x in ns], given)
    assert_same(what, above_ns, [x % NS_PER_S for x in ns], given)


def ticks_to_timespec(clock, rnd, n):
    xs = durations(rnd, n, clock.num, clock.den)
    _, seconds, above_ns = clock.ask('ticks to timespec', paired(xs))
    assert_seconds('timespec', times_factor(xs, clock.per_tick), seconds, above_ns, xs)


def unix_ns_of(clock, ts):
    return [clock.unix_ns + ns for ns in times_factor([t - clock.tick for t in ts], clock.per_tick)]


def there_and_back(clock, rnd, n):
    """Every time fits a timespec, and converts back within half a nanosecond and half a tick."""
    ts = durations(rnd, n, clock.num, clock.den)
    _, seconds, above_ns = clock.ask('to timespec', paired(ts))
    assert_seconds('timespec', unix_ns_of(clock, ts), seconds, above_ns, ts)
    status, back, _ = clock.ask('from timespec', paired(seconds, above_ns))
    if clock.num >= clock.den:
        assert_same('there and back', status, [0] * len(ts), ts)
        assert_same('there and back', back, ts, ts)
    for t, s, b in zip(ts, status, back):
        # At the ends of int64 the tick nearest to the nanosecond may not fit.
        if s and abs(t) > MAX - 100:
            continue
        if s or 2 * abs(b - t) * clock.per_tick > ONE + clock.per_tick:
            raise AssertionError(f'there and back of {t}: {s}, {b}')


def from_timespec(clock, rnd, n):
    """Tries any seconds, of which not all fit, and those next to the limits."""
    ends = [(ns // NS_PER_S + d) for ns in unix_ns_of(clock, [MIN, MAX]) for d in (-1, 0, 1)] * 50
    seconds = [s for s in ends if MIN <= s <= MAX] + all_magnitudes(rnd, n)
    above_ns = [rnd.randrange(NS_PER_S) for _ in seconds]
    status, ts, _ = clock.ask('from timespec', paired(seconds, above_ns))
    ages = [s * NS_PER_S + ns - clock.unix_ns for s, ns in zip(seconds, above_ns)]
    want = narrowed([clock.tick + d for d in divided_by_factor(ages, clock.per_tick)])
    given = list(zip(seconds, above_ns))
    assert_answers('tick', (status, ts), want, given)


def unix_ns_and_ticks(clock, rnd, n):
    ts = durations(rnd, n, clock.num, clock.den)
    want = narrowed(unix_ns_of(clock, ts))
    status, ns, _ = clock.ask('to Unix ns', paired(ts))
    assert_answers('Unix ns', (status, ns), want, ts)
    offset = times_factor([clock.unix_ns], clock.per_ns)[0] - clock.tick
    status, ticks, _ = clock.ask('Unix ticks', paired(ts))
    assert_answers('Unix ticks', (status, ticks), narrowed([t + offset for t in ts]), ts)


# Each property gets VALUES divided by this: the later ones take longer in Python.
PROPERTIES = ((ticks_to_ns, 1), (ns_to_ticks, 1), (add('ns'), 10), (add('us'), 10), (add('s'), 10),
              (ticks_to_timespec, 10), (there_and_back, 10), (from_timespec, 10), (unix_ns_and_ticks, 10))


def examine(request):
    """Returns the result of each property for one frequency."""
    seed, uhz = request
    rnd, results = random.Random(f'{seed} {uhz}'), []
    for check, share in PROPERTIES:
        try:
            check(Clock(uhz), rnd, VALUES // share)
            wrong = None
        except AssertionError as error:
            wrong = str(error)
        results.append((f'{check.__name__.replace("_", " ")} at {uhz} uHz', wrong))
    return results


def main():
    seed = os.environ.get('HPT_TEST_SEED') or str(random.SystemRandom().getrandbits(64))
    rnd = random.Random(seed)
    frequencies = FREQUENCIES + [rnd.randrange(10**13, 6 * GHZ_UHZ) for _ in range(RANDOM_FREQUENCIES)]
    tap = Tap()
    print(f'# HPT_TEST_SEED={seed}, {VALUES} values per frequency and property, for some properties a tenth of that')
    with multiprocessing.Pool() as pool:
        for results in pool.imap(examine, [(seed, uhz) for uhz in frequencies]):
            for what, wrong in results:
                tap.result(wrong is None, what, [wrong] if wrong else [])
    tap.end()


if __name__ == '__main__':
    main()
