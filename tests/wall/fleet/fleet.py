# SPDX-License-Identifier: MIT
"""Ten thousand machines over a simulated day, whose walls and logical clocks are the library's: while what servers
state and what walls claim of rates is true, each interval holds the truth, and each transaction has a larger stamp than
all that were committed before it began, on any machine. With intervals half as wide or narrower by a tenth, or rates a
tenth beyond the claim, both break.

usage: fleet.py fleet liars [fleet_plot] class=Fleet size=long|slow|brief out=FOLDER

Writes fleet-SIZE.txt, tables of how width and wait grow and of what one lying server does, and fleet-SIZE.svg, to the
folder.
"""
import json
import os
import subprocess

import lab

POLLS_S = [16 << i for i in range(7)]
ROUND_TRIPS_NS = [100_000 * 10 ** i for i in range(4)]
MS = 1_000_000

SIZES = { # machines and minutes of the honest fleet, of that with lies, and of those that must fail; machines of liars
    'long': ((10000, 1440), (2000, 720), (1000, 120), 40),
    'slow': ((10000, 120), (2000, 120), (1000, 120), 10),
    'brief': ((1000, 240), (1000, 120), (1000, 120), 4),
}


def run(*command):
    return json.loads(subprocess.run([lab.PROGRAMS[command[0]], *command[1:]], stdout=subprocess.PIPE, check=True,
                                     timeout=lab.LIMIT_S * 10).stdout)


def fleet(size, *more):
    return run('fleet', f'machines={size[0]}', f'minutes={size[1]}', *more)


def ms(ns):
    return f'{ns / MS:.3g}' if ns < 1000 * MS else f'{ns / MS:.0f}'


def percent(part, whole):
    share = 100 * part / whole
    return '0' if not part else f'{share:.1f}' if share >= 0.1 else '<0.1'


def table(head, rows):
    """Lines of a table as README has them."""
    cells = [head, ['---'] * len(head), *rows]
    return ['| ' + ' | '.join(str(cell) for cell in row) + ' |' for row in cells]


def growth(honest):
    """Medians and 99th percentiles in ms."""
    trips = [ms(ns) + ' ms' for ns in ROUND_TRIPS_NS]
    pair = '{} / {}'.format
    yield 'Width of the interval in ms, median / 99th percentile, by poll interval and round trip'
    yield from table(['poll', *trips], [[f'{poll} s', *(pair(ms(c[0]), ms(c[1])) for c in row)]
                                        for poll, row in zip(POLLS_S, honest['width'])])
    yield ''
    yield 'Wait of a chain of commits in ms, median / 99th percentile, by its machines and their round trip'
    yield from table(['machines', *trips, 'any'],
                     [[i + 1, *(pair(ms(row[i][0]), ms(row[i][1])) for row in honest['chain'])] for i in range(8)])


def lying(cells):
    """False and missing intervals in per cent of reads since the lie began, and the time until it was noticed."""
    yield 'One of n servers lies: reads in % that are false / without a bound; the lie is noticed after (median)'
    rows = {}
    for c in cells:
        noticed = f'{c["noticed_median_ms"] / 1000:.0f} s' if c['noticed'] == c['machines'] else \
            f'{c["noticed"]} of {c["machines"]}'
        rows.setdefault((c['mode'], ms(c['lie_ns']) + ' ms'), {})[c['servers']] = \
            f'{percent(c["false"], c["read"])} / {percent(c["no_bound"], c["read"])}; {noticed}'
    yield from table(['wall', 'lie', *(f'n = {n}' for n in range(1, 6))],
                     [[*key, *(row.get(n, '') for n in range(1, 6))] for key, row in rows.items()])


def points(honest):
    """What fleet_plot draws."""
    for row, trip_ns in enumerate(ROUND_TRIPS_NS):
        for poll, cells in zip(POLLS_S, honest['width']):
            yield f'0 {poll * lab.S} {cells[row][0]} round trip {ms(trip_ns)} ms'
    for hops in 1, 2, 4, 8:
        for trip_ns, row in zip(ROUND_TRIPS_NS, honest['chain']):
            yield f'1 {trip_ns} {row[hops - 1][0]} {hops} machine{"s" if hops > 1 else ""}'


def summary(name, seen):
    return (f'{name}: {seen["machines"]} machines, {seen["starts"]} starts, {seen["reboots"]} reboots, '
            f'{seen["silences"]} silences, {seen["fed"]} samples, {seen["read"]} intervals, {seen["begun"]} '
            f'transactions, {seen["messages"]} messages; false {seen["false_of_true"]}, violations '
            f'{seen["violations"]}, by false statements {seen["false_of_false"]} and {seen["false_violations"]}; the '
            f'closest stamps {seen["closest_ns"]} ns apart; {seen["events"]} events in {seen["cpu_s"]:.1f} s, '
            f'{seen["events"] / seen["cpu_s"]:.0f} a second')


class Fleet(lab.Case):
    @classmethod
    def record(cls):
        honest, lies, broken, liars = SIZES[lab.WORDS['size']]
        cls.honest = fleet(honest)
        cls.lies = fleet(lies, 'lies=1')
        cls.half = fleet(broken, 'claim_percent=50')
        cls.narrower = fleet(broken, 'claim_percent=90')
        cls.rates = fleet(broken, 'rates_percent=110')
        cls.liars = run('liars', f'machines={liars}')
        cls.report(f'{honest[0]} machines in {honest[1] // 60} hours')

    @classmethod
    def report(cls, subtitle):
        lines = [summary(name, getattr(cls, name)) for name in ('honest', 'lies', 'half', 'narrower', 'rates')]
        lines += ['', *growth(cls.honest), '', *lying(cls.liars)]
        path = os.path.join(lab.WORDS['out'], 'fleet-' + lab.WORDS['size'])
        with open(path + '.txt', 'w', encoding='ascii') as f:
            f.write('\n'.join(lines) + '\n')
        print('\n'.join('# ' + line for line in lines))
        if 'fleet_plot' in lab.PROGRAMS:
            with open(path + '.svg', 'w', encoding='ascii') as f:
                subprocess.run([lab.PROGRAMS['fleet_plot'], subtitle], stdout=f, text=True, check=True,
                               input='\n'.join(points(cls.honest)) + '\n')

    def cells(self, mode, least_lie_ns=0):
        return [c for c in self.liars if c['mode'] == mode and c['lie_ns'] >= least_lie_ns]

    def test_intervals_hold_the_truth_and_stamps_the_order(self):
        for key in ('false_of_true', 'false_of_false', 'fell', 'refused', 'violations', 'repeated', 'early', 'again',
                    'bad_messages'):
            self.assertEqual(self.honest[key], 0, key)

    def test_failures_and_messages_took_part(self):
        self.assertGreater(self.honest['starts'], self.honest['machines'])
        for key in ('reboots', 'silences', 'unanswered', 'no_bound', 'messages', 'unavailable'):
            self.assertGreater(self.honest[key], 0, key)
        self.assertGreater(self.honest['committed'], self.honest['machines'])
        self.assertLess(self.honest['closest_ns'], MS)

    def test_lies_leave_machines_that_took_none(self):
        for key in 'false_of_true', 'fell', 'violations', 'repeated', 'early':
            self.assertEqual(self.lies[key], 0, key)
        for key in 'false_of_false', 'false_violations', 'refused':
            self.assertGreater(self.lies[key], 0, key)

    def test_narrower_intervals_and_rates_beyond_the_claim_break_it(self):
        for seen in self.half, self.narrower, self.rates:
            for key in 'false_of_true', 'violations', 'early':
                self.assertGreater(seen[key], 0, key)

    def test_width_grows_with_poll_and_delay(self):
        width = [[cell[0] for cell in row] for row in self.honest['width']]
        for row in width:
            self.assertEqual(row, sorted(row))
        for trip in zip(*width):
            self.assertLess(trip[0], trip[-1])

    def test_wait_is_the_width_and_grows_with_hops(self):
        for widths, waits in zip(self.honest['width'], self.honest['wait']):
            for width, wait in zip(widths, waits):
                if width[2] >= 1000:
                    self.assertLess(abs(wait[0] - width[0]), width[0] / 10)
        for network in self.honest['chain']:
            self.assertEqual([cell[0] for cell in network], sorted(cell[0] for cell in network))

    def test_no_lie_no_harm(self):
        self.assertEqual(self.total(self.liars, 'honest_false'), 0)
        self.assertEqual(self.total(self.liars, 'false_of_true'), 0)

    def test_one_server_alone_is_believed(self):
        for mode in 'at once', 'in turns', 'feed trusted':
            for c in self.cells(mode, 40 * MS):
                if c['servers'] == 1:
                    self.assertGreater(c['false'], c['read'] * 0.9, c)

    def test_a_lie_beyond_the_interval_is_noticed(self):
        for c in self.liars:
            if c['lie_ns'] >= 40 * MS:
                self.assertEqual(c['noticed'], c['machines'], c)

    def test_of_three_asked_at_once_the_liar_only_costs_bounds(self):
        for c in self.cells('at once', 40 * MS):
            if c['servers'] >= 3:
                self.assertLess(c['false'], c['read'] * 0.02, c)
                self.assertGreater(c['no_bound'], c['read'] * 0.1, c)

    def test_trust_in_feed_believes_the_latest(self):
        for c in self.cells('feed trusted', 40 * MS):
            self.assertEqual(c['no_bound'], 0, c)
            self.assertGreater(c['false'], c['read'] * 0.1, c)

    def test_trust_in_one_source_keeps_the_bound(self):
        for c in self.cells('one trusted'):
            self.assertEqual(c['no_bound'], 0, c)
        for c in self.cells('one trusted', 4000 * MS):
            self.assertEqual(c['false'], 0, c)

    def test_a_seed_repeats_a_run(self):
        runs = [fleet((40, 60), 'lies=1', f'seed={seed}') for seed in (7, 7, 8)]
        for seen in runs:
            del seen['cpu_s']
        self.assertEqual(runs[0], runs[1])
        self.assertNotEqual(runs[0], runs[2])


if __name__ == '__main__':
    lab.main()
