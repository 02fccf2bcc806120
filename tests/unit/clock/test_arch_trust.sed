# SPDX-License-Identifier: MIT

#: lib/clock/arch_trust.c
s/facts->kernel == HPT_KERNEL_UNREADABLE/0/
s/facts->kernel == HPT_KERNEL_OTHER/0/
s/facts->interposed/0/
s/facts->twice_os_ticks >= facts->raw_ticks/0/
s/facts->twice_os_ticks >= facts->raw_ticks/facts->twice_os_ticks > facts->raw_ticks/
s/facts->own_ticks >= facts->twice_os_ticks/0/
s/facts->own_ticks >= facts->twice_os_ticks/facts->own_ticks > facts->twice_os_ticks/
