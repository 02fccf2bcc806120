# SPDX-License-Identifier: MIT
"""A chronyd that says what a test wants: answers requests for tracking and sources by UDP, as chrony's candm.h has
them. It has one source, which it has just measured."""
import math
import socket
import struct
import threading
import time

# candm.h of chrony: CMD_Request and CMD_Reply up to their data, and RPY_Tracking.
REQUEST = struct.Struct('>BBBBHHIII')
REPLY = struct.Struct('>BBBBHHHHHHIII')
TRACKING = struct.Struct('>I16sHHHHIII9I')
SOURCE = struct.Struct('>16sHHhHHHHHI3I')
VERSION, IS_REQUEST, IS_REPLY = 6, 1, 2
REQ_TRACKING, RPY_TRACKING, REQ_SOURCE, RPY_SOURCE, RPY_NULL = 33, 5, 15, 3, 1
SUCCESS, NO_SUCH_SOURCE = 0, 4
LOCALHOST = bytes([127, 0, 0, 1] + 12 * [0])
IPV4 = 1
NORMAL, UNSYNCHRONISED = 0, 3


def to_float(value):
    """UTI_FloatHostToNetwork() in util.c: 7 bits of exponent and 25 of a coefficient, both signed."""
    if not value:
        return 0
    exponent = math.frexp(value)[1] + 1
    coefficient = round(math.ldexp(value, 25 - exponent))
    return (exponent & 0x7f) << 25 | coefficient & 0x1ffffff


class FakeChronyd:
    """Answers in a thread of its own until stop(). The members may be changed meanwhile."""

    def __init__(self):
        self.correction_s = 0 # to be added to CLOCK_REALTIME
        self.delay_s, self.dispersion_s, self.skew_ppm = 0.0002, 0.0001, 0.1
        self.leap = NORMAL
        self.poll, self.stratum, self.state, self.mode = 0, 1, 0, 0 # of the source: selected, a server
        self.first_leaps = [] # of the first answers, before .leap: a change by another thread may come too late
        self.is_silent = False
        self.answers, self.sender = 0, None # exchanges, and the other end of the latest
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(('127.0.0.1', 0))
        self.address = '127.0.0.1:%d' % self.socket.getsockname()[1]
        self.is_ending = False
        self.thread = threading.Thread(target=self.serve)
        self.thread.start()

    def stop(self):
        self.is_ending = True
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
            s.sendto(b'', self.socket.getsockname())
        self.thread.join()
        self.socket.close()

    def serve(self):
        while True:
            request, sender = self.socket.recvfrom(1024)
            if self.is_ending:
                return
            if not self.is_silent:
                if sender != self.sender:
                    self.begin_exchange(sender)
                self.socket.sendto(self.reply(request), sender)

    def begin_exchange(self, sender):
        """Each question comes from a socket of its own, and all answers to it are of one moment."""
        self.sender = sender
        self.answers += 1
        self.leap_now = self.first_leaps.pop(0) if self.first_leaps else self.leap
        self.updated_ns = time.clock_gettime_ns(time.CLOCK_REALTIME) + int(self.correction_s * 10**9) - 10**9

    def reply(self, request):
        version, kind, _, _, command, _, sequence, _, _ = REQUEST.unpack_from(request)
        assert (version, kind) == (VERSION, IS_REQUEST) and command in (REQ_TRACKING, REQ_SOURCE), request
        # A shorter one would be refused: pktlength.c.
        assert len(request) >= REPLY.size + TRACKING.size, request
        kind, status, data = self.tracking() if command == REQ_TRACKING else self.source(request)
        return REPLY.pack(VERSION, IS_REPLY, 0, 0, command, kind, status, 0, 0, 0, sequence, 0, 0) + data

    def tracking(self):
        s, ns = divmod(self.updated_ns, 10**9)
        floats = (self.correction_s, 0, 0, 0, 0, self.skew_ppm, self.delay_s, self.dispersion_s, 1)
        return RPY_TRACKING, SUCCESS, TRACKING.pack(0x7f000001, LOCALHOST, IPV4, 0, 2, self.leap_now, s >> 32,
                                                    s & 0xffffffff, ns, *(to_float(f) for f in floats))

    def source(self, request):
        index, = struct.unpack_from('>I', request, REQUEST.size)
        if index:
            return RPY_NULL, NO_SUCH_SOURCE, b''
        floats = (0, 0, self.delay_s / 2 + self.dispersion_s)
        return RPY_SOURCE, SUCCESS, SOURCE.pack(LOCALHOST, IPV4, 0, self.poll, self.stratum, self.state,
                                                self.mode, 0, 0xff, 0,
                                                *(to_float(f) for f in floats))
