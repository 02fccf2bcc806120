# SPDX-License-Identifier: MIT
"""Machines without the hpt command: what the program "counter" prints about a source there."""
import vm

# Of the rate, besides the counter's step; as in running.py.
TOLERANCE = 0.001

# Sections for one source. The default clock is on it, by choice or by HPT_SOURCE.
SECTIONS = '''
section {name}.sources {env} counter sources
section {name}.info {env} counter info default
section {name}.cost {env} counter cost default
section {name}.rate {env} guest rate default 500
section {name}.watched {env} guest watch default sleep 0.5
section {name}.causality {env} counter causality default {messages}
section {name}.sleeps {env} counter sleeps default {sleeps}
'''


def sections(name, env='', messages=2000, sleeps=3000):
    """Returns the part of a script whose output the checks below judge; env: "env NAME=VALUE..."."""
    return SECTIONS.format(name=name, env=env, messages=messages, sleeps=sleeps)


# Each does all that the first does, and some more. The emulator has 16 places for the blocks of code that begin in one
# page: where two blocks of a read share one, each evicts the other, and that read takes twice as long in this program.
ORDERED = 'hpt_now', 'hpt_now_ns', 'hpt_now_monotonic_ns'
UNORDERED = 'hpt_now_unordered', 'hpt_now_ns_unordered'


class Case(vm.Case):
    cpu = ''

    def check_rate(self, name, hz):
        """The clock runs at the rate that it states, and that is the hardware's."""
        seen, step_ns = self.object(name + '.rate'), self.object(name + '.info')['granularity_ns']
        self.assertAlmostEqual(seen['frequency_uhz'] / (hz * 1e6), 1, delta=TOLERANCE, msg=seen)
        for clock in 'monotonic', 'raw':
            ticks_per_s = seen[clock]['ticks'] * 1e9 / seen[clock]['ns']
            self.assertAlmostEqual(ticks_per_s * 1e6 / seen['frequency_uhz'], 1,
                                   delta=TOLERANCE + 2 * step_ns / seen[clock]['ns'], msg=(clock, seen))

    def check_order(self, name):
        """Reads never go back, on one processor or between two; the times follow the kernel's."""
        seen = self.object(name + '.watched')
        self.assert_forward(seen)
        for clock in 'timeline', 'unix':
            self.assert_undisturbed(seen, clock)
        seen = self.object(name + '.causality')
        self.assertGreater(seen['messages'], 0)
        self.assertEqual(seen['back'], 0, seen)

    def check_sleeps(self, name):
        seen = self.object(name + '.sleeps')
        self.assertGreater(seen['sleeps'], 0)
        self.assertEqual((seen['failed'], seen['early'], seen['early_raw']), (0, 0, 0), seen)

    def check_cost(self, name, times, reads=ORDERED):
        """A read costs less than clock_gettime(), by this factor. The figures are the emulator's."""
        cost, info = self.object(name + '.cost'), self.object(name + '.info')
        release, clocksource = (self.text(section).strip() for section in ('release', 'clocksource'))
        figures = ', '.join(f'{call} {ps / 1000:.0f} ns' for call, ps in cost.items())
        print(f'# {type(self).__name__}, Linux {release}, clocksource {clocksource}, source {info["source"]}: '
              f'{figures}, ratio {cost["clock_gettime"] / cost["hpt_now"]:.2f}')
        least = min(cost[read] for read in reads)
        self.assertGreater(least, 0, cost)
        self.assertLess(least * times, cost['clock_gettime'], cost)
