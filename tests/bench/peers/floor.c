// SPDX-License-Identifier: MIT
/* The least that a read in a shared library can cost: the instruction behind one exported call, no clock, no choice. */
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
