#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Functions with their versions, types, structs and constants are those of api.txt."""
import argparse
import os

import api
from tap import Tap


def main():
    parser = argparse.ArgumentParser()
    for name in ("root", "cc"):
        parser.add_argument("--" + name, required=True)
    args = parser.parse_args()
    tap = Tap()
    now, complaint = api.api(args.root, args.cc)
    agreed = api.read_list(os.path.join(args.root, "tests/abi/api.txt"))
    gone, new = api.broken(agreed, now)
    tap.result(not complaint and len(now) > 0, "the headers can be read", complaint.splitlines())
    tap.empty("nothing of api.txt is gone or changed but what is young; a change breaks programs: tests/abi/README.md",
              gone)
    tap.empty("all that is new is in api.txt; python3 tests/abi/renew.py writes it there", new)
    tap.empty("no function of the promise takes or gives what is young", api.mixed(now))
    tap.end()


main()
