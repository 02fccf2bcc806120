# SPDX-License-Identifier: MIT

#: lib/math/civil.c
s/- (a % b < 0)/- 0/
s/ + day \/ 36524//
s/ - day \/ 146096//
s/ - in_era \/ 100//
s/year - (month <= 2)/year/
s/if (n > 0 || value > most)/if (value > most)/
s/if (n > 0 || value > most)/if (n > 0)/
s/if (!take_mark(at, mark, other))/if (take_mark(at, mark, other), 0)/
s/if (left == NS_DIGITS)/if (0)/
s/, left = NS_DIGITS;/, left = NS_DIGITS + 1;/
s/if (real_month != month || /if (/
s/ || real_day != day)/)/
s/ || real_day != day)/ || 0)/
s/if (!ahead \&\& !take_mark/if (!take_mark/
s/if (!ahead \&\& !take_mark(at, '-', '-'))/if (!ahead \&\& !take_mark(at, '-', '-') \&\& 0)/
s/take_and(at, 2, 23, .:., .:.) \* S/take_and(at, 2, 99, 58, 58) * S/
s/take_digits(at, 2, 59) \* S_PER_MINUTE/take_digits(at, 2, 99) * S_PER_MINUTE/
s/hour = take_and(at, 2, 23/hour = take_and(at, 2, 24/
s/minute = take_and(at, 2, 59/minute = take_and(at, 2, 60/
s/ + take_digits(at, 2, 59);/ + take_digits(at, 2, 60);/
s/if (!at || \*at)/if (!at)/
s/return ahead ? s : -s;/return s;/
s/in_s < 0 ? in_s + NS_PER_S : in_s/in_s/
s/if (negative)/if (0)/
