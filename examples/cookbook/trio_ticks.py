# SPDX-License-Identifier: MIT
"""
trio_ticks.py: a period in trio, whose own waits are in whole milliseconds.

    python3 trio_ticks.py
"""
import trio

import hpt


async def ticks(ticker):
    """Trio waits for the descriptor, which is readable a margin before each tick; wait() spins for the rest."""
    while True:
        await trio.lowlevel.wait_readable(ticker.fileno())
        yield ticker.wait()


async def main():
    with hpt.Ticker(period_ns=1_500_000) as ticker:
        ticker.set_policy(hpt.Policy.SPIN, 50_000)  # other tasks are held up for 50 us at most
        async for tick in ticks(ticker):
            if tick.number >= 50:
                break
    print(f"{tick.number} ticks")


trio.run(main)
