# SPDX-License-Identifier: MIT

#: lib/clock/names.c
/HPET stands still/s/HPET/TSC/
