# SPDX-License-Identifier: MIT

#: lib/sleep/waiter.h
s/while (seen - value > HPT_WAITER_RACE/while (seen != value/
