# SPDX-License-Identifier: MIT

#: lib/sleep/sleep_info.c
s/size < HPT_SLEEP_INFO_SIZE_V0/size < 8/
s/m.brief_ns < UINT32_MAX ? m.brief_ns : UINT32_MAX/m.brief_ns/
