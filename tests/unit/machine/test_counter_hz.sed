# SPDX-License-Identifier: MIT

#: lib/machine/counter_hz.c
s/if (n != 4 \&\& n != 8)/if (n < 4)/
s/if (n != 4 \&\& n != 8)/if (n != 4)/
s/hz = hz << 8 | bytes\[i\];/hz |= (uint64_t)bytes[i] << 8 * i;/
s/unsigned char bytes\[9\];/unsigned char bytes[8];/
