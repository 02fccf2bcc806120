# SPDX-License-Identifier: MIT
"""Where Perfetto's trace_processor puts the events of an archive: its rules, as its sources of version 58.2 have them.

No package has the program, so a test cannot run it. What is here is what decides on times and machines: the order of
the files (archive_entry.cc), the manifest (perfetto_manifest_reader.cc), whose clock a clock of a file is and when two
of them are joined (forwarding_trace_parser.cc, clock_tracker.cc), and how a time is carried from one clock to another
(clock_synchronizer.cc). A clock is (number, file, machine); the file is 0 in a machine's first one.
"""
import json
import tarfile
from collections import namedtuple

Event = namedtuple('Event', 'file machine process thread name ns') # ns None: it is left out

NUMBERS = {'REALTIME': 1, 'MONOTONIC': 3, 'MONOTONIC_RAW': 5, 'BOOTTIME': 6}
REALTIME, BOOTTIME, TRACE_FILE = 1, 6, 'of the file'
MOST_HOPS = 4
MANIFEST = b'{"perfetto_manifest"'


class Refused(Exception):
    """The whole archive is."""


def varint(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 127) << shift
        shift += 7
        at += 1
        if data[at - 1] < 128:
            return value, at


def fields(data):
    """Of a message of Protocol Buffers: (number, value)."""
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        value, at = varint(data, at)
        if key & 7 == 2:
            value, at = data[at:at + value], at + value
        yield key >> 3, value


class Graph:
    """Clocks, and the moments at which some of them were read together."""

    def __init__(self):
        self.snapshots = {}

    def add(self, times):
        self.snapshots.setdefault(frozenset(times), []).append(times)

    def path(self, source, target):
        paths = [[(source, None)]]
        for path in paths:
            if path[-1][0] == target:
                return path[1:]
            if len(path) <= MOST_HOPS:
                paths += [path + [(clock, key)] for key in self.snapshots if path[-1][0] in key
                          for clock in key if clock != path[-1][0]]
        return None

    def convert(self, source, ns, target):
        """None: nothing joins them."""
        path = self.path(source, target)
        for clock, key in path or ():
            rows = self.snapshots[key]
            row = max((r for r in rows if r[source] <= ns), key=lambda r: r[source], default=rows[0])
            ns, source = ns + row[clock] - row[source], clock
        return None if path is None else ns


class File:
    """The clocks of a file: ClockTracker."""

    def __init__(self, archive, number, machine):
        self.archive, self.number = archive, number
        self.machine = archive.row(machine)
        self.is_first = machine not in archive.started
        archive.started.add(machine)
        self.tag, self.is_joined, self.default = 0, False, None

    def snapshot(self, times):
        graph, times = self.archive.graph, dict(times)
        if not self.is_first:
            self.tag = self.number
        joined = {(n, self.tag, self.machine): ns for n, ns in times.items()}
        if not self.is_first and self.machine != self.archive.line[2] and REALTIME in times:
            joined[REALTIME, 0, self.machine] = times[REALTIME]
        graph.add(joined)

    def join(self):
        """Of a proto's clocks CLOCK_BOOTTIME alone is joined to the machine's, and that to the line."""
        graph, line, shared = self.archive.graph, self.archive.line, (BOOTTIME, 0, self.machine)
        if self.tag:
            graph.add({(BOOTTIME, self.tag, self.machine): 0, shared: 0})
        if graph.convert(shared, 0, line) is not None:
            return
        own, common = (REALTIME, 0, self.machine), (REALTIME, 0, line[2])
        if own != common and None not in (graph.convert(shared, 0, own), graph.convert(common, 0, line)):
            graph.add({own: 0, common: 0})
        elif line[0] in (TRACE_FILE, BOOTTIME):
            graph.add({shared: 0, line: 0})
        else:
            self.archive.n_unrelated += 1

    def place(self, clock, ns):
        """A time without a clock is on the line already, unless a snapshot named the clock of the file."""
        clock = clock or self.default
        if not clock:
            return ns
        if not self.is_joined:
            self.is_joined = True
            self.join()
        return self.archive.graph.convert((clock, self.tag, self.machine), ns, self.archive.line)


class Archive:
    """Its events are there file by file."""

    def __init__(self, members):
        self.graph, self.rows, self.started = Graph(), {}, set()
        self.line, self.owner = (TRACE_FILE, 0, 0), None
        self.machines, self.n_unrelated = {}, 0 # clock_sync_unrelatable_clock_domains, which users are shown
        names = sorted(members, key=lambda name: (not members[name].startswith(MANIFEST), name))
        if members[names[0]].startswith(MANIFEST):
            self.take_manifest(json.loads(members[names.pop(0)])['perfetto_manifest'])
        self.events = []
        for number, name in enumerate(names, 1):
            self.events += self.read(number, name, members[name])

    def row(self, machine):
        return self.rows.setdefault(machine, len(self.rows))

    def take_manifest(self, manifest):
        if manifest['version'] != 1:
            raise Refused('version')
        for entry in manifest.get('files', ()):
            self.machines[entry['path']] = entry.get('machine', {}).get('name')
            if self.machines[entry['path']]:
                self.row(self.machines[entry['path']])
        time = manifest.get('trace_time')
        if time:
            machine = self.row(self.machines[time['file']]) if 'file' in time else 0
            self.line, self.owner = (NUMBERS[time['clock']], 0, machine), 'manifest'
        for entry in manifest.get('files', ()):
            if 'clocks' in entry:
                self.relate(entry, entry['clocks'])

    def relate(self, entry, clocks):
        other, offset_ns = clocks['sync_to'], clocks.get('offset_ns', 0)
        ends = [(NUMBERS[c], 0, self.row(self.machines[path]))
                for c, path in ((clocks['clock'], entry['path']), (other['clock'], other['file']))]
        if ends[0] == ends[1]:
            raise Refused('a clock is related to itself')
        self.graph.add({ends[0]: max(-offset_ns, 0), ends[1]: max(offset_ns, 0)})

    def read(self, number, name, data):
        file = File(self, number, self.machines.get(name))
        tracks, found = {}, []
        for _, packet in fields(data):
            packet = dict(fields(packet))
            if 6 in packet:
                self.take_snapshot(file, number, packet[6])
            elif 60 in packet:
                track = dict(fields(packet[60]))
                tracks[track[1]] = dict(fields(track[3]))[6].decode(), dict(fields(track[4]))[2]
            elif 11 in packet:
                event = dict(fields(packet[11]))
                found.append([packet.get(58), packet[8], tracks[event[11]], event.get(23, b'').decode(),
                              file.place(packet.get(58), packet[8])])
        # At the end of the file the times that had no way to the line are tried once more.
        return [Event(name, self.machines.get(name), process, thread, text,
                      file.place(clock, own) if ns is None else ns)
                for clock, own, (process, thread), text, ns in found]

    def take_snapshot(self, file, number, data):
        times, primary = {}, None
        for field, value in fields(data):
            if field == 1:
                clock = dict(fields(value))
                times[clock[1]] = clock[2]
            elif field == 2:
                primary = value
        if primary:
            file.default = primary
            if self.owner in (None, number):
                self.line, self.owner = (primary, 0, file.machine), number
        file.snapshot(times)


def open_tar(path):
    with tarfile.open(path) as tar:
        return Archive({m.name: tar.extractfile(m).read() for m in tar if m.isfile()})
