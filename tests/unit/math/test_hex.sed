# SPDX-License-Identifier: MIT

#: lib/math/hex.h
s/c <= '9'/c < '9'/
s/c >= 'a' \&\& c <= 'f'/c >= 'a'/
s/c >= 'a' \&\& c <= 'f'/c <= 'f'/
s/c - 'a' + 10/c - 'a'/
