# SPDX-License-Identifier: MIT
"""
asyncio_ticks.py: a period and a sleep that end on time in asyncio, while other tasks run.

    python3 asyncio_ticks.py
"""
import asyncio

import hpt


async def control():
    with hpt.Ticker(period_ns=2_000_000) as ticker:
        async for tick in ticker:
            if tick.number >= 50:
                return tick.number
    return 0


async def other():
    start = hpt.now_ns()
    for _ in range(10):
        await hpt.sleep_async(0.005)
    return hpt.now_ns() - start >= 50_000_000


async def main():
    ticks, in_time = await asyncio.gather(control(), other())
    print(f"{ticks} ticks; no sleep was early: {in_time}")


asyncio.run(main())
