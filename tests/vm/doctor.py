# SPDX-License-Identifier: MIT
"""hpt doctor where timers end at ticks alone, where the machine suspends, and where groups of version 2 hold it up."""
import json

import vm

MS = 1_000_000
SLEEP_S = 3

# "sleeps N": until the program has slept that often, by how often it got a CPU.
PREPARED = """
settle
export HPT_PRELOAD=/bin/libhpt-preload.so
doctor='hpt doctor --json'
slept() { set -- $(pidof run_seen); set -- $(cat /proc/$1/schedstat 2>/dev/null); echo ${3:-0}; }
sleeps() { until [ $(slept) -gt $1 ]; do sleep 0.1; done; }
"""


class Doctor(vm.Case):
    """A busy host may hold up the emulator as it likes: what is demanded holds nevertheless."""
    cpu = 'phenom'

    def wakes(self, section):
        """(lateness, cause) of each late one."""
        v = json.loads(self.text(section))
        self.assertEqual((v['programs'], v['unread']), (1, 0), v)
        return [(wake['late_ns'], wake['cause']) for wake in v['late_wakes']]

    def causes(self, section, above_ns=0):
        return [cause for late_ns, cause in self.wakes(section) if late_ns > above_ns]


class Ticks(Doctor):
    append = 'highres=off'
    script = PREPARED + """
$doctor --output=/tmp/ticks run_seen usleep 200 1000
section ticks cat /tmp/ticks
section resolution sh -c 'grep -m 1 resolution /proc/timer_list'
"""

    def test_the_tick_is_named(self):
        tick_ns = int(self.text('resolution').split()[1])
        self.assertGreaterEqual(tick_ns, MS)
        found = [cause for late_ns, cause in self.wakes('ticks') if late_ns <= 2 * tick_ns]
        self.assertGreater(found.count('tick'), len(found) // 2)
        self.assertLessEqual(set(found), {'tick', 'run_queue'})


class Suspended(Doctor):
    """
    A suspend stops the kernel's clock, but for some 15 ms before and after it, by which waits of less are late. It may
    find a program awake, none of whose waits is late then: there are several programs.
    """
    # By the emulator's events the other PC sleeps at its first suspend alone.
    options = ('-machine', 'pc')
    wake_after_s = SLEEP_S
    suspends, programs = 3, 4
    script = PREPARED + f"""
for i in $(seq {programs}); do $doctor --late=5ms --output=/tmp/$i run_seen usleep 1000000 4000 & done
sleeps 20
for i in $(seq {suspends}); do
	echo mem >/sys/power/state
	sleep 1
done
killall run_seen
wait
for i in $(seq {programs}); do section suspend$i cat /tmp/$i; done
section boottime guest watch os true
"""

    def test_suspends_are_named_once_each(self):
        seen = self.object('boottime')['after']
        self.assertGreater(seen['boottime_ns'] - seen['raw_ns'], self.suspends * (SLEEP_S - 1.5) * 1e9)
        found = [self.wakes(f'suspend{i + 1}') for i in range(self.programs)]
        named = [sum(cause == 'suspend' for _, cause in wakes) for wakes in found]
        self.assertGreater(sum(named), 0, found)
        self.assertLessEqual(max(named), self.suspends, found)


class Groups(Doctor):
    """Groups of version 2, whose controller of the CPU the machine that tests may lack."""
    script = PREPARED + """
mkdir /tmp/groups
mount -t cgroup2 none /tmp/groups
echo +cpu >/tmp/groups/cgroup.subtree_control
mkdir /tmp/groups/quota /tmp/groups/freezer
echo '20000 100000' >/tmp/groups/quota/cpu.max
cat >/tmp/in <<'EOF'
echo $$ >/tmp/groups/$1/cgroup.procs
shift
exec "$@"
EOF
sh /tmp/in quota sh -c 'while :; do :; done' &
sh /tmp/in quota $doctor --late=20ms --output=/tmp/quota run_seen usleep 30 1000
kill $!
section quota cat /tmp/quota
sh /tmp/in freezer $doctor --late=5ms --output=/tmp/freezer run_seen usleep 1000000 20000 &
sleeps 20
for i in 1 2 3 4; do
	echo 1 >/tmp/groups/freezer/cgroup.freeze
	sleep 0.5
	echo 0 >/tmp/groups/freezer/cgroup.freeze
	sleep 0.2
done
killall run_seen
wait $!
section freezer cat /tmp/freezer
"""

    def test_quota_is_named(self):
        found = self.causes('quota')
        self.assertIn('quota', found)
        self.assertLessEqual(found.count('run_queue'), found.count('quota'), found)

    def test_freezer_is_named(self):
        """Of the waits that stood still for almost as long as the group did."""
        found = self.causes('freezer', 400 * MS)
        self.assertIn('stopped', found)
        self.assertLessEqual(set(found), {'stopped', 'run_queue'})


if __name__ == '__main__':
    vm.main()
