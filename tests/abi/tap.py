# SPDX-License-Identifier: MIT
"""Test results as TAP version 13, for Meson's protocol 'tap'."""


class Tap:
    def __init__(self):
        self.count = 0
        self.failed = 0

    def result(self, good, name, details=()):
        self.count += 1
        self.failed += not good
        print(f"{'ok' if good else 'not ok'} {self.count} - {name}")
        for line in details:
            print(f"# {line}")

    def skip(self, name, why):
        self.count += 1
        print(f"ok {self.count} - {name} # SKIP {why}")

    def empty(self, name, wrong):
        """Reports a check that passes if it found no error; wrong lists the errors."""
        self.result(not wrong, name, wrong)

    def end(self):
        print(f"1..{self.count}", flush=True)
