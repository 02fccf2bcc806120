// SPDX-License-Identifier: MIT
/* A library with nothing in it: what loading costs without us. */
int hpt_bench_empty(void);

int hpt_bench_empty(void)
{
	return 0;
}
