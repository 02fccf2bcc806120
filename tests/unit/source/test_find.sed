# SPDX-License-Identifier: MIT

#: lib/source/find.c
s/if (hpt_drivers\[i\]->id == id)/if (hpt_drivers[i]->id >= id)/
s/for (size_t i = 0; hpt_drivers/for (size_t i = 1; hpt_drivers/

#: lib/source/drivers.c find
/^	&hpt_source_mmio,$/d
/^	&hpt_source_hpet,$/d
