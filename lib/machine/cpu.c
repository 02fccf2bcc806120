// SPDX-License-Identifier: MIT
/* Facts about the processor from CPUID, live or from a dump, and the class of its TSC: lib/machine/cpu.h. */
#include <string.h>

#include "hpt/hpt.h"
#include "hpt/system.h"

#include "arch/arch.h"
#include "machine/cpu.h"

enum { EAX, EBX, ECX, EDX };

/* Bits as in Intel SDM vol. 2A (CPUID) and AMD APM vol. 3 appendix E. */
#define LEAF1_EDX_TSC        (UINT32_C(1) << 4)
#define LEAF1_EDX_SSE2       (UINT32_C(1) << 26)
#define LEAF1_ECX_HYPERVISOR (UINT32_C(1) << 31)
#define EXT1_EDX_RDTSCP      (UINT32_C(1) << 27)
#define EXT7_EDX_INVARIANT   (UINT32_C(1) << 8)
#define EXT21_EAX_LFENCE     (UINT32_C(1) << 2) /* LFENCE is always serialising */

/*
 * Whether LFENCE orders RDTSC. Intel: it "does not execute until all prior instructions have completed locally" (SDM
 * vol. 2A, LFENCE; vol. 2B, RDTSC). Centaur, Zhaoxin: Linux says so of all their 64-bit processors (centaur.c and
 * zhaoxin.c set X86_FEATURE_LFENCE_RDTSC). AMD, Hygon: by a bit of CPUID (APM vol. 3, CPUID Fn8000_0021 EAX). Without
 * it an MSR decides, which Linux sets but a process cannot read (amd.c and hygon.c, MSR_AMD64_DE_CFG).
 */
enum lfence { LFENCE_UNKNOWN, LFENCE_ORDERS, LFENCE_BY_BIT };

static const struct {
	char id[13], name[10];
	uint8_t lfence;
} vendors[] = {
	{ "GenuineIntel", "intel", LFENCE_ORDERS },
	{ "AuthenticAMD", "amd", LFENCE_BY_BIT },
	{ "CentaurHauls", "centaur", LFENCE_ORDERS },
	{ "  Shanghai  ", "zhaoxin", LFENCE_ORDERS },
	{ "HygonGenuine", "hygon", LFENCE_BY_BIT },
	{ "GenuineTMx86", "transmeta", LFENCE_UNKNOWN },
	{ "TransmetaCPU", "transmeta", LFENCE_UNKNOWN },
	{ "CyrixInstead", "cyrix", LFENCE_UNKNOWN },
	{ "Geode by NSC", "nsc", LFENCE_UNKNOWN },
	{ "UMC UMC UMC ", "umc", LFENCE_UNKNOWN },
	{ "Vortex86 SoC", "vortex", LFENCE_UNKNOWN },
};

#define VENDORS (sizeof(vendors) / sizeof(vendors[0]))

/*
 * Families whose TSC has a constant rate although CPUID does not state it, as in Linux of August 2025 (commit
 * 24963ae1b0b6 for Intel; centaur.c, zhaoxin.c, transmeta.c). AMD and Hygon have no such family.
 */
static const struct {
	char     vendor[10];
	uint32_t family_min, family_max, model_min, model_max;
} constant_families[] = {
	{ "intel", 15, 15, 0x03, 0x06 },       /* Prescott to Cedar Mill */
	{ "intel", 6, 6, 0x0e, 0x3a },         /* Yonah to Ivy Bridge */
	{ "centaur", 6, 6, 0x0f, UINT32_MAX }, /* VIA Nano */
	{ "centaur", 7, UINT32_MAX, 0, UINT32_MAX },
	{ "zhaoxin", 6, UINT32_MAX, 0, UINT32_MAX },
	{ "transmeta", 0, UINT32_MAX, 0, UINT32_MAX },
};

COLD void hpt_cpu_signature(uint32_t eax, struct hpt_cpu *ret)
{
	uint32_t family = eax >> 8 & 15, model = eax >> 4 & 15;

	if (family == 15)
		family += eax >> 20 & 255;
	if (family >= 6)
		model += (eax >> 16 & 15) << 4;
	ret->family = family;
	ret->model = model;
	ret->stepping = eax & 15;
}

/* Returns the highest extended leaf; 0 on a CPU without extended leaves, which answers with other data. */
static uint32_t max_extended(hpt_cpuid_fn *cpuid, void *ctx)
{
	uint32_t r[4];

	cpuid(0x80000000, 0, r, ctx);
	return (r[EAX] & 0xffff0000) == 0x80000000 ? r[EAX] : 0;
}

/*
 * Compares all 12 characters, any of which may be NUL. No memcmp(): compilers that optimise for size call it, and one
 * more imported function adds 2 us to load.
 */
static COLD bool is_id(const char *a, const char *b)
{
	int i = 0;

	while (i < 12 && a[i] == b[i])
		i++;
	return i == 12;
}

/* The vendor's index in the table, or VENDORS. */
static COLD size_t vendor_of(const struct hpt_cpu *cpu)
{
	size_t i = 0;

	while (i < VENDORS && !is_id(vendors[i].id, cpu->vendor_id))
		i++;
	return i;
}

static COLD bool read_lfence(hpt_cpuid_fn *cpuid, void *ctx, const struct hpt_cpu *cpu, uint32_t ext)
{
	size_t vendor = vendor_of(cpu);
	uint32_t r[4];

	if (!cpu->sse2 || vendor == VENDORS)
		return false;
	if (vendors[vendor].lfence != LFENCE_BY_BIT || ext < 0x80000021)
		return vendors[vendor].lfence == LFENCE_ORDERS;
	cpuid(0x80000021, 0, r, ctx);
	return r[EAX] & EXT21_EAX_LFENCE;
}

/*
 * An invariant TSC of a family below 10h is Intel's, Centaur's or Zhaoxin's, because AMD's begin with 10h. From 19h
 * (Zen 3) on AMD's CPUs have the bit: it is set in all of 41 dumps of such CPUs, and in none of 99 of earlier families.
 * Families 10h to 18h may also be Intel's (12h, 13h), which this leaves open.
 */
COLD bool hpt_cpu_lfence_orders_by_family(uint32_t family)
{
	return family < 0x10 || family >= 0x19;
}

/* A register holds its first character in the low byte, also in a dump that a big-endian machine decodes. */
static COLD void put_text(char *ret, uint32_t reg)
{
	for (int i = 0; i < 4; i++)
		ret[i] = (char)(reg >> 8 * i);
}

COLD void hpt_cpu_read(hpt_cpuid_fn *cpuid, void *ctx, struct hpt_cpu *ret)
{
	uint32_t r[4], ext;

	memset(ret, 0, sizeof(*ret));
	cpuid(0, 0, r, ctx);
	put_text(ret->vendor_id, r[EBX]);
	put_text(ret->vendor_id + 4, r[EDX]);
	put_text(ret->vendor_id + 8, r[ECX]);
	if (r[EAX] >= 1) {
		cpuid(1, 0, r, ctx);
		hpt_cpu_signature(r[EAX], ret);
		ret->tsc = r[EDX] & LEAF1_EDX_TSC;
		ret->sse2 = r[EDX] & LEAF1_EDX_SSE2;
		ret->hypervisor = r[ECX] & LEAF1_ECX_HYPERVISOR;
	}
	ext = max_extended(cpuid, ctx);
	if (ext >= 0x80000001) {
		cpuid(0x80000001, 0, r, ctx);
		ret->rdtscp = r[EDX] & EXT1_EDX_RDTSCP;
	}
	if (ext >= 0x80000007) {
		cpuid(0x80000007, 0, r, ctx);
		ret->invariant = r[EDX] & EXT7_EDX_INVARIANT;
	}
	ret->lfence_orders = read_lfence(cpuid, ctx, ret, ext);
}

/* Leaves one blank between words, and no blank at the ends. */
static COLD void tidy_brand(const char *raw, char *ret)
{
	size_t n = 0;

	for (; *raw; raw++) {
		if (*raw != ' ')
			ret[n++] = *raw;
		else if (n && ret[n - 1] != ' ')
			ret[n++] = ' ';
	}
	if (n && ret[n - 1] == ' ')
		n--;
	ret[n] = '\0';
}

static COLD void read_brand(hpt_cpuid_fn *cpuid, void *ctx, char *ret)
{
	char raw[48 + 1] = ""; /* the brand may fill its 48 bytes without a NUL */

	if (max_extended(cpuid, ctx) < 0x80000004)
		return;
	for (uint32_t i = 0; i < 3; i++) {
		uint32_t r[4];

		cpuid(0x80000002 + i, 0, r, ctx);
		for (uint32_t reg = EAX; reg <= EDX; reg++)
			put_text(raw + 16 * i + 4 * reg, r[reg]);
	}
	tidy_brand(raw, ret);
}

/* The TSC's rate by CPUID 15h (SDM vol. 2A): crystal x EBX / EAX; 0 unless all three are given. */
static COLD uint64_t read_crystal(hpt_cpuid_fn *cpuid, void *ctx, uint32_t *ret_crystal_hz)
{
	uint32_t r[4];

	*ret_crystal_hz = 0;
	cpuid(0, 0, r, ctx);
	if (r[EAX] < 0x15)
		return 0;
	cpuid(0x15, 0, r, ctx);
	*ret_crystal_hz = r[ECX];
	return r[EAX] && r[EBX] ? (uint64_t)r[ECX] * r[EBX] / r[EAX] : 0;
}

/*
 * VMware's convention, which KVM and others follow: EAX of 40000010h is the TSC's rate in kHz (Linux,
 * arch/x86/kernel/cpu/vmware.c). 0: not stated.
 */
static uint64_t read_hypervisor_hz(hpt_cpuid_fn *cpuid, void *ctx)
{
	uint32_t r[4];

	cpuid(1, 0, r, ctx);
	if (!(r[ECX] >> 31))
		return 0;
	cpuid(0x40000000, 0, r, ctx);
	if (r[EAX] < 0x40000010 || r[EAX] > 0x4000ffff)
		return 0;
	cpuid(0x40000010, 0, r, ctx);
	return (uint64_t)r[EAX] * 1000;
}

COLD uint64_t hpt_cpu_stated_hz(hpt_cpuid_fn *cpuid, void *ctx)
{
	uint32_t crystal_hz;
	uint64_t hz = read_crystal(cpuid, ctx, &crystal_hz);

	return hz ? hz : read_hypervisor_hz(cpuid, ctx);
}

COLD void hpt_cpu_read_details(hpt_cpuid_fn *cpuid, void *ctx, const struct hpt_cpu *cpu, struct hpt_cpu_details *ret)
{
	uint32_t r[4];

	memset(ret, 0, sizeof(*ret));
	read_brand(cpuid, ctx, ret->brand);
	if (cpu->hypervisor) {
		cpuid(0x40000000, 0, r, ctx);
		for (uint32_t reg = EBX; reg <= EDX; reg++)
			put_text(ret->hypervisor_id + 4 * (reg - EBX), r[reg]);
	}
	ret->tsc_hz = read_crystal(cpuid, ctx, &ret->crystal_hz);
}

COLD const char *hpt_cpu_vendor(const struct hpt_cpu *cpu)
{
	size_t vendor = vendor_of(cpu);

	return vendor < VENDORS ? vendors[vendor].name : "other";
}

static bool constant_by_family(const struct hpt_cpu *cpu)
{
	const char *vendor = hpt_cpu_vendor(cpu);

	for (size_t i = 0; i < sizeof(constant_families) / sizeof(constant_families[0]); i++)
		if (!strcmp(constant_families[i].vendor, vendor) &&
		    cpu->family >= constant_families[i].family_min &&
		    cpu->family <= constant_families[i].family_max &&
		    cpu->model >= constant_families[i].model_min &&
		    cpu->model <= constant_families[i].model_max)
			return true;
	return false;
}

COLD uint32_t hpt_cpu_tsc_class(const struct hpt_cpu *cpu)
{
	if (!cpu->tsc)
		return HPT_CPU_NO_TSC;
	if (cpu->invariant)
		return HPT_CPU_INVARIANT;
	return constant_by_family(cpu) ? HPT_CPU_CONSTANT_BY_FAMILY : HPT_CPU_NOT_CONSTANT;
}

COLD void hpt_cpu_read_info(hpt_cpuid_fn *cpuid, void *ctx, struct hpt_cpu_info *ret)
{
	struct hpt_cpu cpu;
	struct hpt_cpu_details details;

	hpt_cpu_read(cpuid, ctx, &cpu);
	hpt_cpu_read_details(cpuid, ctx, &cpu, &details);
	ret->tsc_class = hpt_cpu_tsc_class(&cpu);
	ret->family = cpu.family;
	ret->model = cpu.model;
	ret->stepping = cpu.stepping;
	ret->tsc = cpu.tsc;
	ret->rdtscp = cpu.rdtscp;
	ret->invariant = cpu.invariant;
	ret->sse2 = cpu.sse2;
	ret->hypervisor = cpu.hypervisor;
	ret->crystal_hz = details.crystal_hz;
	ret->tsc_hz = details.tsc_hz;
	memcpy(ret->vendor_id, cpu.vendor_id, sizeof(cpu.vendor_id));
	memcpy(ret->vendor, hpt_cpu_vendor(&cpu), strlen(hpt_cpu_vendor(&cpu)));
	memcpy(ret->brand, details.brand, sizeof(details.brand));
	memcpy(ret->hypervisor_id, details.hypervisor_id, sizeof(details.hypervisor_id));
}
