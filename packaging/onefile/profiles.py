# SPDX-License-Identifier: MIT
"""What a profile has: public functions, and drivers of counters."""

CLOCK = frozenset('''
    hpt_clock_default hpt_clock_check hpt_clock_generation hpt_clock_get_info hpt_source_get_info hpt_now
    hpt_now_unordered hpt_now_cpu hpt_now_ns hpt_now_ns_unordered hpt_now_unix_ns hpt_ticks_to_ns
    hpt_ns_to_ticks hpt_time_to_os hpt_time_from_os hpt_time_to_ns hpt_time_from_ns hpt_time_to_unix_ns
    hpt_time_from_unix_ns hpt_time_add_ns hpt_clock_get_timebase hpt_timebase_to_ns hpt_timebase_to_unix_ns
    hpt_reason_text hpt_source_name hpt_source_parse hpt_state_name hpt_version hpt_version_number'''.split())

# A second clock besides the default one.
HANDLES = frozenset(('hpt_clock_open', 'hpt_clock_ref', 'hpt_clock_close'))

SLEEP_HEADERS = ('hpt/sleep.h', 'hpt/waiter.h', 'hpt/ticker.h')
COUNTERS = frozenset(('tsc', 'arch', 'os'))


class Profile:
    def __init__(self, what, has, drivers=COUNTERS):
        self.what, self.has, self.drivers = what, has, drivers


# has(name, header): whether a public function is in it.
PROFILES = {
    'clock': Profile('reads, conversions, time bases and the verdict', lambda name, header: name in CLOCK),
    'sleep': Profile('reads, conversions, verdicts, clocks of other sources, sleeps',
                     lambda name, header: name in CLOCK | HANDLES or header in SLEEP_HEADERS),
    'all': Profile('the whole library', lambda name, header: True, COUNTERS | {'hpet', 'mmio'}),
}
