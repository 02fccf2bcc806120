# SPDX-License-Identifier: MIT

#: lib/clock/open_mmio.c
s/ || flags || / || /
s/ || !hpt_can_take(.*/)/
s/if (!mmio || !ret || /if (!mmio || /
s/hpt_clock_open_by(HPT_SOURCE_MMIO, open_given, /hpt_clock_open_by(HPT_SOURCE_MMIO, NULL, /
