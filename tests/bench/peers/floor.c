// SPDX-License-Identifier: MIT
/* The least possible cost of a read in a shared library: one exported call with the instruction, without a clock. */
#include "floor.h"

#include "arch/arch.h"

#ifdef HPT_ARCH_X86
uint64_t hpt_bench_rdtsc(void)
{
	return arch_rdtsc();
}

uint64_t hpt_bench_rdtscp(void)
{
	return arch_rdtscp();
}
#endif
