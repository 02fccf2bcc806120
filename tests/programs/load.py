# SPDX-License-Identifier: MIT
"""
load.py --hpt HPT --preload OBJECT --built FOLDER

redis-server and nginx do under "hpt run" what they do as they are: thousands of requests of clients at the same
time get the right replies, and SIGTERM ends the server cleanly. So they do where all waits spin, as none do by default
where events end most of them. TAP.
"""
import http.client
import socket
import sys
import tempfile
import threading
import time
import traceback

from tap import Tap
from servers import Nginx, Redis
from way import AFTER, BEFORE, SPUN, TITLES, Tally, Ways, arguments
from programs import Failed, Missing

CLIENTS, TURNS = 8, 300


def together(clients, work):
    """Runs work(number) in as many threads, and returns what went wrong."""
    wrong = []

    def one(number):
        try:
            work(number)
        except Exception:
            wrong.append(traceback.format_exc())

    threads = [threading.Thread(target=one, args=(number,)) for number in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return [line for text in wrong for line in text.splitlines()]


def expect(got, wanted):
    if got != wanted:
        raise AssertionError(f'{got!r} instead of {wanted!r}')


# ---- redis-server ----------------------------------------------------------------------------------------

class Client:
    """Speaks RESP."""

    def __init__(self, port):
        self.socket = socket.create_connection(('127.0.0.1', port))
        self.file = self.socket.makefile('rb')

    def send(self, *commands):
        text = b''
        for words in commands:
            words = [str(word).encode() for word in words]
            text += b'*%d\r\n' % len(words) + b''.join(b'$%d\r\n%s\r\n' % (len(word), word) for word in words)
        self.socket.sendall(text)

    def reply(self):
        line = self.file.readline()
        kind, rest = line[:1], line[1:-2].decode()
        if kind == b'$' and int(rest) >= 0:
            return self.file.read(int(rest) + 2)[:-2].decode()
        if kind == b'*' and int(rest) >= 0:
            return [self.reply() for _ in range(int(rest))]
        if kind in b'$*' and kind:
            return None
        if kind == b':':
            return int(rest)
        expect(kind, b'+')
        return rest

    def ask(self, *words):
        self.send(words)
        return self.reply()


def set_and_get(port, number):
    client = Client(port)
    for turn in range(TURNS):
        key, value = f'key {number} {turn % 50}', f'value {turn}' * (1 + turn % 20)
        expect(client.ask('SET', key, value), 'OK')
        # Two in one packet.
        client.send(('GET', key), ('INCR', 'count'))
        expect(client.reply(), value)
        expect(client.reply() > 0, True)


def hand_over(port, number):
    """A time-out of the server's, which ends many of its waits, is no reply for an item."""
    if number % 2:
        client = Client(port)
        for turn in range(TURNS):
            time.sleep(turn * 37 % 21 / 10000)
            client.ask('RPUSH', f'queue {number - 1}', turn)
        return
    client, expected = Client(port), 0
    while expected < TURNS:
        got = client.ask('BLPOP', f'queue {number}', '0.002')
        if got is not None:
            expect(got, [f'queue {number}', str(expected)])
            expected += 1


def redis(server):
    wrong = together(CLIENTS, lambda number: set_and_get(server.port, number))
    wrong += together(CLIENTS, lambda number: hand_over(server.port, number))
    client = Client(server.port)
    counted = client.ask('GET', 'count')
    return wrong + ([] if counted == str(CLIENTS * TURNS) else [f'{counted} of {CLIENTS * TURNS} were counted'])


# ---- nginx -----------------------------------------------------------------------------------------------

def get(connection, path, wanted):
    connection.request('GET', path)
    reply = connection.getresponse()
    expect((reply.status, reply.read().decode()), (200, wanted))


def get_all(port, number):
    connection = http.client.HTTPConnection('127.0.0.1', port)
    for turn in range(TURNS):
        get(connection, f'/echo?n={number}-{turn}', f'{number}-{turn}')
        get(connection, '/file', Nginx.FILE)
        # Its timer comes after some ms.
        if turn % 4 == 0:
            get(connection, '/late/file', Nginx.FILE)
        # Idle for some ms, so that the server waits.
        if turn % 50 == 0:
            time.sleep(0.01)


def nginx(server):
    return together(CLIENTS, lambda number: get_all(server.port, number))


# ---- All -------------------------------------------------------------------------------------------------

def tested(ways, way, folder, kind, work):
    tally = Tally(folder)
    with kind(ways, way, folder, tally.environ()) as server:
        wrong = work(server)
    if server.status:
        wrong.append(f'SIGTERM: exit {server.status}')
    if way != BEFORE and tally.waits() < 5:
        wrong.append(f'{tally.waits()} waits were served')
    return wrong


def main():
    options = arguments(__doc__)
    tap, ways = Tap(), Ways(options.hpt, options.preload)
    print('TAP version 13')
    for name, kind, work in (('redis-server', Redis, redis), ('nginx', Nginx, nginx)):
        for way in (BEFORE, AFTER, SPUN):
            what = f'{name} under load, {TITLES[way]}'
            with tempfile.TemporaryDirectory(prefix='programs-') as folder:
                try:
                    tap.empty(what, tested(ways, way, folder, kind, work))
                except Missing as why:
                    tap.skip(what, str(why))
                except (Failed, AssertionError) as why:
                    tap.result(False, what, str(why).splitlines())
    tap.end()
    return int(tap.failed > 0)


sys.exit(main())
