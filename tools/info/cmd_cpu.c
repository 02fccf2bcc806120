// SPDX-License-Identifier: MIT
/* hpt cpu: facts from CPUID about this processor, or about others from dumps. */
#include "info/cmd_cpu.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/args.h"
#include "cli/cmd.h"
#include "info/codename.h"
#include "info/cpu_facts.h"
#include "info/dump.h"
#include "info/dump_read.h"
#include "cli/err.h"
#include "cli/format.h"
#include "cli/out.h"

#ifdef HPT_HAVE_LIBCPUID
#include <libcpuid/libcpuid.h>
#endif

enum { JSON = 1, DUMP = 2 };

/* Names for people, from libcpuid: the library has no use for them. "" where libcpuid gives no name. */
struct identity {
	char codename[64];
	char technology[32];
	const char *by;         /* libcpuid's version: an old libcpuid mistakes a new processor for an old one */
	bool is_newer;          /* the processor, than libcpuid's table of code names */
	json_t *features;       /* array of names */
};

static void identify(const struct hpt_cpu_info *cpu, struct identity *ret)
{
	(void)cpu; /* without libcpuid */
	memset(ret, 0, sizeof(*ret));
	ret->features = json_array();
#ifdef HPT_HAVE_LIBCPUID
	struct cpu_raw_data_t raw;
	struct cpu_id_t id;

	/* Not the calls for all CPUs: those of libcpuid 0.6.2 leave the thread bound to the last CPU. */
	cpuid_set_warn_function(NULL);
	ret->by = cpuid_lib_version();
	if (cpuid_get_raw_data(&raw) || cpu_identify(&raw, &id))
		return; /* a vendor that libcpuid does not know */
	ret->is_newer = !codename_is_known(cpu->vendor, cpu->family, ret->by);
	if (!ret->is_newer)
		snprintf(ret->codename, sizeof(ret->codename), "%s", id.cpu_codename);
#ifdef HPT_HAVE_TECHNOLOGY
	if (!ret->is_newer)
		snprintf(ret->technology, sizeof(ret->technology), "%s", id.technology_node);
#endif
	for (int i = 0; i < NUM_CPU_FEATURES; i++)
		if (id.flags[i])
			json_array_append_new(ret->features, json_string(cpu_feature_str((cpu_feature_t)i)));
#endif
}

static void live_json(const struct hpt_cpu_info *cpu, const struct identity *id)
{
	json_t *o = out_json_new();

	cpu_facts_json(o, cpu);
	out_json_latin1(o, "hypervisor_id", cpu->hypervisor_id, strlen(cpu->hypervisor_id));
	out_json_int(o, "cores_online", cpu->cores_online);
	out_json_int(o, "crystal_hz", cpu->crystal_hz);
	out_json_int(o, "tsc_hz", cpu->tsc_hz);
	out_json_text(o, "codename", *id->codename ? id->codename : NULL);
	out_json_text(o, "technology", *id->technology ? id->technology : NULL);
	out_json_add(o, "features", json_incref(id->features));
	out_json_print(o);
}

static void add_features(struct libscols_table *tb, json_t *features)
{
	char line[4096] = "";
	size_t i, n = 0;
	json_t *name;

	json_array_foreach(features, i, name)
		if (n < sizeof(line))
			n += (size_t)snprintf(line + n, sizeof(line) - n, "%s%s", n ? " " : "",
					      json_string_value(name));
	if (n)
		out_table_fact(tb, "Features", "%s", line);
}

static void live_text(const struct hpt_cpu_info *cpu, const struct identity *id)
{
	struct libscols_table *tb = out_table_new_facts();

	out_table_fact(tb, "Vendor", "%s (%s)", cpu->vendor_id, cpu->vendor);
	if (*cpu->brand)
		out_table_fact(tb, "Brand", "%s", cpu->brand);
	if (id->is_newer)
		out_table_fact(tb, "Code name", "newer than libcpuid %s, which would guess", id->by);
	if (*id->codename)
		out_table_fact(tb, "Code name", "%s, says libcpuid %s", id->codename, id->by);
	if (*id->technology)
		out_table_fact(tb, "Technology", "%s", id->technology);
	out_table_fact(tb, "Family, model, stepping", "%u, %u, %u", cpu->family, cpu->model, cpu->stepping);
	out_table_fact(tb, "Cores online", "%u", cpu->cores_online);
	out_table_fact(tb, "TSC", "%s", format_class(cpu->tsc_class));
	out_table_fact(tb, "RDTSCP", "%s", format_yes(cpu->rdtscp));
	out_table_fact(tb, "SSE2", "%s", format_yes(cpu->sse2));
	out_table_fact(tb, "Hypervisor", "%s %s", format_yes(cpu->hypervisor), cpu->hypervisor_id);
	if (cpu->crystal_hz)
		out_table_fact(tb, "Crystal", "%s", format_frequency(cpu->crystal_hz * UINT64_C(1000000)).s);
	if (cpu->tsc_hz)
		out_table_fact(tb, "TSC rate by CPUID", "%s", format_frequency(cpu->tsc_hz * 1000000).s);
	add_features(tb, id->features);
	out_table_print(tb);
}

static int live(const struct cmd *cmd, bool json)
{
	struct hpt_cpu_info cpu;
	struct identity id;

	if (hpt_cpu_get_info(&cpu, sizeof(cpu))) {
		err_print("%s: this architecture has no CPUID; dumps can still be read", cmd->name);
		return EXIT_FAILURE;
	}
	identify(&cpu, &id);
	if (json)
		live_json(&cpu, &id);
	else
		live_text(&cpu, &id);
	json_decref(id.features);
	return EXIT_SUCCESS;
}

static void dump_json(const char *file, const struct hpt_cpu_info *cpu)
{
	json_t *o = out_json_new();

	out_json_text(o, "file", file);
	cpu_facts_json(o, cpu);
	out_json_print(o);
}

static void dump_row(struct libscols_table *tb, const char *file, const struct hpt_cpu_info *cpu)
{
	struct libscols_line *ln = out_table_line(tb);

	out_table_cell(ln, 0, "%s", file);
	out_table_cell(ln, 1, "%s", cpu->vendor);
	out_table_cell(ln, 2, "%u", cpu->family);
	out_table_cell(ln, 3, "%u", cpu->model);
	out_table_cell(ln, 4, "%u", cpu->stepping);
	out_table_cell(ln, 5, "%s", format_class(cpu->tsc_class));
	out_table_cell(ln, 6, "%s", format_yes(cpu->rdtscp));
	out_table_cell(ln, 7, "%s", format_yes(cpu->hypervisor));
	out_table_cell(ln, 8, "%s", *cpu->brand ? cpu->brand : cpu->vendor_id);
}

static void say_wrong(const char *file, const struct dump *dump)
{
	if (dump->line)
		err_print("%s:%zu: %s", file, dump->line, dump->wrong);
	else
		err_print("%s: %s", file, dump->wrong);
}

static int dumps(bool json, int n, char *files[])
{
	static const struct out_column columns[] = {
		{ "FILE", 0 }, { "VENDOR", 0 }, { "FAMILY", SCOLS_FL_RIGHT }, { "MODEL", SCOLS_FL_RIGHT },
		{ "STEPPING", SCOLS_FL_RIGHT }, { "TSC", 0 }, { "RDTSCP", 0 }, { "HYPERVISOR", 0 }, { "BRAND", 0 },
		{ 0 },
	};
	static struct dump dump;
	struct libscols_table *tb = json ? NULL : out_table_new(columns);
	int status = EXIT_SUCCESS;

	for (int i = 0; i < n; i++) {
		struct hpt_cpu_info cpu;

		if (!dump_read(&dump, files[i])) {
			say_wrong(files[i], &dump);
			status = EXIT_FAILURE;
			continue;
		}
		cpu_facts_from_dump(&dump, &cpu);
		if (json)
			dump_json(files[i], &cpu);
		else
			dump_row(tb, files[i], &cpu);
	}
	if (!json)
		out_table_print(tb);
	return status;
}

static int run(const struct cmd *cmd, int argc, char *argv[])
{
	int flags = args_flags(cmd, argc, argv);

	if (flags < 0)
		return args_exit(flags);
	if (flags & DUMP && optind == argc)
		return args_usage(cmd, "--dump needs a file ('-' is standard input)");
	if (flags & DUMP)
		return dumps(flags & JSON, argc - optind, argv + optind);
	if (optind < argc)
		return args_surplus(cmd, argv);
	return live(cmd, flags & JSON);
}

static const struct opt opts[] = {
	{ "json", 'j', "JSON instead of a table: one object a line", NULL, KIND_NONE },
	{ "dump", 'd', "read CPUID from the files named, not from this processor", NULL, KIND_NONE },
	{ 0 },
};

const struct cmd cmd_cpu = {
	.name = "cpu",
	.args = "[--dump FILE...]",
	.operands = KIND_FILE,
	.help = "facts from CPUID about this processor, or about others from dumps",
	.details = "Shows this processor and the properties of its time stamp counter. With --dump the\n"
		   "same from text files with lines like\n"
		   "CPUID 00000000: 0000000D-756E6547-6C65746E-49656E69\n"
		   "as AIDA64, InstLatX64, libcpuid and 'cpuid -r' write them; '-' is standard input.\n"
		   "A file that is not a dump is named on standard error; the others are still shown.",
	.opts = opts,
	.run = run,
};
