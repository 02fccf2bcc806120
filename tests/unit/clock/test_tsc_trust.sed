# SPDX-License-Identifier: MIT

#: lib/clock/tsc_trust.c
# The verdict, row by row, each named by its HPT_REASON_.
# TSC_ABSENT
s/f->tsc_class == HPT_CPU_NO_TSC/0/
# KERNEL_DISAGREES
s/f->kernel == HPT_KERNEL_OTHER/0/
# TSC_TRUSTED: not without the kernel's word, and in guests too
s/kernel_agrees = f->kernel == HPT_KERNEL_AGREES/kernel_agrees = f->kernel != HPT_KERNEL_OTHER/
s/if (kernel_agrees)/if (kernel_agrees \&\& !f->hypervisor)/
# TSC_GUEST_ALONE, TSC_UNCONTRADICTED
s/return f->hypervisor ? HPT_REASON_TSC_GUEST_ALONE : /return /
s/HPT_REASON_TSC_GUEST_ALONE : HPT_REASON_TSC_UNCONTRADICTED;/HPT_REASON_TSC_GUEST_ALONE : HPT_REASON_TSC_GUEST_ALONE;/
# TSC_NOT_CONSTANT, also of a class that is not known
s/f->tsc_class != HPT_CPU_CONSTANT_BY_FAMILY/0/
s/f->tsc_class != HPT_CPU_CONSTANT_BY_FAMILY/f->tsc_class == HPT_CPU_NOT_CONSTANT/
# TSC_GUEST_FAMILY
s/if (f->hypervisor)/if (0)/
# TSC_FAMILY_ALONE, TSC_FAMILY
s/return kernel_agrees ? HPT_REASON_TSC_FAMILY : .*/return HPT_REASON_TSC_FAMILY;/
s/return kernel_agrees ? HPT_REASON_TSC_FAMILY : /return /
s/ || reason == HPT_REASON_TSC_FAMILY ||/ ||/
# INTERPOSED, and only where nothing else speaks against the TSC
s/is_yes(reason) \&\& facts->interposed/0/
s/is_yes(reason) \&\& facts->interposed/facts->interposed/
s/libc_before_ns <= kernel_ns \&\& //
s/ \&\& kernel_ns <= libc_after_ns//
s/kernel_ns <= libc_after_ns/kernel_ns < libc_after_ns/
# TSC_EXPENSIVE, the same, and the edge of twice the cost
s/is_yes(reason) \&\& facts->expensive/0/
s/is_yes(reason) \&\& facts->expensive/facts->expensive/
s/tsc_ticks < 2/tsc_ticks <= 2/
s/tsc_and_os_ticks > tsc_ticks && //
