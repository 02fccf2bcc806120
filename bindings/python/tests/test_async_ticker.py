# SPDX-License-Identifier: MIT
"""async for over a Ticker."""

import asyncio
import errno
import os
import threading

import pytest

import hpt

MS = 1_000_000


def test_ticks_in_a_loop():
    async def main():
        start = hpt.now_ns()
        async for tick in hpt.Ticker(period_ns=MS):
            assert hpt.now_ns() - start >= (tick.number + 1) * MS
            if tick.number >= 10:
                return tick

    assert asyncio.run(main()).wake is hpt.Wake.REACHED


class Waits:
    """A ticker of the extension that notes its policy at each wait."""

    def __init__(self, ticker):
        self._ticker, self.policies = ticker, []

    def __getattr__(self, name):
        return getattr(self._ticker, name)

    def wait(self):
        self.policies.append(hpt.TickerInfo._decode(self._ticker.info()).policy)
        return self._ticker.wait()


@pytest.mark.parametrize("policy", [None, hpt.Policy.FRUGAL])
@pytest.mark.parametrize("how", ["constructor", "method"])
def test_the_policy_in_a_loop(policy, how):
    """Without one of its own the ticker blocks the loop for a short spin; outside of loops it has the process's."""

    async def main():
        ticker = hpt.Ticker(period_ns=MS, policy=policy if how == "constructor" else None)
        if how == "method":
            ticker.set_policy(policy)
        waits = ticker._ticker = Waits(ticker._ticker)
        async for tick in ticker:
            assert ticker.info().policy is (policy or hpt.Policy.INHERIT)
            if tick.number >= 3:
                return waits.policies

    assert set(asyncio.run(main())) == {policy or hpt.Policy.SPIN}


def test_a_break_and_another_iteration():
    async def main():
        ticker, numbers = hpt.Ticker(period_ns=MS), []
        for _ in range(3):
            async for tick in ticker:
                numbers.append(tick.number)
                break
        assert next(ticker).number > numbers[-1]
        return numbers

    numbers = asyncio.run(main())
    assert numbers == sorted(set(numbers)) and len(numbers) == 3


def test_one_ticker_in_two_loops_one_after_the_other():
    ticker = hpt.Ticker(period_ns=MS)

    async def main():
        async for tick in ticker:
            return tick.number

    assert asyncio.run(main()) < asyncio.run(main())


def test_an_interrupt_ends_the_iteration():
    async def main():
        ticker = hpt.Ticker(3600)
        asyncio.get_running_loop().call_later(0.002, ticker.interrupt)
        return [tick async for tick in ticker]

    assert asyncio.run(main()) == []


def test_a_single_tick_ends_the_iteration():
    async def main():
        ticker = hpt.Ticker(period_ns=0, first_ns=hpt.now_ns() + MS)
        return [tick.number async for tick in ticker]

    assert asyncio.run(main()) == [0]


def test_a_ticker_that_is_not_started_ends_the_iteration():
    async def main():
        return [tick async for tick in hpt.Ticker()]

    assert asyncio.run(main()) == []


@pytest.mark.parametrize("by", ["task", "thread"])
def test_a_close_ends_the_iteration(by):
    async def main():
        loop, ticker = asyncio.get_running_loop(), hpt.Ticker(3600)
        descriptor = ticker.fileno()
        if by == "task":
            loop.call_later(0.002, ticker.close)
        else:
            loop.call_later(0.002, lambda: threading.Thread(target=ticker.close).start())
        ticks = [tick async for tick in ticker]
        assert not loop.remove_reader(descriptor), "the loop has forgotten the descriptor"
        with pytest.raises(OSError):
            os.fstat(descriptor)
        with pytest.raises(ValueError, match="closed"):
            await ticker.__anext__()
        return ticks

    assert asyncio.run(main()) == []


def test_one_task_at_a_time():
    async def main():
        ticker, loop = hpt.Ticker(3600), asyncio.get_running_loop()
        task = loop.create_task(ticker.__anext__())
        await asyncio.sleep(0)
        with pytest.raises(OSError) as caught:
            await ticker.__anext__()
        assert caught.value.errno == errno.EBUSY
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        ticker.start(0.001)
        return (await ticker.__anext__()).wake

    assert asyncio.run(main()) is hpt.Wake.REACHED, "a cancelled wait leaves the ticker usable"


def test_a_ticker_without_a_descriptor():
    async def main():
        ticker = hpt.Ticker(1, clock=hpt.Clock.manual(10**9))
        for _ in range(2):
            with pytest.raises(OSError) as caught:
                await ticker.__anext__()
            assert caught.value.errno == errno.ENOTSUP

    asyncio.run(main())
