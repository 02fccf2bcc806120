# SPDX-License-Identifier: MIT

#: tools/trace/scan.c
s/if (value > (most - digit) \/ 10)/if (0)/
s/(uint64_t)INT64_MAX + is_negative/(uint64_t)INT64_MAX/
s/INT64_MAX \/ NS_PER_S - 1/INT64_MAX \/ NS_PER_S/
s/if (places == PLACES)/if (0)/
s/|| !is_digit(at\[1\])//
s/for (; places < PLACES; places++)/for (; places < PLACES - 1; places++)/
