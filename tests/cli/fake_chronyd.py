# SPDX-License-Identifier: MIT
"""A chronyd that says what a test wants: answers requests for tracking by UDP, as chrony's candm.h describes them."""
import math
import socket
import struct
import threading
import time

# candm.h of chrony: CMD_Request and CMD_Reply up to their data, and RPY_Tracking.
REQUEST = struct.Struct('>BBBBHHIII')
REPLY = struct.Struct('>BBBBHHHHHHIII')
TRACKING = struct.Struct('>I16sHHHHIII9I')
VERSION, IS_REQUEST, IS_REPLY = 6, 1, 2
REQ_TRACKING, RPY_TRACKING, SUCCESS = 33, 5, 0
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
        self.first_leaps = [] # of the first answers, before .leap: a change by another thread may come too late
        self.is_silent = False
        self.answers = 0
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
                self.socket.sendto(self.reply(request), sender)
                self.answers += 1

    def reply(self, request):
        version, kind, _, _, command, _, sequence, _, _ = REQUEST.unpack_from(request)
        assert (version, kind, command) == (VERSION, IS_REQUEST, REQ_TRACKING), request
        # A shorter one would be refused: pktlength.c.
        assert len(request) >= REPLY.size + TRACKING.size, request
        now_ns = time.clock_gettime_ns(time.CLOCK_REALTIME) + int(self.correction_s * 10**9) - 10**9
        leap = self.first_leaps.pop(0) if self.first_leaps else self.leap
        floats = (self.correction_s, 0, 0, 0, 0, self.skew_ppm, self.delay_s, self.dispersion_s, 1)
        return REPLY.pack(VERSION, IS_REPLY, 0, 0, command, RPY_TRACKING, SUCCESS, 0, 0, 0, sequence, 0, 0) + \
            TRACKING.pack(0x7f000001, bytes([127, 0, 0, 1] + 12 * [0]), IPV4, 0, 2, leap,
                          now_ns // 10**9 >> 32, now_ns // 10**9 & 0xffffffff, now_ns % 10**9,
                          *(to_float(f) for f in floats))
