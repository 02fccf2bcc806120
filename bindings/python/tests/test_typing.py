# SPDX-License-Identifier: MIT
"""Names, documentation and type hints as users see them; and that the extension is as its stub says."""

import ast
import dataclasses
import enum
import importlib
import inspect
import os
import pathlib
import re
import subprocess
import sys
import typing

import pytest

import hpt
import hpt.testing
from hpt import _native as impl

PACKAGE = pathlib.Path(hpt.__file__).parent
PUBLIC = {name: getattr(hpt, name) for name in hpt.__all__} | {"ManualClock": hpt.testing.ManualClock}
CLASSES = [value for value in PUBLIC.values() if inspect.isclass(value)]
UNITS = r"nanosecond|microsecond|second|tick|hertz|\bns\b|\b_ns\b"


def methods(cls):
    for name in dir(cls):
        member = inspect.getattr_static(cls, name)
        if not name.startswith("_") and not isinstance(member, enum.Enum):
            yield f"{cls.__name__}.{name}", getattr(cls, name), member


OF_OUR_CLASSES = [
    (name, value)
    for cls in (hpt.Clock, hpt.Sleeper, hpt.Gate, hpt.Ticker, hpt.Timebase, hpt.Wall, hpt.Hlc, hpt.testing.ManualClock)
    for name, value, _ in methods(cls)
]


def test_all_names_are_there():
    assert hpt.__all__ == sorted(hpt.__all__) and len(set(hpt.__all__)) == len(hpt.__all__)
    public = {name for name in vars(hpt) if not name.startswith("_")}
    assert public - set(hpt.__all__) <= {"testing"}


@pytest.mark.parametrize("name", sorted(set(PUBLIC) - {"Seconds"}))
def test_everything_public_is_documented(name):
    text = inspect.getdoc(PUBLIC[name])
    assert text and len(text) > 15 and not text.startswith("int("), name


@pytest.mark.parametrize("name, value", OF_OUR_CLASSES, ids=[name for name, _ in OF_OUR_CLASSES])
def test_every_method_is_documented(name, value):
    text = inspect.getdoc(value)
    assert text and text.split("\n")[0].rstrip().endswith((".", "Z", "s", ":", ")")), name


def test_functions_of_times_say_their_unit():
    functions = [(name, value) for name, value in PUBLIC.items() if re.search("now|ns|sleep|slice|until", name)]
    functions += [(name, value) for name, value in OF_OUR_CLASSES if re.search(r"now|ns$|sleep|until|advance", name)]
    assert len(functions) > 30
    silent = [name for name, value in functions if not re.search(UNITS, inspect.getdoc(value))]
    assert set(silent) <= {"SleepInfo", "sleep_info", "ManualClock.sleepers", "Clock.sleepers", "Clock.advance"}


def test_members_of_dataclasses_with_units_are_documented():
    for cls in CLASSES:
        if dataclasses.is_dataclass(cls):
            source = inspect.getsource(cls)
            for field in dataclasses.fields(cls):
                if re.search("_(ns|ps|hz|ppb|fs)$", field.name):
                    assert re.search(rf'^    {field.name}: .*\n    """', source, re.M), f"{cls.__name__}.{field.name}"


def test_type_hints_resolve():
    import asyncio  # noqa: F401  # the package itself does not import it

    count = 0
    stems = [path.stem for path in PACKAGE.glob("*.py") if not path.stem.startswith("__")]
    for module in [importlib.import_module(f"hpt.{stem}") for stem in stems]:
        names = {"asyncio": asyncio}
        for value in vars(module).values():
            if getattr(value, "__module__", None) != module.__name__:
                continue
            functions = [value] if inspect.isfunction(value) else []
            if inspect.isclass(value):
                functions = [member for member in vars(value).values() if inspect.isfunction(member)]
            for function in functions:
                typing.get_type_hints(function, {**vars(module), **names})
                count += 1
    assert count > 150


def test_the_package_says_that_it_is_typed():
    assert (PACKAGE / "py.typed").exists()


def test_mypy(tmp_path):
    pytest.importorskip("mypy", reason="mypy is not installed")
    (tmp_path / "user.py").write_text(USER)
    # mypy finds an installed package by itself, and refuses to look for its own modules in that folder.
    sources = {} if (PACKAGE.parent / "mypy").exists() else {"MYPYPATH": str(PACKAGE.parent)}
    for target in (["-p", "hpt"], [str(tmp_path / "user.py")]):
        result = subprocess.run(
            [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), *target],
            stdout=subprocess.PIPE,
            universal_newlines=True,
            cwd=tmp_path,
            env={**os.environ, **sources},
            timeout=600,
        )
        assert result.returncode == 0, result.stdout


USER = """
from __future__ import annotations
import asyncio
import select
import socket
from array import array
from typing import Optional
import hpt
from hpt.testing import ManualClock

start: int = hpt.now() + hpt.now_ns() + hpt.unix_ns()
wake: hpt.Wake = hpt.sleep(0.001)
with hpt.Clock("os") as clock, hpt.Sleeper(clock, hpt.Policy.STRICT) as sleeper, hpt.Gate() as gate:
    ns: int = clock.to_ns(clock.now())
    rest: Optional[int] = sleeper.remaining_ns
    woken: hpt.Wake = gate.wait(0.1)
    at: hpt.Wake = gate.wait_until_ns(gate.ticket(), ns)
    true: bool = gate.wait(0.1, lambda: True)
    also: bool = gate.wait(predicate=lambda: True)
    source: hpt.Source = clock.info().source
    ready = sleeper.poll_until_ns([(sleeper, select.POLLIN), (socket.socket(), 1), (0, 1)], ns)
    with select.epoll() as epoll:
        ready = sleeper.epoll_until_ns(epoll, 1, ns)
    if ready is not hpt.Wake.INTERRUPTED:
        fds: list[int] = [fd for fd, events in ready]
    margin: int = sleeper.margin_ns(1000)
for tick in hpt.Ticker(0.001, missed=hpt.Missed.DELAY):
    number: int = tick.number
    break
sources: hpt.WallSource = hpt.Wall(None, hpt.WallSource.FEED | hpt.WallSource.CHRONY).info().sources
base: hpt.Timebase = hpt.Timebase.take()
one: int = base.to_ns(5)
many: array[int] = base.to_ns(array("q", [5]))
manual: ManualClock = ManualClock(1000)
manual.advance_ns(5)

async def main() -> None:
    async for tick in hpt.Ticker(0.001):
        break
    await hpt.sleep_async(0.001, max_spin_ns=0)

loop = asyncio.SelectorEventLoop(hpt.Selector(policy=hpt.Policy.BALANCED))
loop.run_until_complete(main())
names: list[str] = [key.data for key, events in hpt.Selector().select(0.1)]
"""


# ---- The stub ----


def names_in(text):
    """Functions, and methods by class, of a stub."""
    found = []
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef):
            found.append(node.name)
        if isinstance(node, ast.ClassDef):
            found += [f"{node.name}.{member.name}" for member in node.body if isinstance(member, ast.FunctionDef)]
    return [name for name in found if not name.rpartition(".")[2].startswith("_")]


def test_the_extension_has_what_the_stub_says():
    names = names_in((PACKAGE / "_native.pyi").read_text())
    assert len(names) > 80
    for name in names:
        value = impl
        for part in name.split("."):
            value = getattr(value, part)
        assert value is not None and inspect.getdoc(value), name
