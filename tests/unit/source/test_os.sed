# SPDX-License-Identifier: MIT

#: lib/source/os.c
s/src->tsc_forbidden ? hpt_os_read_syscall : //
