// SPDX-License-Identifier: MIT
/* Parses lines in the formats of AIDA64 and InstLatX64, of libcpuid, and of "cpuid -r": tools/info/dump_line.h. */
#include "info/dump_line.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Takes exactly eight digits: with fewer the line was cut. The caller checks the rest of the line. */
static const char *hex8(const char *p, uint32_t *ret)
{
	uint32_t value = 0;

	for (int i = 0; i < 8; i++, p++) {
		if (!isxdigit((unsigned char)*p))
			return NULL;
		value = value << 4 | (uint32_t)(isdigit((unsigned char)*p) ? *p - '0' : (*p | 32) - 'a' + 10);
	}
	*ret = value;
	return p;
}

static const char *skip_blanks(const char *p)
{
	while (*p == ' ' || *p == '\t')
		p++;
	return p;
}

/* ---- AIDA64, InstLatX64 ------------------------------------------------------------------------------ */

/* "00000001: 000206A6-00100800-1F9AE3BF-BFEBFBFF", as far as the last register. */
static const char *parse_registers(const char *p, struct dump_entry *ret)
{
	const char *start;

	p = hex8(p, &ret->leaf);
	if (!p)
		return NULL;
	start = p += *p == ':';
	p = skip_blanks(p);
	if (p == start)
		return NULL;
	for (int i = 0; i < 4; i++) {
		if (i && *p++ != '-')
			return NULL;
		p = hex8(p, &ret->regs[i]);
		if (!p)
			return NULL;
	}
	return p;
}

/*
 * After the registers comes nothing, the sub-leaf in brackets, or a remark: the registers as text, which in real
 * reports a NUL has cut before the closing bracket. Old AIDA64 wrote sub-leaves without numbers.
 */
static bool parse_tail(const char *p, uint32_t *ret_subleaf)
{
	char *end;

	*ret_subleaf = 0;
	if (*p && *p != ' ' && *p != '\t' && *p != '[')
		return false;
	p = skip_blanks(p);
	if (strncmp(p, "[SL ", 4) != 0)
		return true;
	p += 4;
	if (!isxdigit((unsigned char)*p))
		return false;
	*ret_subleaf = (uint32_t)strtoul(p, &end, 16);
	return *end == ']' && end - p <= 8;
}

/* Returns the part of a line with the registers, or NULL: reports also have lines like "CPUID Manufacturer". */
static const char *register_line(const char *text)
{
	size_t digits;

	text = skip_blanks(text);
	if (strncmp(text, "CPUID ", 6) != 0)
		return NULL;
	text = skip_blanks(text + 6);
	digits = strspn(text, "0123456789ABCDEFabcdef");
	if (isdigit((unsigned char)*text) || (digits && (!text[digits] || strchr(" \t:", text[digits]))))
		return text;
	return NULL;
}

static enum dump_line aida_line(const char *text, struct dump_entry *ret)
{
	const char *p = register_line(text);

	if (!p)
		return DUMP_OTHER;
	p = parse_registers(p, ret);
	return p && parse_tail(p, &ret->subleaf) ? DUMP_ENTRY : DUMP_BROKEN;
}

/* ---- libcpuid ------------------------------------------------------------------------------------------ */

/* "basic_cpuid[7]=00000000 219c91a9 00400004 00000000"; other arrays hold sub-leaves. */
static enum dump_line libcpuid_line(const char *p, struct dump_entry *ret)
{
	static const struct { char name[16]; uint32_t base; } arrays[] = {
		{ "basic_cpuid[", 0 }, { "ext_cpuid[", 0x80000000 },
	};
	size_t i = 0, digits;

	while (i < 2 && strncmp(p, arrays[i].name, strlen(arrays[i].name)) != 0)
		i++;
	if (i == 2)
		return DUMP_OTHER;
	p += strlen(arrays[i].name);
	digits = strspn(p, "0123456789");
	if (!digits || digits > 3 || strncmp(p + digits, "]=", 2) != 0)
		return DUMP_BROKEN;
	*ret = (struct dump_entry){ .leaf = arrays[i].base + (uint32_t)strtoul(p, NULL, 10) };
	p += digits + 2;
	for (int r = 0; r < 4; r++) {
		if (r && *p++ != ' ')
			return DUMP_BROKEN;
		p = hex8(p, &ret->regs[r]);
		if (!p)
			return DUMP_BROKEN;
	}
	return *skip_blanks(p) ? DUMP_BROKEN : DUMP_ENTRY;
}

/* ---- cpuid -r ------------------------------------------------------------------------------------------ */

/* "   0x00000004 0x01: eax=0x1c004122 ebx=0x01c0003f ecx=0x0000003f edx=0x00000000" */
static enum dump_line cpuid_r_line(const char *p, struct dump_entry *ret)
{
	static const char names[4][8] = { "eax=0x", "ebx=0x", "ecx=0x", "edx=0x" };
	char *end;

	p = skip_blanks(p);
	if (strncmp(p, "0x", 2) != 0)
		return DUMP_OTHER;
	p = hex8(p + 2, &ret->leaf);
	if (!p || strncmp(p, " 0x", 3) != 0)
		return DUMP_OTHER;
	ret->subleaf = (uint32_t)strtoul(p + 3, &end, 16);
	if (*end != ':')
		return DUMP_OTHER;
	p = end + 1;
	for (int r = 0; r < 4; r++) {
		p = skip_blanks(p);
		p = strncmp(p, names[r], 6) ? NULL : hex8(p + 6, &ret->regs[r]);
		if (!p)
			return DUMP_BROKEN;
	}
	return *skip_blanks(p) ? DUMP_BROKEN : DUMP_ENTRY;
}

/* ---- Any ------------------------------------------------------------------------------------------------ */

enum dump_line dump_line(const char *text, struct dump_entry *ret)
{
	enum dump_line kind = aida_line(text, ret);

	if (kind == DUMP_OTHER)
		kind = libcpuid_line(text, ret);
	if (kind == DUMP_OTHER)
		kind = cpuid_r_line(text, ret);
	return kind;
}

/* "CPU 1:" */
static bool is_cpuid_r_header(const char *text)
{
	if (strncmp(text, "CPU ", 4) != 0 || !isdigit((unsigned char)text[4]))
		return false;
	for (text += 4; isdigit((unsigned char)*text); text++)
		;
	return *text == ':';
}

bool dump_is_cpu_header(const char *text)
{
	const char *p = strstr(text, "CPU#");

	if (is_cpuid_r_header(text) || strstr(text, "Logical CPU #") || strstr(text, "CPUID Registers (CPU #"))
		return true;
	if (!p)
		return false;
	p += 4;
	p += strspn(p, "0123456789");
	return !strncmp(p, " AffMask", 8);
}
