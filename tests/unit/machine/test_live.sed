# SPDX-License-Identifier: MIT

#: lib/machine/live.c
s/ \&\& major(st->st_rdev) == HPET_MAJOR \&\& minor(st->st_rdev) == HPET_MINOR//
/^static COLD int map_device/,/^}/s/ | O_NONBLOCK//
/^static COLD int check_any_node/,/^}/s/S_ISCHR(st->st_mode)/1/
/^static COLD void live_unmap_registers/,/^}/s/in_page + length/length/
s/return getauxval((unsigned long)type);/return (void)type, 0;/
/^static COLD int map_device/,/^}/s/^\tclose(fd);$/\t;/
s/ \&\& __has_include(<sys\/platform\/x86.h>)/ \&\& 0/
