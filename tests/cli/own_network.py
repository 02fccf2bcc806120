# SPDX-License-Identifier: MIT
"""A network of the test's own, which has the loopback interface alone: daemons there are reached by nobody else."""
import ctypes
import fcntl
import os
import socket
import struct
import subprocess
import unittest

# linux/sched.h, sockios.h, if.h.
CLONE_NEWNET = 0x40000000
SIOCSIFFLAGS, IFF_UP = 0x8914, 1

LIBC = ctypes.CDLL(None, use_errno=True)


def unshare():
    if LIBC.unshare(CLONE_NEWNET):
        raise OSError(ctypes.get_errno(), 'unshare')
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        fcntl.ioctl(s, SIOCSIFFLAGS, struct.pack('16sh14x', b'lo', IFF_UP))


class OwnNetwork:
    """enter() goes to preexec_fn. SkipTest where processes may have no network of their own."""

    def __init__(self):
        try:
            # Ends at the end of its input.
            self.holder = subprocess.Popen(['cat'], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                                           preexec_fn=unshare)
        except subprocess.SubprocessError:
            raise unittest.SkipTest('no network namespaces here, or not for this user') from None
        self.namespace = os.open(f'/proc/{self.holder.pid}/ns/net', os.O_RDONLY | os.O_CLOEXEC)

    def enter(self):
        if LIBC.setns(self.namespace, CLONE_NEWNET):
            raise OSError(ctypes.get_errno(), 'setns')

    def close(self):
        os.close(self.namespace)
        self.holder.stdin.close()
        self.holder.wait()
