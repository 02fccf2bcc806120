# SPDX-License-Identifier: MIT
"""The counter of a running process is set to another value, while the kernel keeps time with another counter."""
import vm
from vm import STATE

SECOND = 100_000_000 # ticks of the emulated HPET
# Time until the next read of a process that reads every millisecond, on a busy host.
AT_ONCE_NS = 0.2e9


class Jump(vm.Case):
    cpu, append = 'Haswell', 'iomem=relaxed ' + vm.NO_WATCHDOG  # relaxed: devmem may write the registers
    options = ('-global', 'hpet.timers=8')
    script = f'''
settle
cat >/tmp/move <<'EOF'
sleep 1.5
guest move hpet $1
sleep 1.5
EOF
section ahead guest watch hpet sh /tmp/move {100 * SECOND}
section slightly_ahead guest watch hpet sh /tmp/move {SECOND // 2}
section slightly_back guest watch hpet sh /tmp/move -{SECOND // 2}
section checked guest check hpet sh /tmp/move {SECOND // 2}
section undisturbed guest watch default guest watch os sh /tmp/move {SECOND}
section back guest watch hpet sh /tmp/move -{200 * SECOND}
'''

    def seen(self, section):
        seen = self.object(section)
        # The counter is halted while it is set: each sample taken in that moment is an event of its own.
        self.assertEqual(seen['state'], STATE.DISRUPTED, seen)
        self.assertIn(seen['generation'], range(2, 6 if seen['check'] else 3), seen)
        self.assertAlmostEqual(seen['frequency_uhz'] / 1e6 / SECOND, 1, delta=0.001, msg=seen)
        return seen

    def assert_noticed(self, section, within_ns):
        seen = self.seen(section)
        for clock in 'timeline', 'unix':
            self.assert_right(seen, clock, within_ns)

    def test_far_jumps_are_noticed_at_once(self):
        for section in 'ahead', 'back':
            self.assert_noticed(section, AT_ONCE_NS)

    def test_near_jumps_are_noticed_at_the_next_sample(self):
        for section in 'slightly_ahead', 'slightly_back':
            self.assert_noticed(section, vm.NOTICED_NS)

    def test_check_notices_at_once(self):
        self.assert_noticed('checked', AT_ONCE_NS)

    def test_the_ticks_are_the_counters(self):
        ahead, back = self.object('ahead'), self.object('back')
        self.assertGreater(ahead['after']['ticks'] - ahead['before']['ticks'], 100 * SECOND)
        self.assertLess(back['after']['ticks'], back['before']['ticks'])

    def test_other_clocks_do_not_care(self):
        for seen in self.objects('undisturbed'):
            self.assertEqual((seen['source'], seen['state'], seen['generation']), ('os', STATE.OK, 1))
            self.assert_forward(seen)


class Stumbling(vm.Case):
    """Separate commands halt and set the counter: it stands still for a while, and jumps more than once."""
    cpu, append, options = Jump.cpu, Jump.append, Jump.options
    script = f'''
settle
cat >/tmp/move <<'EOF'
sleep 1.5
read halted rest </proc/uptime
devmem 0xfed00010 32 0
ticks=$(($(devmem 0xfed000f4 32) * 4294967296 + $(devmem 0xfed000f0 32) + $1))
devmem 0xfed000f0 32 $((ticks % 4294967296))
devmem 0xfed000f4 32 $((ticks / 4294967296))
devmem 0xfed00010 32 1
read restarted rest </proc/uptime
echo $halted $restarted >/tmp/moved
sleep 3
EOF
moved() {{ section $1 guest $2 hpet sh /tmp/move $3; section $1_moved cat /tmp/moved; }}
moved far watch {100 * SECOND}
moved near watch {SECOND // 2}
moved checked check {SECOND // 2}
'''

    def stood_for_ns(self, section):
        """At most this long, by a clock that counts hundredths of a second."""
        halted, restarted = map(float, self.text(section + '_moved').split())
        return (restarted - halted + 0.01) * 1e9

    def test_it_recovers(self):
        for section in 'far', 'near', 'checked':
            seen = self.object(section)
            self.assertEqual((seen['state'], seen['in_generation']['back']), (STATE.DISRUPTED, 0), seen)
            self.assertAlmostEqual(seen['frequency_uhz'] / 1e6 / SECOND, 1, delta=0.001, msg=seen)
            # A counter that stands still makes times wrong again at once, however often the library notices it.
            for clock in 'timeline', 'unix':
                self.assert_right(seen, clock, self.stood_for_ns(section) + vm.NOTICED_NS)


if __name__ == '__main__':
    vm.main()
