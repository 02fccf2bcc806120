# SPDX-License-Identifier: MIT
"""A restored snapshot: the TSC has run on until the restore, the emulator's other clocks continue from the snapshot. A
process that lives through it can notice if the kernel keeps time with another counter than the process."""
import vm
from vm import STATE


class Snapshot(vm.Case):
    """The kernel uses the HPET: compared with its clocks the TSC jumps."""
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

    def test_a_clock_that_jumped_has_noticed(self):
        for source, seen in self.lived().items():
            if source == self.jumps:
                self.assert_generation(seen, STATE.DISRUPTED, 2)
            else:
                self.assert_generation(seen, STATE.OK, 1)

    def test_all_are_right_afterwards(self):
        for seen in self.lived().values():
            for clock in 'timeline', 'unix':
                self.assert_right(seen, clock)


class SnapshotSoon(Snapshot):
    """A short jump looks like passing time until the library takes a sample."""
    restore_after_s = 0.3


class SnapshotTsc(Snapshot):
    """The kernel uses the TSC: all its clocks have jumped alike, which cannot be distinguished from passing time."""
    cpu, append, changes = 'EPYC,+invtsc', vm.NO_WATCHDOG, ('invariant-tsc',)
    script = Snapshot.script.replace(' guest watch tsc', '')
    kernel, jumps = 'tsc', None


if __name__ == '__main__':
    vm.main()
