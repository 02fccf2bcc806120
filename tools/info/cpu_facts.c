// SPDX-License-Identifier: MIT
/* Reads a dump's facts as the library reads the processor's, and prints either as JSON: tools/info/cpu_facts.h. */
#include "info/cpu_facts.h"

#include <string.h>

#include "machine/cpu.h"
#include "info/dump.h"
#include "cli/format.h"
#include "cli/out.h"

void cpu_facts_from_dump(const struct dump *dump, struct hpt_cpu_info *ret)
{
	*ret = (struct hpt_cpu_info){ .size = sizeof(*ret) };
	hpt_cpu_read_info(dump_cpuid, (void *)dump, ret);
}

void cpu_facts_json(json_t *object, const struct hpt_cpu_info *cpu)
{
	out_json_latin1(object, "vendor_id", cpu->vendor_id, 12);
	out_json_text(object, "vendor", cpu->vendor);
	out_json_latin1(object, "brand", cpu->brand, strlen(cpu->brand));
	out_json_int(object, "family", cpu->family);
	out_json_int(object, "model", cpu->model);
	out_json_int(object, "stepping", cpu->stepping);
	out_json_bool(object, "tsc", cpu->tsc);
	out_json_bool(object, "rdtscp", cpu->rdtscp);
	out_json_bool(object, "invariant", cpu->invariant);
	out_json_bool(object, "sse2", cpu->sse2);
	out_json_text(object, "class", format_class(cpu->tsc_class));
	out_json_bool(object, "hypervisor", cpu->hypervisor);
}
