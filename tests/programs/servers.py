# SPDX-License-Identifier: MIT
"""redis-server and nginx of this machine, each with its files in a folder, and the programs that load them."""
import os
import re
import signal
import subprocess
import time

from figures import connected, cpu_seconds, free_port
from programs import Failed, command_of

# Seconds; a server that takes longer hangs.
END_LIMIT_S = 60


class Server:
    """Runs between "with" and its end, where SIGTERM ends it: status is its exit status then."""

    def __init__(self, ways, way, folder, environ=None):
        self.folder, self.port = folder, free_port()
        self.started = lambda: ways.start(way, self.command(), environ, stdout=subprocess.DEVNULL,
                                          stderr=subprocess.DEVNULL)
        self.process = self.status = None

    def __enter__(self):
        self.process = self.started()
        try:
            connected(self.port).close()
        except BaseException:
            self.kill()
            raise
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.status = self.process.wait(END_LIMIT_S)
        except subprocess.TimeoutExpired as why:
            raise Failed(f'{self.command()[0]} does not end by SIGTERM') from why
        finally:
            self.kill()

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    def cpu_s(self):
        return cpu_seconds(self.process.pid)


class Redis(Server):
    """Without files of data."""

    def command(self):
        return [command_of('redis-server'), '--port', self.port, '--bind', '127.0.0.1', '--save', '', '--appendonly',
                'no', '--dir', self.folder]


class Nginx(Server):
    """One worker. /echo?n=TEXT replies with TEXT, /file has a file, /late/file too, each kept back by a timer."""

    FILE = 'file ' * 200
    TEMPORARY = ('client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi')

    def command(self):
        return [command_of('nginx'), '-p', self.folder, '-e', 'error.log', '-c', self.configured()]

    def configured(self):
        """Relative paths are those of its folder."""
        files = os.path.join(self.folder, 'www')
        os.makedirs(files, exist_ok=True)
        with open(os.path.join(files, 'file'), 'w', encoding='ascii') as file:
            file.write(self.FILE)
        path = os.path.join(self.folder, 'nginx.conf')
        temporary = ' '.join(f'{name}_temp_path {name};' for name in self.TEMPORARY)
        with open(path, 'w', encoding='ascii') as file:
            file.write(f"""{'user root;' if os.geteuid() == 0 else ''}
                daemon off; worker_processes 1; pid nginx.pid;
                events {{ worker_connections 256; }}
                http {{
                    access_log off; keepalive_requests 1000000; {temporary}
                    limit_req_zone $server_port zone=late:1m rate=400r/s;
                    server {{
                        listen 127.0.0.1:{self.port}; root {files};
                        location = /echo {{ return 200 "$arg_n"; }}
                        location /late/ {{ limit_req zone=late burst=10000; alias {files}/; }}
                    }}
                }}
            """)
        return path

    def worker(self):
        """The process that serves: a child of the one that was started, which listens before it has one."""
        while self.process.poll() is None:
            with open(f'/proc/{self.process.pid}/task/{self.process.pid}/children', encoding='ascii') as file:
                found = file.read().split()
            if found:
                return int(found[0])
            time.sleep(0.01)
        raise Failed(f'nginx ended: {self.process.returncode}')

    def cpu_s(self):
        return cpu_seconds(self.worker())


def run(words):
    done = subprocess.run([str(word) for word in words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode:
        raise Failed(f'{words[0]}: exit {done.returncode}: {done.stdout[-500:]}')
    return done.stdout


def get_of_redis(server, clients, requests):
    """GETs: their number a second, 99 % of them within ms, and the server's CPU time of one in us."""
    before = server.cpu_s()
    text = run([command_of('redis-benchmark'), '-p', server.port, '-n', requests, '-c', clients, '-t', 'get', '--csv'])
    cpu_s = server.cpu_s() - before
    found = [word.strip('"') for word in text.strip().splitlines()[-1].split(',')]
    if found[0] != 'GET':
        raise Failed(f'redis-benchmark: {text[-500:]}')
    return float(found[1]), float(found[6]), 1e6 * cpu_s / requests


UNITS_MS = {'us': 0.001, 'ms': 1, 's': 1000}


def get_of_nginx(server, clients, seconds):
    """The same of GETs of a file by connections that are kept alive."""
    before = server.cpu_s()
    text = run([command_of('wrk'), '-t1', f'-c{clients}', f'-d{seconds}s', '--latency',
                f'http://127.0.0.1:{server.port}/file'])
    cpu_s = server.cpu_s() - before
    rate, total = re.search(r'Requests/sec: *([\d.]+)', text), re.search(r'(\d+) requests in', text)
    within = re.search(r'99% *([\d.]+)(us|ms|s)', text)
    if not rate or not total or not within or 'errors' in text or 'Non-2xx' in text:
        raise Failed(f'wrk: {text}')
    return float(rate[1]), float(within[1]) * UNITS_MS[within[2]], 1e6 * cpu_s / int(total[1])
