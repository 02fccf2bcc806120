# SPDX-License-Identifier: MIT
"""
A PostgreSQL server in a temporary folder, reached by a Unix socket alone. PostgreSQL refuses to run as root: there it
runs as an unprivileged user.
"""
import glob
import os
import pathlib
import pwd
import shutil
import subprocess
import tempfile


def folder_of_programs():
    """Where initdb and pg_ctl are, which Debian keeps out of PATH; or None."""
    found = shutil.which("initdb")
    if found:
        return pathlib.Path(found).resolve().parent
    # Versions are numbers: 9 is before 15.
    folders = [pathlib.Path(path).parent for path in glob.glob("/usr/lib/postgresql/*/bin/initdb")]
    return max(folders, key=lambda folder: float(folder.parent.name), default=None)


def unprivileged():
    """The user that the server runs as if this is root."""
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            pass
    return None


class Server:
    """The server; use it in a with statement."""

    def __init__(self, programs):
        self.programs = programs
        # A socket's path has at most 107 bytes, and TMPDIR may be long.
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="hpt-pg-", dir="/tmp"))
        self.user = unprivileged() if os.getuid() == 0 else None
        if self.user:
            os.chown(self.folder, self.user.pw_uid, self.user.pw_gid)
        self.conninfo = f"host={self.folder} user=hpt dbname=postgres"

    def __enter__(self):
        self.must("initdb", "-D", self.folder / "data", "-U", "hpt", "-A", "trust", "-N", "-E", "UTF8", "--no-locale")
        # Processes crash here, not machines: what the kernel has been given is there afterwards.
        self.ctl("start", "-o", f"-k {self.folder} -c listen_addresses= -c fsync=off")
        return self

    def __exit__(self, *_):
        self.execute("pg_ctl", "-D", self.folder / "data", "stop", "-m", "immediate")
        shutil.rmtree(self.folder, ignore_errors=True)

    def become(self):
        os.setgroups([])
        os.setgid(self.user.pw_gid)
        os.setuid(self.user.pw_uid)

    def execute(self, name, *words):
        """Output goes to a file: the server keeps it open."""
        with tempfile.TemporaryFile("w+") as out:
            done = subprocess.run([self.programs / name, *map(str, words)], stdin=subprocess.DEVNULL, stdout=out,
                                  stderr=subprocess.STDOUT, cwd=self.folder, check=False, timeout=200,
                                  preexec_fn=self.become if self.user else None,
                                  env=dict(os.environ, PGOPTIONS="-c client_min_messages=warning", LC_ALL="C"))
            out.seek(0)
            return done.returncode, out.read()

    def must(self, name, *words):
        code, out = self.execute(name, *words)
        if code:
            raise RuntimeError(f"{name}: exit {code}\n{out}")
        return out

    def ctl(self, *words):
        self.must("pg_ctl", "-D", self.folder / "data", "-l", self.folder / "log", "-w", "-t", "100", *words)

    def sql(self, text):
        """Rows of integers."""
        out = self.must("psql", "-X", "-q", "-A", "-t", "-F", " ", "-v", "ON_ERROR_STOP=1", "-c", text, self.conninfo)
        return [tuple(map(int, line.split())) for line in out.splitlines()]
