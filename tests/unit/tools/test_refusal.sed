# SPDX-License-Identifier: MIT

#: tools/run/refusal.c
s/	if (error != EAGAIN)/	if (0)/
s/	if (is_deadline)/	if (0)/
s/	if (is_deadline)/	if (1)/
s/error == ENOENT \&\& is_there/error == ENOENT/
s/error == ENOENT \&\& is_there/is_there/
s/error == ELOOP \&\& is_there/error == ELOOP/
s/error == ELOOP \&\& is_there/is_there/
s/	if (error == EAGAIN)/	if (0)/
