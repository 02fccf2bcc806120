/* SPDX-License-Identifier: MIT */
/* Facts about the processor, read through one function pointer; and what they promise of the TSC. */
#ifndef HPT_CPU_H
#define HPT_CPU_H

#include <stdbool.h>
#include <stdint.h>

/* Executes or plays CPUID: regs become EAX, EBX, ECX, EDX. An absent leaf gives zeros. */
typedef void hpt_cpuid_fn(uint32_t leaf, uint32_t subleaf, uint32_t regs[4], void *ctx);

/* What the choice of the source depends on. */
struct hpt_cpu {
	char     vendor_id[13];         /* 12 characters and NUL; compare all 12, they may hold anything */
	uint32_t family, model, stepping;
	bool     tsc, rdtscp, invariant, sse2, hypervisor;
};

/* The rest, for people and cross-checks. */
struct hpt_cpu_details {
	char     brand[64];
	char     hypervisor_id[13];
	uint32_t crystal_hz;            /* 15h ECX */
	uint64_t tsc_hz;                /* 15h, only with all three words non-zero */
};

/* Decodes CPUID 1 EAX as Linux does (arch/x86/lib/cpu.c). */
void hpt_cpu_signature(uint32_t eax, struct hpt_cpu *ret);

/* Asks leaves 0, 1, 80000000h, 80000001h, 80000007h, each only inside the advertised range. */
void hpt_cpu_read(hpt_cpuid_fn *cpuid, void *ctx, struct hpt_cpu *ret);

/* Asks the brand, hypervisor and frequency leaves. */
void hpt_cpu_read_details(hpt_cpuid_fn *cpuid, void *ctx, const struct hpt_cpu *cpu, struct hpt_cpu_details *ret);

/* The TSC's rate by CPUID 15h with a crystal, else by the hypervisor's leaf 40000010h; 0: not stated. A hint. */
uint64_t hpt_cpu_stated_hz(hpt_cpuid_fn *cpuid, void *ctx);

/* "intel", "amd", ...; "other" for a vendor string not in the table. */
const char *hpt_cpu_vendor(const struct hpt_cpu *cpu);

/* HPT_CPU_: what CPUID alone says of the TSC. Whether to believe it is trust.c's business. */
uint32_t hpt_cpu_tsc_class(const struct hpt_cpu *cpu);

#endif
