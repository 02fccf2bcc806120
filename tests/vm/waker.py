# SPDX-License-Identifier: MIT
"""Wakes a machine that has suspended itself, by the emulator's monitor (QMP)."""
import json
import socket
import threading
import time


class Waker(threading.Thread):
    def __init__(self, path, after_s):
        super().__init__(daemon=True)
        self.after_s = after_s
        self.options = ('-qmp', 'unix:' + path)
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(path)
        self.listener.listen(1)
        self.start()

    def run(self):
        connection, _ = self.listener.accept()
        with connection, connection.makefile('rw', encoding='utf-8') as monitor:
            self.send(monitor, 'qmp_capabilities')
            for line in monitor:
                if json.loads(line).get('event') == 'SUSPEND':
                    time.sleep(self.after_s)
                    self.send(monitor, 'system_wakeup')

    def send(self, monitor, command):
        monitor.write(json.dumps({'execute': command}) + '\n')
        monitor.flush()
