# SPDX-License-Identifier: MIT

#: lib/clock/source_status.c
s/if (!new.frequency_uhz)/if (0)/
