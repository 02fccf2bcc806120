# SPDX-License-Identifier: MIT

#: lib/machine/bell.c
s/return 1 + /return /
s/ % HPT_BELLS/ % (HPT_BELLS - 1)/

#: lib/machine/bell.h
s/return &hpt_bells\[number - 1\];/return \&hpt_bells[number % HPT_BELLS];/
s/hpt_eventcount_add_sleepers(ec, 1 + (number << HPT_BELL_SHIFT));/hpt_eventcount_add_sleepers(ec, number << HPT_BELL_SHIFT);/
s/-(1 + (number << HPT_BELL_SHIFT))/-(number << HPT_BELL_SHIFT)/
s/	if (unlikely(number))/	if (number > 1)/
s/sleepers >> HPT_BELL_SHIFT;/sleepers >> (HPT_BELL_SHIFT - 1);/

#: lib/machine/eventcount.h
s/(uint64_t)(int64_t)(int32_t)added/(uint64_t)added/
