# SPDX-License-Identifier: MIT

#: tools/trace/earliest.c
s/x != y ? x < y : /x < y || /
s/x != y ? x < y : .*;/x < y;/
s/		if (merge_input_next(&inputs\[i\]))/		if (1)/
s/2 \* at + 1), 2 \* at + 2/2 * at + 1), 2 * at + 1/
s/earlier(e, at, 2 \* at + 1), 2/at, 2/
s/	for (size_t i = e->n \/ 2; i > 0; i--)/	for (size_t i = 0; i > 0; i--)/
s/	if (!merge_input_next(e->inputs\[0\]))/	if (0)/
s/		sift_down(e, 0);/		;/
s/b < e->n \&\& is_before/is_before/
