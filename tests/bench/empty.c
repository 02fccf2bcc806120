// SPDX-License-Identifier: MIT
/* An empty library: the cost of loading without libhpt. */
int hpt_bench_empty(void);

int hpt_bench_empty(void)
{
	return 0;
}
