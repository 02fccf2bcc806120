# SPDX-License-Identifier: MIT

#: lib/clock/default.c
s/^\thpt_choose_os(&hpt_once.reserve, &hpt_env_live);$/\t;/
s/if (slot >= HPT_BOOT_POOL)/if (slot > HPT_BOOT_POOL + 100)/
