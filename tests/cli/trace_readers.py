# SPDX-License-Identifier: MIT
"""trace_readers.py FORMAT PATH: a trace as JSON, by the readers of the tools that the format is for.

Run by a Python that has them: the package perfetto, bt2 of Babeltrace, opentelemetry-proto. trace_readers.find() says
which one that is.
"""
import json
import os
import subprocess
import sys

MODULES = {'perfetto': 'perfetto.protos.perfetto.trace.perfetto_trace_pb2', 'ctf': 'bt2',
           'otlp': 'opentelemetry.proto.collector.trace.v1.trace_service_pb2'}


def find(form):
    """A Python that has the reader of a format: that of HPT_TEST_PYTHON, this one or the system's. None: none has."""
    for python in os.environ.get('HPT_TEST_PYTHON'), sys.executable, '/usr/bin/python3':
        if python and os.path.exists(python) and not subprocess.run(
                [python, '-c', f'import {MODULES[form]}'], stderr=subprocess.DEVNULL, check=False).returncode:
            return python
    return None


def read(python, form, path):
    """What main() prints there."""
    done = subprocess.run([python, '-B', __file__, form, path], stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)


def read_perfetto(path):
    from perfetto.protos.perfetto.trace import perfetto_trace_pb2
    trace = perfetto_trace_pb2.Trace()
    with open(path, 'rb') as f:
        trace.ParseFromString(f.read())
    found = {'events': [], 'snapshots': [], 'tracks': {}}
    for packet in trace.packet:
        if packet.HasField('clock_snapshot'):
            found['snapshots'].append({clock.clock_id: clock.timestamp for clock in packet.clock_snapshot.clocks})
            found['primary'] = packet.clock_snapshot.primary_trace_clock
        elif packet.HasField('track_descriptor'):
            track = packet.track_descriptor
            found['tracks'][track.uuid] = [track.process.process_name, track.thread.pid, track.thread.tid,
                                           track.thread.thread_name or None]
        else:
            event = packet.track_event
            notes = {note.name: note.int_value for note in event.debug_annotations}
            found['events'].append({
                'ns': packet.timestamp, 'clock': packet.timestamp_clock_id, 'name': event.name,
                'kind': {1: 'begin', 2: 'end', 3: 'instant'}[event.type],
                'track': found['tracks'][event.track_uuid][2], 'process': found['tracks'][event.track_uuid][0],
                'thread.name': found['tracks'][event.track_uuid][3],
                'error_ns': notes.get('error_ns'), 'ticks': notes.get('ticks')})
    return found


def read_ctf(path):
    import bt2
    events = []
    for message in bt2.TraceCollectionMessageIterator(path):
        if isinstance(message, bt2._EventMessageConst):
            fields, clock = message.event.payload_field, message.default_clock_snapshot
            events.append({
                'ns': clock.value, 'unix_ns': clock.ns_from_origin, 'kind': message.event.name,
                'name': str(fields['name']), 'track': int(fields['track']), 'process': int(fields['process']),
                'ticks': int(fields['ticks']), 'error_ns': int(fields['error_ns'])})
    return {'events': events}


def attributes(record):
    return {a.key: getattr(a.value, a.value.WhichOneof('value')) for a in record.attributes}


def read_otlp(path):
    from google.protobuf import json_format
    from opentelemetry.proto.collector.logs.v1 import logs_service_pb2
    from opentelemetry.proto.collector.trace.v1 import trace_service_pb2
    found = {'spans': [], 'logs': []}
    with open(path, encoding='utf-8') as f:
        for line in f:
            if '"resourceSpans"' in line[:20]:
                request = json_format.Parse(line, trace_service_pb2.ExportTraceServiceRequest())
                for one in request.resource_spans:
                    for span in one.scope_spans[0].spans:
                        # The ids are hexadecimal in OTLP's JSON, which Parse() takes for base64.
                        found['spans'].append({
                            'name': span.name, 'begin': span.start_time_unix_nano, 'end': span.end_time_unix_nano,
                            'service': one.resource.attributes[0].value.string_value, **attributes(span)})
            else:
                request = json_format.Parse(line, logs_service_pb2.ExportLogsServiceRequest())
                for one in request.resource_logs:
                    for record in one.scope_logs[0].log_records:
                        found['logs'].append({
                            'name': record.body.string_value, 'ns': record.time_unix_nano,
                            'service': one.resource.attributes[0].value.string_value, **attributes(record)})
    return found


if __name__ == '__main__':
    json.dump({'perfetto': read_perfetto, 'ctf': read_ctf, 'otlp': read_otlp}[sys.argv[1]](sys.argv[2]), sys.stdout)
