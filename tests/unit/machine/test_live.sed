# SPDX-License-Identifier: MIT

#: lib/machine/device_map.c live
s/ \&\& major(st->st_rdev) == HPET_MAJOR \&\& minor(st->st_rdev) == HPET_MINOR//
/^static COLD int map_device/,/^}/s/ | O_NONBLOCK//
/^static COLD int check_any_node/,/^}/s/S_ISCHR(st->st_mode)/1/
/^COLD void hpt_unmap_registers/,/^}/s/in_page + length/length/
/^static COLD int map_device/,/^}/s/^\tclose(fd);$/\t;/

#: lib/machine/live_calls.c live
s/return getauxval((unsigned long)type);/return (void)type, 0;/

#: lib/machine/live_calls.h live
s/ \&\& __has_include(<sys\/platform\/x86.h>)/ \&\& 0/
