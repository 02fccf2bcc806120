// SPDX-License-Identifier: MIT
/* A program that is linked with a library and does nothing. It is built once with each library. */
#ifdef LINKED_WITH_HPT
#include <hpt/hpt.h>
#define TOUCH hpt_version()
#else
int hpt_bench_empty(void);
#define TOUCH hpt_bench_empty()
#endif

int main(int argc, char **argv)
{
	(void)argv;
	return argc > 1 ? TOUCH != 0 : 0;
}
