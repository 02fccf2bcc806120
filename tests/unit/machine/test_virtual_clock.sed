# SPDX-License-Identifier: MIT

#: lib/machine/virtual_clock.c
s/if (ns < shortest)/if (1)/
s/timer, id) \* 2 </timer, id) </
s/timer, id) \* 2 </timer, id) * 2 <=/
