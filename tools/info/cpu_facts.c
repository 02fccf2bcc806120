// SPDX-License-Identifier: MIT
/* Reads a dump's facts as the library reads the processor's, and prints either as JSON: tools/info/cpu_facts.h. */
#include "info/cpu_facts.h"

#include <string.h>

#include "machine/cpu.h"
#include "info/dump.h"
#include "cli/format.h"
#include "cli/out.h"

void hpt_cpu_facts_from_dump(const struct hpt_dump *dump, struct hpt_cpu_info *ret)
{
	*ret = (struct hpt_cpu_info){ .size = sizeof(*ret) };
	hpt_cpu_read_info(hpt_dump_cpuid, (void *)dump, ret);
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
