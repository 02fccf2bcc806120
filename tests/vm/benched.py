# SPDX-License-Identifier: MIT
"""hpt bench on a machine with three sources: the clocks of its sleeps and reads, not what it says of them."""
import json

import vm

SLEEP = 'hpt bench sleep --longest=1ms --step=10 --rounds=1'
SOURCES = 'tsc', 'hpet', 'os'


def section(name, command, env=''):
    """Returns the part of a script that runs a command of the library's user, and lists the clocks that it used."""
    return f'''
rm -f /tmp/used
section {name} env USED_CLOCKS=/tmp/used LD_PRELOAD=/bin/libhpt_test_used_clock.so {env} {command}
section {name}.used sort /tmp/used
'''


class Benched(vm.Case):
    """The kernel does not trust this TSC, so that the library refuses it; the HPET is chosen."""
    cpu = 'phenom'
    script = ('settle\n' + section('chosen', SLEEP + ' --json') + section('env', SLEEP + ' --json', 'HPT_SOURCE=os') +
              ''.join(section(source, f'{SLEEP} --source={source} --json') for source in SOURCES) +
              section('text', SLEEP + ' --source=tsc') +
              section('wake', 'hpt bench wake --rounds=1 --ticker=20ms --json') +
              section('read', 'hpt bench read --rounds=1 --json'))

    def ended(self, name):
        """The output of a run. A busy host may make the emulator's clocks diverge, which is exit status 3."""
        status, text = self.out[name]
        self.assertIn(status, (0, 3), text)
        return text

    def used(self, name):
        """Function -> sources of the clocks on which it was called."""
        found = {}
        for line in self.text(name + '.used').splitlines():
            function, source = line.split()
            found.setdefault(function, set()).add(source)
        return found

    def check_sleeps(self, name, source, is_vetoed):
        used, d = self.used(name), json.loads(self.ended(name))
        self.assertIn('hpt_sleep_until_ticks', used)
        self.assertEqual({s for sources in used.values() for s in sources}, {source}, used)
        self.assertEqual((d['machine']['source'], d['stopwatch']['source']), (source, source))
        self.assertEqual((d['machine']['vetoed'], d['stopwatch']['vetoed']), (is_vetoed, is_vetoed))
        return d

    def test_sleeps_are_on_the_source_that_was_asked_for(self):
        for source in SOURCES:
            d = self.check_sleeps(source, source, source == 'tsc')
            self.assertEqual([way['early'] for way in d['ways'][:2]], [0, 0], source)
        self.check_sleeps('chosen', 'hpet', False)
        self.check_sleeps('env', 'os', False)

    def test_worth_of_a_refused_counter_is_said(self):
        self.assertIn('Timed by a counter that the library refuses, tsc: ', self.ended('text'))
        d = json.loads(self.ended('tsc'))
        self.assertEqual(d['stopwatch']['reason'], d['machine']['reason'])

    def test_wakes_are_on_the_chosen_clock_and_timed_by_it(self):
        used, d = self.used('wake'), json.loads(self.ended('wake'))
        self.assertEqual((used['hpt_waiter_new'], used['hpt_ticker_new']), ({'hpet'}, {'hpet'}))
        self.assertEqual((d['stopwatch']['source'], d['stopwatch']['vetoed']), ('hpet', False))

    def test_each_read_is_of_its_source(self):
        used, d = self.used('read'), json.loads(self.ended('read'))
        self.assertEqual(used['hpt_now'], set(SOURCES))
        self.assertEqual({row['source'] for row in d['rows'] if row['name'].startswith('hpt_now(')} - {None},
                         set(SOURCES))
        self.assertEqual((d['stopwatch']['source'], d['stopwatch']['vetoed']), ('tsc', True))


if __name__ == '__main__':
    vm.main()
