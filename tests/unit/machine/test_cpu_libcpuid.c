// SPDX-License-Identifier: MIT
/* A second opinion on the same registers: libcpuid. */
#include <string.h>

#include <libcpuid/libcpuid.h>

#include "unit.h"

#include "machine/cpu.h"
#include "cpu_vectors.h"

static void say_nothing(const char *text)
{
	(void)text;
}

static void vector_cpuid(uint32_t leaf, uint32_t subleaf, uint32_t regs[4], void *ctx)
{
	const struct cpu_raw_data_t *raw = ctx;

	(void)subleaf;
	memcpy(regs, leaf >> 31 ? raw->ext_cpuid[leaf & 31] : raw->basic_cpuid[leaf & 31], 4 * sizeof(regs[0]));
}

static void libcpuid_agrees(void **state)
{
	uint32_t known = 0;

	(void)state;
	cpuid_set_warn_function(say_nothing);
	for (size_t i = 0; i < CPU_VECTORS; i++) {
		const struct cpu_vector *v = &cpu_vectors[i];
		struct cpu_raw_data_t raw;
		struct cpu_id_t id;
		struct hpt_cpu cpu;

		memset(&raw, 0, sizeof(raw));
		memcpy(raw.basic_cpuid[0], v->leaf[0], sizeof(v->leaf[0]));
		memcpy(raw.basic_cpuid[1], v->leaf[1], sizeof(v->leaf[1]));
		memcpy(raw.ext_cpuid[0], v->leaf[2], sizeof(v->leaf[2]));
		memcpy(raw.ext_cpuid[1], v->leaf[3], sizeof(v->leaf[3]));
		memcpy(raw.ext_cpuid[7], v->leaf[4], sizeof(v->leaf[4]));
		if (cpu_identify(&raw, &id))
			continue; /* a vendor it does not know */
		known++;
		hpt_cpu_read(vector_cpuid, &raw, &cpu);
		if (cpu.tsc != id.flags[CPU_FEATURE_TSC] || cpu.rdtscp != id.flags[CPU_FEATURE_RDTSCP] ||
		    cpu.invariant != id.flags[CPU_FEATURE_CONSTANT_TSC])
			fail_msg("%s: tsc %d rdtscp %d invariant %d; libcpuid %d %d %d", v->name, cpu.tsc, cpu.rdtscp,
				 cpu.invariant, id.flags[CPU_FEATURE_TSC], id.flags[CPU_FEATURE_RDTSCP],
				 id.flags[CPU_FEATURE_CONSTANT_TSC]);
		if (strncmp(v->name, "synthetic", 9) &&
		    (cpu.family != (uint32_t)id.ext_family || cpu.model != (uint32_t)id.ext_model))
			fail_msg("%s: %u:%u; libcpuid %d:%d", v->name, cpu.family, cpu.model, id.ext_family,
				 id.ext_model);
	}
	note("libcpuid knows %u of %u", known, (unsigned)CPU_VECTORS);
	assert_true(known >= 30);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(libcpuid_agrees) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
