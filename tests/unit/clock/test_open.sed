# SPDX-License-Identifier: MIT

#: lib/clock/open.c
s/!ret || source >= HPT_SOURCE_IDS/source >= HPT_SOURCE_IDS/
s/if (source == HPT_SOURCE_MANUAL)/if (0)/
s/source = booted->clk.src.ops->id;/;/
