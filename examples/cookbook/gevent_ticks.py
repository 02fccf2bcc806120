# SPDX-License-Identifier: MIT
"""
gevent_ticks.py: a period in gevent, while other greenlets run.

    python3 gevent_ticks.py
"""
import gevent
import gevent.socket

import hpt


def control():
    """The hub waits for the descriptor, which is readable a margin before each tick; wait() spins for the rest."""
    number = 0
    with hpt.Ticker(period_ns=1_500_000) as ticker:
        ticker.set_policy(hpt.Policy.SPIN, 50_000)  # other greenlets are held up for 50 us at most
        while number < 50:
            gevent.socket.wait_read(ticker.fileno())
            number = ticker.wait().number
    return number


def other(control_ends):
    rounds = 0
    while not control_ends.ready():
        gevent.sleep(0.001)
        rounds += 1
    return rounds


first = gevent.spawn(control)
second = gevent.spawn(other, first)
gevent.joinall([first, second], raise_error=True)
print(f"{first.value} ticks; the other greenlet ran too: {second.value > 0}")
