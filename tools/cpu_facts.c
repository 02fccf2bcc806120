// SPDX-License-Identifier: MIT
/* Reads a dump's facts as the library reads the processor's, and prints either as JSON: tools/cpu_facts.h. */
#include "cpu_facts.h"

#include <string.h>

#include "machine/cpu.h"
#include "dump.h"
#include "format.h"
#include "out.h"

void hpt_cpu_facts_from_dump(const struct hpt_dump *dump, struct hpt_cpu_info *ret)
{
	struct hpt_cpu cpu;
	struct hpt_cpu_details details;

	hpt_cpu_read(hpt_dump_cpuid, (void *)dump, &cpu);
	hpt_cpu_read_details(hpt_dump_cpuid, (void *)dump, &cpu, &details);
	*ret = (struct hpt_cpu_info){
		.size = sizeof(*ret),   .tsc_class = hpt_cpu_tsc_class(&cpu),
		.family = cpu.family,   .model = cpu.model,           .stepping = cpu.stepping,
		.tsc = cpu.tsc,         .rdtscp = cpu.rdtscp,         .invariant = cpu.invariant,
		.sse2 = cpu.sse2,       .hypervisor = cpu.hypervisor,
		.crystal_hz = details.crystal_hz,                     .tsc_hz = details.tsc_hz,
	};
	memcpy(ret->vendor_id, cpu.vendor_id, sizeof(cpu.vendor_id));
	strncpy(ret->vendor, hpt_cpu_vendor(&cpu), sizeof(ret->vendor) - 1);
	memcpy(ret->brand, details.brand, sizeof(details.brand));
	memcpy(ret->hypervisor_id, details.hypervisor_id, sizeof(details.hypervisor_id));
}

void hpt_cpu_facts_json(json_t *object, const struct hpt_cpu_info *cpu)
{
	hpt_json_latin1(object, "vendor_id", cpu->vendor_id, 12);
	hpt_json_text(object, "vendor", cpu->vendor);
	hpt_json_latin1(object, "brand", cpu->brand, strlen(cpu->brand));
	hpt_json_int(object, "family", cpu->family);
	hpt_json_int(object, "model", cpu->model);
	hpt_json_int(object, "stepping", cpu->stepping);
	hpt_json_bool(object, "tsc", cpu->tsc);
	hpt_json_bool(object, "rdtscp", cpu->rdtscp);
	hpt_json_bool(object, "invariant", cpu->invariant);
	hpt_json_bool(object, "sse2", cpu->sse2);
	hpt_json_text(object, "class", hpt_format_class(cpu->tsc_class));
	hpt_json_bool(object, "hypervisor", cpu->hypervisor);
}
