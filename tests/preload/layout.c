// SPDX-License-Identifier: MIT
/* Prints the layouts of struct hpt_tally and struct hpt_shared_crowd: NAME OFFSET, counts of arrays, and sizes. */
#include <stddef.h>
#include <stdio.h>

#include "preload/shared_crowd.h"
#include "preload/tally.h"

#define OF_CROWD(member) printf("crowd_" #member " %zu\n", offsetof(struct hpt_shared_crowd, crowd.member))
#define AT(member) printf(#member " %zu\n", offsetof(struct hpt_tally, member))

int main(void)
{
	printf("MAGIC %llu\nCALLS %d\nBINS %d\n", (unsigned long long)HPT_TALLY_MAGIC, HPT_CALLS, HPT_TALLY_BINS);
	printf("REASONS %d\n", HPT_UNSPUN_REASONS);
	AT(magic);
	AT(programs);
	AT(served);
	AT(passed);
	AT(by_event);
	AT(interrupted);
	AT(unspun);
	AT(spun_ns);
	AT(kernel_late);
	AT(late);
	printf("SIZE %zu\n", sizeof(struct hpt_tally));
	printf("CROWD_MAGIC %llu\nCROWD_SIZE %zu\n", (unsigned long long)HPT_SHARED_CROWD_MAGIC,
	       sizeof(struct hpt_shared_crowd));
	OF_CROWD(only);
	OF_CROWD(process);
	OF_CROWD(sleeps);
	OF_CROWD(since_ns);
	OF_CROWD(windows);
	return 0;
}
