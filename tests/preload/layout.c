// SPDX-License-Identifier: MIT
/* Prints the layout of struct hpt_tally: NAME OFFSET, the counts of its arrays, and its size. */
#include <stddef.h>
#include <stdio.h>

#include "preload/tally.h"

#define AT(member) printf(#member " %zu\n", offsetof(struct hpt_tally, member))

int main(void)
{
	printf("MAGIC %llu\nCALLS %d\nBINS %d\n", (unsigned long long)HPT_TALLY_MAGIC, HPT_CALLS, HPT_TALLY_BINS);
	printf("REASONS %d\n", HPT_UNSPUN_REASONS);
	AT(magic);
	AT(programs);
	AT(served);
	AT(passed);
	AT(interrupted);
	AT(unspun);
	AT(spun_ns);
	AT(kernel_late);
	AT(late);
	printf("SIZE %zu\n", sizeof(struct hpt_tally));
	return 0;
}
