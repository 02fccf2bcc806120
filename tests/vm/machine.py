# SPDX-License-Identifier: MIT
"""Boots an emulated machine on a file system in memory, runs a shell script in it and gathers its output."""
import dataclasses
import os
import re
import shutil
import stat
import subprocess
import tempfile
import threading

import emulator
from hardware import Hardware, PC
from restorer import Restorer
from waker import Waker

# A boot takes 3 to 10 s, several times as long on a busy host. The limit only ends one that hangs.
LIMIT_S = 120

# sun_path of unix(7) has 108 bytes.
SOCKET_FOLDER_MAX = 90

DIRECTORIES = ('bin', 'dev', 'etc', 'lib', 'lib64', 'proc', 'sys', 'tmp')

# The output goes to the serial line OUTPUT; if that is the console, the kernel no longer prints there. "section NAME
# COMMAND..." marks the output of one command. "settle" waits until the kernel has decided about the TSC: for a second
# or two after boot it keeps time with "tsc-early".
INIT = '''#!/bin/busybox sh
/bin/busybox --install -s /bin
export PATH=/bin LD_LIBRARY_PATH=/lib LC_ALL=C HOME=/tmp TERM=dumb
mount -t proc none /proc; mount -t sysfs none /sys; mount -t devtmpfs none /dev
exec </dev/null >/dev/OUTPUT 2>&1
stty -onlcr -F /dev/OUTPUT
[ OUTPUT != console ] || dmesg -n 1
clocks=/sys/devices/system/clocksource/clocksource0
section() { echo "@@ $1"; shift; "$@"; printf '\\n@@rc %d\\n' $?; }
settle() { while grep -q early $clocks/current_clocksource; do sleep 0.1; done; }
'''
END = '''
echo @@end
sleep 1000
'''


class Skip(Exception):
    """The test cannot run here."""


class DidNotEnd(Exception):
    """The guest hung or died; the text is the end of its output."""


def newc(files):
    """Returns a cpio archive in the format that the kernel unpacks; files: path -> (mode, contents)."""
    out = bytearray()
    for number, (path, (mode, data)) in enumerate([*files.items(), ('TRAILER!!!', (0, b''))]):
        name = path.encode() + b'\0'
        fields = (number + 1, mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(name), 0)
        for part in b'070701' + b''.join(b'%08x' % f for f in fields) + name, data:
            out += part + bytes(-(len(out) + len(part)) % 4)
    return bytes(out)


def executable(path):
    with open(path, 'rb') as f:
        return stat.S_IFREG | 0o755, f.read()


def beside(kernel, path):
    """Returns a file that fetch-kernel has put into the kernel's folder, or None."""
    path = os.path.join(os.path.dirname(os.path.dirname(kernel)), path)
    return path if os.path.exists(path) else None


def needed(kernel, path):
    found = beside(kernel, path)
    if not found:
        raise Skip(f'no {path} in the kernel\'s folder: see tests/vm/fetch-kernel')
    return found


def static_busybox(kernel):
    """Returns that of the kernel's folder, which is for its architecture, or this machine's own."""
    path = beside(kernel, 'bin/busybox') or shutil.which('busybox')
    if not path or b'/ld-' in executable(path)[1][:4096]:
        raise Skip('no static busybox here (Debian package: busybox-static)')
    return path


def libraries(program):
    """Returns the files that the dynamic loader needs for a program: the loader at the path in the program, the rest in
    /lib."""
    if not shutil.which('ldd'):
        raise Skip('no ldd here')
    listing = subprocess.run(['ldd', program], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    files = {'lib/' + name: executable(path) for name, path in re.findall(r'(\S+) => (/\S+)', listing)}
    files.update({path[1:]: executable(path) for path in re.findall(r'^\s*(/\S+) \(', listing, re.M)})
    return files


def root(busybox, programs):
    files = {d: (stat.S_IFDIR | 0o755, b'') for d in DIRECTORIES}
    files['bin/busybox'] = executable(busybox)
    for program in programs:
        files.update(libraries(program))
        files['bin/' + os.path.basename(program)] = executable(program)
    for path in list(files):
        while '/' in path:
            path = os.path.dirname(path)
            files.setdefault(path, (stat.S_IFDIR | 0o755, b''))
    return dict(sorted(files.items()))


def sections(text):
    """Returns name -> (exit status, output)."""
    found = re.findall(r'^@@ (\S+)\n(.*?)\n@@rc (\d+)$', text, re.M | re.S)
    return {name: (int(status), output) for name, output, status in found}


def tail(path):
    if not os.path.exists(path):
        return '' # the emulator itself did not start
    with open(path, errors='replace') as f:
        return ''.join(f.readlines()[-20:])


@dataclasses.dataclass
class Machine:
    kernel: str
    programs: list          # found in /bin
    cpu: str                # empty: the machine's own
    append: str = ''        # to the kernel's command line
    options: tuple = ()     # of the emulator
    changes: tuple = ()     # to the emulator itself
    wake_after_s: int = 0   # a machine that suspends itself is woken this much later; 0: never
    restore_after_s: float = None   # "@@snapshot" takes a snapshot, which is restored this much later
    hardware: Hardware = PC

    def boot(self, script):
        """Returns the script's output by section."""
        busybox = static_busybox(self.kernel)
        with tempfile.TemporaryDirectory() as files:
            qemu = emulator.changed(self.changes, files) if self.changes else shutil.which(self.hardware.emulator)
            if not qemu:
                raise Skip(f'no {self.hardware.emulator} here (Debian package: {self.hardware.package})')
            init = INIT.replace('OUTPUT', self.hardware.output or 'console') + script + END
            with open(files + '/root', 'wb') as f:
                f.write(newc(root(busybox, self.programs)) +
                        newc({'init': (stat.S_IFREG | 0o755, init.encode())}))
            helper = self.helper(files)
            return self.run(self.command(qemu, files, helper.options if helper else ()), files + '/console', helper)

    def helper(self, files):
        """Returns the object that commands the emulator while the script runs, or None."""
        if self.wake_after_s or self.restore_after_s is not None:
            if len(files) > SOCKET_FOLDER_MAX:
                raise Skip('the temporary folder has too long a name for a socket in it')
        if self.restore_after_s is not None:
            return Restorer(files, self.restore_after_s)
        return Waker(files + '/monitor', self.wake_after_s) if self.wake_after_s else None

    def command(self, qemu, files, options):
        return [qemu, '-nodefaults', '-no-user-config', '-display', 'none', '-no-reboot', *self.hardware.arguments,
                *(('-cpu', self.cpu) if self.cpu else ()), '-kernel', self.kernel, '-initrd', files + '/root',
                '-append', f'console={self.hardware.console} quiet panic=-1 cryptomgr.notests '
                           f'{self.hardware.parameters} {self.append}',
                *self.device_tree(), *self.hardware.serial_lines(files + '/console'), *self.options, *options]

    def device_tree(self):
        name = self.hardware.device_tree
        return ('-dtb', needed(self.kernel, 'dtb/' + name)) if name else ()

    def run(self, command, console, helper):
        output, ended = [], False
        with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT) as process:
            timer = threading.Timer(LIMIT_S, process.kill)
            timer.start()
            for line in process.stdout:
                ended = line.startswith(b'@@end')
                if ended:
                    process.terminate()
                    break
                if line.startswith(b'@@snapshot'):
                    helper.take_and_restore()
                    continue
                output.append(line.decode(errors='replace').replace('\r', ''))
            process.wait()
            timer.cancel()
        if not ended:
            raise DidNotEnd(''.join(output[-20:]) + '-- console:\n' + tail(console))
        return sections(''.join(output))
