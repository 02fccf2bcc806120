/* SPDX-License-Identifier: MIT */
/* Facts about the processor, read by way of one function pointer, and the class of its TSC. */
#ifndef HPT_CPU_H
#define HPT_CPU_H

#include <stdbool.h>
#include <stdint.h>

#include "hpt/hpt.h"
#include "hpt/system.h"

/* Executes CPUID or replays it from a dump: sets regs to EAX, EBX, ECX, EDX. An absent leaf gives zeros. */
typedef void hpt_cpuid_fn(uint32_t leaf, uint32_t subleaf, uint32_t regs[4], void *ctx);

/* The facts that the choice of the source depends on. */
struct hpt_cpu {
	char     vendor_id[13]; /* 12 characters and NUL; any of the 12 may be NUL too, so compare all of them */
	uint32_t family, model, stepping;
	bool     tsc, rdtscp, invariant, sse2, hypervisor;
	bool     lfence_orders; /* LFENCE waits for all earlier instructions, so RDTSC after it is read in order */
};

/* More facts, for display and cross-checks. */
struct hpt_cpu_details {
	char     brand[64];
	char     hypervisor_id[13];
	uint32_t crystal_hz; /* 15h ECX */
	uint64_t tsc_hz;     /* by 15h; 0 unless EAX, EBX and ECX are all non-zero */
};

/* Decodes CPUID 1 EAX as Linux does (arch/x86/lib/cpu.c). */
void hpt_cpu_signature(uint32_t eax, struct hpt_cpu *ret);

/*
 * Reads leaves 0, 1, 80000000h, 80000001h and 80000007h, and AMD's 80000021h, each only if it is in the advertised
 * range.
 */
void hpt_cpu_read(hpt_cpuid_fn *cpuid, void *ctx, struct hpt_cpu *ret);

/* Reads the leaves of brand, hypervisor and frequency. */
void hpt_cpu_read_details(hpt_cpuid_fn *cpuid, void *ctx, const struct hpt_cpu *cpu, struct hpt_cpu_details *ret);

/* The TSC's rate by CPUID 15h with a crystal, else by the hypervisor's leaf 40000010h; 0: not stated. Only a hint. */
uint64_t hpt_cpu_stated_hz(hpt_cpuid_fn *cpuid, void *ctx);

/* "intel", "amd", ...; "other" for a vendor string that is not in the table. */
const char *hpt_cpu_vendor(const struct hpt_cpu *cpu);

/*
 * lfence_orders by the family alone, for a CPU with SSE2 and an invariant TSC of Intel, AMD, Centaur or Zhaoxin. False
 * where the family leaves it open.
 */
bool hpt_cpu_lfence_orders_by_family(uint32_t family);

/* The class of the TSC by CPUID alone, HPT_CPU_. Whether to trust it is decided in lib/clock/tsc_trust.c. */
uint32_t hpt_cpu_tsc_class(const struct hpt_cpu *cpu);

/* All of the above as the public struct: fills in *ret, which is zeros, except for size and cores_online. */
void hpt_cpu_read_info(hpt_cpuid_fn *cpuid, void *ctx, struct hpt_cpu_info *ret);

#endif
