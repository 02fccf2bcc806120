# SPDX-License-Identifier: MIT
"""Three hosts in networks of their own, whose counters run at different rates and whose ways to the server of time
differ there and back, keep an order of events by commit wait. With bounds half as wide the order must break.
Two hosts that sleep until the same moments end together, to the sum of the errors that they state."""
import json
import subprocess

import lab

# What a host's counter gains on CLOCK_MONOTONIC_RAW, which the library's default clock follows, and its network's
# delays. With the truth's own rate all are within the 50 ppm that walls assume. Each delay is on one side: the truth is
# at one end of what the exchange proves.
TRUTH_PPB = 10_000
HOSTS = (
    {'there_us': 2000, 'back_us': 20},
    {'ppb': 45_000, 'there_us': 20, 'back_us': 2000},
    {'ppb': -35_000, 'there_us': 1000, 'back_us': 1000},
)
MESSAGES = int(lab.WORDS.get('messages', 5000))
HALF_MESSAGES = 5000
MOMENTS = int(lab.WORDS.get('moments', 1000))


def address(host, port, end=2):
    return f'10.77.{host}.{end}:{port}'


class Network:
    """The server, and for each host a relay to it and a link to the others."""

    def __init__(self, rig):
        self.rig = rig
        lab.run('ip', 'link', 'set', 'lo', 'up')
        with open('/proc/sys/net/ipv4/ip_forward', 'w', encoding='ascii') as f:
            f.write('1')
        rig.truth('make', f'rate_ppb={TRUTH_PPB}')
        rig.start('truthd', 'serve', rig.path('truth'), '127.0.0.1:11123', ready=True)

    def connect(self, number, process, name):
        """Gives the process, which has no network, a link to this one."""
        pid = str(process.pid)
        inside = ('nsenter', '-t', pid, '-n')
        lab.run('ip', 'link', 'add', name, 'type', 'veth', 'peer', 'name', 'up0', 'netns', pid)
        lab.run('ip', 'address', 'add', f'10.77.{number}.1/24', 'dev', name)
        lab.run('ip', 'link', 'set', name, 'up')
        lab.run(*inside, 'ip', 'address', 'add', f'10.77.{number}.2/24', 'dev', 'up0')
        lab.run(*inside, 'ip', 'link', 'set', 'up0', 'up')
        lab.run(*inside, 'ip', 'route', 'add', 'default', 'via', f'10.77.{number}.1')

    def relay(self, number, delays):
        return self.rig.start('relay', address(number, 11123, 1), '127.0.0.1:11123',
                              *(f'{key}={value}' for key, value in delays.items() if key != 'ppb'), 'jitter_us=50',
                              ready=True)

    def start_host(self, run, number, words):
        peers = ','.join(address(other, 7000) for other in range(len(HOSTS)) if other != number)
        process = self.rig.start('unshare', '-n', lab.PROGRAMS['host'], self.rig.path('truth'), self.rig.path(run),
                                 str(number), 'own=' + address(number, 7000), 'peers=' + peers,
                                 'server=' + address(number, 11123, 1), *words, stdin=subprocess.PIPE, ready=True)
        self.connect(number, process, f'{run}{number}')
        return process

    def run(self, name, messages, *more, hosts=HOSTS):
        """Returns what the hosts print."""
        delays_of, hosts, relays = hosts, [], []
        for number, delays in enumerate(delays_of):
            own_rate = [f'ppb={delays["ppb"]}'] if 'ppb' in delays else []
            hosts.append(self.start_host(name, number, [f'messages={messages}', *own_rate, *more]))
            relays.append(self.relay(number, delays))
        for host in hosts:
            host.stdin.write('\n')
            host.stdin.flush()
        results = [json.loads(host.communicate(timeout=600)[0]) for host in hosts]
        for relay in relays:
            self.rig.stop(relay)
        for number in range(len(delays_of)):
            subprocess.run(['ip', 'link', 'delete', f'{name}{number}'], stderr=subprocess.DEVNULL, check=False)
        print(f'# {name}:', *({k: v for k, v in r.items() if k != 'ends'} for r in results), sep='\n#   ')
        return results


BROKEN = 'not_after_committed', 'not_after_received', 'waits_early', 'outside'


class Hosts(lab.Case):
    @classmethod
    def record(cls):
        network = Network(cls.rig)
        cls.whole = network.run('whole', MESSAGES)
        cls.half = network.run('half', HALF_MESSAGES, 'half=1')

    def test_messages_were_exchanged(self):
        self.assertGreaterEqual(self.total(self.whole, 'received'), MESSAGES)
        for host in self.whole:
            self.assertGreater(min(host['sent'], host['received'], host['fed']), 0, host)

    def test_order_holds(self):
        for key in BROKEN:
            self.assertEqual(self.total(self.whole, key), 0, self.whole)

    def test_no_honest_sample_is_refused(self):
        for key in 'refused', 'lost_bounds':
            self.assertEqual(self.total(self.whole, key), 0, self.whole)

    def test_half_as_wide_bounds_break_it(self):
        self.assertEqual(self.total(self.half, 'outside'), 0, self.half) # the wall itself is right
        for key in 'not_after_committed', 'waits_early':
            self.assertGreater(self.total(self.half, key), 0, self.half)


class Moments(lab.Case):
    """Each host's truth is at one end of its interval, and these are opposite ends."""

    READ_NS = 2000 # as in host.c

    @classmethod
    def record(cls):
        cls.results = Network(cls.rig).run('moments', 0, f'moments={2 * MOMENTS}',
                                           hosts=[{'there_us': 2000, 'back_us': 20}, {'there_us': 20, 'back_us': 2000}])
        first, second = ({end[0]: end[1:] for end in host['ends']} for host in cls.results)
        cls.pairs = [(first[number], second[number]) for number in sorted(first.keys() & second.keys())]

    def test_there_are_enough(self):
        self.assertGreaterEqual(len(self.pairs), MOMENTS)
        self.assertEqual(self.total(self.results, 'lost_bounds'), 0, self.pairs[:1])

    def test_ends_differ_by_no_more_than_both_errors(self):
        apart = [(abs(a[0] - b[0]), a[2] + b[2]) for a, b in self.pairs]
        print('# apart by', max(ns for ns, _ in apart), 'ns at most, errors together', max(ns for _, ns in apart), 'ns')
        self.assertEqual([pair for pair in apart if pair[0] > pair[1] + self.READ_NS], [])

    def test_utc_is_within_each_error(self):
        for host in self.results:
            self.assertEqual([e for e in host['ends'] if abs(e[2]) > e[3] + self.READ_NS], [])

    def test_half_the_errors_would_not_do(self):
        self.assertGreater(sum(abs(a[0] - b[0]) > (a[2] + b[2]) // 2 for a, b in self.pairs), len(self.pairs) // 2)


if __name__ == '__main__':
    lab.enter_namespaces()
    lab.needs('ip', 'nsenter')
    lab.main()
