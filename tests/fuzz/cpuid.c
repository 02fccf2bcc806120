// SPDX-License-Identifier: MIT
/* CPUID: the same input as the text of a dump, and as the registers of a processor that answers anything. */
#include "hpt/hpt.h"
#include "hpt/system.h"

#include "machine/cpu.h"
#include "info/cpu_facts.h"
#include "info/dump.h"
#include "fuzz.h"

/* ---- What facts must hold, whatever the processor ---------------------------------------------------- */

static bool is_string(const char *text, size_t size)
{
	return strnlen(text, size) < size;
}

static void check_brand(const char *brand)
{
	size_t n = strlen(brand);

	MUST(n <= 48 && !strstr(brand, "  "));
	MUST(!n || (brand[0] != ' ' && brand[n - 1] != ' '));
}

static uint32_t class_by_bits(const struct hpt_cpu_info *cpu)
{
	return !cpu->tsc ? HPT_CPU_NO_TSC : cpu->invariant ? HPT_CPU_INVARIANT : cpu->tsc_class;
}

static void check_facts(const struct hpt_cpu_info *cpu)
{
	MUST(is_string(cpu->vendor_id, 13) && is_string(cpu->vendor, sizeof(cpu->vendor)) && *cpu->vendor);
	MUST(is_string(cpu->brand, sizeof(cpu->brand)) && is_string(cpu->hypervisor_id, 13));
	check_brand(cpu->brand);
	MUST(cpu->family <= 15 + 255 && cpu->model <= 255 && cpu->stepping <= 15);
	MUST((cpu->tsc | cpu->rdtscp | cpu->invariant | cpu->sse2 | cpu->hypervisor) <= 1);
	MUST(cpu->tsc_class <= HPT_CPU_INVARIANT && cpu->tsc_class == class_by_bits(cpu));
	MUST(cpu->hypervisor || !*cpu->hypervisor_id);
	MUST(!cpu->tsc_hz || cpu->crystal_hz);
	/* Only vendors in the table have families of constant rate. */
	MUST(cpu->tsc_class != HPT_CPU_CONSTANT_BY_FAMILY || strcmp(cpu->vendor, "other"));
}

/* ---- Registers -------------------------------------------------------------------------------------------- */

static const uint32_t leaves[] = {
	0, 1, 0x15, 0x40000000, 0x40000010, 0x80000000, 0x80000001, 0x80000002, 0x80000003, 0x80000004, 0x80000007,
};

#define N_LEAVES (sizeof(leaves) / sizeof(leaves[0]))

struct processor {
	uint32_t regs[N_LEAVES][4];
	uint32_t basic_asked, extended_asked;   /* the highest leaves that were executed */
};

static void answer(uint32_t leaf, uint32_t subleaf, uint32_t regs[4], void *ctx)
{
	struct processor *p = ctx;
	size_t i = 0;

	while (i < N_LEAVES && leaves[i] != leaf)
		i++;
	MUST(i < N_LEAVES && !subleaf);
	memcpy(regs, p->regs[i], sizeof(p->regs[i]));
	if (leaf < 0x40000000 && leaf > p->basic_asked)
		p->basic_asked = leaf;
	if (leaf >= 0x80000000 && leaf > p->extended_asked)
		p->extended_asked = leaf;
}

/* An old processor answers a leaf above its range with another leaf's registers: such a leaf is not executed. */
static void check_asked(const struct processor *p)
{
	uint32_t extended = p->regs[5][0];

	MUST(p->basic_asked <= p->regs[0][0]);
	MUST(p->extended_asked <= (extended >> 16 == 0x8000 ? extended : 0x80000000));
}

static void check_registers(struct fuzz_input in)
{
	struct hpt_cpu_info info = { .size = sizeof(info) };
	struct processor p = { .basic_asked = 0 };
	struct hpt_cpu cpu;

	fuzz_take(&in, p.regs, sizeof(p.regs));
	hpt_cpu_read(answer, &p, &cpu);
	check_asked(&p);
	hpt_cpu_read_info(answer, &p, &info);
	check_asked(&p);
	check_facts(&info);
	MUST(info.family == cpu.family && info.tsc == cpu.tsc && info.tsc_class == hpt_cpu_tsc_class(&cpu));
	MUST(!info.tsc_hz || hpt_cpu_stated_hz(answer, &p) == info.tsc_hz);
}

/* ---- Dumps ------------------------------------------------------------------------------------------------ */

static void check_entries(const struct dump *dump)
{
	MUST(dump->n >= 1 && dump->n <= DUMP_ENTRIES);
	for (size_t i = 0; i < dump->n; i++) {
		MUST(!dump->entries[i].subleaf);
		for (size_t k = 0; k < i; k++)
			MUST(dump->entries[k].leaf != dump->entries[i].leaf);
	}
}

typedef int write_fn(char *to, size_t size, const struct dump_entry *e);

static int write_aida(char *to, size_t size, const struct dump_entry *e)
{
	return snprintf(to, size, "CPUID %08X: %08X-%08X-%08X-%08X\n", e->leaf, e->regs[0], e->regs[1], e->regs[2],
			e->regs[3]);
}

static int write_cpuid_r(char *to, size_t size, const struct dump_entry *e)
{
	return snprintf(to, size, "   0x%08x 0x00: eax=0x%08x ebx=0x%08x ecx=0x%08x edx=0x%08x\n", e->leaf, e->regs[0],
			e->regs[1], e->regs[2], e->regs[3]);
}

/* Written again, in either format, the entries parse to the same. */
static void check_again(const struct dump *dump, write_fn *write)
{
	static char text[DUMP_ENTRIES * 96];
	static struct dump again;
	size_t n = 0;

	for (size_t i = 0; i < dump->n; i++)
		n += (size_t)write(text + n, sizeof(text) - n, &dump->entries[i]);
	MUST(dump_parse(&again, text, n));
	MUST(again.n == dump->n && !memcmp(again.entries, dump->entries, dump->n * sizeof(dump->entries[0])));
}

static size_t count_lines(const struct fuzz_input *in)
{
	size_t n = 1;

	for (size_t i = 0; i < in->n; i++)
		n += in->at[i] == '\n';
	return n;
}

static void check_dump(const struct fuzz_input *in)
{
	static struct dump dump;
	struct hpt_cpu_info info;

	dump.wrong[0] = '\0';
	if (!dump_parse(&dump, (const char *)in->at, in->n)) {
		MUST(dump.wrong[0] && is_string(dump.wrong, sizeof(dump.wrong)) && dump.line <= count_lines(in));
		return;
	}
	check_entries(&dump);
	cpu_facts_from_dump(&dump, &info);
	check_facts(&info);
	check_again(&dump, write_aida);
	check_again(&dump, write_cpuid_r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = { data, size };

	check_registers(in);
	check_dump(&in);
	return 0;
}
