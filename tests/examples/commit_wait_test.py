#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
commit_wait_test.py [PROGRAM]: processes with clocks that are wrong within what they claim share a log in a real
PostgreSQL, and the log is externally consistent: also after kills and restarts of writers and server. Without the wait,
or with claims of half the error, it is not, and the example's check says so. A check of our own agrees each time.

Nothing here depends on how fast the writers are: what they do wrong is waited for.
"""
import bisect
import itertools
import operator
import pathlib
import re
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "consumer"))
sys.path.insert(0, str(HERE))
from consumer_test import SKIP, check, failed  # noqa: E402
import postgres  # noqa: E402

MS = 1000000
# As in commit_wait.c: the Unix time of CLOCK_MONOTONIC_RAW 0.
TRUTH_NS = 1700000000 * 10**9
MANY = 1000000


TS, NODE, EARLIEST, LATEST, BEGAN, ACKNOWLEDGED = range(6)


def later_than(rows, column, other, exceeds):
    """How many rows began after one was acknowledged whose column exceeds their other column."""
    done = sorted((row[ACKNOWLEDGED], row[column]) for row in rows)
    largest = list(itertools.accumulate((value for _, value in done), max))
    count = 0
    for row in rows:
        before = bisect.bisect_left(done, (row[BEGAN],))
        count += before > 0 and exceeds(largest[before - 1], row[other])
    return count


class Log:
    """The example and its log."""

    def __init__(self, program, server):
        self.program, self.server = program, server

    def command(self, *words):
        return [self.program, *map(str, words)]

    def execute(self, *words):
        return subprocess.run(self.command(*words), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              universal_newlines=True, check=False, timeout=100)

    def begin(self, title):
        print(f"-- {title}")
        self.server.sql("DROP TABLE IF EXISTS witness, log")
        for _ in range(2):
            done = self.execute("create", self.server.conninfo)
            check(done.returncode == 0 and not done.stderr, "create, also if it is there", done.stderr)

    def writers(self, clocks, records, *options):
        """A process for each (skew, error)."""
        return [subprocess.Popen(self.command("write", *options, "-s", f"{skew},{error}", self.server.conninfo, node,
                                              records), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                 universal_newlines=True) for node, (skew, error) in enumerate(clocks)]

    def wait_for(self, processes, least):
        """Until each node has that many records acknowledged."""
        while True:
            counts = dict(self.server.sql("SELECT node, count(*) FROM witness GROUP BY node"))
            if all(counts.get(node, 0) >= least for node in range(len(processes))):
                return
            if any(process.poll() is not None for process in processes):
                return
            time.sleep(0.05)

    def rows(self):
        return self.server.sql("SELECT ts, node, earliest, latest, began, acknowledged FROM log NATURAL JOIN witness"
                               " ORDER BY began")

    def verdict(self):
        """What the example's check counts, which is what we count: (out of order, excluded)."""
        done = self.execute("check", self.server.conninfo)
        print(f"    {done.stdout.rstrip()}{done.stderr}")
        found = re.fullmatch(r"(\d+) records, (\d+) acknowledged; (\d+) out of order, (\d+) with an interval that "
                             r"excludes the order\n", done.stdout)
        if not check(found, "check prints its counts", done.stdout):
            return None
        rows = self.rows()
        own = [later_than(rows, TS, TS, operator.ge), later_than(rows, EARLIEST, LATEST, operator.gt)]
        records = self.server.sql("SELECT count(*) FROM log")[0][0]
        counts = list(map(int, found.groups()))
        check(counts == [records, len(rows), *own], "its counts are ours", f"{counts} {records} {len(rows)} {own}")
        check(done.returncode == (1 if any(own) else 0), "exit 1 if there are any", done.returncode)
        return tuple(own)


def finish(processes, records):
    """Each writer comes to its end."""
    for node, process in enumerate(processes):
        out = process.communicate(timeout=200)[0]
        print(f"    {out.rstrip()}")
        check(process.returncode == 0 and f"node {node}: {records} records acknowledged" in out,
              f"node {node} acknowledged all", f"exit {process.returncode}\n{out}")


def kill(processes):
    for process in processes:
        check(process.poll() is None, "it was still running", process.returncode)
        process.kill()
        process.communicate()


def raw_less_monotonic():
    return time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW) - time.clock_gettime_ns(time.CLOCK_MONOTONIC)


def check_clocks(rows, clocks, offsets):
    """Each interval is where the node's clock was between beginning and acknowledgement, and contains what is true."""
    lo, hi = TRUTH_NS + min(offsets) - MS, TRUTH_NS + max(offsets) + MS
    for ts, node, earliest, latest, began, acknowledged in rows:
        skew, error = clocks[node]
        middle = (earliest + latest) // 2
        if not (began + lo + skew <= middle <= acknowledged + hi + skew and latest - earliest >= 2 * error and
                latest >= began + lo and earliest <= acknowledged + hi and ts >= began + lo):
            check(False, "a node has another clock than it was given", f"{ts} {node} {earliest} {latest} {began}")
            return
    check(True, "each node has the clock that it was given, and its intervals contain what is true")


def consistent(log):
    log.begin("clocks at both ends of what they claim, 60 records each")
    clocks = [(10 * MS, 10 * MS), (-10 * MS, 10 * MS), (4 * MS, 5 * MS), (0, 1 * MS)]
    offsets = [raw_less_monotonic()]
    processes = log.writers(clocks, 60)
    finish(processes, 60)
    offsets.append(raw_less_monotonic())
    rows = log.rows()
    check(len(rows) == 240, "all records are acknowledged", len(rows))
    check(log.verdict() == (0, 0), "the log is consistent")
    check_clocks(rows, clocks, offsets)
    check(all(row[5] + TRUTH_NS + max(offsets) + MS > row[0] for row in rows), "no timestamp was ahead of UTC once it "
          "was acknowledged")


def killed(log):
    log.begin("writers are killed, and start again with other clocks")
    clocks = [(20 * MS, 20 * MS), (-20 * MS, 20 * MS), (15 * MS, 20 * MS)]
    processes = log.writers(clocks, MANY)
    log.wait_for(processes, 20)
    kill(processes)
    processes = log.writers([(-skew, error) for skew, error in clocks], 20)
    finish(processes, 20)
    check(log.verdict() == (0, 0), "the log is consistent")
    lost = log.server.sql("SELECT count(*) FROM log NATURAL LEFT JOIN witness WHERE began IS NULL")[0][0]
    print(f"    {lost} records were not acknowledged")
    rows = log.rows()
    for node in range(len(clocks)):
        own = [row[0] for row in rows if row[1] == node]
        check(own == sorted(set(own)), f"node {node}: timestamps increase across its restart")


def floored(log):
    log.begin("a node that did not wait, and starts again with a slower clock")
    for options, skew in ((["-n"], 200 * MS), ([], -200 * MS)):
        done = log.execute("write", *options, "-s", f"{skew},{200 * MS}", log.server.conninfo, 0, 1)
        check(done.returncode == 0, "it writes a record", done.stderr)
    check(log.verdict() == (0, 0), "the log's largest timestamp is the floor of the next")


def undecided(log):
    log.begin("a bound too wide to wait out, after the record was written")
    done = log.execute("write", "-s", f"0,{6000 * MS}", log.server.conninfo, 0, 2)
    check(done.returncode == 1 and "node 0: 0 records acknowledged" in done.stdout, "the record is not acknowledged",
          f"exit {done.returncode}\n{done.stdout}")
    check("record 0: unknown" in done.stderr and "not written" not in done.stderr, "nor called not written",
          done.stderr)
    kept = log.server.sql("SELECT ts FROM log")
    check(len(kept) == 1 and not log.rows(), "it is in the log", kept)
    done = log.execute("write", "-s", f"0,{MS}", log.server.conninfo, 0, 1)
    check(done.returncode == 0 and kept[0] < log.server.sql("SELECT max(ts) FROM log")[0],
          "a writer that starts again goes on after it", done.stderr)
    check(log.verdict() == (0, 0), "the log is consistent")


def without_wait(log):
    log.begin("without the wait")
    processes = log.writers([(40 * MS, 40 * MS), (-40 * MS, 40 * MS)] * 2, MANY, "-n")
    log.wait_for(processes, 100)
    kill(processes)
    verdict = log.verdict()
    check(verdict and verdict[0] > 0 and verdict[1] == 0, "records are out of order, and no interval is false", verdict)


def halved(log):
    log.begin("claims of half the error")
    processes = log.writers([(40 * MS, 20 * MS), (-40 * MS, 20 * MS)] * 2, MANY)
    log.wait_for(processes, 30)
    kill(processes)
    verdict = log.verdict()
    check(verdict and verdict[0] > 0, "records are out of order, though writers waited", verdict)
    log.begin("claims of half the error, without the wait")
    processes = log.writers([(40 * MS, 20 * MS), (-40 * MS, 20 * MS)] * 2, MANY, "-n")
    log.wait_for(processes, 100)
    kill(processes)
    verdict = log.verdict()
    check(verdict and verdict[0] > 0 and verdict[1] > 0, "intervals exclude the order", verdict)


def server_restarts(log):
    log.begin("the server crashes and comes back")
    processes = log.writers([(2 * MS, 2 * MS)], 1000)
    log.wait_for(processes, 20)
    check(processes[0].poll() is None, "the writer is still writing")
    log.server.ctl("restart", "-m", "immediate")
    out = processes[0].communicate(timeout=200)[0]
    print(f"    {out.rstrip()}")
    retries = re.search(r"1000 records acknowledged, (\d+) retries", out)
    check(processes[0].returncode == 0 and retries and int(retries.group(1)) > 0, "the writer tries again", out)
    check(log.verdict() == (0, 0) and len(log.rows()) == 1000, "no record is lost or there twice")


def bad(log):
    log.begin("a log of the future")
    now = TRUTH_NS + time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW)
    log.server.sql(f"INSERT INTO log VALUES ({now + 3600 * 10**9}, 7, 0, 0, 'wrong')")
    done = log.execute("write", "-s", f"0,{MS}", log.server.conninfo, 0, 1)
    check(done.returncode == 1 and "future" in done.stderr, "is refused by writers", done.stderr)
    log.begin("the clocks of this machine")
    done = log.execute("write", log.server.conninfo, 0, 3)
    print(f"    {done.stdout}{done.stderr}".rstrip())
    check(done.returncode == 0 or (done.returncode == 1 and "no bound on UTC" in done.stderr and
                                   not log.server.sql("SELECT ts FROM log")),
          "a record has a bound, or is not written", done.stderr)
    log.server.sql("DROP TABLE witness, log")
    for words in (["check", log.server.conninfo], ["write", "-s", "0,1", log.server.conninfo, 0, 1],
                  ["create", "host=/nonexistent"], ["check", "host=/nonexistent"],
                  ["write", "host=/nonexistent", 0, 1], ["check", "nonsense"]):
        done = log.execute(*words)
        check(done.returncode == 1 and len(done.stderr) > 20 and not done.stdout, f"exit 1: {words}",
              f"exit {done.returncode} {done.stdout}{done.stderr}")
    info = log.server.conninfo
    for words in ([], ["x"], ["create"], ["check"], ["create", info, "x"], ["write"], ["write", info],
                  ["write", info, 0], ["write", info, "x", 1], ["write", info, -1, 1], ["write", info, 0, 0],
                  ["write", info, 0, "1x"], ["write", "-x", info, 0, 1], ["write", "-s", "1", info, 0, 1],
                  ["write", "-s", "1,-1", info, 0, 1], ["write", "-s", "1,x", info, 0, 1],
                  ["write", "-s", ",", info, 0, 1], ["write", info, 0, 1, 1]):
        done = log.execute(*words)
        check(done.returncode == 2 and len(done.stderr) > 20 and not done.stdout, f"refused: {words}",
              f"exit {done.returncode} {done.stdout}{done.stderr}")


def skip(why):
    print(f"skipped: {why}")
    sys.exit(SKIP)


def main():
    if len(sys.argv) < 2:
        skip("libpq is not installed (Debian package: libpq-dev)")
    programs = postgres.folder_of_programs()
    if not programs:
        skip("PostgreSQL is not installed (Debian package: postgresql)")
    with postgres.Server(programs) as server:
        log = Log(sys.argv[1], server)
        for part in (consistent, killed, floored, undecided, without_wait, halved, server_restarts, bad):
            part(log)
    print(f"{len(failed)} failed" if failed else "all well")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
