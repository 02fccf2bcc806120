# SPDX-License-Identifier: MIT
"""Takes a snapshot of a running machine and restores it a while later, by the emulator's monitor (QMP)."""
import json
import socket
import time


class Restorer:
    def __init__(self, folder, after_s):
        self.after_s = after_s
        # Snapshots need a disk that can hold them: a layer over an empty one, which the emulator keeps while it runs.
        disk, path = folder + '/disk', folder + '/monitor'
        with open(disk, 'wb') as f:
            f.truncate(1 << 20)
        self.options = ('-drive', f'if=none,format=raw,snapshot=on,file={disk}', '-qmp', 'unix:' + path)
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(path)
        self.listener.listen(1)

    def take_and_restore(self):
        connection, _ = self.listener.accept()
        with connection, connection.makefile('rw', encoding='utf-8') as monitor:
            self.send(monitor, 'qmp_capabilities')
            self.command(monitor, 'savevm a')
            time.sleep(self.after_s)
            self.command(monitor, 'loadvm a')

    def command(self, monitor, line):
        complaint = self.send(monitor, 'human-monitor-command', {'command-line': line})
        if complaint:
            raise RuntimeError(f'{line}: {complaint}')

    def send(self, monitor, command, arguments=None):
        monitor.write(json.dumps({'execute': command, 'arguments': arguments or {}}) + '\n')
        monitor.flush()
        for line in monitor:
            answer = json.loads(line)
            if 'return' in answer or 'error' in answer:
                return answer.get('return', answer.get('error'))
        raise RuntimeError(f'{command}: no answer')
