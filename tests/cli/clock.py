# SPDX-License-Identifier: MIT
"""hpt info, sources, cpu and now: keys, types, and what HPT_SOURCE does."""
import ctypes
import errno
import json
import os
import platform
import re
import struct
import sys
import time
from unittest import mock

import cli

X86 = platform.machine() in ('x86_64', 'i386', 'i486', 'i586', 'i686')
SOURCES = ('tsc', 'hpet', 'os', 'arch', 'mmio')
TEXT, NUMBER, FLAG = (str,), (int,), (bool,)
MAYBE, MAYBE_NUMBER, MAYBE_FLAG = (str, type(None)), (int, type(None)), (bool, type(None))

INFO = {
    'hpt_json': NUMBER, 'source': TEXT, 'counter': MAYBE, 'reason': TEXT, 'reason_code': NUMBER,
    'frequency_hz': NUMBER, 'frequency_uhz': NUMBER, 'frequency_error_ppb': NUMBER, 'frequency_origin': TEXT,
    'granularity_ns': NUMBER, 'read_cost_ps': NUMBER, 'read_cost_stddev_ps': NUMBER, 'ordered_read': MAYBE,
    'rdtscp_ps': NUMBER, 'lfence_rdtsc_ps': NUMBER, 'state': TEXT, 'vetoed': FLAG, 'generation': NUMBER,
    'counter_bits': NUMBER, 'epoch_ticks': NUMBER, 'epoch_ns': NUMBER, 'epoch_unix_ns': NUMBER,
    'os_error_ns': MAYBE_NUMBER, 'requested': MAYBE,
    'env_source': MAYBE, 'env_unknown': FLAG, 'env_refused': FLAG, 'env_refused_reason': MAYBE, 'kernel': (dict,),
    'core': (dict,), 'cpu': (dict, type(None)),
}
CORE = {
    'caches': (list,), 'speed_hz': MAYBE_NUMBER, 'speed_min_hz': MAYBE_NUMBER, 'speed_max_hz': MAYBE_NUMBER,
    'governor': MAYBE,
}
CACHE = {'level': NUMBER, 'type': TEXT, 'size_bytes': NUMBER, 'cpus': MAYBE_NUMBER}
KERNEL = {
    'clocksource': MAYBE, 'hz': NUMBER, 'vdso': FLAG, 'clock_gettime_ps': NUMBER, 'syscall_ps': NUMBER,
    'timer_slack_ns': MAYBE_NUMBER, 'idle_driver': MAYBE, 'idle_governor': MAYBE, 'guest_halt_poll_ns': MAYBE_NUMBER,
    'latency_limit_us': MAYBE_NUMBER, 'wake_late_ns': MAYBE_NUMBER, 'wake_late_max_ns': MAYBE_NUMBER, 'policy': MAYBE,
    'slice_ns': MAYBE_NUMBER, 'slice_timer': MAYBE_FLAG, 'latency_request': MAYBE_FLAG,
    'cpu_latency_request': MAYBE_FLAG, 'wakeup_latency_request': MAYBE_FLAG,
}
CPU = {
    'vendor_id': TEXT, 'vendor': TEXT, 'brand': TEXT, 'family': NUMBER, 'model': NUMBER, 'stepping': NUMBER,
    'tsc': FLAG, 'rdtscp': FLAG, 'invariant': FLAG, 'sse2': FLAG, 'class': TEXT, 'hypervisor': FLAG,
}
LIVE_CPU = {
    'hpt_json': NUMBER, **CPU, 'hypervisor_id': TEXT, 'cores_online': NUMBER, 'crystal_hz': NUMBER,
    'tsc_hz': NUMBER, 'codename': MAYBE, 'technology': MAYBE, 'features': (list,),
}
SOURCE = {
    'name': TEXT, 'counter': MAYBE, 'usable': FLAG, 'chosen': FLAG, 'reason': TEXT, 'reason_code': NUMBER,
    'stage': TEXT, 'errno': NUMBER, 'errno_name': MAYBE, 'cost_mean_ps': NUMBER, 'cost_stddev_ps': NUMBER,
    'cost_samples': NUMBER, 'cost_dropped': NUMBER, 'frequency_hz': NUMBER, 'granularity_ns': NUMBER,
}
NOW = {'hpt_json': NUMBER, 'source': TEXT, 'ticks': NUMBER, 'ns': NUMBER, 'unix_ns': NUMBER, 'utc': TEXT}

# Each process measures for itself what the sources cost, so the choice and its reason may differ from run to run.
# A request has one of these reasons, and no other choice has them.
REQUESTED = (8, 9)

# With HPT_SOURCE=os what is said of these two is the same in each run.
CERTAIN = ('os', 'mmio')
NO_DEVICE = {'HPT_MMIO': 'uio=hpt-no-such-device,width=64,frequency=1000000'}

# Numbers of system calls on x86-64.
PRCTL, FUTEX, CLOCK_NANOSLEEP, SCHED_SETATTR, SCHED_GETATTR = 157, 202, 230, 314, 315


def first_line(path):
    try:
        with open(path, encoding='ascii') as f:
            return f.readline().strip() or None
    except OSError:
        return None


def set_slack(ns):
    """For preexec_fn. PR_SET_TIMERSLACK: include/uapi/linux/prctl.h."""
    ctypes.CDLL(None).prctl(29, ns, 0, 0, 0)


def set_slice(ns):
    """For preexec_fn. struct sched_attr: include/uapi/linux/sched/types.h."""
    attr = struct.pack('=IIQiIQQQ', 48, os.SCHED_OTHER, 0, 0, 0, ns, 0, 0)
    if ctypes.CDLL(None).syscall(SCHED_SETATTR, 0, attr, 0):
        raise OSError('sched_setattr')


class Case(cli.Case):
    def object(self, *args, **kw):
        """One object, one line; booleans are booleans and no number is a fraction."""
        text = self.ok(*args, '--json', **kw)
        self.assertEqual((text.count('\n'), text[-1]), (1, '\n'))
        return json.loads(text)

    def assert_shape(self, shape, value):
        self.assertEqual(list(value), list(shape))
        for key, types in shape.items():
            self.assertIn(type(value[key]), types, key)
            if type(value[key]) is int and not key.startswith('epoch'):
                self.assertGreaterEqual(value[key], 0, key)


class Info(Case):
    def test_json_shape(self):
        info = self.object('info')
        self.assert_shape(INFO, info)
        self.assert_shape(CORE, info['core'])
        for cache in info['core']['caches']:
            self.assert_shape(CACHE, cache)
        self.assert_shape(KERNEL, info['kernel'])
        if X86:
            self.assert_shape(CPU, info['cpu'])
            self.assertEqual(len(info['cpu']['vendor_id']), 12)
        else:
            self.assertIsNone(info['cpu'])

    def test_json_values(self):
        info = self.object('info')
        self.assertEqual(info['hpt_json'], 1)
        self.assertIn(info['source'], SOURCES)
        self.assertIn(info['state'], ('ok', 'reanchored', 'disrupted', 'demoted'))
        self.assertIn(info['frequency_origin'], ('exact', 'register', 'measured', 'kernel'))
        self.assertGreater(info['frequency_hz'], 0)
        self.assertEqual(info['frequency_hz'], (info['frequency_uhz'] + 500000) // 1000000)
        self.assertGreater(info['read_cost_ps'], 0)
        self.assertEqual(info['ordered_read'] is not None, info['source'] == 'tsc')
        self.assertEqual(info['counter'] is not None, info['source'] == 'arch')
        if info['ordered_read']:
            key = {'rdtscp': 'rdtscp_ps', 'lfence;rdtsc': 'lfence_rdtsc_ps'}[info['ordered_read']]
            self.assertEqual(info[key], info['read_cost_ps'])
        self.assertGreaterEqual(info['generation'], 1)
        self.assertEqual((info['requested'], info['env_source']), (None, None))
        self.assertEqual((info['env_unknown'], info['env_refused']), (False, False))

    def test_kernel_clocksource_is_the_kernels(self):
        expect = first_line('/sys/devices/system/clocksource/clocksource0/current_clocksource')
        for source in None, 'os':  # with os the library does not ask
            self.assertEqual(self.object('info', source=source)['kernel']['clocksource'], expect)

    def test_virtual_is_by_cost(self):
        kernel = self.object('info')['kernel']
        libc, syscall = kernel['clock_gettime_ps'], kernel['syscall_ps']
        self.assertEqual(kernel['vdso'], 0 < 2 * libc < syscall)

    def test_idle_is_the_kernels(self):
        kernel = self.object('info')['kernel']
        driver, governor = (first_line('/sys/devices/system/cpu/cpuidle/current_' + word)
                            for word in ('driver', 'governor'))
        poll = first_line('/sys/module/haltpoll/parameters/guest_halt_poll_ns') if governor == 'haltpoll' else None
        self.assertEqual((kernel['idle_driver'], kernel['idle_governor']), (driver, governor))
        self.assertEqual(kernel['guest_halt_poll_ns'], int(poll) if poll else None)
        self.assertRegex(self.ok('info'),
                         f"(?m)^Idle +driver {driver or 'not readable'}, governor {governor or 'not readable'}$")

    @cli.unittest.skipUnless(os.access('/dev/cpu_dma_latency', os.R_OK | os.W_OK), 'requests are denied')
    def test_latency_limit_is_that_of_the_requests(self):
        """Other processes may have requests as well."""
        with open('/dev/cpu_dma_latency', 'wb', buffering=0) as f:
            f.write((7).to_bytes(4, sys.byteorder))
            self.assertLessEqual(self.object('info')['kernel']['latency_limit_us'], 7)
            self.assertRegex(self.ok('info'), r'(?m)^ +(a request limits the latency to [1-7] us|CPUs do not idle: )')

    def test_timer_slack_is_the_callers(self):
        for ns in 77_000, 1:
            info = self.object('info', preexec_fn=lambda: set_slack(ns))
            self.assertEqual(info['kernel']['timer_slack_ns'], ns)
        self.assertRegex(self.ok('info', preexec_fn=lambda: set_slack(77_000)), r'(?m)^Timer slack +77\.0 us$')

    def test_wakes_are_late(self):
        for source in None, 'os':
            kernel = self.object('info', source=source)['kernel']
            self.assertTrue(0 <= kernel['wake_late_ns'] <= kernel['wake_late_max_ns'], kernel)
        self.assertRegex(self.ok('info'),
                         r'(?m)^Wakes +[\d.]+ [mun]?s late, [\d.]+ [mun]?s at most \(16 waits of 1 ms\): \w')

    def test_policy_and_slice_are_the_callers(self):
        usual = self.object('info')['kernel']
        self.assertEqual(usual['policy'], {os.SCHED_OTHER: 'other', os.SCHED_BATCH: 'batch'}[os.sched_getscheduler(0)])
        kernel = self.object('info', preexec_fn=lambda: os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0)))
        self.assertEqual((kernel['kernel']['policy'], kernel['kernel']['slice_ns']), ('idle', None))
        if usual['slice_ns'] is None or platform.machine() != 'x86_64':
            self.skipTest('this kernel has no slices for each thread, or the number of the system call differs')
        kernel = self.object('info', preexec_fn=lambda: set_slice(3_000_000))['kernel']
        self.assertEqual(kernel['slice_ns'], 3_000_000)
        self.assertRegex(self.ok('info', preexec_fn=lambda: set_slice(3_000_000)),
                         r'(?m)^Time slice +3\.000 ms, can be set; ends (on time|at the next jiffy)$')

    def test_latency_requests_are_by_permission(self):
        kernel = self.object('info')['kernel']
        for key, path in (('latency_request', '/dev/cpu_dma_latency'),
                          ('wakeup_latency_request', '/dev/cpu_wakeup_latency')):
            self.assertEqual(kernel[key], os.access(path, os.W_OK) if os.path.exists(path) else None)

    @cli.unittest.skipUnless(platform.machine() == 'x86_64', 'the numbers of system calls are those of x86-64')
    def test_what_is_forbidden_is_not_known(self):
        for denied, unknown, line in (
                ([PRCTL], ['timer_slack_ns'], 'Timer slack +not readable'),
                ([FUTEX], [], 'Wakes +[0-9]'),
                ([FUTEX, CLOCK_NANOSLEEP], ['wake_late_ns', 'wake_late_max_ns'],
                 'Wakes +not measured: waiting is forbidden here'),
                ([SCHED_GETATTR], ['policy', 'slice_ns', 'slice_timer'], 'Time slice +not readable')):
            try:
                kernel = self.object('info', preexec_fn=lambda: cli.deny(*denied))['kernel']
            except cli.subprocess.SubprocessError:
                self.skipTest('no seccomp here')
            self.assert_shape(KERNEL, kernel)
            for key in 'timer_slack_ns', 'wake_late_ns', 'wake_late_max_ns', 'policy':
                self.assertEqual(kernel[key] is None, key in unknown, (key, denied))
            self.assertRegex(self.ok('info', preexec_fn=lambda: cli.deny(*denied)), f'(?m)^{line}')

    def test_text_answers_which_why_how_good_what_cost(self):
        text = self.ok('info')
        for label in ('Source', 'Reason', 'State', 'Frequency', 'Granularity', 'One read', "Kernel's time", 'Kernel',
                      'clock_gettime', 'Timer slack', 'Idle', 'Wakes', 'Time slice'):
            self.assertRegex(text, rf'(?m)^{label}  +\S')
        self.assertTrue(text.isascii(), 'LC_ALL=C')
        self.assertNotRegex(text, r'\\x')


class Environment(Case):
    def test_os(self):
        info = self.object('info', source='os')
        self.assertEqual((info['source'], info['requested'], info['env_source']), ('os', 'os', 'os'))
        self.assertIn(info['reason_code'], REQUESTED)
        self.assertEqual((info['frequency_hz'], info['frequency_error_ppb']), (10**9, 0))
        self.assertEqual(info['frequency_origin'], 'exact')
        self.assertRegex(self.ok('info', source='os'), r'(?m)^Source +os$')

    def assert_usual(self, info):
        """The library has chosen."""
        self.assertIn(info['source'], SOURCES)
        self.assertNotIn(info['reason_code'], REQUESTED)
        self.assertEqual((info['requested'], info['vetoed']), (None, False))

    def test_unknown_is_said_and_ignored(self):
        for source in 'nonsense', 'OS', 'tsc ', '1', 'unknown', 'x' * 300, '\x1b[31m', 'a\nb', '\u00e4':
            info = self.object('info', source=source)
            self.assert_usual(info)
            self.assertTrue(info['env_unknown'])
            self.assertFalse(info['env_refused'])
            self.assertTrue(source.encode().startswith(info['env_source'].encode()))
            self.assertNotIn('\x1b', self.ok('info', source=source))
        self.assertIn('HPT_SOURCE "nonsense" names no source: ignored\n', self.ok('info', source='nonsense'))

    def test_empty_and_auto_are_as_unset(self):
        for source in None, '', 'auto':
            info = self.object('info', source=source)
            self.assert_usual(info)
            self.assertEqual((info['env_unknown'], info['env_refused']), (False, False))

    def test_hpet_is_used_or_the_reason_is_given(self):
        info = self.object('info', source='hpet')
        self.assertEqual(info['requested'], 'hpet')
        if info['source'] == 'hpet':
            return
        self.assertTrue(info['env_refused'])
        self.assertTrue(info['env_refused_reason'])
        self.assertIn('HPT_SOURCE asks for hpet, which cannot be used: ' + info['env_refused_reason'],
                      self.ok('info', source='hpet'))

    def test_a_source_of_no_machine(self):
        other = 'arch' if X86 else 'tsc'
        info = self.object('info', source=other)
        self.assertEqual((info['requested'], info['env_refused']), (other, True))
        self.assertRegex(info['env_refused_reason'], 'no such source')


class Sources(Case):
    def test_json_shape(self):
        value = self.object('sources')
        self.assertEqual(list(value), ['hpt_json', 'sources'])
        for s in value['sources']:
            self.assert_shape(SOURCE, s)
        if X86:
            self.assertEqual([s['name'] for s in value['sources']], ['tsc', 'hpet', 'os', 'mmio'])

    def test_every_source_has_cost_or_error(self):
        for s in self.object('sources')['sources'] + self.object('sources', source='os')['sources']:
            self.assertTrue(s['reason'])
            self.assertEqual(s['usable'], s['stage'] == 'usable', s)
            self.assertEqual(s['usable'], s['cost_mean_ps'] > 0, s)
            self.assertEqual(s['usable'], s['frequency_hz'] > 0, s)
            self.assertEqual(s['usable'], s['errno'] == 0, s)
            if s['errno_name']:
                self.assertTrue(hasattr(errno, s['errno_name']), s)

    def test_one_is_chosen(self):
        for source in None, 'nonsense', 'os':
            chosen, = [s for s in self.object('sources', source=source)['sources'] if s['chosen']]
            self.assertTrue(chosen['usable'], chosen)
            self.assertEqual(chosen['reason_code'] in REQUESTED, source == 'os', chosen)
        self.assertEqual((chosen['name'], chosen['reason']), ('os', self.object('info', source='os')['reason']))

    def test_only_those_named(self):
        self.assertEqual([s['name'] for s in self.object('sources', 'os')['sources']], ['os'])
        s = self.object('sources', 'mmio')['sources'][0]
        self.assertEqual((s['name'], s['usable']), ('mmio', False))

    def test_text_has_a_line_for_each(self):
        names = [s['name'] for s in self.object('sources')['sources']]
        lines = [line.split(maxsplit=3) for line in self.ok('sources').splitlines()[1:]]
        self.assertEqual([name for name, *_ in lines], names)
        self.assertEqual([usable for _, usable, chosen, _ in lines if chosen == 'yes'], ['yes'])

    @mock.patch.dict(os.environ, NO_DEVICE)
    def test_text_is_whole_when_no_terminal(self):
        of_os, of_mmio = self.object('sources', *CERTAIN, source='os')['sources']
        lines = self.ok('sources', *CERTAIN, source='os').splitlines()
        self.assertEqual(len(lines), 3)
        for line, s in zip(lines[1:], (of_os, of_mmio)):
            self.assertTrue(line.startswith(s['name']) and line.endswith(' ' + s['reason']), line)
        self.assertNotIn(' at stage ', lines[1])
        self.assertEqual((of_mmio['usable'], of_mmio['stage']), (False, 'open'))
        self.assertIn(f" {of_mmio['errno_name']} at stage open: {of_mmio['reason']}", lines[2])

    @mock.patch.dict(os.environ, NO_DEVICE)
    def test_text_is_broken_between_words_on_a_terminal(self):
        terminal = cli.Terminal(columns=80)
        self.assertEqual(cli.run('sources', *CERTAIN, stdout=terminal.stderr, source='os').returncode, 0)
        terminal.started()
        text = terminal.rest().decode()
        lines = text.splitlines()
        words = ' '.join(f"{s['errno_name']} at stage {s['stage']}: {s['reason']}"
                         for s in self.object('sources', *CERTAIN, source='os')['sources']).split()
        self.assertGreater(len(lines), 3)
        self.assertTrue(all(len(line) <= 80 for line in lines if len(line.split()[-1]) < 30), text)
        self.assertLessEqual({line.split()[-1] for line in lines[1:]}, set(words))


@cli.unittest.skipUnless(X86, 'no CPUID')
class Cpu(Case):
    def test_json_shape(self):
        cpu = self.object('cpu')
        self.assert_shape(LIVE_CPU, cpu)
        self.assertTrue(all(type(f) is str for f in cpu['features']))
        self.assertEqual(cpu['cores_online'], os.sysconf('SC_NPROCESSORS_ONLN'))

    def test_same_as_proc_cpuinfo(self):
        with open('/proc/cpuinfo', encoding='ascii', errors='replace') as f:
            proc = dict(re.findall(r'(?m)^([\w ]+?)\s*: (.*)$', f.read().split('\n\n')[0]))
        cpu = self.object('cpu')
        self.assertEqual((cpu['vendor_id'], str(cpu['family']), str(cpu['model'])),
                         (proc['vendor_id'], proc['cpu family'], proc['model']))
        for key, flag in ('tsc', 'tsc'), ('rdtscp', 'rdtscp'), ('sse2', 'sse2'), ('hypervisor', 'hypervisor'):
            self.assertEqual(cpu[key], flag in proc['flags'].split(), key)

    def test_leaves_the_process_where_it_may_run(self):
        """libcpuid 0.6.2 binds its caller to one CPU in some calls, and warns on stderr in others."""
        self.assertIn('Vendor', self.ok('cpu'))


class Now(Case):
    def test_json_shape(self):
        self.assert_shape(NOW, self.object('now'))

    def test_between_two_looks_of_ours(self):
        before = time.time_ns()
        now = self.object('now')
        after = time.time_ns()
        self.assertTrue(before - 10**6 <= now['unix_ns'] <= after + 10**6, (before, now, after))
        whole, fraction = now['utc'][:-1].split('.')
        self.assertEqual(now['utc'][-1], 'Z')
        self.assertEqual(whole, time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(now['unix_ns'] // 10**9)))
        self.assertEqual(int(fraction), now['unix_ns'] % 10**9)

    def test_ns_is_the_clocks_own_line(self):
        clocks = time.CLOCK_MONOTONIC_RAW, time.CLOCK_MONOTONIC
        for source in None, 'os':
            before = [time.clock_gettime_ns(clock) for clock in clocks]
            now = self.object('now', source=source)
            after = [time.clock_gettime_ns(clock) for clock in clocks]
            is_os = now['source'] == 'os'
            self.assertTrue(before[is_os] <= now['ns'] <= after[is_os], (before, now, after))
            if is_os:
                self.assertEqual(now['ticks'], now['ns'])
            self.assertTrue(is_os or source is None, now)

    def test_single_values(self):
        for option, pattern in (('--ticks', r'\d+'), ('--ns', r'\d+'), ('--unix-ns', r'\d+'),
                                ('--utc', r'\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z')):
            self.assertRegex(self.ok('now', option), rf'^{pattern}\n$')
        self.assertRegex(self.ok('now', '--utc', '--ticks'), r'^\d+\n\S+Z\n$')


if __name__ == '__main__':
    cli.main()
