# SPDX-License-Identifier: MIT
"""
trio_ticks.py: a period in trio, whose own waits are in whole milliseconds.

    python3 trio_ticks.py
"""
import trio

import hpt


async def next_tick(ticker):
    """Trio waits for the descriptor, which is readable a margin before each tick; wait() spins for the rest."""
    await trio.lowlevel.wait_readable(ticker.fileno())
    return ticker.wait()


async def main():
    missed = 0
    with hpt.Ticker(period_ns=1_500_000) as ticker:
        ticker.set_policy(hpt.Policy.SPIN, 50_000)  # other tasks are held up for 50 us at most
        tick = await next_tick(ticker)
        while tick.number < 50:
            tick = await next_tick(ticker)
            missed += tick.missed  # ticks whose time had passed
    print(f"{tick.number} ticks, {missed} missed")


trio.run(main)
