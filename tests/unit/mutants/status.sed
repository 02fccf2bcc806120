# SPDX-License-Identifier: MIT

#: lib/clock/status.c
s/if (!new.frequency_uhz)/if (0)/
