# SPDX-License-Identifier: MIT
"""The kernel gives one channel of the HPET to one process: which process holds it, and which must not."""
import vm
from vm import REASON


class Slot(vm.Case):
    """What a second process finds while a first one runs."""

    def assert_held(self, section):
        self.assert_refused(section, 'hpet', 'open', 'EBUSY', REASON.HPET_BUSY)

    def assert_free(self, section):
        s = self.source(section, 'hpet')
        self.assertEqual((s['usable'], s['stage'], s['errno']), (True, 'usable', 0), s)


class Taken(Slot):
    """The HPET is chosen, and so the channel is taken."""
    cpu = 'phenom'
    script = '''
settle
section alone hpt sources --json
section second guest hold default hpt sources --json
section second_info guest hold default hpt info --json
section second_plain guest hold default hpt sources
section explicit env HPT_SOURCE=os guest hold hpet hpt sources --json
section asked env HPT_SOURCE=hpet guest hold default hpt sources --json
section not_asked env HPT_SOURCE=os guest hold default hpt sources --json
section closed env HPT_SOURCE=os guest release hpet hpt sources --json
section after hpt sources --json
section pair env HPT_SOURCE=os guest hold hpet guest hold hpet true
'''

    def test_held_while_it_is_the_default(self):
        for section in 'second', 'asked':
            self.assert_held(section)
            self.assert_chosen(section, 'os', REASON.ONLY_ONE)

    def test_held_by_a_clock_opened_explicitly(self):
        self.assert_held('explicit')

    def test_second_process_says_so(self):
        info = self.object('second_info')
        self.assertEqual((info['source'], info['reason_code'], info['state']), ('os', REASON.ONLY_ONE, 'ok'))
        self.assertIn('/dev/hpet: busy', self.words('second_plain'))

    def test_free_after_the_last_close(self):
        self.assert_free('closed')

    def test_free_when_nobody_asked(self):
        self.assert_free('not_asked')

    def test_free_for_the_next_process(self):
        for section in 'alone', 'not_asked', 'closed', 'after':
            self.assert_chosen(section, 'hpet', REASON.LOWER_MEAN)

    def test_opening_a_taken_one_fails(self):
        status, text = self.out['pair']
        self.assertEqual((status, text), (99, 'guest: hpet: Device or resource busy\n'))


class Lost(Slot):
    """The HPET is measured and not chosen: the process does not keep the channel."""
    cpu, append, options = 'Haswell', vm.NO_WATCHDOG, vm.EXPENSIVE_HPET
    script = '''
settle
section alone hpt sources --json
section beside guest hold default hpt sources --json
section explicit guest hold hpet hpt sources --json
section closed guest release hpet hpt sources --json
'''

    def test_weighed_and_lost(self):
        self.assert_cheaper('alone', 'os', 'hpet')

    def test_free_though_it_was_weighed(self):
        self.assert_free('beside')
        self.assert_cheaper('beside', 'os', 'hpet')

    def test_held_by_a_clock_opened_explicitly(self):
        self.assert_held('explicit')
        self.assert_chosen('explicit', 'os', REASON.ONLY_ONE)

    def test_free_after_the_last_close(self):
        self.assert_free('closed')


if __name__ == '__main__':
    vm.main()
