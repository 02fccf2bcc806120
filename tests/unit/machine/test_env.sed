# SPDX-License-Identifier: MIT

#: lib/machine/env.c
s/strcmp(line, own)/!strstr(line, own)/
s/if (len >= size)/if (0)/
s/if (n != 4 \&\& n != 8)/if (n < 4)/
s/if (n != 4 \&\& n != 8)/if (n != 4)/
s/hz = hz << 8 | bytes\[i\];/hz |= (uint64_t)bytes[i] << 8 * i;/
s/unsigned char bytes\[9\];/unsigned char bytes[8];/
/^COLD ssize_t hpt_file_read/,/^}/s/^\tclose(fd);$/\t;/
s/ != sizeof(page))$/ < 0)/
s/little_endian(page, 4) != VMCLOCK_MAGIC || //
s/ || little_endian(page + VMCLOCK_SEQ, 4) \& 1//
s/little_endian(page + VMCLOCK_MARKER, 8)/little_endian(page + VMCLOCK_MARKER, 4)/

#: lib/machine/live.c
s/ \&\& major(st->st_rdev) == HPET_MAJOR \&\& minor(st->st_rdev) == HPET_MINOR//
/^static COLD int map_device/,/^}/s/ | O_NONBLOCK//
/^static COLD int check_any_node/,/^}/s/S_ISCHR(st->st_mode)/1/
/^static COLD void live_unmap_registers/,/^}/s/in_page + length/length/
s/return getauxval((unsigned long)type);/return (void)type, 0;/
/^static COLD int map_device/,/^}/s/^\tclose(fd);$/\t;/
s/ \&\& __has_include(<sys\/platform\/x86.h>)/ \&\& 0/
