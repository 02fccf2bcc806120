/* SPDX-License-Identifier: MIT */
/* Orders loads from device registers with accesses to memory. */
#ifndef HPT_ARCH_IO_H
#define HPT_ARCH_IO_H

/*
 * All accesses before it, to memory and to registers, come before all accesses after it. The barriers of C's atomics
 * are for memory alone. On x86 loads from registers are never reordered.
 */
static inline void arch_io_fence(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__asm__ volatile("" : : : "memory");
#elif defined(__aarch64__) || (defined(__arm__) && __ARM_ARCH >= 7)
	__asm__ volatile("dmb sy" : : : "memory");
#elif defined(__riscv)
	__asm__ volatile("fence iorw, iorw" : : : "memory");
#else
	__sync_synchronize();
#endif
}

#endif
