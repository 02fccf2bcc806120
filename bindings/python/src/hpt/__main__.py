# SPDX-License-Identifier: MIT
"""python -m hpt: facts about the default clock and the sources; --json for programs."""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import sys
from enum import IntEnum, IntFlag
from typing import Any

import hpt


def facts() -> dict[str, Any]:
    """The facts that the command prints."""
    return {
        "version": hpt.version(),
        "clock": dataclasses.asdict(hpt.info()),
        "sources": [dataclasses.asdict(source) for source in hpt.sources()],
        "kernel_hz": hpt.kernel_hz(),
    }


def plain(value: Any) -> Any:
    """Enumerations by name, reasons by their sentence, other values as they are."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, hpt.Reason):
        return value.text
    if isinstance(value, IntFlag):
        return [flag.name.lower() for flag in hpt.ClockFlag if flag in value and flag.name]
    return str(value) if isinstance(value, IntEnum) else value


def show(value: dict[str, Any], indent: str = "") -> None:
    """Prints a line for each fact."""
    for key, item in value.items():
        if isinstance(item, dict):
            print(f"{indent}{key}")
            show(item, indent + "    ")
        elif isinstance(item, list) and item and isinstance(item[0], dict):
            for entry in item:
                print(f"{indent}{key[:-1]} {entry['name']}")
                show(entry, indent + "    ")
        else:
            text = ", ".join(map(str, item)) if isinstance(item, list) else item
            print(f"{indent}{key:{28 - len(indent)}}{text}")


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m hpt", description="Facts about the default clock.")
    parser.add_argument("--json", action="store_true", help="print JSON")
    wanted = parser.parse_args()
    result = plain(facts())
    try:
        if wanted.json:
            print(json.dumps(result, indent=2))
        else:
            show(result)
        sys.stdout.flush()
    except BrokenPipeError:
        # Nobody reads the rest. The interpreter flushes stdout at its end, which must not fail once more.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


if __name__ == "__main__":
    sys.exit(main())
