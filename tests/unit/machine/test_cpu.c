// SPDX-License-Identifier: MIT
/* The facts read from CPUID of real processors, and the traps in brand strings. */
#include <string.h>

#include "unit.h"

#include "machine/cpu.h"
#include "cpu_vectors.h"
#include "fake_env.h"

static const uint32_t vector_leaves[5] = { 0, 1, 0x80000000, 0x80000001, 0x80000007 };

/* A register that holds four characters. */
static uint32_t text_word(const char *text)
{
	const uint8_t *c = (const uint8_t *)text;

	return (uint32_t)c[3] << 24 | (uint32_t)c[2] << 16 | (uint32_t)c[1] << 8 | c[0];
}

static void vector_cpuid(uint32_t leaf, uint32_t subleaf, uint32_t regs[4], void *ctx)
{
	const struct cpu_vector *v = ctx;

	(void)subleaf;
	memset(regs, 0, 4 * sizeof(regs[0]));
	for (size_t i = 0; i < COUNT(vector_leaves); i++)
		if (vector_leaves[i] == leaf)
			memcpy(regs, v->leaf[i], sizeof(v->leaf[i]));
}

#define same(v, what, got, want)                                                                      \
	do {                                                                                          \
		if ((uint32_t)(got) != (uint32_t)(want))                                              \
			fail_msg("%s: %s is %u, wanted %u", (v)->name, what, (uint32_t)(got), (uint32_t)(want)); \
	} while (0)

static void real_processors_are_understood(void **state)
{
	(void)state;
	assert_true(CPU_VECTORS >= 40);
	for (size_t i = 0; i < CPU_VECTORS; i++) {
		const struct cpu_vector *v = &cpu_vectors[i];
		struct hpt_cpu cpu;

		memset(&cpu, 0xa5, sizeof(cpu));
		hpt_cpu_read(vector_cpuid, (void *)(uintptr_t)v, &cpu);
		assert_string_equal(cpu.vendor_id, v->vendor_id);
		assert_string_equal(hpt_cpu_vendor(&cpu), v->vendor);
		same(v, "family", cpu.family, v->family);
		same(v, "model", cpu.model, v->model);
		same(v, "stepping", cpu.stepping, v->stepping);
		same(v, "tsc", cpu.tsc, v->tsc);
		same(v, "rdtscp", cpu.rdtscp, v->rdtscp);
		same(v, "invariant", cpu.invariant, v->invariant);
		same(v, "hypervisor", cpu.hypervisor, v->hypervisor);
		same(v, "sse2", cpu.sse2, v->leaf[0][0] >= 1 && v->leaf[1][3] >> 26 & 1);
		same(v, "class", hpt_cpu_tsc_class(&cpu), v->tsc_class);
	}
}

static uint32_t class_of(const char *vendor_id, uint32_t family, uint32_t model)
{
	struct hpt_cpu cpu = { .family = family, .model = model, .tsc = true };

	memcpy(cpu.vendor_id, vendor_id, 12);
	return hpt_cpu_tsc_class(&cpu);
}

static void constant_families_begin_and_end_where_linux_says(void **state)
{
	static const struct {
		const char *vendor;
		uint32_t family, model, class;
	} rows[] = {
		{ "GenuineIntel", 15, 0x02, HPT_CPU_NOT_CONSTANT },
		{ "GenuineIntel", 15, 0x03, HPT_CPU_CONSTANT_BY_FAMILY },
		{ "GenuineIntel", 15, 0x06, HPT_CPU_CONSTANT_BY_FAMILY },
		{ "GenuineIntel", 15, 0x07, HPT_CPU_NOT_CONSTANT },
		{ "GenuineIntel", 15, 107, HPT_CPU_NOT_CONSTANT }, /* QEMU's Virtual CPU 2.5+ */
		{ "GenuineIntel", 6, 0x0d, HPT_CPU_NOT_CONSTANT },
		{ "GenuineIntel", 6, 0x0e, HPT_CPU_CONSTANT_BY_FAMILY },
		{ "GenuineIntel", 6, 0x3a, HPT_CPU_CONSTANT_BY_FAMILY },
		{ "GenuineIntel", 6, 0x3b, HPT_CPU_NOT_CONSTANT },
		{ "GenuineIntel", 5, 0x0e, HPT_CPU_NOT_CONSTANT },
		{ "GenuineIntel", 7, 0x0e, HPT_CPU_NOT_CONSTANT },
		{ "CentaurHauls", 6, 0x0e, HPT_CPU_NOT_CONSTANT },
		{ "CentaurHauls", 6, 0x0f, HPT_CPU_CONSTANT_BY_FAMILY },
		{ "CentaurHauls", 7, 0x00, HPT_CPU_CONSTANT_BY_FAMILY },
		{ "CentaurHauls", 5, 0x0f, HPT_CPU_NOT_CONSTANT },
		{ "  Shanghai  ", 6, 0x00, HPT_CPU_CONSTANT_BY_FAMILY },
		{ "  Shanghai  ", 5, 0xff, HPT_CPU_NOT_CONSTANT },
		{ "GenuineTMx86", 5, 0x04, HPT_CPU_CONSTANT_BY_FAMILY },
		{ "TransmetaCPU", 5, 0x04, HPT_CPU_CONSTANT_BY_FAMILY },
		{ "AuthenticAMD", 0x10, 0x04, HPT_CPU_NOT_CONSTANT },
		{ "HygonGenuine", 0x18, 0x00, HPT_CPU_NOT_CONSTANT },
		{ "GenuineIotel", 6, 0x2a, HPT_CPU_NOT_CONSTANT },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++)
		if (class_of(rows[i].vendor, rows[i].family, rows[i].model) != rows[i].class)
			fail_msg("%s %u:%x", rows[i].vendor, rows[i].family, rows[i].model);
}

/* All 12 characters are compared; vendor strings may contain NUL. */
static void vendor_is_compared_whole(void **state)
{
	struct hpt_cpu cpu = { 0 };

	(void)state;
	memcpy(cpu.vendor_id, "GenuineInteL", 12);
	assert_string_equal(hpt_cpu_vendor(&cpu), "other");
	memcpy(cpu.vendor_id, "Genuine\0ntel", 12);
	assert_string_equal(hpt_cpu_vendor(&cpu), "other");
	memcpy(cpu.vendor_id, "\0enuineIntel", 12);
	assert_string_equal(hpt_cpu_vendor(&cpu), "other");
	memcpy(cpu.vendor_id, "GenuineIntel", 12);
	assert_string_equal(hpt_cpu_vendor(&cpu), "intel");
}

/* ---- LFENCE ------------------------------------------------------------------------------------ */

struct lfence_cpu {
	char     vendor[13];
	bool     sse2;
	uint32_t max_extended, eax21;
	bool     orders;
	uint32_t highest_asked;
};

static void lfence_cpuid(uint32_t leaf, uint32_t subleaf, uint32_t regs[4], void *ctx)
{
	struct lfence_cpu *cpu = ctx;

	(void)subleaf;
	memset(regs, 0, 4 * sizeof(regs[0]));
	if (leaf > cpu->highest_asked)
		cpu->highest_asked = leaf;
	if (leaf == 0) {
		regs[0] = 1;
		regs[1] = text_word(cpu->vendor);
		regs[3] = text_word(cpu->vendor + 4);
		regs[2] = text_word(cpu->vendor + 8);
	}
	if (leaf == 1)
		regs[3] = (uint32_t)cpu->sse2 << 26;
	if (leaf == 0x80000000)
		regs[0] = cpu->max_extended;
	if (leaf == 0x80000021)
		regs[0] = cpu->eax21;
}

static void lfence_orders_by_vendor_or_by_bit(void **state)
{
	static const struct lfence_cpu rows[] = {
		{ "GenuineIntel", true, 0x80000008, 0, true, 0 },
		{ "GenuineIntel", false, 0x80000008, 0, false, 0 },
		{ "CentaurHauls", true, 0x80000008, 0, true, 0 },
		{ "  Shanghai  ", true, 0x80000008, 0, true, 0 },
		{ "AuthenticAMD", true, 0x80000021, 0x4, true, 0 },
		{ "AuthenticAMD", true, 0x80000028, 0xffffffff, true, 0 },
		{ "AuthenticAMD", true, 0x80000028, ~UINT32_C(4), false, 0 },
		{ "AuthenticAMD", true, 0x80000020, 0x4, false, 0 }, /* outside the advertised range */
		{ "AuthenticAMD", true, 0, 0x4, false, 0 },
		{ "AuthenticAMD", false, 0x80000021, 0x4, false, 0 },
		{ "HygonGenuine", true, 0x80000020, 0, false, 0 },
		{ "HygonGenuine", true, 0x80000021, 0x4, true, 0 },
		{ "GenuineTMx86", true, 0x80000021, 0x4, false, 0 },
		{ "Virtual CPU ", true, 0x80000021, 0x4, false, 0 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct lfence_cpu row = rows[i];
		struct hpt_cpu cpu;

		hpt_cpu_read(lfence_cpuid, &row, &cpu);
		if (cpu.lfence_orders != row.orders)
			fail_msg("row %d: %s", (int)i, row.vendor);
		assert_true(row.highest_asked <= (row.max_extended ? row.max_extended : 0x80000000));
	}
}

/* Where the vendor is unknown, the family gives the same answer as the vendor and the bit, or none. */
static void lfence_orders_by_family_where_that_is_sure(void **state)
{
	(void)state;
	assert_true(hpt_cpu_lfence_orders_by_family(0x6));  /* Intel, VIA, Zhaoxin */
	assert_true(hpt_cpu_lfence_orders_by_family(0x7));  /* Zhaoxin */
	assert_true(hpt_cpu_lfence_orders_by_family(0xf));  /* Pentium 4 */
	assert_false(hpt_cpu_lfence_orders_by_family(0x10)); /* K10 */
	assert_false(hpt_cpu_lfence_orders_by_family(0x17)); /* Zen, Zen 2 */
	assert_false(hpt_cpu_lfence_orders_by_family(0x18)); /* Hygon */
	assert_true(hpt_cpu_lfence_orders_by_family(0x19)); /* Zen 3 */
	assert_true(hpt_cpu_lfence_orders_by_family(0x1a)); /* Zen 5 */
}

/* ---- Brand ------------------------------------------------------------------------------------- */

struct brand_cpu {
	char     text[48];
	uint32_t max_extended, highest_asked;
	uint32_t leaf15[4], max_leaf;
	const char *hypervisor_id;
};

static void brand_cpuid(uint32_t leaf, uint32_t subleaf, uint32_t regs[4], void *ctx)
{
	struct brand_cpu *b = ctx;

	(void)subleaf;
	memset(regs, 0, 4 * sizeof(regs[0]));
	if (leaf > b->highest_asked)
		b->highest_asked = leaf;
	if (leaf == 0)
		regs[0] = b->max_leaf;
	if (leaf == 0x15)
		memcpy(regs, b->leaf15, sizeof(b->leaf15));
	if (leaf == 0x40000000 && b->hypervisor_id)
		for (int i = 0; i < 3; i++)
			regs[1 + i] = text_word(b->hypervisor_id + 4 * i);
	if (leaf == 0x80000000)
		regs[0] = b->max_extended;
	if (leaf >= 0x80000002 && leaf <= 0x80000004)
		for (uint32_t i = 0; i < 4; i++)
			regs[i] = text_word(b->text + 16 * (leaf - 0x80000002) + 4 * i);
}

static void check_brand(const char *raw, size_t n, const char *want)
{
	struct brand_cpu b = { .max_extended = 0x80000008 };
	struct hpt_cpu cpu = { 0 };
	struct hpt_cpu_details details;

	memset(&details, 0xa5, sizeof(details));
	memcpy(b.text, raw, n);
	hpt_cpu_read_details(brand_cpuid, &b, &cpu, &details);
	assert_string_equal(details.brand, want);
	for (size_t i = strlen(want); i < sizeof(details.brand); i++)
		assert_int_equal(details.brand[i], 0); /* nothing of the raw text is left behind */
}

static void brand_is_tidied(void **state)
{
	(void)state;
	check_brand("AMD Ryzen 7 6800HS with Radeon Graphics         ", 48, "AMD Ryzen 7 6800HS with Radeon Graphics");
	check_brand("VIA CNA processor 2667MHz 2667MHz 2667MHz CNACNA", 48,
		    "VIA CNA processor 2667MHz 2667MHz 2667MHz CNACNA"); /* 48 characters, no NUL */
	check_brand("         Intel(R) Core(TM) i7-2600 CPU @ 3.40GHz", 48, "Intel(R) Core(TM) i7-2600 CPU @ 3.40GHz");
	check_brand("AMD Athlon(tm) 64        Processor   ", 38, "AMD Athlon(tm) 64 Processor");
	check_brand("AMD Custom APU 0405\0junk of the BIOS", 36, "AMD Custom APU 0405");
	check_brand("", 1, "");
	check_brand("                                                ", 48, "");
	check_brand("X", 2, "X");
	check_brand(" a  b ", 7, "a b");
}

static void brand_outside_the_range_is_not_asked(void **state)
{
	static const uint32_t ranges[] = { 0, 0x80000003, 0x80000001, 0x03020101, 0xffffffff, 0x80010004 };

	(void)state;
	for (size_t i = 0; i < COUNT(ranges); i++) {
		struct brand_cpu b = { .text = "not a brand", .max_extended = ranges[i] };
		struct hpt_cpu cpu = { 0 };
		struct hpt_cpu_details details;

		hpt_cpu_read_details(brand_cpuid, &b, &cpu, &details);
		assert_string_equal(details.brand, "");
		assert_true(b.highest_asked <= 0x80000000);
	}
}

static void hypervisor_is_named_only_where_there_is_one(void **state)
{
	struct brand_cpu b = { .hypervisor_id = "KVMKVMKVM\0\0\0" };
	struct hpt_cpu cpu = { 0 };
	struct hpt_cpu_details details;

	(void)state;
	hpt_cpu_read_details(brand_cpuid, &b, &cpu, &details);
	assert_string_equal(details.hypervisor_id, "");
	cpu.hypervisor = true;
	hpt_cpu_read_details(brand_cpuid, &b, &cpu, &details);
	assert_string_equal(details.hypervisor_id, "KVMKVMKVM");
}

static uint64_t tsc_hz(uint32_t max_leaf, uint32_t eax, uint32_t ebx, uint32_t ecx, uint32_t *ret_crystal)
{
	struct brand_cpu b = { .max_leaf = max_leaf, .leaf15 = { eax, ebx, ecx, 0 } };
	struct hpt_cpu cpu = { 0 };
	struct hpt_cpu_details details;

	hpt_cpu_read_details(brand_cpuid, &b, &cpu, &details);
	*ret_crystal = details.crystal_hz;
	return details.tsc_hz;
}

static void leaf_15h_counts_only_whole_and_in_range(void **state)
{
	uint32_t crystal;

	(void)state;
	assert_int_equal(tsc_hz(0x16, 2, 292, 24000000, &crystal), 3504000000);
	assert_int_equal(crystal, 24000000);
	assert_int_equal(tsc_hz(0x15, 2, 292, 24000000, &crystal), 3504000000);
	assert_int_equal(tsc_hz(0x14, 2, 292, 24000000, &crystal), 0);
	assert_int_equal(crystal, 0);
	assert_int_equal(tsc_hz(0x16, 2, 292, 0, &crystal), 0);
	assert_int_equal(tsc_hz(0x16, 0, 292, 24000000, &crystal), 0);
	assert_int_equal(crystal, 24000000);
	assert_int_equal(tsc_hz(0x16, 2, 0, 24000000, &crystal), 0);
	assert_true(tsc_hz(0x16, 1, UINT32_MAX, UINT32_MAX, &crystal) == (uint64_t)UINT32_MAX * UINT32_MAX);
}

/* ---- The TSC's rate, from the crystal or the hypervisor ------------------------------------------ */

#define CRYSTAL  { 0x15, { 2, 192, 24000000, 0 } }
#define IS_GUEST { 1, { 0, 0, 0x80000000, 0 } }
#define MAX(n)   { 0, { n } }
#define HV_MAX(n) { 0x40000000, { n } }
#define HV_KHZ(n) { 0x40000010, { n } }

static void rate_is_stated_by_crystal_or_hypervisor(void **state)
{
	static const struct {
		struct fake_leaf leaves[5];
		uint64_t hz;
	} rows[] = {
		{ { MAX(0x16), CRYSTAL }, 2304000000 },
		/* The crystal first. */
		{ { MAX(0x15), CRYSTAL, IS_GUEST, HV_MAX(0x40000010), HV_KHZ(2000000) }, 2304000000 },
		{ { MAX(0x14), CRYSTAL }, 0 },
		{ { MAX(0x14), CRYSTAL, IS_GUEST, HV_MAX(0x40000010), HV_KHZ(2000000) }, 2000000000 },
		{ { MAX(0x16), { 0x15, { 2, 192, 0, 0 } }, IS_GUEST, HV_MAX(0x40000010), HV_KHZ(2596136) },
		  2596136000 },
		{ { MAX(0x16), { 0x15, { 0, 192, 24000000, 0 } } }, 0 },
		{ { MAX(0x16), { 0x15, { 2, 0, 24000000, 0 } } }, 0 },
		{ { MAX(0xd), IS_GUEST, HV_MAX(0x40000010), HV_KHZ(2000000) }, 2000000000 },
		{ { MAX(0xd), IS_GUEST, HV_MAX(0x4000ffff), HV_KHZ(2000000) }, 2000000000 },
		{ { MAX(0xd), IS_GUEST, HV_MAX(0x40000010), HV_KHZ(UINT32_MAX) }, UINT64_C(4294967295000) },
		{ { MAX(0xd), HV_MAX(0x40000010), HV_KHZ(2000000) }, 0 },              /* no hypervisor */
		{ { MAX(0xd), IS_GUEST, HV_MAX(0x4000000f), HV_KHZ(2000000) }, 0 },    /* out of range */
		{ { MAX(0xd), IS_GUEST, HV_MAX(0x40010000), HV_KHZ(2000000) }, 0 },    /* garbage */
		{ { MAX(0xd), IS_GUEST, HV_MAX(UINT32_MAX), HV_KHZ(2000000) }, 0 },
		{ { MAX(0xd), IS_GUEST, HV_MAX(0), HV_KHZ(2000000) }, 0 },
		{ { MAX(0xd), IS_GUEST, HV_MAX(0x40000010) }, 0 },
		{ { MAX(0) }, 0 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		fake.leaves = rows[i].leaves;
		for (fake.n_leaves = 1; fake.n_leaves < 5 && rows[i].leaves[fake.n_leaves].leaf;)
			fake.n_leaves++;
		if (hpt_cpu_stated_hz(fake_env.cpuid, fake_env.cpuid_ctx) != rows[i].hz)
			fail_msg("row %zu: %llu Hz", i,
				 (unsigned long long)hpt_cpu_stated_hz(fake_env.cpuid, fake_env.cpuid_ctx));
	}
}

/* ---- Range checks: the leaves that are read at all ------------------------------------------------ */

struct asked {
	uint32_t max, max_extended, above;
};

static void asking_cpuid(uint32_t leaf, uint32_t subleaf, uint32_t regs[4], void *ctx)
{
	struct asked *a = ctx;

	(void)subleaf;
	memset(regs, 0xff, 4 * sizeof(regs[0]));
	if (leaf == 0)
		regs[0] = a->max;
	else if (leaf == 0x80000000)
		regs[0] = a->max_extended;
	else if (leaf > (leaf >> 31 ? a->max_extended : a->max))
		a->above++;
}

static void leaves_outside_the_range_are_not_asked(void **state)
{
	static const struct asked rows[] = {
		{ 0, 0x80000000, 0 }, { 1, 0x80000000, 0 }, { 0, 0x80000001, 0 }, { 1, 0x80000006, 0 },
		{ 1, 0x80000007, 0 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct asked a = rows[i];
		struct hpt_cpu cpu;

		hpt_cpu_read(asking_cpuid, &a, &cpu);
		assert_int_equal(a.above, 0);
		assert_int_equal(cpu.tsc, a.max >= 1);
		assert_int_equal(cpu.rdtscp, a.max_extended >= 0x80000001);
		assert_int_equal(cpu.invariant, a.max_extended >= 0x80000007);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(real_processors_are_understood),
		cmocka_unit_test(constant_families_begin_and_end_where_linux_says),
		cmocka_unit_test(vendor_is_compared_whole),
		cmocka_unit_test(lfence_orders_by_vendor_or_by_bit),
		cmocka_unit_test(lfence_orders_by_family_where_that_is_sure),
		cmocka_unit_test(brand_is_tidied),
		cmocka_unit_test(brand_outside_the_range_is_not_asked),
		cmocka_unit_test(hypervisor_is_named_only_where_there_is_one),
		cmocka_unit_test(leaf_15h_counts_only_whole_and_in_range),
		cmocka_unit_test(rate_is_stated_by_crystal_or_hypervisor),
		cmocka_unit_test(leaves_outside_the_range_are_not_asked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
