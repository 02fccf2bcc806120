# SPDX-License-Identifier: MIT

#: lib/machine/vm_marker.c
s/ != sizeof(page))$/ < 0)/
s/little_endian(page, 4) != VMCLOCK_MAGIC || //
s/ || little_endian(page + VMCLOCK_SEQ, 4) \& 1//
s/little_endian(page + VMCLOCK_MARKER, 8)/little_endian(page + VMCLOCK_MARKER, 4)/
