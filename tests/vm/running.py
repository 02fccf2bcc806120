# SPDX-License-Identifier: MIT
"""Processes that run for a while: the rate of their clock, and a kernel that changes its own clock meanwhile."""
import vm
from vm import REASON, STATE

TOLERANCE = 0.001


class Rate(vm.Case):
    """The HPET compared with the kernel's clocks, which the TSC drives on this machine."""
    cpu, append, options = 'Haswell', vm.NO_WATCHDOG, vm.EXPENSIVE_HPET
    script = '''
settle
section hpet guest rate hpet 1000
section os guest rate os 1000
section sources hpt sources --json
section info env HPT_SOURCE=hpet hpt info --json
'''

    def assert_rate(self, seen):
        for clock in 'monotonic', 'raw':
            ticks_per_s = seen[clock]['ticks'] * 1e9 / seen[clock]['ns']
            self.assertAlmostEqual(ticks_per_s * 1e6 / seen['frequency_uhz'], 1, delta=TOLERANCE, msg=(clock, seen))

    def test_hpet_keeps_the_rate_it_states(self):
        self.assert_rate(self.object('hpet'))

    def test_os_keeps_its_rate(self):
        self.assert_rate(self.object('os'))

    def test_frequency_is_the_registers(self):
        info = self.object('info')
        self.assertEqual((info['frequency_hz'], info['frequency_origin']), (100_000_000, 'register'))
        self.assertEqual(self.source('sources', 'hpet')['frequency_hz'], 100_000_000)


class Bits32(Rate):
    """A 32-bit program on the 64-bit kernel, linked with a library compiled for it."""
    cpu, append, options = 'phenom', '', ()
    needs_guest32 = True
    script = '''
settle
section watched guest32 watch default sleep 1
section second guest32 hold default hpt sources --json
section hpet guest32 rate default 1000
section os guest32 rate os 1000
section sources hpt sources --json
section info env HPT_SOURCE=hpet hpt info --json
'''

    def test_hpet_is_chosen_and_goes_forward(self):
        seen = self.object('watched')
        self.assertEqual((seen['pointer_bits'], seen['source'], seen['reason_code']), (32, 'hpet', REASON.LOWER_MEAN))
        self.assert_forward(seen)

    def test_it_holds_the_device(self):
        self.assert_refused('second', 'hpet', 'open', 'EBUSY', REASON.HPET_BUSY)

    def test_rate_is_that_of_the_default(self):
        self.assertEqual(self.object('hpet')['source'], 'hpet')


class Carry(vm.Case):
    """The low half of the counter overflows while programs of 64 and of 32 bits read it."""
    cpu, append = 'Haswell', 'iomem=relaxed ' + vm.NO_WATCHDOG  # relaxed: devmem may write the registers
    options = (*vm.EXPENSIVE_HPET, '-global', 'hpet.timers=8')
    needs_guest32 = True
    # The HPET is halted, set to some seconds before the carry and started again. The kernel keeps time with the TSC
    # meanwhile. A busy host may take longer than that to start the programs: they begin again then, with a longer lead.
    script = '''
settle
lead() {
	devmem 0xfed00010 32 0
	devmem 0xfed000f0 32 $((0xffffffff - $1 * 100000000))
	devmem 0xfed000f4 32 0
	devmem 0xfed00010 32 1
}
cat >/tmp/carry <<'EOF'
[ $(devmem 0xfed000f4 32) = 0x00000000 ] || exit 9
while [ $(devmem 0xfed000f4 32) = 0x00000000 ]; do sleep 0.1; done
EOF
watched() {
	for seconds in 4 12 36; do
		lead $seconds
		guest watch hpet guest32 watch hpet sh /tmp/carry >/tmp/watched
		status=$?
		[ $status = 9 ] || break
	done
	cat /tmp/watched
	return $status
}
section watched watched
'''

    def test_no_read_is_torn(self):
        seen = self.objects('watched')
        self.assertEqual([(s['pointer_bits'], s['source']) for s in seen], [(32, 'hpet'), (64, 'hpet')])
        for s in seen:
            self.assertLess(s['before']['ticks'], 1 << 32)
            self.assertGreaterEqual(s['after']['ticks'], 1 << 32)
            self.assert_forward(s)


class Switched(vm.Case):
    """The kernel changes its clocksource: running processes keep their source, new ones choose again."""
    script = '''
settle
export clocks
cat >/tmp/switch <<'EOF'
for c in $(cat $clocks/available_clocksource); do
	echo $c >$clocks/current_clocksource
	hpt sources --json >/tmp/sources.$c
	hpt info --json >/tmp/info.$c
done
EOF
section first hpt sources --json
section available cat $clocks/available_clocksource
section watched guest watch default guest watch os sh /tmp/switch
for c in $(cat $clocks/available_clocksource); do
	section sources.$c cat /tmp/sources.$c
	section info.$c cat /tmp/info.$c
done
'''
    keeps = ''
    choices = {}  # the kernel's clocksource -> the library's source, its allowed reasons, and the TSC's reason

    def test_every_clocksource_was_there(self):
        self.assertEqual(set(self.text('available').split()), set(self.choices))

    def test_a_running_process_keeps_source_and_order(self):
        seen = self.objects('watched')
        self.assertEqual([s['source'] for s in seen], ['os', self.keeps])
        for s in seen:
            self.assert_forward(s)

    def test_a_new_process_chooses_again(self):
        for kernel, (source, reasons, tsc_reason) in self.choices.items():
            chosen = self.source('sources.' + kernel, source)
            self.assertTrue(chosen['chosen'], (kernel, chosen))
            self.assertIn(chosen['reason_code'], reasons, kernel)
            self.assertEqual(self.source('sources.' + kernel, 'tsc')['reason_code'], tsc_reason)
            info = self.object('info.' + kernel)
            self.assertEqual((info['source'], info['kernel']['clocksource']), (source, kernel))


class SwitchedHpet(Switched):
    cpu = 'phenom'
    options = ('-global', 'hpet.timers=8')  # enough for the processes that start while another one watches
    keeps = 'hpet'
    choices = {
        'hpet': ('hpet', (REASON.LOWER_MEAN,), REASON.KERNEL_DISAGREES),
        'acpi_pm': ('hpet', (REASON.LOWER_MEAN,), REASON.KERNEL_DISAGREES),
    }


class SwitchedOs(Switched):
    """On this processor a system call is so expensive that the OS clock may count as ten times coarser."""
    cpu, append, options = 'Haswell', vm.NO_WATCHDOG, vm.EXPENSIVE_HPET
    keeps = 'os'
    choices = {
        'tsc': ('os', (REASON.LOWER_MEAN, REASON.FINER), REASON.TSC_NOT_CONSTANT),
        'hpet': ('hpet', (REASON.LOWER_MEAN, REASON.FINER), REASON.KERNEL_DISAGREES),
        'acpi_pm': ('hpet', (REASON.LOWER_MEAN, REASON.FINER), REASON.KERNEL_DISAGREES),
    }


class SwitchedTsc(Switched):
    cpu, append = 'EPYC,+invtsc', vm.NO_WATCHDOG
    changes = ('invariant-tsc',)
    keeps = 'tsc'
    choices = {
        'tsc': ('tsc', (REASON.TSC_TRUSTED,), REASON.TSC_TRUSTED),
        'hpet': ('hpet', (REASON.LOWER_MEAN,), REASON.KERNEL_DISAGREES),
        'acpi_pm': ('hpet', (REASON.LOWER_MEAN,), REASON.KERNEL_DISAGREES),
    }


class Demoted(vm.Case):
    """The kernel leaves the TSC and returns to it. hpt_clock_check() reports both. Times are converted by the kernel's
    own clocks in between."""
    cpu, append = 'EPYC,+invtsc', vm.NO_WATCHDOG
    changes = ('invariant-tsc',)
    script = '''
settle
export clocks
cat >/tmp/leave <<'EOF'
sleep 1.5
echo hpet >$clocks/current_clocksource
sleep 1.5
EOF
cat >/tmp/return <<'EOF'
sh /tmp/leave
echo tsc >$clocks/current_clocksource
sleep 0.5
EOF
section asked guest check default sh /tmp/leave
echo tsc >$clocks/current_clocksource
sleep 0.5
section returned guest check default sh /tmp/return
section not_asked guest watch default sh /tmp/return
section first cat $clocks/current_clocksource
'''

    def test_a_check_reports_it(self):
        seen = self.object('asked')
        self.assertEqual(seen['source'], 'tsc')
        # The kernel changes its clock before current_clocksource names the new one. A look between the two may find
        # that the counter has jumped, which is a generation of its own.
        self.assertIn(seen['generation'], (2, 3), seen)
        self.assert_generation(seen, STATE.DEMOTED, seen['generation'])

    def test_a_check_reports_the_return(self):
        seen = self.object('returned')
        self.assertIn(seen['generation'], (3, 4, 5), seen)
        self.assert_generation(seen, STATE.OK, seen['generation'])

    def test_the_counter_goes_on(self):
        for section in 'asked', 'returned', 'not_asked':
            seen = self.object(section)
            self.assertEqual(seen['now'], {'back': 0, 'worst': 0}, seen)
            self.assertGreater(seen['after']['ticks'], seen['before']['ticks'], seen)

    def test_nanoseconds_are_the_kernels_own(self):
        seen = self.object('asked')
        for clock in 'timeline', 'unix':
            self.assertEqual(seen[clock]['last_ns'], 0, seen)
            self.assert_undisturbed(seen, clock)

    def test_times_stay_near_without_a_check(self):
        seen = self.object('not_asked')
        self.assert_forward(seen)
        for clock in 'timeline', 'unix':
            self.assert_undisturbed(seen, clock)


if __name__ == '__main__':
    vm.main()
