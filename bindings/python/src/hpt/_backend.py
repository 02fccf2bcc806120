# SPDX-License-Identifier: MIT
"""Which backend serves the package: the C extension, or ctypes over the system's library.

Both have the same names and behaviour. The variable HPT_PYTHON_BACKEND=native or =ctypes forces one.
"""

from __future__ import annotations

import importlib
import os

__all__ = ["impl", "name"]


def _choose() -> str:
    wanted = os.environ.get("HPT_PYTHON_BACKEND", "")
    if wanted not in ("", "native", "ctypes"):
        raise ImportError(f"HPT_PYTHON_BACKEND is {wanted!r}; it can be native or ctypes")
    if wanted:
        return wanted
    try:
        importlib.import_module("hpt._native")
    except ModuleNotFoundError:
        return "ctypes"  # installed without a compiler
    return "native"


name = _choose()
if name == "native":
    globals()["impl"] = importlib.import_module("hpt._native")
else:
    from hpt import _ctypes as impl
