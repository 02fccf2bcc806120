# SPDX-License-Identifier: MIT
"""Walls on emulated PCs whose clock is kept by chronyd, ntpd or systemd-timesyncd against a server in the PC itself,
whose truth is known; the clock is stepped and slewed, gets a leap second, and the PC sleeps."""
import json

import machine # tests/vm
import vm

# ntpd may take five minutes to use the kernel's discipline, by which it states an error. The limit ends a hang.
machine.LIMIT_S = 550

REASON = vm.constants('WALL_REASON')
SOURCE = vm.constants('WALL_SOURCE')
FLAG = vm.constants('WALL_FLAG')
CHRONY, KERNEL = SOURCE.CHRONY, SOURCE.KERNEL
TRUTH = 'offset_ns=300000000', 'rate_ppb=20000'
# 2027-01-01: the midnight of the leap second, and a time shortly before.
LEAP_S = 1798761600
BEFORE_LEAP_S = LEAP_S - 25

# The server is asked every second. The kernel gets a bound (rtcsync). Commands are served by UDP, as by default.
CHRONY_CONF = 'server 10.0.0.1 iburst minpoll 0 maxpoll 0\\nrtcsync\\nbindcmdaddress /\\n'
TIMESYNCD_CONF = '[Time]\\nNTP=10.0.0.1\\nFallbackNTP=\\nPollIntervalMinSec=16\\n'
# Without a file of the frequency ntpd measures that first, for a quarter of an hour. It does not bind the port of all
# addresses, which the server needs.
NTP_CONF = 'server 10.0.0.1 iburst minpoll 3 maxpoll 3\\ndriftfile /etc/drift\\ninterface ignore wildcard\\n'

# The server's address is not one of the PC's own: ntpd would listen there, and so take the server's port. "mark NAME"
# notes when a phase begins. "watch NAME WORD..." starts an umpire.
BEGIN = r"""
settle
export LD_LIBRARY_PATH=/lib:/bin
mkdir -p /run/chrony /run/systemd /var/run /var/lib/chrony /var/lib/systemd/timesync /etc/systemd
printf 'root:x:0:0:root:/:/bin/sh\nsystemd-timesync:x:0:0::/:/bin/sh\n' >/etc/passwd
printf 'root:x:0:\nsystemd-timesync:x:0:\n' >/etc/group
ip link set lo up
ip route add local 10.0.0.1 dev lo table local src 127.0.0.1
mark() { section mark.$1 truthd now /tmp/truth; }
watch() { name=$1; shift; umpire /tmp/truth update_ms=500 line_ms=500 read_us=5000 "$@" >/tmp/$name 2>&1 & }
begin() { truthd make /tmp/truth "$@"; truthd serve /tmp/truth 10.0.0.1:123 >/dev/null & sleep 0.3; }
""" + fr"""
with_chronyd() {{
	printf "{CHRONY_CONF}$1\n" >/etc/chrony.conf
	chronyd -d -f /etc/chrony.conf -u root >/tmp/log 2>&1 &
}}
with_timesyncd() {{ printf '{TIMESYNCD_CONF}' >/etc/systemd/timesyncd.conf; systemd-timesyncd >/tmp/log 2>&1 & }}
with_ntpd() {{ echo 0.0 >/etc/drift; printf '{NTP_CONF}' >/etc/ntp.conf; ntpd -g -n -c /etc/ntp.conf >/tmp/log 2>&1 & }}
"""
END = """
mark end
killall umpire
sleep 0.5
section log cat /tmp/log
"""


def script(body, *watched):
    """A PC's script: the umpires' lines are in sections of their names."""
    return BEGIN + body + END + '\n'.join(f'section {name} cat /tmp/{name}' for name in watched)


class Guest(vm.Case):
    cpu, append, changes = 'EPYC,+invtsc', vm.NO_WATCHDOG, ('invariant-tsc',)
    daemon, watched = 'chronyd', ()

    @classmethod
    def further_files(cls, folder):
        names = [cls.daemon, *(['libsystemd-shared-252.so'] if cls.daemon == 'systemd-timesyncd' else [])]
        return [cls.fetched(name) for name in names]

    @staticmethod
    def fetched(name):
        path = machine.beside(vm.KERNEL, 'daemons/' + name)
        if not path:
            raise machine.Skip(f'no daemons/{name} in the kernel\'s folder: see tests/wall/fetch-daemons')
        return path

    def marks(self):
        """The phases: name -> (its begin, by CLOCK_MONOTONIC_RAW; what truthd printed)."""
        return {name[5:]: self.object(name) for name in self.out if name.startswith('mark.')}

    def lines(self, name, phase=None):
        """An umpire's lines; phase: those from this mark to the next."""
        # The last line is that of the umpire's end, and short.
        lines, marks = self.objects(name)[:-1], [*self.marks().items()]
        if phase is None:
            return lines
        at = [key for key, _ in marks].index(phase)
        start = marks[at][1]['raw_ns']
        end = marks[at + 1][1]['raw_ns'] if at + 1 < len(marks) else 1 << 62
        return [line for line in lines if start < line['at_ns'] <= end]

    def total(self, lines, key):
        return sum(line[key] for line in lines)

    def assert_honest(self, lines):
        """There were intervals, and each check passed."""
        self.assertGreater(self.total(lines, 'intervals'), 0)
        for key in 'other_errors', 'outside', 'fell', 'past_outside', 'surely_wrong', 'waits_early':
            self.assertEqual(self.total(lines, key), 0, [line for line in lines if line[key]][:2])

    def reasons(self, lines, source):
        return {line['sources'][source]['reason'] for line in lines}


class Slewed(Guest):
    """chronyd slews 0.3 s away within four seconds, by 83333 ppm."""
    script = script(f"""
begin {' '.join(TRUTH)}
watch chrony sources={CHRONY}
watch kernel sources={KERNEL}
with_chronyd
mark slewed
sleep 25
""", 'chrony', 'kernel')

    def test_each_interval_holds_the_truth(self):
        for name in 'chrony', 'kernel':
            self.assert_honest(self.lines(name, 'slewed'))

    def test_the_clock_was_slewed(self):
        marks = self.marks()
        self.assertLess(marks['slewed']['realtime_ahead_ns'], -250e6)
        self.assertGreater(marks['end']['realtime_ahead_ns'], -50e6)

    def test_intervals_while_it_was(self):
        """The wall does not follow the clock: none of its bounds is disturbed."""
        for name in 'chrony', 'kernel':
            lines = self.lines(name, 'slewed')
            self.assertEqual((lines[-1]['state'], lines[-1]['generation'], lines[-1]['contradictions']),
                             ('synced', 1, 0), lines[-1])
        self.assertLess(self.lines('chrony', 'slewed')[-1]['width_max_ns'], 20e6)


class Stepped(Guest):
    """The clock is set by an hour, which chronyd notices at once, and by 5 s, which it finds out by measurements: for
    some seconds what it states is wrong by as much. The counter does not know of any of it."""
    script = script(f"""
begin {' '.join(TRUTH)}
watch chrony sources={CHRONY}
watch kernel sources={KERNEL}
with_chronyd
sleep 15
mark hour
date -s @$(($(date +%s) - 3600)) >/dev/null
sleep 20
mark seconds
date -s @$(($(date +%s) + 5)) >/dev/null
sleep 30
""", 'chrony', 'kernel')

    def test_each_interval_holds_the_truth(self):
        for name in 'chrony', 'kernel':
            self.assert_honest(self.lines(name))

    def test_the_bound_lives_on(self):
        for phase in 'hour', 'seconds':
            for name in 'chrony', 'kernel':
                lines = self.lines(name, phase)
                self.assertEqual(self.total(lines, 'again'), 0, phase)
                self.assertLess(lines[-1]['width_max_ns'], 50e6)

    def test_the_clock_was_set(self):
        marks = self.marks()
        self.assertLess(abs(marks['hour']['realtime_ahead_ns']), 50e6)
        self.assertLess(marks['seconds']['realtime_ahead_ns'], -3000e9)

    def test_steps_are_noticed(self):
        """chronyd is not believed at once; after that it is."""
        for phase in 'hour', 'seconds':
            reasons = self.reasons(self.lines('chrony', phase), 'chrony')
            self.assertTrue(reasons & {REASON.STEPPED, REASON.OLD, REASON.UNSYNCED}, reasons)
        self.assertIn(REASON.NONE, self.reasons(self.lines('chrony', 'seconds'), 'chrony'))


def leap_script(directive, after_s):
    """A second is inserted; chrony.conf has this line more."""
    return script(f"""
date -s @{BEFORE_LEAP_S} >/dev/null
begin offset_ns=5000000 rate_ppb=20000 leap_at_ns={LEAP_S}000000000 leap=1
watch chrony sources={CHRONY}
watch cover sources={CHRONY} leap_cover=1
watch kernel sources={KERNEL}
with_chronyd '{directive}'
mark before
sleep 27
mark leap
sleep {after_s}
""", 'chrony', 'cover', 'kernel')


class Leap(Guest):
    """A second is inserted: the server announces it, chronyd sets it in the kernel, and the kernel repeats 23:59:59."""
    script = leap_script('', 13)

    def test_each_interval_holds_the_truth(self):
        for name in 'chrony', 'cover', 'kernel':
            self.assert_honest(self.lines(name))

    def test_the_kernel_inserted_it(self):
        self.assertLess(abs(self.marks()['end']['realtime_ahead_ns']), 100e6)

    def test_no_interval_near_it(self):
        for name in 'chrony', 'kernel':
            lines = self.lines(name)
            near = self.near(lines)
            self.assertGreater(len(near), 1)
            # The first line has what was before the second.
            self.assertEqual(self.total(near[1:-1], 'intervals'), 0)
            self.assertGreater(lines[-1]['intervals'], 0)

    @staticmethod
    def near(lines):
        return [line for line in lines if line['state'] == 'leap']

    def test_an_interval_that_covers_both_readings(self):
        lines, near = self.lines('cover'), self.near(self.lines('chrony'))
        self.assertEqual(self.near(lines), [])
        covered = [line for line in lines if near[1]['at_ns'] - 1e8 < line['at_ns'] < near[-1]['at_ns'] + 1e8]
        self.assertGreater(len(covered), 0)
        for line in covered:
            self.assertEqual(line['again'], 0, line)
            self.assertGreater(line['width_max_ns'], 1e9, line)
        self.assertLess(lines[-1]['width_max_ns'], 100e6)


class LeapMode(Guest):
    """chronyd does not leave the second to the kernel. Its clock, or CLOCK_REALTIME, is a second off UTC until it has
    measured again, and with "slew" for longer."""

    def test_each_interval_holds_the_truth(self):
        for name in 'chrony', 'cover':
            self.assert_honest(self.lines(name))

    def test_there_is_a_bound_again(self):
        for name in 'chrony', 'cover':
            last = self.lines(name)[-1]
            self.assertEqual((last['state'], last['again']), ('synced', 0), last)

    def test_the_kernel_is_wrong_and_flagged(self):
        """So the modes make a difference here."""
        lines = self.lines('kernel')
        self.assertGreater(self.total(lines, 'outside'), 0)
        for line in lines:
            if line['state'] in ('synced', 'holdover'):
                self.assertTrue(line['flags'] & FLAG.CLAIMED, line)


class LeapIgnored(LeapMode):
    script = leap_script('leapsecmode ignore', 43)


class LeapStepped(LeapMode):
    script = leap_script('leapsecmode step', 43)


class LeapSlewed(LeapMode):
    script = leap_script('leapsecmode slew', 43)


class Asleep(Guest):
    """The PC is suspended and woken. How long it slept it knows by a clock of whole seconds, 0.3 s wrong."""
    wake_after_s = 3
    script = script(f"""
begin tracks_sleep=1 sleep_error_ns=300000000 {' '.join(TRUTH)}
watch chrony sources={CHRONY}
with_chronyd
sleep 15
mark asleep
echo mem >/sys/power/state
sleep 30
""", 'chrony')

    def test_each_interval_holds_the_truth(self):
        self.assert_honest(self.lines('chrony'))

    def test_the_sleep_is_noticed(self):
        lines = self.lines('chrony', 'asleep')
        self.assertEqual(lines[-1]['disruptions'], 1, lines[-1])
        self.assertGreater(lines[-1]['generation'], 1)
        self.assertTrue(any(line['again'] and 'disrupted' in line['updated'] for line in lines), lines[:3])

    def test_a_bound_again(self):
        self.assertGreater(self.lines('chrony')[-1]['intervals'], 0)


class Timesyncd(Guest):
    """At each poll it sets maxerror and esterror to 0: the claim that the clock, 0.35 s off at first, has no error."""
    daemon = 'systemd-timesyncd'
    script = script(f"""
begin offset_ns=350000000 rate_ppb=20000
watch kernel sources={KERNEL}
watch trusted sources={KERNEL} trusted={KERNEL}
with_timesyncd
mark begin
sleep 25
section adjtimex adjtimex
""", 'kernel', 'trusted')

    def test_its_claim_is_refused(self):
        for name in 'kernel', 'trusted':
            lines = self.lines(name)
            self.assertEqual(self.total(lines, 'intervals'), 0)
            self.assertEqual(lines[-1]['sources']['kernel']['reason'], REASON.ZERO_ERROR, lines[-1])
            self.assertLessEqual(self.reasons(lines, 'kernel'), {REASON.UNSYNCED, REASON.ZERO_ERROR})

    def test_it_is_a_claim(self):
        """STA_UNSYNC is clear. It states no error; to maxerror the kernel adds 500 us a second."""
        text = self.text('adjtimex')
        self.assertRegex(text, r'esterror: +0')
        self.assertIn('(clock synchronized)', text)


class Ntpd(Guest):
    """NTPsec's steps the clock at its first measurements, and then states its root distance by adjtimex(2). When it
    starts it clears STA_UNSYNC and states 16 us, of a clock that is 0.3 s off."""
    daemon = 'ntpd'
    script = script(f"""
begin {' '.join(TRUTH)}
watch kernel sources={KERNEL}
with_ntpd
mark begin
sleep 3
section started adjtimex
sleep 15
while adjtimex | grep -q UNSYNC; do sleep 1; done
watch later sources={KERNEL}
sleep 10
section stated adjtimex
""", 'kernel', 'later')

    def test_each_interval_holds_the_truth(self):
        self.assert_honest(self.lines('later'))

    def test_a_wall_that_saw_the_step_waits_longer(self):
        """ntpd's own step looks as any other: the kernel's claim is refused for some minutes."""
        lines = self.lines('kernel')
        self.assertEqual(self.total(lines, 'intervals'), 0)
        self.assertIn(REASON.STEPPED, self.reasons(lines, 'kernel'))

    def test_the_claim_of_its_start_is_refused(self):
        self.assertRegex(self.text('started'), r'(?s)esterror: +16\n.*clock synchronized')
        self.assertEqual(self.total(self.lines('kernel')[:6], 'intervals'), 0)

    def test_it_is_synced(self):
        self.assertNotRegex(self.text('stated'), r'esterror: +16\n')
        self.assertEqual(self.lines('later')[-1]['state'], 'synced')


if __name__ == '__main__':
    vm.main()
