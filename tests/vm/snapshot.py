# SPDX-License-Identifier: MIT
"""A snapshot restored: the TSC comes back as late as the restoring was, the emulator's other clocks go on from where
they were. A process that lives through it is told if the kernel keeps time with another clock than the process."""
import vm
from vm import STATE


class Snapshot(vm.Case):
    """The kernel on the HPET: against its clocks the TSC jumps."""
    cpu, restore_after_s = 'phenom', 2
    script = '''
settle
section kernel cat $clocks/current_clocksource
section lived guest watch default guest watch os guest watch tsc sh -c 'echo @@snapshot; sleep 3'
'''
    kernel, jumps = 'hpet', 'tsc'

    def lived(self):
        return {seen['source']: seen for seen in self.objects('lived')}

    def test_the_kernels_clocksource(self):
        self.assertEqual(self.text('kernel').strip(), self.kernel)

    def test_who_jumped_has_noticed(self):
        for source, seen in self.lived().items():
            if source == self.jumps:
                self.assert_generation(seen, STATE.DISRUPTED, 2)
            else:
                self.assert_generation(seen, STATE.OK, 1)

    def test_all_are_right_afterwards(self):
        for seen in self.lived().values():
            for clock in 'line', 'unix':
                self.assert_right(seen, clock)


class SnapshotSoon(Snapshot):
    """A jump that could be time passing, until the library looks."""
    restore_after_s = 0.3


class SnapshotTsc(Snapshot):
    """The kernel on the TSC: all of its clocks have jumped alike, and nothing tells that from time passing."""
    cpu, append, changes = 'EPYC,+invtsc', vm.NO_WATCHDOG, ('invariant-tsc',)
    script = Snapshot.script.replace(' guest watch tsc', '')
    kernel, jumps = 'tsc', None


if __name__ == '__main__':
    vm.main()
